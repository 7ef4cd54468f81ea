/** What a turn has deleted that is not covered, but lies in the trash. */
import { infoOf, under, within } from "../../../base/path.ts";
import { listTrash, readRecord } from "../../../files/trash/record.ts";
import { restoreFromTrash } from "../../../files/trash/restore.ts";
import type { Failed } from "./restore_files.ts";
import type { Trashed, TurnRecord } from "../types.ts";

const trashOf = (workspace: string) => under(workspace, ".narnat", "trash");

/** Of the paths that are gone those that commands, agents' too, have put there since a time. */
export function trashedSince(
  workspace: string,
  began: string,
  gone: readonly string[],
): Trashed[] {
  if (gone.length === 0) return [];
  return listTrash(trashOf(workspace)).filter(({ time }) => time >= began)
    .flatMap(({ id, targets }) =>
      gone.flatMap((path) => {
        const absolute = under(workspace, path);
        const inside = targets.filter((target) => within(target, absolute));
        const paths = targets.some((target) => within(absolute, target)) ? [absolute] : inside;
        return paths.map((one) => ({ id, path: one.slice(workspace.length + 1) }))
          .filter((one) => isInTrash(workspace, one));
      })
    );
}

/** Whether it still lies there: not all can be kept, and nothing for ever. */
export function isInTrash(workspace: string, { id, path }: Trashed): boolean {
  const absolute = under(workspace, path);
  const targets = readRecord(trashOf(workspace), id)?.targets ?? [];
  return targets.some((target, n) => {
    if (!within(absolute, target)) return false;
    const place = `${under(trashOf(workspace), id, "files")}/${n}`;
    return infoOf(place + absolute.slice(target.length)) !== undefined;
  });
}

/** Puts them back where nothing else is; returns what is back. */
export function bringBack(
  records: readonly TurnRecord[],
  workspace: string,
  failed: Failed[],
): string[] {
  const relative = (path: string) => path.slice(workspace.length + 1);
  return records.flatMap(({ trashed = [] }) => trashed).flatMap((one) => {
    const { id, path } = one;
    const absolute = under(workspace, path);
    if (!isInTrash(workspace, one)) {
      if (!infoOf(absolute)) failed.push({ path, why: "gone" });
      return [];
    }
    const lost = readRecord(trashOf(workspace), id)!.lost.map((each) => each.path);
    failed.push(
      ...lost.filter((each) => within(each, absolute) && !infoOf(each))
        .map((each) => ({ path: relative(each), why: "unkept" })),
    );
    const done = restoreFromTrash(trashOf(workspace), id, workspace, [absolute]);
    if (!done) return [];
    failed.push(...done.taken.map((one) => ({ path: relative(one), why: "changed" })));
    failed.push(...done.failed.map((one) => ({ ...one, path: relative(one.path) })));
    return done.back.map(relative);
  });
}
