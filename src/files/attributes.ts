/** Access lists and extended attributes, which nothing in Deno can read: another program copies them. */
import { mayRun, systemProgram } from "../base/program_path.ts";

/**
 * Gives one file the attributes of another: those that it has none of go, such as a folder's default
 * access list. Nothing is done where that program may not be run, or fails.
 */
export async function keepAttributes(from: string, to: string): Promise<void> {
  if (Deno.build.os !== "linux") return;
  const own = systemProgram("cp");
  if (own === undefined && !mayRun("cp")) return;
  // always: nothing that Deno tells of a file changes for sure when somebody gives it an access list
  const args = ["--attributes-only", "--preserve=mode,xattr", "--", from, to];
  const quiet = { stdin: "null", stdout: "null", stderr: "null" } as const;
  // without a language to load it is a fifth faster
  await new Deno.Command(own ?? "cp", { args, clearEnv: own !== undefined, ...quiet }).output()
    .catch(() => {});
}
