/** The trash in words, for the session and for the command line. */
import { isAbsolute, join, relative } from "../../base/path.ts";
import { size } from "../../base/figures.ts";
import type { T } from "../../base/t.ts";
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
  readonly t: T;
}

/** All that is in it, the newest first. */
export function trashList({ trash, workspace, t }: TrashPlace): string {
  const records = listTrash(trash);
  if (records.length === 0) return t("The trash is empty");
  const rows = records.flatMap(({ id, time, files, bytes, command, targets }) => [
    t("{id}  {time}  {files} {files:file|files}, {size}  {command}", {
      id,
      time: new Date(time).toLocaleString("sv"),
      files,
      size: size(bytes),
      command: visibleName(
        truncate(command, COMMAND_CHARS),
      ),
    }),
    `        ${listed(targets, workspace, t)}`,
  ]);
  return [
    ...rows,
    t("Bring back: narnat trash restore ID [PATH…]; in a session: /trash restore ID; remove all: narnat trash empty"),
  ].join("\n");
}

/** Brings back; throws in words for the user where there is no such id. */
export function trashRestore(
  { trash, workspace, t }: TrashPlace,
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
  if (!restored) {
    throw new Error(
      t("There is no {id} in the trash; without words all is listed", { id: visibleName(id) }),
    );
  }
  return { ...restored, text: restoredText(restored, id, workspace, t) };
}

/** What restoring came to. */
function restoredText(restored: Restored, id: string, workspace: string, t: T): string {
  const { back, taken, failed, missing } = restored;
  const lines = [
    ...back.length === 0 ? [] : [t("Brought back: {paths}", { paths: listed(back, workspace, t) })],
    ...taken.length === 0 ? [] : [
      t(
        "Not brought back, something else is there now (nothing is overwritten; move it away and do it again): {paths}",
        { paths: listed(taken, workspace, t) },
      ),
    ],
    ...failed.slice(0, SHOWN).map(({ path, why }) =>
      t("{path} cannot be brought back: {why}", { path: visibleName(path), why })
    ),
    ...missing.length === 0
      ? []
      : [t("There is no {paths} in {id}", { id, paths: listed(missing, workspace, t) })],
  ];
  return lines.length === 0 ? t("Nothing to bring back: it is all in its place") : lines.join("\n");
}

/** Paths as the workspace has them. */
export function listed(paths: readonly string[], workspace: string, t: T): string {
  const shown = paths.slice(0, SHOWN).map((path) => visibleName(relative(workspace, path)));
  if (paths.length > SHOWN) shown.push("…");
  return shown.join(t.lang === "zh" ? "、" : ", ");
}
