import { isRecord } from "../../base/is_record.ts";

/** One output of a notebook's cell. */
export type NotebookOutput =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly text: string }
  /** Something that is not text: its MIME type and size in bytes. */
  | { readonly kind: "media"; readonly type: string; readonly bytes: number };

/** One cell; its lines are those of the file, from 1. */
export interface NotebookCell {
  readonly kind: string;
  readonly source: string;
  /** Number of its last run. */
  readonly run: number | undefined;
  readonly outputs: readonly NotebookOutput[];
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A Jupyter notebook. */
export interface Notebook {
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
