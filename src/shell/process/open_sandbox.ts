import type { T } from "../../base/t.ts";
import type { Sandbox, SandboxOptions } from "./sandbox.ts";

/** The sandbox that Bash is to run in, if any. */
export async function openSandbox(
  sandbox: Pick<SandboxOptions, "network" | "write" | "workspaceOnly"> | undefined,
  workspace: string,
  userDir: string | undefined,
  env: { readonly [name: string]: string },
  copy?: boolean,
): Promise<Sandbox | undefined> {
  if (!sandbox && !copy) return undefined;
  const { createSandbox } = await import("./sandbox.ts");
  const settings = sandbox && !copy ? sandbox : { network: false, write: [], copy };
  return createSandbox({ ...settings, workspace, userDir, home: env.HOME, env });
}

/** Why the sandbox that was asked for cannot be had; undefined where it can. */
export async function sandboxFault(
  sandbox: Pick<Sandbox, "open"> | undefined,
  t: T,
): Promise<string | undefined> {
  try {
    await sandbox?.open();
    return undefined;
  } catch (error) {
    const { whyNot } = await import("./sandbox_error.ts");
    return whyNot(error, t);
  }
}
