/** Keeps the user's choice of colours. */
import type { T } from "../../base/t.ts";
import type { Theme } from "../../base/types.ts";
import { saveUserSettings } from "../../config/json_text.ts";
import { whyOf } from "../../base/file_why.ts";
import { demand } from "../../base/host.ts";

/** Writes the choice into the user's narnat.json; returns why it cannot, or undefined. */
export function keepTheme(
  userFile: string | undefined,
  theme: Theme,
  t: T,
): string | undefined {
  if (userFile === undefined) return t("there is no home directory");
  try {
    demand("write", userFile);
    saveUserSettings(userFile, { theme });
    return undefined;
  } catch (error) {
    return `${userFile}: ${whyOf(t, error)}`;
  }
}
