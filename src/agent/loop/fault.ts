/** What went wrong, in words for the user. */
import { type EventBody, HandoverFailed, ModelError } from "../../base/types.ts";
import type { Log } from "../../base/log.ts";
import type { T } from "../../base/t.ts";
import { errorMessage } from "../../base/error_message.ts";

const DISK_CODES = ["ENOSPC", "EROFS", "EACCES", "EDQUOT", "EIO"];

/** An error's message; a ModelError is put into words by `describe`. */
export function faultText(error: unknown, describe: (error: ModelError) => string): string {
  if (error instanceof ModelError) return describe(error);
  return errorMessage(error);
}

/** What is told of an error that nobody was to expect, whose text is `why`; it is logged with its stack. */
export function faultEvent(error: unknown, why: string, log: Log, t: T): EventBody {
  if (error instanceof HandoverFailed) return { type: "error", kind: "compress", text: why };
  log.error("core.agent", error instanceof Error ? error.stack ?? why : why);
  const disk = error instanceof Deno.errors.PermissionDenied ||
    DISK_CODES.includes(String((error as { code?: unknown } | null)?.code));
  return disk
    ? {
      type: "error",
      kind: "disk",
      text: t(
        "Cannot write to the disk: {why}. Your prompt is given back; free space, check the permissions, or run with --no-session",
        { why },
      ),
    }
    : {
      type: "error",
      kind: "bug",
      text: t("internal error: {why} (see the log {log})", { why, log: log.path ?? "-" }),
    };
}
