import type { T } from "./t.ts";
import { codeOf, errorMessage, reasonOf } from "./errors.ts";

const WHYS = {
  denied: "permission denied.",
  folder: "it is a folder.",
  loop: "its symbolic links go in circles.",
  missing: "it does not exist.",
  changed: "it changed at this very moment; nothing was written, Read it again.",
  not_granted: "narnat was started without this permission (Deno --allow-read / --allow-write).",
  full: "the disk is full.",
  read_only: "the file system is read-only.",
  not_folder: "it, or a part of the path, is not a folder.",
  not_regular: "it is a device, pipe or socket, not a regular file.",
  bad_name: "the path is empty, too long or has characters that are not allowed.",
  busy: "it is in use; try again later.",
  locked: "another program holds its lock; try again later.",
  too_large: "it is larger than 64 MB; use a command in Bash.",
  virtual: "/proc, /sys and /dev are the kernel's own, not files on a disk; use a command in Bash.",
  waiting: "it keeps its reader waiting for more and has no end.",
  outside:
    "it lies outside of the workspace, and only files in the workspace may be used here (workspace_only)",
  other: "{error}",
} as const;

/** Why a file operation failed, for people and the model. */
export function whyOf(t: T, error: unknown): string {
  const message = errorMessage(error);
  return t(WHYS[reasonOf(error)], { error: codeOf(error) || message });
}
