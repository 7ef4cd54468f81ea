/** Reads notebooks, and shows their cells. */
import { isRecord } from "../../base/is_record.ts";
import type { ToolContext, ToolResult } from "../../base/types.ts";
import { jsonFault } from "../../files/edit/json_fault.ts";
import { sizeText } from "../../files/file_kind.ts";
import { decodeText } from "../../files/text_file.ts";
import { sentences } from "../files.ts";

/** One output of a notebook's cell. */
type NotebookOutput =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly text: string }
  /** Something that is not text: its MIME type and size in bytes. */
  | { readonly kind: "media"; readonly type: string; readonly bytes: number };

/** One cell; its lines are those of the file, from 1. */
interface NotebookCell {
  readonly kind: string;
  readonly source: string;
  /** Number of its last run. */
  readonly run: number | undefined;
  readonly outputs: readonly NotebookOutput[];
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A Jupyter notebook. */
interface Notebook {
  readonly language: string;
  readonly cells: readonly NotebookCell[];
}

type Loose = { readonly [key: string]: unknown };

// deno-lint-ignore no-control-regex -- colours in tracebacks
const COLOURS = /\x1b\[[\d;]*m/g;

/** Reads a notebook (nbformat 4) from its JSON text; undefined when it is none. */
export function parseNotebook(text: string): Notebook | undefined {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(root) || typeof root["nbformat"] !== "number" || !Array.isArray(root["cells"])) {
    return undefined;
  }
  const spans = cellSpans(text);
  if (spans.length !== root["cells"].length) return undefined;
  const lineOf = lineCounter(text);
  const cells = root["cells"].map((cell: unknown, index): NotebookCell => {
    const { start, end } = spans[index]!;
    const loose = isRecord(cell) ? cell : {};
    const run = loose["execution_count"];
    const outputs = Array.isArray(loose["outputs"]) ? loose["outputs"] : [];
    return {
      kind: String(loose["cell_type"] ?? "?"),
      source: joined(loose["source"]),
      run: typeof run === "number" ? run : undefined,
      outputs: outputs.filter(isRecord).flatMap(outputsOf),
      firstLine: lineOf(start),
      lastLine: lineOf(end),
    };
  });
  const metadata = isRecord(root["metadata"]) ? root["metadata"] : {};
  const info = isRecord(metadata["language_info"]) ? metadata["language_info"] : {};
  return { language: String(info["name"] ?? ""), cells };
}

function outputsOf(output: Loose): NotebookOutput[] {
  if (output["output_type"] === "stream") return [{ kind: "text", text: joined(output["text"]) }];
  if (output["output_type"] === "error") {
    const trace = Array.isArray(output["traceback"]) ? output["traceback"].join("\n") : "";
    const text = trace || `${output["ename"]}: ${output["evalue"]}`;
    return [{ kind: "error", text: text.replace(COLOURS, "") }];
  }
  const data = isRecord(output["data"]) ? output["data"] : {};
  const found: NotebookOutput[] = [];
  for (const [type, value] of Object.entries(data)) {
    if (type === "text/plain") found.push({ kind: "text", text: joined(value) });
    else {
      const text = typeof value === "string" || Array.isArray(value)
        ? joined(value)
        : JSON.stringify(value);
      const base64 = /^(image|audio|video|application\/pdf)/.test(type) && type !== "image/svg+xml";
      const bytes = base64 ? Math.floor(text.replace(/[\s=]/g, "").length * 3 / 4) : text.length;
      found.push({ kind: "media", type, bytes });
    }
  }
  return found;
}

/** Where each element of the root's `cells` stands in the text: its first and its last character. */
function cellSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  let depth = 0;
  let key = "";
  let inCells = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      const from = at + 1;
      for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++;
      if (depth === 1) key = text.slice(from, at);
    } else if (char === "{" || char === "[") {
      if (depth === 1) inCells = key === "cells" && char === "[";
      depth++;
      if (inCells && depth === 3) start = at;
    } else if (char === "}" || char === "]") {
      if (inCells && depth === 3) spans.push({ start, end: at });
      depth--;
      if (depth === 1) inCells = false;
    }
  }
  return spans;
}

/** Tells the line of ascending offsets. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (let next = text.indexOf("\n", counted); next >= 0 && next < at;) {
      line++;
      counted = next + 1;
      next = text.indexOf("\n", counted);
    }
    return line;
  };
}

function joined(value: unknown): string {
  return Array.isArray(value) ? value.join("") : typeof value === "string" ? value : "";
}

const CHARS_AT_MOST = 50_000;
const CELL_CHARS = 20_000;
const OUTPUT_CHARS = 1000;

/** Shows a notebook as its cells; undefined when the bytes are none. `total`: lines of the file. */
export function showNotebook(
  bytes: Uint8Array,
  path: string,
  total: number,
  context: ToolContext,
): ToolResult | undefined {
  const book = parseNotebook(decodeText(bytes).text);
  if (!book) return undefined;
  const { t } = context;
  const parts: string[] = [];
  let chars = 0;
  for (const [index, cell] of book.cells.entries()) {
    const part = cellText(cell, index + 1, context);
    chars += part.length;
    if (chars > CHARS_AT_MOST && index > 0) break;
    parts.push(part);
  }
  const count = book.cells.length;
  const language = book.language === "" ? "" : ` (${book.language})`;
  const notes = [
    t(
      "Jupyter notebook{language} with {count} {count:cell|cells}; the file has {total} lines. Shown are the decoded cells. Edit changes the file's JSON text, where each line of code is a string (\"x = 1\\n\",): before editing, Read the cell's lines with offset and limit and copy old_string from there.",
      { language, count, total },
    ),
  ];
  const next = book.cells[parts.length];
  if (next) {
    notes.push(
      t("Shown up to cell {number}; Read the rest by lines with offset={next}.", {
        number: parts.length,
        next: next.firstLine,
      }),
    );
  }
  const text = [...parts, `(${sentences(t, ...notes)})`].join("\n\n").toWellFormed();
  return { ok: true, text, detail: { kind: "lines", count: total, path } };
}

/** Says where a notebook's text is not JSON; undefined when it is. */
export function brokenNotebook(bytes: Uint8Array, { t }: ToolContext): string | undefined {
  const fault = jsonFault(decodeText(bytes).text);
  return fault &&
    t(
      "This notebook is broken, it is not valid JSON: see line {line}, column {column}, at {near}. Shown is the file's text.",
      { ...fault },
    );
}

function cellText(cell: NotebookCell, number: number, context: ToolContext): string {
  const { kind, firstLine: first, lastLine: last } = cell;
  const run = cell.run === undefined ? "" : ` [${cell.run}]`;
  const head = context.t("[cell {number} · {kind}{run} · lines {first}–{last}]", {
    number,
    kind,
    run,
    first,
    last,
  });
  const source = cutAt(cell.source.replace(/\n$/, ""), CELL_CHARS, context);
  return [head, source, ...cell.outputs.map((output) => outputText(output, context))]
    .filter((part) => part !== "").join("\n");
}

function outputText(output: NotebookOutput, context: ToolContext): string {
  if (output.kind === "media") {
    const { type, bytes } = output;
    return context.t("[output: {type}, {size}]", { type, size: sizeText(bytes) });
  }
  const text = cutAt(output.text.replace(/\n$/, ""), OUTPUT_CHARS, context);
  return text.split("\n").map((line) => `→ ${line}`).join("\n");
}

function cutAt(text: string, most: number, context: ToolContext): string {
  if (text.length <= most) return text;
  return text.slice(0, most) +
    context.t("… ({count} more {count:character|characters} of output)", {
      count: text.length - most,
    });
}
