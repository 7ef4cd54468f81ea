/** Why a command cannot run in the sandbox that was asked for. */

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
