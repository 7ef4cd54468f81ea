/**
 * Rows: what is said, before it is known how wide the terminal is; among them the first of a
 * session, which the first frame shows before much is loaded.
 */
import { plainLine } from "../../base/control_characters.ts";
import type { T } from "../../base/t.ts";
import type { Style } from "../style.ts";

/** One row of text; a row too long is wrapped at words, cut, or broken anywhere with every blank kept. */
export interface Row {
  /** Stands before the text; blanks of its width before what is wrapped, and a mark in them before what is broken. */
  readonly lead?: string;
  readonly text: string;
  /** Stands behind the text and is the last to be cut. */
  readonly end?: string;
  /** Stands behind the end of a cut row where there is plenty of room. */
  readonly hint?: string;
  readonly fit: "wrap" | "cut" | "break";
}

/** A row as one line of any length. */
export function lineOf({ lead = "", text, end = "", hint = "" }: Row): string {
  return lead + text + end + hint;
}

/** How to say it. */
export interface Look {
  readonly style: Style;
  readonly t: T;
  readonly workspace: string;
  /** A person has keys to press: what is folded names the one that shows it. */
  readonly keys?: boolean;
  /** Names of the servers of tools there are. */
  readonly servers?: () => readonly string[];
}

export function wrapped(text: string, lead = ""): Row {
  return { lead, text, fit: "wrap" };
}

export function cut(text: string, end = ""): Row {
  return { text, end, fit: "cut" };
}

/** The first rows of a session; light, because the first frame shows them before much is loaded. */
export function welcomeRows(
  version: string,
  model: string,
  { style, t, workspace }: Look,
): Row[] {
  const name = `${style.bold("narnat")} ${plainLine(version)}`;
  return [
    { text: `${name} ${style.dim(`· ${plainLine(model)}`)}`, fit: "cut" },
    { text: style.dim(plainLine(workspace)), fit: "cut" },
    {
      text: style.dim(
        t("/help lists the commands · alt-enter new line · esc interrupt · ctrl-d quit"),
      ),
      fit: "wrap",
    },
  ];
}
