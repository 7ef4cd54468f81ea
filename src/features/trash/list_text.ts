/** The trash in words, for the session and for the command line. */
import { isAbsolute, join, relative } from "../../base/path.ts";
import { size } from "../../base/figures.ts";
import { say } from "../../base/text.ts";
import type { Lang } from "../../base/types.ts";
import { truncate } from "../../base/truncate.ts";
import { listTrash } from "../../files/trash/record.ts";
import { type Restored, restoreFromTrash } from "../../files/trash/restore.ts";
import { visibleName } from "../../base/control_characters.ts";

const SHOWN = 10;
const COMMAND_CHARS = 60;

export interface TrashPlace {
  readonly trash: string;
  /** Real, absolute path. */
  readonly workspace: string;
  readonly lang: Lang;
}

/** All that is in it, the newest first. */
export function trashList({ trash, workspace, lang }: TrashPlace): string {
  const records = listTrash(trash);
  if (records.length === 0) return say(lang, "trash.none");
  const rows = records.flatMap(({ id, time, files, bytes, command, targets }) => [
    say(lang, "trash.row", {
      id,
      time: new Date(time).toLocaleString("sv"),
      files,
      size: size(bytes),
      command: visibleName(
        truncate(command, COMMAND_CHARS),
      ),
    }),
    `        ${listed(targets, workspace, lang)}`,
  ]);
  return [...rows, say(lang, "trash.how")].join("\n");
}

/** Brings back; throws in words for the user where there is no such id. */
export function trashRestore(
  { trash, workspace, lang }: TrashPlace,
  id: string,
  paths: readonly string[],
  from: string,
): Restored & { readonly text: string } {
  const wanted = paths.map((path) => isAbsolute(path) ? join(path) : join(from, path));
  const restored = restoreFromTrash(
    trash,
    id,
    workspace,
    ...wanted.length === 0 ? [] : [wanted],
  );
  if (!restored) throw new Error(say(lang, "trash.no_id", { id: visibleName(id) }));
  return { ...restored, text: restoredText(restored, id, workspace, lang) };
}

/** What restoring came to. */
function restoredText(restored: Restored, id: string, workspace: string, lang: Lang): string {
  const { back, taken, failed, missing } = restored;
  const lines = [
    ...back.length === 0 ? [] : [say(lang, "trash.back", { paths: listed(back, workspace, lang) })],
    ...taken.length === 0
      ? []
      : [say(lang, "trash.taken", { paths: listed(taken, workspace, lang) })],
    ...failed.slice(0, SHOWN).map(({ path, why }) =>
      say(lang, "trash.not_back", { path: visibleName(path), why })
    ),
    ...missing.length === 0
      ? []
      : [say(lang, "trash.missing", { id, paths: listed(missing, workspace, lang) })],
  ];
  return lines.length === 0 ? say(lang, "trash.nothing_back") : lines.join("\n");
}

/** Paths as the workspace has them. */
export function listed(paths: readonly string[], workspace: string, lang: Lang): string {
  const shown = paths.slice(0, SHOWN).map((path) => visibleName(relative(workspace, path)));
  if (paths.length > SHOWN) shown.push("…");
  return shown.join(lang === "zh" ? "、" : ", ");
}
