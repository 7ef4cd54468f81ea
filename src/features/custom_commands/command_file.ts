/** A custom command's file: what its front matter says, and what becomes of its text. */
import { bodyOf, frontOf } from "../../base/front_matter.ts";
import { wordsOf } from "../../base/quoted_words.ts";
import { truncate } from "../../base/truncate.ts";

/** What the file says. */
export interface CommandFacts {
  /** One line; empty where the file gives none. */
  readonly description: string;
  /** What may stand behind the name; empty where the file does not say. */
  readonly hint: string;
  /** The only tools of its turn; undefined for all. */
  readonly tools: readonly string[] | undefined;
  /** It names a model, which is not taken. */
  readonly model: boolean;
  /** Its front matter never ends: nobody knows what it restricts itself to. */
  readonly unclosed?: true;
  readonly body: string;
}

const DESCRIPTION_CHARS = 120;
/** Lines that others run before they ask; what stands between is not run here. */
const SHELL = /!`[^`\n]+`/;

/** Reads a file. The front matter need not be YAML: `argument-hint: [a] [b]` is none, and usual. */
export function commandFacts(text: string): CommandFacts {
  const fence = frontOf(text);
  const front = valuesOf(fence ?? "");
  const body = bodyOf(text);
  const described = front.get("description") ?? "";
  const tools = listed(front.get("allowed-tools") ?? front.get("tools") ?? "");
  return {
    description: clipped(described === "" ? titleOf(body) : described),
    hint: clipped(front.get("argument-hint") || front.get("arguments") || ""),
    tools: tools.length === 0 ? undefined : tools,
    model: !/^(?:|inherit)$/.test(front.get("model") ?? ""),
    ...fence === undefined ? { unclosed: true } : {},
    body,
  };
}

/** Whether the text has commands in it that would have to be run first. */
export const wantsShell = (body: string): boolean => SHELL.test(body);

/**
 * The body with what was typed behind the name in its places; what is put in is not read again. A
 * place that may mean something else (code, a price) stays as it is: the model reads the line, too.
 */
export function expand(body: string, args: string, hint = ""): string {
  const words = wordsOf(args);
  const most = lastPlace(body, words.length, hint);
  let fence = "";
  return body.split("\n").map((line) => {
    const mark = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line)?.[1];
    const code = fence !== "" || mark !== undefined;
    if (fence === "") fence = mark ?? "";
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = "";
    const programs = code ? [] : [...line.matchAll(AWK)].map(spanOf);
    return line.replace(PLACE, (found, whole, nth, place, at) => {
      if (whole !== undefined) return nth === undefined ? args : words[Number(nth)] ?? "";
      const other = code || Number(place) > most || programs.some(([a, b]) => at >= a && at < b);
      return other ? found : words[Number(place) - 1] ?? "";
    });
  }).join("\n");
}

/** `$ARGUMENTS`, `$ARGUMENTS[0]`; or a place that is no price and no part of another word. */
const PLACE =
  /\$(ARGUMENTS)(?:\[(\d)\]|(?![A-Za-z_]))|(?<![\\$])\$([1-9])(?!\d|[.,]\d|[KMBkmb]\b|bn\b|[-–]\$?\d|\+|\/(?:mo|month|y|yr|year|h|hr|hour|d|day|user|seat|[KMGT]B)\b|\s*(?:[KMB]|million|billion|trillion|thousand|USD)\b)/g;
/** A program in quotes, which has fields of its own. */
const AWK = /\b(?:[gmn]?awk|sed|perl)\b[^'"\n]*(?:'[^']*'?|"[^"]*"?)/g;
const spanOf = ({ index, 0: text }: RegExpMatchArray) => [index!, index! + text.length] as const;

/** Up to which place the text means arguments: as many as the file announces, or without a gap from the first. */
function lastPlace(body: string, typed: number, hint: string): number {
  if (hint === "" && (typed === 0 || body.includes("$ARGUMENTS"))) return 0;
  const used = new Set([...body.matchAll(PLACE)].map(([, , , place]) => Number(place)));
  let most = 0;
  while (used.has(most + 1)) most++;
  const announced = hint.split(/\s+/).filter((word) => word !== "").length;
  return hint === "" ? Math.min(most, typed) : Math.max(most, Math.min(announced, 9));
}

/** The outermost keys of a front matter with their values as text; the items of a list a line each. */
function valuesOf(front: string): Map<string, string> {
  const values = new Map<string, string>();
  let key = "";
  for (const line of front.split(/\r?\n/)) {
    const [, name, value = ""] = /^([A-Za-z][\w-]*)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      key = name.toLowerCase().replaceAll("_", "-");
      values.set(key, /^[>|][+-]?$/.test(value.trim()) ? "" : unquoted(value.trim()));
    } else if (key !== "" && /^\s*-\s|^\s+\S/.test(line)) {
      const more = unquoted(line.trim().replace(/^-\s+/, ""));
      values.set(key, [values.get(key), more].filter((part) => part).join("\n"));
    }
  }
  return values;
}

const unquoted = (text: string) => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

/** Names of tools; `Bash(git *)` names Bash. */
function listed(text: string): string[] {
  const flat = text.replaceAll(/(?:^|\s)#.*$/gm, "").replace(/^\[(.*)\]$/s, "$1").replaceAll(
    /\([^()]*\)/g,
    "",
  );
  const names = flat.split(/[,\s]+/).map((name) => unquoted(name)).filter((name) => name !== "");
  return names.includes("*") ? [] : [...new Set(names)];
}

/** The first line that says something. */
const titleOf = (body: string) =>
  body.split("\n").map((line) => line.replace(/^#+\s*/, "").trim()).find((line) => line !== "") ??
    "";

function clipped(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return truncate(line, DESCRIPTION_CHARS).toWellFormed();
}
