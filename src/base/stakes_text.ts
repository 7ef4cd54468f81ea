/** What is at stake in a question, in words; the same for every screen and for scripts. */
import { size } from "./figures.ts";
import type { T } from "./t.ts";
import type { Stakes } from "./types.ts";

const STAKES = {
  workspace: "this is the whole workspace",
  root: "this is the whole file system (/), the operating system with it",
  home: "this is your whole home folder",
} as const;

export { size };

/** `holds`: what the targets hold; `warnings`: why it may not come back, none for a harmless one. */
export function stakesText(
  t: T,
  { files, folders, bytes, more, outside, notInGit = 0, history, whole, own, some }: Stakes,
): { holds: string; warnings: readonly string[] } {
  const values = { files, folders, size: size(bytes) };
  const counted = t(
    folders > 0
      ? "holding {files} {files:file|files} in {folders} {folders:folder|folders}, {size}"
      : "holding {files} {files:file|files}, {size}",
    values,
  );
  const all = some ? t("{counted}: all or some of them", { counted }) : counted;
  return {
    holds: more ? t("{counted} or more (not all were counted)", { counted: all }) : all,
    warnings: [
      ...whole ? [t(STAKES[whole])] : [],
      ...own
        ? [t("what narnat keeps in .narnat goes too: sessions, what undo needs, or the trash")]
        : [],
      ...outside > 0 ? [t("outside the workspace: {n} {n:target|targets}", { n: outside })] : [],
      ...history
        ? [t("not in git: the repository's history (.git) goes too, git can bring nothing back")]
        : [],
      ...notInGit > 0 && !(history && notInGit === files)
        ? [
          t(
            some
              ? "not in git: up to {n} {n:file|files} (untracked, ignored or changed since the last commit)"
              : notInGit === files
              ? "not in git: none of these files is kept by the last commit as it is"
              : "not in git: {n} {n:file|files} (untracked, ignored or changed since the last commit)",
            { n: notInGit },
          ),
        ]
        : [],
    ],
  };
}
