/** What is at stake in a question, in words; the same for every screen and for scripts. */
import { size } from "./figures.ts";
import { say } from "./text.ts";
import type { Lang, Stakes } from "./types.ts";

export { size };

/** `holds`: what the targets hold; `warnings`: why it may not come back, none for a harmless one. */
export function stakesText(
  lang: Lang,
  { files, folders, bytes, more, outside, notInGit = 0, history, whole, own, some }: Stakes,
): { holds: string; warnings: readonly string[] } {
  const values = { files, folders, size: size(bytes) };
  const counted = say(lang, folders > 0 ? "stakes.folders" : "stakes.files", values);
  const all = some ? say(lang, "stakes.some", { counted }) : counted;
  return {
    holds: more ? say(lang, "stakes.more", { counted: all }) : all,
    warnings: [
      ...whole ? [say(lang, `stakes.${whole}`)] : [],
      ...own ? [say(lang, "stakes.own")] : [],
      ...outside > 0 ? [say(lang, "stakes.outside", { n: outside })] : [],
      ...history ? [say(lang, "stakes.history")] : [],
      ...notInGit > 0 && !(history && notInGit === files)
        ? [
          say(
            lang,
            some
              ? "stakes.some_not_in_git"
              : notInGit === files
              ? "stakes.none_in_git"
              : "stakes.not_in_git",
            { n: notInGit },
          ),
        ]
        : [],
    ],
  };
}
