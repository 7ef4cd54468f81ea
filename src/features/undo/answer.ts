/**
 * How `/undo`, `/redo`, `/rewind` and `narnat undo` take turns back: preview, question, restore,
 * and the words for them.
 */
import { visibleName } from "../../base/control_characters.ts";
import { size } from "../../base/figures.ts";
import type { T } from "../../base/t.ts";
import type {
  CheckpointTurn,
  RestoreOutcome,
  RestorePreview,
  RestoreRow,
  RestoreWish,
  Uncovered,
} from "../../base/types.ts";
import { localTime } from "../../commands/sessions.ts";
import { table } from "../../commands/table.ts";

/** Where turns are taken back. */
export interface UndoPlace {
  readonly t: T;
  readonly checkpoints: {
    preview(wish: RestoreWish): RestorePreview | Promise<RestorePreview>;
    restore(
      id: string,
      overwrite: readonly string[],
    ): RestoreOutcome | Promise<RestoreOutcome>;
  };
  /** In a shell, and not in a session. */
  readonly inShell?: boolean;
  /** Shows what would be done, and asks; returns the conflicts to be overwritten, undefined after a No. */
  ask(preview: RestorePreview): Promise<readonly string[] | undefined>;
  /** The model is to know of it. */
  note?(text: string): void;
}

/** `ok`: all of it was restored. Throws in words for the user where there is nothing to take back. */
export async function takeBack(
  wish: RestoreWish,
  { t, checkpoints, inShell, ask, note }: UndoPlace,
): Promise<{ readonly done: boolean; readonly ok: boolean; readonly text: string }> {
  const preview = await checkpoints.preview(wish);
  const overwrite = await ask(preview);
  if (overwrite === undefined) return { done: false, ok: false, text: t("Nothing was undone") };
  const outcome = await checkpoints.restore(preview.id, overwrite);
  if (outcome.paths.length > 0) note?.(noteText(preview, outcome, t));
  const text = outcomeText(preview, outcome, t, inShell);
  return { done: true, ok: outcome.failed.length === 0, text };
}

const DOES = {
  change: "change",
  delete: "delete",
  replace: "replace what is there",
  create: "restore",
  mode: "change the mode",
  attributes: "give its owner or hard links back",
} as const;

const WHYS = {
  git: "the repository itself: commits and branches stay",
  total: "beyond the bound of all files",
  unreadable: "unreadable",
  large: "above the bound of one file",
  special: "no regular file",
  disk: "its content could not be kept",
  ignored: "ignored by git",
  rule: "generated",
  unnameable: "its name is not UTF-8",
} as const;

const ROWS = 40;
const PATHS = 8;
const TURNS = 5;

const MARKS: { readonly [does in RestoreRow["does"]]: string } = {
  create: "+",
  delete: "-",
  change: "~",
  mode: "m",
  attributes: "m",
  replace: "!",
};

/** All of a preview: the turns, those of another session than this one named, what becomes of each path, what stays as it is. */
export function previewText(
  preview: RestorePreview,
  t: T,
  session?: string,
  overwrite = false,
): string {
  const { turns, rows, conflicts, fixed, uncovered, others } = preview;
  const foreign = session === undefined
    ? undefined
    : turns.find((turn) => turn.session !== session && turn.session !== "");
  const touched = uncovered.filter((one) => one.touched);
  const left = uncovered.filter((one) => !one.touched);
  const done = rows.length + conflicts.length + fixed.length + touched.length === 0;
  return [
    ...some(turns.map((turn) => turnLine(turn, t)), TURNS, t),
    ...foreign === undefined
      ? []
      : [t("This was done in another session ({id})", { id: foreign.session })],
    ...done ? [t("the files are as they were then: there is nothing to do")] : rowLines(rows, t),
    ...conflicts.length === 0 ? [] : [
      t(
        overwrite
          ? "Changed by others since; they are overwritten (what they hold is kept first, and can be brought back):"
          : "Changed by others since; they stay as they are:",
      ),
      ...rowLines(conflicts, t),
    ],
    ...fixed.length === 0 ? [] : [
      t("Too large to be kept first, they stay as they are: {paths}", {
        paths: listed(fixed, t),
      }),
    ],
    ...touched.length === 0 ? [] : [
      t("Not reverted:"),
      ...some(touched.map((one) => `  ${leftText(one, t)}`), ROWS, t),
    ],
    ...left.length === 0 ? [] : [
      t("Not covered: {paths}", {
        paths: listed(left.map((one) => leftText(one, t)), t),
      }),
    ],
    ...others
      ? [t("Another narnat worked here at the same time: some of these changes may be its own")]
      : [],
  ].join("\n");
}

/** The question before it. */
export function askText({ what, rest, turns }: RestorePreview, t: T): string {
  if (rest) {
    return t(
      what === "redo" ? "Finish the redo that was cut off?" : "Finish the undo that was cut off?",
    );
  }
  if (what === "redo") return t("Redo what was undone?");
  const n = turns.length;
  return n === 1
    ? t("Undo what the last turn did to files?")
    : t("Undo what the last {n} turns did to files?", { n });
}

/** Columns of a turn's text that leave its time on the row of a narrow terminal. */
const LINE = 36;
/** Takes two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{3fffd}]/u;

/** `turn 3 “fix the parser” 20:14 (undone)`. */
export function turnLine(turn: CheckpointTurn, t: T): string {
  const text = oneLine(turn.text, LINE);
  const time = localTime(turn.ended);
  // a shell line of the user's own has no number
  const key = turn.turn === 0 ? "“{text}” {time}" : "turn {turn} “{text}” {time}";
  return t(key, { turn: turn.turn, text, time }) +
    (turn.interrupted
      ? t(" (killed: what was changed until narnat was next started counts in)")
      : "") +
    (turn.undone ? t(" (undone)") : "");
}

/** Turns, the newest first; those that can be undone are numbered from 1. Their sessions where there are several. */
export function turnTable(turns: readonly CheckpointTurn[], t: T): string {
  let n = 0;
  const several = new Set(turns.map(({ session }) => session)).size > 1;
  return turns.map((turn) => {
    const { created, changed, deleted, paths, more } = turn;
    const summary = t("{created} created, {changed} changed, {deleted} deleted", {
      created,
      changed,
      deleted,
    });
    return `${(turn.undone ? "-" : String(++n)).padStart(3)}  ${turnLine(turn, t)}${
      several ? ` · ${turn.session}` : ""
    }\n     ${summary}: ${some(paths.map(visibleName), PATHS, t, more).join(", ")}`;
  }).join("\n");
}

/** What came of it, in a session, or of `narnat undo`. */
export function outcomeText(
  preview: RestorePreview,
  { paths, failed, kept }: RestoreOutcome,
  t: T,
  shell = false,
): string {
  const text = preview.what === "redo"
    ? "Restored the changes of {n} {n:file|files}"
    : "Reverted {n} {n:file|files}. /redo restores the changes";
  const steps = againSteps(preview, shell).slice(paths.length === 0 ? 1 : 0).join(" → ");
  const rows = failed.map(({ path, why }) => `  ${visibleName(path)}: ${whyText(why, t)}`);
  return [
    t(paths.length === 0 ? "Nothing was changed" : text, { n: paths.length }),
    ...rows.length === 0 ? [] : [t("Not restored:"), ...some(rows, ROWS, t)],
    ...kept.length === 0 ? [] : [
      t("Changed by others since, left as they are: {paths}. To overwrite them: {steps}", {
        paths: listed(kept.map(visibleName), t),
        steps,
      }),
    ],
  ].join("\n");
}

/** How one gets at the conflicts that stayed: back, and again. */
function againSteps({ what, turns }: RestorePreview, shell: boolean): string[] {
  const n = turns.length > 1 ? ` ${turns.length}` : "";
  const [undo, redo] = shell ? [`narnat undo${n}`, "narnat undo --redo"] : [`/undo${n}`, "/redo"];
  const flag = shell ? " --overwrite" : "";
  return what === "redo" ? [undo, redo + flag] : [redo, undo + flag];
}

/** For the model, which would believe in its own edits. */
export function noteText(
  { what, turns }: RestorePreview,
  { paths }: RestoreOutcome,
  t: T,
): string {
  return t(
    what === "redo"
      ? "The user has redone what turn {turns} did to files; these paths have its changes again: {paths}"
      : "The user has undone what turn {turns} did to files; these paths are as they were before it: {paths}",
    {
      turns: turns.map(({ turn, text }) => turn || `“${oneLine(text)}”`).join(", "),
      paths: some(paths.map(visibleName), ROWS, t).join(", "),
    },
  );
}

const FAILURES = {
  changed: "it has changed since the preview",
  not_empty: "the folder holds other files",
  blocked: "a file or a link stands where a folder above it was",
  gone: "its content is kept no more",
  unkept: "the trash could not keep it",
  owner: "all but its owner is back: only root can change that",
} as const;

const whyText = (why: string, t: T) =>
  Object.hasOwn(FAILURES, why) ? t(FAILURES[why as keyof typeof FAILURES]) : why;

function rowLines(rows: readonly RestoreRow[], t: T): string[] {
  const cells = rows.slice(0, ROWS).map((row) => [
    `  ${MARKS[row.does]} ${visibleName(row.path)}${row.folder ? "/" : ""}`,
    t(DOES[row.does]),
    figures(row, t),
  ]);
  const n = rows.length - cells.length;
  const lines = table(cells).map((line) => line.trimEnd());
  return n > 0 ? [...lines, t("… and {n} more", { n })] : lines;
}

function figures(row: RestoreRow, t: T): string {
  const { added, removed, from, to, folder, modes } = row;
  if (modes) return modes.map((mode) => mode.toString(8)).join(" → ");
  if (folder) return t("folder");
  if (added !== undefined && removed !== undefined) {
    return t("+{added} −{removed} lines", { added, removed });
  }
  return [from, to].flatMap((bytes) => bytes === undefined ? [] : [size(bytes)]).join(" → ");
}

const leftText = ({ path, why }: Uncovered, t: T) => `${visibleName(path)} (${t(WHYS[why])})`;

const listed = (all: readonly string[], t: T) => some(all, PATHS, t).join(", ");

/** The first of them, and how many there are besides, with `more` that are not in the list. */
function some(all: readonly string[], most: number, t: T, more = 0): string[] {
  const shown = all.slice(0, most);
  const n = all.length - shown.length + more;
  return n > 0 ? [...shown, t("… and {n} more", { n })] : shown;
}

function oneLine(text: string, most = 60): string {
  const line = visibleName(text.trim().replaceAll(/\s+/g, " "));
  let columns = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(line)) {
    columns += WIDE.test(segment) ? 2 : 1;
    if (columns > most) return `${line.slice(0, index)}…`;
  }
  return line;
}
