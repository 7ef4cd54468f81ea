/** What taking back turns will do, and has done, in words. */
import { visibleName } from "../../base/control_characters.ts";
import { size } from "../../base/stakes_text.ts";
import { say, type TextKey } from "../../base/text.ts";
import type {
  CheckpointTurn,
  Lang,
  RestoreOutcome,
  RestorePreview,
  RestoreRow,
  Uncovered,
} from "../../base/types.ts";
import { localTime } from "../../commands/show.ts";
import { table } from "../../commands/table.ts";

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
  lang: Lang,
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
    ...some(turns.map((turn) => turnLine(turn, lang)), TURNS, lang),
    ...foreign === undefined ? [] : [say(lang, "undo.foreign", { id: foreign.session })],
    ...done ? [say(lang, "undo.nothing")] : rowLines(rows, lang),
    ...conflicts.length === 0 ? [] : [
      say(lang, overwrite ? "undo.overwritten" : "undo.conflicts"),
      ...rowLines(conflicts, lang),
    ],
    ...fixed.length === 0 ? [] : [say(lang, "undo.fixed", { paths: listed(fixed, lang) })],
    ...touched.length === 0 ? [] : [
      say(lang, "undo.uncovered_touched"),
      ...some(touched.map((one) => `  ${leftText(one, lang)}`), ROWS, lang),
    ],
    ...left.length === 0 ? [] : [
      say(lang, "undo.uncovered", {
        paths: listed(left.map((one) => leftText(one, lang)), lang),
      }),
    ],
    ...others ? [say(lang, "undo.others")] : [],
  ].join("\n");
}

/** The question before it. */
export function askText({ what, rest, turns }: RestorePreview, lang: Lang): string {
  if (rest) return say(lang, what === "redo" ? "undo.ask_rest_redo" : "undo.ask_rest");
  if (what === "redo") return say(lang, "undo.ask_redo");
  const n = turns.length;
  return n === 1 ? say(lang, "undo.ask_one") : say(lang, "undo.ask_undo", { n });
}

/** Columns of a turn's text that leave its time on the row of a narrow terminal. */
const LINE = 36;
/** Takes two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{3fffd}]/u;

/** `turn 3 “fix the parser” 20:14 (undone)`. */
export function turnLine(turn: CheckpointTurn, lang: Lang): string {
  const text = oneLine(turn.text, LINE);
  const time = localTime(turn.ended);
  // a shell line of the user's own has no number
  const key = turn.turn === 0 ? "undo.turn_own" : "undo.turn";
  return say(lang, key, { turn: turn.turn, text, time }) +
    (turn.interrupted ? say(lang, "undo.turn_killed") : "") +
    (turn.undone ? say(lang, "undo.turn_undone") : "");
}

/** Turns, the newest first; those that can be undone are numbered from 1. Their sessions where there are several. */
export function turnTable(turns: readonly CheckpointTurn[], lang: Lang): string {
  let n = 0;
  const several = new Set(turns.map(({ session }) => session)).size > 1;
  return turns.map((turn) => {
    const { created, changed, deleted, paths, more } = turn;
    const summary = say(lang, "undo.summary", { created, changed, deleted });
    return `${(turn.undone ? "-" : String(++n)).padStart(3)}  ${turnLine(turn, lang)}${
      several ? ` · ${turn.session}` : ""
    }\n     ${summary}: ${some(paths.map(visibleName), PATHS, lang, more).join(", ")}`;
  }).join("\n");
}

/** What came of it, in a session, or of `narnat undo`. */
export function outcomeText(
  preview: RestorePreview,
  { paths, failed, kept }: RestoreOutcome,
  lang: Lang,
  shell = false,
): string {
  const key = preview.what === "redo" ? "undo.redone" : "undo.done";
  const steps = againSteps(preview, shell).slice(paths.length === 0 ? 1 : 0).join(" → ");
  const rows = failed.map(({ path, why }) => `  ${visibleName(path)}: ${whyText(why, lang)}`);
  return [
    say(lang, paths.length === 0 ? "undo.none_done" : key, { n: paths.length }),
    ...rows.length === 0 ? [] : [say(lang, "undo.not_done"), ...some(rows, ROWS, lang)],
    ...kept.length === 0
      ? []
      : [say(lang, "undo.kept", { paths: listed(kept.map(visibleName), lang), steps })],
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
  lang: Lang,
): string {
  return say(lang, what === "redo" ? "undo.note_redo" : "undo.note", {
    turns: turns.map(({ turn, text }) => turn || `“${oneLine(text)}”`).join(", "),
    paths: some(paths.map(visibleName), ROWS, lang).join(", "),
  });
}

const WORDS = ["changed", "not_empty", "blocked", "gone", "unkept", "owner"];

const whyText = (why: string, lang: Lang) =>
  WORDS.includes(why) ? say(lang, `undo.why_${why}` as TextKey) : why;

function rowLines(rows: readonly RestoreRow[], lang: Lang): string[] {
  const cells = rows.slice(0, ROWS).map((row) => [
    `  ${MARKS[row.does]} ${visibleName(row.path)}${row.folder ? "/" : ""}`,
    say(lang, `undo.${row.does}`),
    figures(row, lang),
  ]);
  const n = rows.length - cells.length;
  const lines = table(cells).map((line) => line.trimEnd());
  return n > 0 ? [...lines, say(lang, "undo.more", { n })] : lines;
}

function figures(row: RestoreRow, lang: Lang): string {
  const { added, removed, from, to, folder, modes } = row;
  if (modes) return modes.map((mode) => mode.toString(8)).join(" → ");
  if (folder) return say(lang, "undo.folder");
  if (added !== undefined && removed !== undefined) {
    return say(lang, "undo.lines", { added, removed });
  }
  return [from, to].flatMap((bytes) => bytes === undefined ? [] : [size(bytes)]).join(" → ");
}

const leftText = ({ path, why }: Uncovered, lang: Lang) =>
  `${visibleName(path)} (${say(lang, `undo.why_${why}`)})`;

const listed = (all: readonly string[], lang: Lang) => some(all, PATHS, lang).join(", ");

/** The first of them, and how many there are besides, with `more` that are not in the list. */
function some(all: readonly string[], most: number, lang: Lang, more = 0): string[] {
  const shown = all.slice(0, most);
  const n = all.length - shown.length + more;
  return n > 0 ? [...shown, say(lang, "undo.more", { n })] : shown;
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
