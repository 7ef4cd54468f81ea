import type { T } from "../../base/t.ts";
import type { Sandbox, SandboxOptions } from "./sandbox.ts";

const WHY_NOT = {
  failed:
    "it could not be started ({detail}). Most often user namespaces are off: the user has to allow them (sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), in a container the container's settings",
  link:
    "{detail} is a link, which the sandbox cannot keep from being replaced: the user has to put the real file or folder in its place",
  system:
    "there is none for {detail} (only for Linux and macOS): the user has to take the setting out",
  root:
    "the workspace, or a folder of its write, is the whole file system ({detail}), of which nothing is left to keep: start narnat in the project's folder",
  missing:
    "a program it needs was not found ({detail}): the user has to install bubblewrap (apt/dnf/pacman install bubblewrap) and bash",
} as const;

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
    const { SandboxError } = await import("./sandbox_error.ts");
    if (!(error instanceof SandboxError)) throw error;
    return t(WHY_NOT[error.why], { detail: error.detail });
  }
}
