/** How a question reads; the same for both screens. It depends on what a question brings, not on its kind. */
import { stakesText } from "../core/stakes_text.ts";
import { say } from "../text.ts";
import type { AgentEvent, Json, Question } from "../types.ts";
import { plain, visible } from "./clean.ts";
import { aboutCall } from "./render.ts";
import type { Look, Row } from "./rows.ts";

/** A command of many targets names them itself, in full. */
const TARGETS = 20;
const ARGUMENT_ROWS = 30;
const ARGUMENT_CHARS = 4000;

const raw = (text: string): Row => ({ text: `  ${text}`, fit: "raw" });
const oneLine = (text: string) => visible(text).replaceAll("\n", "␊");

/** A question in full: nothing of a command is hidden, cut or joined; what is left out of a list is counted. */
export function questionRows(event: Extract<AgentEvent, { type: "ask" }>, look: Look): Row[] {
  const { style } = look;
  const rows = plain(event.question).trimEnd().split("\n").map((line, index): Row => ({
    lead: index === 0 ? style.yellow(style.bold("? ")) : "  ",
    text: style.yellow(style.bold(line)),
    fit: "wrap",
  }));
  if (event.call !== undefined) rows.push(...callRows(event.call, look));
  else if (event.command !== undefined) rows.push(...visible(event.command).split("\n").map(raw));
  return [...rows, ...targetRows(event.targets, look), ...stakesRows(event.stakes, look)];
}

function targetRows(targets: readonly string[] | undefined, { style, lang }: Look): Row[] {
  if (targets === undefined) return [];
  if (targets.length === 0) {
    const text = style.yellow(`! ${say(lang, "screen.targets_unknown")}`);
    return [{ lead: "  ", text, fit: "wrap" }];
  }
  const left = targets.length - TARGETS;
  return [
    { text: style.dim(`  ${say(lang, "screen.targets")}`), fit: "cut" },
    ...targets.slice(0, TARGETS).map((path) => raw(`  ${oneLine(path)}`)),
    ...left > 0 ? [raw(style.dim(`  ${say(lang, "screen.more", { count: left })}`))] : [],
  ];
}

function stakesRows(stakes: Question["stakes"], { style, lang }: Look): Row[] {
  if (stakes === undefined) return [];
  const { holds, warnings } = stakesText(lang, stakes);
  const row = (text: string): Row => ({ lead: "  ", text, fit: "wrap" });
  return [row(holds), ...warnings.map((text) => row(style.red(style.bold(`! ${text}`))))];
}

/** The call's line with what it is about uncut, then its other arguments. */
function callRows({ name, input }: NonNullable<Question["call"]>, look: Look): Row[] {
  const about = aboutCall(input, look.workspace);
  const text = about.key === "command" ? visible(about.text) : oneLine(about.text);
  const head = `${look.style.bold(oneLine(name))} ${text}`.trimEnd().split("\n").map(raw);
  if (input === null || typeof input !== "object" || Array.isArray(input)) return head;
  // What is about a pattern names the path as well.
  const told = about.key === "pattern" ? ["pattern", "path"] : [about.key];
  const { style } = look;
  const { old_string: old, new_string: now } = input;
  const change: Row[] = [];
  // A change reads as a change: what goes, then what comes.
  if (typeof old === "string" && typeof now === "string") {
    told.push("old_string", "new_string");
    const go = (line: string) => raw(`  ${style.red(`− ${line}`)}`);
    const come = (line: string) => raw(`  ${style.green(`+ ${line}`)}`);
    change.push(...textRows(old, go, look), ...textRows(now, come, look));
  }
  const others = Object.entries(input).filter(([key]) => !told.includes(key));
  return [
    ...head,
    ...change,
    ...others.flatMap(([key, value]) => argumentRows(key, value, look)),
  ];
}

function argumentRows(key: string, value: Json, look: Look): Row[] {
  const { style } = look;
  const name = style.dim(`${oneLine(key)}:`);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const rows = textRows(text, (line) => raw(`    ${line}`), look);
  return text.includes("\n") || rows.length > 1
    ? [raw(`  ${name}`), ...rows]
    : [raw(`  ${name} ${visible(text)}`)];
}

/** A text row by row, cut where it is very long; what is left out is counted. */
function textRows(text: string, row: (line: string) => Row, { style, lang }: Look): Row[] {
  if (text === "") return [];
  const whole = visible(text);
  const lines = whole.slice(0, ARGUMENT_CHARS).toWellFormed().split("\n");
  const shown = lines.slice(0, ARGUMENT_ROWS);
  const left = whole.length - shown.join("\n").length;
  const rows = shown.map(row);
  if (left > 0) rows.push(raw(style.dim(`    ${say(lang, "screen.more_chars", { count: left })}`)));
  return rows;
}
