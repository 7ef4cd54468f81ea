import { say } from "../base/text.ts";
import type { Lang } from "../base/types.ts";
import { codeOf, reasonOf } from "./file_error.ts";

/** Why a file operation failed, for people and the model. */
export function whyOf(lang: Lang, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return say(lang, `file.why.${reasonOf(error)}`, { error: codeOf(error) || message });
}
