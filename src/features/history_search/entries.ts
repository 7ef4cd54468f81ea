/** What is found of a line of a session file or of the history. */
import type { SearchHit } from "../../base/types.ts";
import { HOST_MARK } from "../../base/t.ts";

/** Characters; a word far inside a long text is seldom what is remembered of it. */
const MOST_TEXT = 100_000;
const MOST_INPUT = 4_000;
const RESULT_HEAD = 300;
const RESULT_TAIL = 500;

/** One thing that can be found. */
export interface Found {
  readonly who: SearchHit["who"];
  readonly text: string;
  /** ISO 8601. */
  readonly time: string;
  /** Where the line tells it itself. */
  readonly session?: string;
}

/** A message counts even where nothing of it can be found: a later line may take it back. */
export type Line =
  | { readonly kind: "message" | "other"; readonly found: Found }
  | { readonly kind: "retract" };

// deno-lint-ignore no-explicit-any -- what stands in a file may be anything
type Loose = any;

/** Reads a line; undefined for one that says nothing to be found. */
export function readLine(line: string): Line | undefined {
  let entry: Loose;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  const time = text(entry?.time ?? entry?.timestamp);
  switch (entry?.type) {
    case "message": {
      const found = ofMessage(entry.message);
      return found && { kind: "message", found: { ...found, time } };
    }
    case "retract":
      return { kind: "retract" };
    case "session": {
      const summary = text(entry.carried?.summary);
      if (summary === "") return undefined;
      return { kind: "other", found: { who: "summary", text: summary, time } };
    }
    case undefined: {
      if (typeof entry?.content !== "string") return undefined;
      const found = { text: entry.content.slice(0, MOST_TEXT), time, session: text(entry.session) };
      return { kind: "other", found: { who: "history", ...found } };
    }
  }
  return undefined;
}

function ofMessage(message: Loose): { who: Found["who"]; text: string } | undefined {
  const said = text(message?.text).slice(0, MOST_TEXT);
  switch (message?.role) {
    case "user":
      // the host's own words come again and again
      return { who: "user", text: said.startsWith(HOST_MARK) ? "" : said };
    case "assistant": {
      const calls = Array.isArray(message.calls) ? message.calls : [];
      return { who: "assistant", text: [said, ...calls.map(ofCall)].join("\n") };
    }
    case "tool": {
      const head = said.slice(0, RESULT_HEAD);
      const tail = said.slice(Math.max(RESULT_HEAD, said.length - RESULT_TAIL));
      return { who: "tool", text: `${text(message.name)} ${head}\n${tail}` };
    }
  }
  return undefined;
}

/** A call's name and the values of its input. */
function ofCall(call: Loose): string {
  const values: string[] = [text(call?.name)];
  const take = (value: unknown) => {
    if (typeof value === "string") values.push(value);
    else if (typeof value === "number") values.push(String(value));
    else if (value !== null && typeof value === "object") Object.values(value).forEach(take);
  };
  try {
    take(JSON.parse(text(call?.input)));
  } catch {
    values.push(text(call?.input));
  }
  return values.join(" ").slice(0, MOST_INPUT);
}

const text = (value: unknown) => typeof value === "string" ? value : "";
