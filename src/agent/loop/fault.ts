/** What went wrong, in words for the user. */
import { type EventBody, HandoverFailed, type Lang, ModelError } from "../../base/types.ts";
import type { Log } from "../../base/log.ts";
import { say } from "../../base/text.ts";
import { errorMessage } from "../../base/error_message.ts";

const DISK_CODES = ["ENOSPC", "EROFS", "EACCES", "EDQUOT", "EIO"];

/** An error's message; a ModelError is put into words by `describe`. */
export function faultText(error: unknown, describe: (error: ModelError) => string): string {
  if (error instanceof ModelError) return describe(error);
  return errorMessage(error);
}

/** What is told of an error that nobody was to expect, whose text is `why`; it is logged with its stack. */
export function faultEvent(error: unknown, why: string, log: Log, lang: Lang): EventBody {
  if (error instanceof HandoverFailed) return { type: "error", kind: "compress", text: why };
  log.error("core.agent", error instanceof Error ? error.stack ?? why : why);
  const disk = error instanceof Deno.errors.PermissionDenied ||
    DISK_CODES.includes(String((error as { code?: unknown } | null)?.code));
  return disk
    ? { type: "error", kind: "disk", text: say(lang, "turn.no_space", { why }) }
    : { type: "error", kind: "bug", text: say(lang, "turn.bug", { why, log: log.path ?? "-" }) };
}
