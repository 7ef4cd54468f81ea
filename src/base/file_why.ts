import { say } from "./text.ts";
import type { Lang } from "./types.ts";
import { errorMessage } from "./error_message.ts";
import { codeOf, reasonOf } from "./file_error.ts";

/** Why a file operation failed, for people and the model. */
export function whyOf(lang: Lang, error: unknown): string {
  const message = errorMessage(error);
  return say(lang, `file.why.${reasonOf(error)}`, { error: codeOf(error) || message });
}
