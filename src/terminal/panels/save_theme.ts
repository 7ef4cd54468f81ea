/** Keeps the user's choice of colours. */
import { say } from "../../base/text.ts";
import type { Lang, Theme } from "../../base/types.ts";
import { saveUserSettings } from "../../config/file.ts";
import { whyOf } from "../../base/file_why.ts";
import { demand } from "../../base/host.ts";

/** Writes the choice into the user's narnat.json; returns why it cannot, or undefined. */
export function keepTheme(
  userFile: string | undefined,
  theme: Theme,
  lang: Lang,
): string | undefined {
  if (userFile === undefined) return say(lang, "theme.no_home");
  try {
    demand("write", userFile);
    saveUserSettings(userFile, { theme });
    return undefined;
  } catch (error) {
    return `${userFile}: ${whyOf(lang, error)}`;
  }
}
