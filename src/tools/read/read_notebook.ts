import { say } from "../../base/text.ts";
import type { ToolContext, ToolResult } from "../../base/types.ts";
import { sizeText } from "../../files/file_kind.ts";
import { jsonFault } from "../../files/edit/json_fault.ts";
import {
  type NotebookCell,
  type NotebookOutput,
  parseNotebook,
} from "../../files/edit/notebook.ts";
import { decodeText } from "../../files/text_file.ts";
import { sentences } from "../files.ts";

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
  const { lang } = context;
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
  const notes = [say(lang, "read.notebook", { language, count, total })];
  const next = book.cells[parts.length];
  if (next) {
    notes.push(say(lang, "read.notebook_cut", { number: parts.length, next: next.firstLine }));
  }
  const text = [...parts, `(${sentences(lang, ...notes)})`].join("\n\n").toWellFormed();
  return { ok: true, text, detail: { kind: "lines", count: total, path } };
}

/** Says where a notebook's text is not JSON; undefined when it is. */
export function brokenNotebook(bytes: Uint8Array, { lang }: ToolContext): string | undefined {
  const fault = jsonFault(decodeText(bytes).text);
  return fault && say(lang, "read.broken_notebook", { ...fault });
}

function cellText(cell: NotebookCell, number: number, context: ToolContext): string {
  const { kind, firstLine: first, lastLine: last } = cell;
  const run = cell.run === undefined ? "" : ` [${cell.run}]`;
  const head = say(context.lang, "read.cell", { number, kind, run, first, last });
  const source = cutAt(cell.source.replace(/\n$/, ""), CELL_CHARS, context);
  return [head, source, ...cell.outputs.map((output) => outputText(output, context))]
    .filter((part) => part !== "").join("\n");
}

function outputText(output: NotebookOutput, context: ToolContext): string {
  if (output.kind === "media") {
    const { type, bytes } = output;
    return say(context.lang, "read.cell_media", { type, size: sizeText(bytes) });
  }
  const text = cutAt(output.text.replace(/\n$/, ""), OUTPUT_CHARS, context);
  return text.split("\n").map((line) => `→ ${line}`).join("\n");
}

function cutAt(text: string, most: number, context: ToolContext): string {
  if (text.length <= most) return text;
  return text.slice(0, most) + say(context.lang, "read.cell_more", { count: text.length - most });
}
