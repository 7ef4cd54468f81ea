/** What one step will do, in figures. */
import type { RestoreRow } from "../../../base/types.ts";
import { under } from "../../../base/under.ts";
import { countLines, unifiedDiff } from "../../../files/edit/diff.ts";
import type { Objects } from "../store/objects.ts";
import type { Step } from "../checkpoint_plan.ts";
import type { State } from "../types.ts";

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
