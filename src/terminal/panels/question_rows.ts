/** How a question reads; the same for both screens. It depends on what a question brings, not on its kind. */
import { stakesText } from "../../base/stakes_text.ts";
import type { AgentEvent, Field, Json, Question } from "../../base/types.ts";
import { plain, visible } from "../../base/control_characters.ts";
import { aboutCall } from "../../base/about_call.ts";
import { isRecord } from "../../base/is_record.ts";
import { shownValue } from "./fields.ts";
import type { Look, Row } from "../transcript/rows.ts";

/** A command of many targets names them itself, in full. */
const TARGETS = 20;
const EDITS = 20;
const ITEMS = 20;
const ARGUMENT_ROWS = 30;
const ARGUMENT_CHARS = 4000;

/** As it is, behind its indent: no part of it can pass for a row of narnat's own. */
const exact = (text: string, lead = "  "): Row => ({ lead, text, fit: "break" });
type JsonObject = { readonly [key: string]: Json };
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
  else if (event.command !== undefined) {
    rows.push(...visible(event.command).split("\n").map((line) => exact(line)));
  }
  if (!event.direct) rows.push(...fieldRows(event.fields, look));
  return [...rows, ...targetRows(event.targets, look), ...stakesRows(event.stakes, look)];
}

/** What may be filled in; a list that is there already is shown where it comes from. */
function fieldRows(fields: readonly Field[] = [], { t, style }: Look): Row[] {
  return fields.filter(({ type, value }) => type !== "lines" || value === undefined)
    .map((field) => {
      const value = shownValue(field, field.value, t).join(", ");
      const name = style.dim(`${oneLine(field.label)}${value === "" ? "" : ": "}`);
      return exact(`${name}${value}`, "  • ");
    });
}

function targetRows(targets: readonly string[] | undefined, look: Look): Row[] {
  const { style, t } = look;
  if (targets === undefined) return [];
  if (targets.length === 0) {
    const text = style.yellow(t("what it affects cannot be told from the command"));
    return [{ lead: style.yellow("  ! "), text, fit: "wrap" }];
  }
  const left = targets.length - TARGETS;
  return [
    { text: style.dim(`  ${t("affects:")}`), fit: "cut" },
    ...targets.slice(0, TARGETS).map((path) => exact(oneLine(path), "    ")),
    ...left > 0 ? [exact(style.dim(t("… {count} more", { count: left })), "    ")] : [],
  ];
}

function stakesRows(stakes: Question["stakes"], { style, t }: Look): Row[] {
  if (stakes === undefined) return [];
  const { holds, warnings } = stakesText(t, stakes);
  const loud = (text: string) => style.red(style.bold(text));
  return [
    { lead: "  ", text: holds, fit: "wrap" },
    ...warnings.map((text): Row => ({ lead: loud("  ! "), text: loud(text), fit: "wrap" })),
  ];
}

/** The call's line with what it is about uncut, then its other arguments. */
function callRows({ name, input }: NonNullable<Question["call"]>, look: Look): Row[] {
  const about = aboutCall(input, look.workspace);
  const text = about.key === "command" ? visible(about.text) : oneLine(about.text);
  const head = `${look.style.bold(oneLine(name))} ${text}`.trimEnd().split("\n")
    .map((line) => exact(line));
  if (!isRecord(input)) return head;
  // What is about a pattern names the path as well.
  const told = about.key === "pattern" ? ["pattern", "path"] : [about.key];
  return [...head, ...inputRows(input, told, look)];
}

/** A change reads as a change, what goes and then what comes; all else that is not `told` by its name. */
function inputRows(input: JsonObject, told: readonly string[], look: Look): Row[] {
  const { style, t } = look;
  const { old_string: old, new_string: now, edits } = input;
  const said = new Set(told);
  const rows: Row[] = [];
  if (typeof old === "string" && typeof now === "string") {
    said.add("old_string").add("new_string");
    const go = (line: string) => exact(style.red(line), `    ${style.red("− ")}`);
    const come = (line: string) => exact(style.green(line), `    ${style.green("+ ")}`);
    // The newline that ends both is no line.
    const end = old.endsWith("\n") && now.endsWith("\n") ? -1 : undefined;
    rows.push(...textRows(old.slice(0, end), go, look), ...textRows(now.slice(0, end), come, look));
  }
  if (Array.isArray(edits) && edits.every((edit) => isRecord(edit))) {
    said.add("edits");
    rows.push(...edits.slice(0, EDITS).flatMap((edit) => inputRows(edit, [], look)));
    const left = edits.length - EDITS;
    if (left > 0) rows.push(exact(style.dim(t("… {count} more", { count: left })), "    "));
  }
  const others = Object.entries(input).filter(([key]) => !said.has(key));
  return [...rows, ...others.flatMap(([key, value]) => argumentRows(key, value, look))];
}

function argumentRows(key: string, value: Json, look: Look): Row[] {
  const { style } = look;
  const name = style.dim(`${oneLine(key)}:`);
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")) {
    const items = value.slice(0, ITEMS).map((one, at) => exact(oneLine(one), `      ${at + 1}. `));
    const left = value.length - items.length;
    const more = left > 0 ? [exact(style.dim(look.t("… {count} more", { count: left })))] : [];
    return [exact(name, "    "), ...items, ...more];
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const rows = textRows(text, (line) => exact(line, "      "), look);
  return text.includes("\n") || rows.length > 1
    ? [exact(name, "    "), ...rows]
    : [exact(visible(text), `    ${name} `)];
}

/** A text row by row, cut where it is very long; what is left out is counted. */
function textRows(text: string, row: (line: string) => Row, { style, t }: Look): Row[] {
  if (text === "") return [];
  const whole = visible(text);
  const lines = whole.slice(0, ARGUMENT_CHARS).toWellFormed().split("\n");
  const shown = lines.slice(0, ARGUMENT_ROWS);
  const left = whole.length - shown.join("\n").length;
  const rows = shown.map(row);
  if (left > 0) {
    rows.push(exact(style.dim(t("… {count} characters more", { count: left })), "      "));
  }
  return rows;
}
