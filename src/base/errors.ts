/**
 * Errors: the words of anything thrown, a configuration that the user has to mend, and why a file
 * operation failed. Without texts: workers have no use for them.
 */

/** The words of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A configuration the user has to mend; the message names file, line and key. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Why a file operation failed, in words of our own instead of the platform's. */
type FileReason =
  | "missing"
  | "denied"
  | "not_granted"
  | "full"
  | "read_only"
  | "folder"
  | "not_folder"
  | "not_regular"
  | "bad_name"
  | "loop"
  | "busy"
  | "locked"
  | "changed"
  | "too_large"
  | "virtual"
  | "waiting"
  | "outside"
  | "other";

/** A refusal by this room itself, where the platform gave no error of its own. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly reason: FileReason;

  constructor(reason: FileReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** Throws where something else than a file has the name: opening a pipe would wait for ever, a link leads elsewhere. */
export function mustBeFile(path: string): void {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch {
    return; // whoever opens it is told
  }
  if (!info.isFile) throw new FileError("not_regular", `"${path}" is not a regular file`);
}

const REASONS: { readonly [code: string]: FileReason } = {
  ENOENT: "missing",
  EACCES: "denied",
  EPERM: "denied",
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read_only",
  EISDIR: "folder",
  ENOTDIR: "not_folder",
  ENAMETOOLONG: "bad_name",
  EILSEQ: "bad_name",
  EINVAL: "bad_name",
  ELOOP: "loop",
  EBUSY: "busy",
  ETXTBSY: "busy",
};

/** Returns the platform's error code (`ENOSPC`), or an empty string; the error may be another realm's. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

/** Whether the system refused; what else is thrown is a bug of ours. Deno leaves rare codes in the text. */
export function isOfSystem(error: unknown): boolean {
  return codeOf(error) !== "" || error instanceof Error && /\(os error \d+\)/.test(error.message);
}

/** Sorts any error of a file operation into a FileReason. */
export function reasonOf(error: unknown): FileReason {
  if (error instanceof FileError) return error.reason;
  if (error instanceof Deno.errors.NotCapable) return "not_granted";
  const byCode = REASONS[codeOf(error)];
  if (byCode) return byCode;
  if (error instanceof Deno.errors.NotFound) return "missing";
  if (error instanceof Deno.errors.PermissionDenied) return "denied";
  if (error instanceof Deno.errors.FilesystemLoop) return "loop";
  if (error instanceof TypeError) return "bad_name";
  return "other";
}
