/** The user's own editor on the text of the prompt. */
import { errorMessage } from "../../base/error_message.ts";

export type Edited =
  | { readonly text: string }
  /** `code` is the editor's exit code; 127: there is no such program. */
  | { readonly editor: string; readonly code: number }
  | { readonly editor: string; readonly why: string };

/** The editor the environment names; arguments and quotes in it are the shell's. */
export function editorFrom(env: (name: string) => string | undefined): string {
  return env("VISUAL")?.trim() || env("EDITOR")?.trim() ||
    (Deno.build.os === "windows" ? "notepad" : "vi");
}

/** The editor's environment; narnat's own when left out. */
type Env = { readonly [name: string]: string } | undefined;

/** Opens a file in the editor, which has the terminal until it ends; resolves with its exit code. */
export async function openInEditor(path: string, editor: string, env?: Env): Promise<number> {
  const [command, ...args] = Deno.build.os === "windows"
    ? ["cmd", "/d", "/c", `${editor} "${path}"`]
    // The shell outlives a Ctrl-C that is meant for the editor.
    : ["sh", "-c", `trap : INT; ${editor} "$@"`, editor, path];
  const io = "inherit";
  const streams = { stdin: io, stdout: io, stderr: io } as const;
  const its = env ? { clearEnv: true, env } : {};
  const child = new Deno.Command(command!, { args, ...streams, ...its }).spawn();
  return (await child.status).code;
}

/** Opens `text` in the editor, which has the terminal until it ends; resolves with what it saved. */
export async function editExternally(text: string, editor: string, env?: Env): Promise<Edited> {
  let path: string | undefined;
  try {
    path = await Deno.makeTempFile({ prefix: "narnat-", suffix: ".md" });
    await Deno.writeTextFile(path, text);
    const code = await openInEditor(path, editor, env);
    if (code !== 0) return { editor, code };
    const saved = (await Deno.readTextFile(path)).replaceAll("\r\n", "\n");
    // Editors end the last line.
    return { text: text.endsWith("\n") ? saved : saved.replace(/\n$/, "") };
  } catch (error) {
    return { editor, why: errorMessage(error) };
  } finally {
    if (path !== undefined) await Deno.remove(path).catch(() => {});
  }
}
