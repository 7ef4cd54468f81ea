/** What taking turns back comes to, path by path, and in figures. */
import type { RestoreRow } from "../../base/types.ts";
import { under } from "../../base/path.ts";
import { countLines, unifiedDiff } from "../../files/edit/diff.ts";
import type { Objects } from "./store/objects.ts";
import { type Change, sameState, type State, type TurnRecord } from "./types.ts";

/** Lines of larger files are not counted. */
const TEXT_AT_MOST = 1_000_000;
const SNIFF_BYTES = 8192;

/** `counts`: the lines too. */
export function rowOf(
  { path, present, target }: Step,
  root: string,
  objects: Objects,
  counts: boolean,
): RestoreRow {
  const does = present === null
    ? "create"
    : target === null
    ? "delete"
    : present.kind !== target.kind
    ? "replace"
    : isSame(present, target)
    ? modeOf(present) === modeOf(target) ? "attributes" : "mode"
    : "change";
  const folder = (target ?? present)?.kind === "folder" && does !== "replace";
  const [from, to] = [sizeOf(present), sizeOf(target)];
  const lines = does === "mode" || does === "attributes" || !counts
    ? {}
    : linesOf(textOf(present, path, root, objects), textOf(target, path, root, objects));
  return {
    path,
    does,
    ...folder ? { folder } : {},
    ...from === undefined ? {} : { from },
    ...to === undefined ? {} : { to },
    ...lines,
    ...does === "mode" ? { modes: [modeOf(present), modeOf(target)] } : {},
  };
}

const modeOf = (state: State) => state === null || state.kind === "link" ? 0 : state.mode;
const sizeOf = (state: State) => state?.kind === "file" ? state.size : undefined;

function isSame(present: State, target: State): boolean {
  if (present?.kind === "folder") return true;
  return present?.kind === "file" && target?.kind === "file" && present.hash === target.hash;
}

/** Of no file an empty text; undefined for what is no text, or a long one. */
function textOf(state: State, path: string, root: string, objects: Objects): string | undefined {
  if (state?.kind !== "file") return "";
  if (state.size > TEXT_AT_MOST) return undefined;
  try {
    const kept = state.hash !== "" && objects.has(state.hash);
    const bytes = kept ? objects.get(state.hash) : Deno.readFileSync(under(root, path));
    return bytes.subarray(0, SNIFF_BYTES).includes(0) ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

function linesOf(before: string | undefined, after: string | undefined) {
  if (before === undefined || after === undefined || before === after) return {};
  if (before === "") return { added: countLines(after), removed: 0 };
  if (after === "") return { added: 0, removed: countLines(before) };
  const { added, removed } = unifiedDiff(before, after);
  return { added, removed };
}

/** One path that is not as it is to be. */
export interface Step {
  readonly path: string;
  readonly present: State;
  readonly target: State;
  /**
   * What it holds is neither what was left nor what was found: the target only counts when it is
   * asked for, else `aside`, which is as far as one gets without.
   */
  readonly conflict?: {
    readonly aside: State;
    /** Its content is too large to be kept, so it is not to be replaced at all. */
    readonly fixed: boolean;
  };
}

/** What a path holds now, and which of `twins` names the same file. */
export type PresentOf = (path: string, twins?: readonly string[]) => State;

const twinsIn = (changes: readonly Pick<Change, "before" | "after">[]): string[] =>
  changes.flatMap(({ before, after }) => [before, after])
    .flatMap((state) => state?.kind === "file" && state.twin ? [state.twin] : []);

/** Takes the records back, the newest first. `presentOf` tells what a path holds now. */
export function planBack(
  records: readonly TurnRecord[],
  presentOf: PresentOf,
): Step[] {
  const paths = new Map<string, Change[]>();
  for (const { changes } of records) {
    for (const change of changes) {
      const all = paths.get(change.path);
      if (all) all.push(change);
      else paths.set(change.path, [change]);
    }
  }
  return [...paths].flatMap(([path, changes]) => {
    const present = presentOf(path, twinsIn(changes));
    const target = changes.at(-1)!.before;
    let aside = present;
    let conflict = false;
    for (const { before, after } of changes) {
      if (sameState(aside, before)) continue;
      if (sameState(aside, after) && !isLost(before)) aside = before;
      else conflict = true;
    }
    if (sameState(present, target)) return [];
    if (!conflict) return [{ path, present, target }];
    return [{
      path,
      present,
      target,
      conflict: { aside, fixed: isLost(present) || isLost(target) },
    }];
  }).sort((a, b) => a.path < b.path ? -1 : 1);
}

/** What is left to do of a record that was cut off. */
export function planRest(record: TurnRecord, presentOf: PresentOf): Step[] {
  return record.changes.flatMap(({ path, before, after }) => {
    const present = presentOf(path, twinsIn([{ before, after }]));
    if (sameState(present, after)) return [];
    // a folder may have been on its way to its mode
    const folder = present?.kind === "folder" && (before ?? after)?.kind === "folder";
    if (folder || sameState(present, before)) return [{ path, present, target: after }];
    return [{ path, present, target: after, conflict: { aside: present, fixed: isLost(present) } }];
  });
}

/** Whether a file's content was not kept. */
const isLost = (state: State) => state?.kind === "file" && state.hash === "";

/** What is to be done, given the paths of conflicts that are to be overwritten. */
export function chosen(steps: readonly Step[], overwrite: ReadonlySet<string>): Step[] {
  return steps.flatMap(({ path, present, target, conflict }) => {
    const to = !conflict || !conflict.fixed && overwrite.has(path) ? target : conflict.aside;
    return sameState(present, to) || isLost(present) ? [] : [{ path, present, target: to }];
  });
}
