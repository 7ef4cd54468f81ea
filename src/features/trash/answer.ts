/** What `/trash` and `narnat trash` answer. */
import { isAbsolute, join, relative } from "../../base/path.ts";
import { size } from "../../base/figures.ts";
import type { T } from "../../base/t.ts";
import { truncate } from "../../base/strings.ts";
import { listTrash } from "../../files/trash/record.ts";
import { emptyTrash, type Restored, restoreFromTrash } from "../../files/trash/restore.ts";
import { visibleName } from "../../base/control_characters.ts";

const SHOWN = 10;
const COMMAND_CHARS = 60;

/** Where the trash lies, and who asks for it. */
export interface TrashPlace {
  readonly trash: string;
  /** Real, absolute path. */
  readonly workspace: string;
  readonly t: T;
  /** How the command is called there. */
  readonly called: "/trash" | "narnat trash";
  /** Something will be changed. Throws where that may not be. */
  mayChange?(): void;
  /** Asks a person; false after a No. */
  ask(question: string): Promise<boolean>;
  /** Hears what was brought back, in words. */
  note?(paths: string): void;
}

/** Lists, brings back, or empties; `ok` when all that was asked for is done. Throws in words for the user. */
export async function answerTrash(
  [verb = "list", id, ...paths]: readonly string[],
  place: TrashPlace,
): Promise<{ readonly text: string; readonly ok: boolean }> {
  const { trash, workspace, t } = place;
  if (verb === "list" && id === undefined) return { text: trashList(place), ok: true };
  place.mayChange?.();
  if (verb === "restore" && id !== undefined) {
    const { back, taken, failed, missing, text } = trashRestore(place, id, paths);
    if (back.length > 0) place.note?.(listed(back, workspace, t));
    return { text, ok: taken.length + failed.length + missing.length === 0 };
  }
  if (verb !== "empty" || id !== undefined) {
    throw new Error(
      t("Usage: {name} [list | restore ID [PATH…] | empty]", { name: place.called }),
    );
  }
  const n = listTrash(trash).length;
  if (n === 0) return { text: t("The trash is empty"), ok: true };
  if (!await place.ask(t("Empty the trash ({n} {n:entry|entries}) for good?", { n }))) {
    return { text: t("Nothing was undone"), ok: false };
  }
  return { text: t("Emptied ({n} {n:entry|entries})", { n: await emptyTrash(trash) }), ok: true };
}

/** All that is in it, the newest first. */
function trashList({ trash, workspace, t }: TrashPlace): string {
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
function trashRestore(
  { trash, workspace, t }: TrashPlace,
  id: string,
  paths: readonly string[],
): Restored & { readonly text: string } {
  const wanted = paths.map((path) => isAbsolute(path) ? join(path) : join(workspace, path));
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
function listed(paths: readonly string[], workspace: string, t: T): string {
  const shown = paths.slice(0, SHOWN).map((path) => visibleName(relative(workspace, path)));
  if (paths.length > SHOWN) shown.push("…");
  return shown.join(t(", "));
}
