/** Why a command cannot run, or fails, in the sandbox that was asked for. */
import type { T } from "../../base/t.ts";
import type { Output } from "./output.ts";

export type SandboxFault = "missing" | "failed" | "link" | "root" | "system";

/** `detail`: the path, or what the program said. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly why: SandboxFault;
  readonly detail: string;

  constructor(why: SandboxFault, detail = "") {
    super(`sandbox: ${why} ${detail}`.trim());
    this.why = why;
    this.detail = detail;
  }
}

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

/** Why there is no sandbox, in words; throws any other error on. */
export function whyNot(error: unknown, t: T): string {
  if (!(error instanceof SandboxError)) throw error;
  return t(WHY_NOT[error.why], { detail: error.detail });
}

/** What a shut door sounds like. */
const SHUT =
  /read-only file system|device or resource busy|\bEROFS\b|\bEBUSY\b|operation not permitted/i;
const OFFLINE =
  /network is unreachable|could not resolve|name resolution|getaddrinfo|ENETUNREACH|EAI_AGAIN/i;

/** What a model has to know when the sandbox was in its way. */
export function sandboxHint(
  { network, writable }: { readonly network: boolean; readonly writable: readonly string[] },
  { output, exit }: { readonly output: Output; readonly exit: number | null },
  t: T,
): string | undefined {
  if (exit === 0) return undefined;
  const text = `${output.head}\n${output.tail ?? ""}`;
  if (!SHUT.test(text) && (network || !OFFLINE.test(text))) return undefined;
  return t(
    "[sandbox] Commands run in narnat's sandbox: only {folders} can be written; .git/hooks, .git/config and .narnat are read-only, and no .git can be made where there is none{network}. Where more is needed tell the user; do not work around it",
    {
      folders: writable.join(t(", ")),
      network: network ? "" : t("; there is no network"),
    },
  );
}
