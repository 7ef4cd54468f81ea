/** A turn that was stopped, or amid which narnat has ended: who goes on is told how to take back what it changed. */
import type { T } from "../../base/t.ts";
import type { Checkpoints } from "../../base/types.ts";
import type { SessionFile } from "../../session/store.ts";

const SHOWN = 3;

/** Whether the last turn has not come to its end. */
export function isCut({ entries }: SessionFile): boolean {
  const behind = entries.slice(
    entries.findLastIndex((one) => one.type === "message" && one.asked === true) + 1,
  );
  const end = behind.findLast((one) => one.type === "event" && one.event.type === "turn_end");
  if (end?.type === "event" && end.event.type === "turn_end") {
    return end.event.reason === "interrupted";
  }
  // an older narnat has not kept how a turn ended
  return behind.some((one) => one.type === "event");
}

/** Words for the user where the last turn has changed files that are not taken back yet. */
export async function undoHint(
  { id, turns }: SessionFile,
  checkpoints: Checkpoints,
  t: T,
): Promise<string[]> {
  // where nothing is kept, nothing can be taken back
  const [last] = await checkpoints.turns(id).catch(() => []);
  if (last === undefined || last.turn !== turns || last.undone) return [];
  const { created, changed, deleted } = last;
  const n = created + changed + deleted;
  const how = t("{created} created, {changed} changed, {deleted} deleted", {
    created,
    changed,
    deleted,
  });
  const paths = last.paths.slice(0, SHOWN).join(", ");
  return [
    t(
      "The last turn was cut short; it has changed {n} {n:file|files} ({paths}; {how}): /undo, or narnat undo, takes that back",
      { n, how, paths: n > SHOWN ? `${paths} …` : paths },
    ),
  ];
}
