import { say } from "../text.ts";
import type { SeenFile, Tool, ToolContext, ToolInput, ToolResult } from "../types.ts";
import { kindOf, sizeText } from "../workspace/file_kind.ts";
import { readPage } from "../workspace/line_reader.ts";
import {
  decodeText,
  hashBytes,
  looksBinary,
  SNIFF_BYTES,
  splitLines,
} from "../workspace/text_file.ts";
import {
  failed,
  FILE_PATH_ALIASES,
  type Named,
  named,
  numbered,
  refuse,
  sentences,
  WHOLE_FILE_BYTES,
} from "./files.ts";
import { rename } from "./schema.ts";

const LINES_AT_MOST = 2000;
/** A file of up to this many lines is shown whole, within the larger bound of characters. */
const SMALL_LINES = 500;
const CHARS_AT_MOST = 50_000;
const SMALL_CHARS_AT_MOST = 100_000;
const LINE_CHARS = 2000;
const ENTRIES_AT_MOST = 200;

/** Read: a file's lines with their numbers, or the entries of a folder. */
export const read: Tool = {
  name: "Read",
  description:
    "Read a file with line numbers (`N | line`). Read it whole: omit offset and limit unless it has more than 500 lines. A folder is listed.",
  input: {
    type: "object",
    properties: {
      file_path: { type: "string", description: "Absolute, or relative to the workspace" },
      offset: { type: "integer", description: "First line, from 1" },
      limit: { type: "integer", description: "Number of lines" },
    },
    required: ["file_path"],
  },
  readOnly: true,
  needs: ["read"],
  aliases: ["read_file", "view", "view_file", "cat", "open_file"],
  adapt(input) {
    const { startLine, endLine, start_line = startLine, end_line = endLine, ...rest } = input;
    const out = rename(rest, FILE_PATH_ALIASES);
    out["offset"] ??= start_line;
    if (end_line !== undefined && end_line !== null) {
      const count = Number(end_line) - Math.max(1, Number(out["offset"] ?? 1)) + 1;
      out["limit"] ??= Number.isNaN(count) ? end_line : Math.max(1, count);
    }
    return out;
  },
  async run(input, context) {
    try {
      return await readNamed(input, named(input.file_path, context), context);
    } catch (error) {
      return await failed(context, "read.cannot", input.file_path, error);
    }
  },
};

async function readNamed(
  input: ToolInput,
  { path, shown }: Named,
  context: ToolContext,
): Promise<ToolResult> {
  const real = await Deno.realPath(path);
  const info = await Deno.stat(real);
  if (info.isDirectory) return await listFolder(real, shown, context);
  if (!info.isFile) {
    return refuse(context, "read.cannot", {
      path: shown,
      why: say(context.lang, "file.why.not_regular"),
    });
  }
  const range = {
    offset: Math.max(1, input.offset ?? 1),
    limit: input.limit > 0 ? input.limit : Infinity,
  };
  if (info.size > WHOLE_FILE_BYTES) {
    return await readLarge(real, shown, info.size, range, context);
  }
  const bytes = await Deno.readFile(real, { signal: context.signal });
  const seen = { path: real, hash: await hashBytes(bytes) };
  if (looksBinary(bytes)) return binary(bytes, bytes.length, shown, context);
  const file = decodeText(bytes);
  const lines = splitLines(file.text);
  if (lines.length === 0) {
    return {
      ok: true,
      text: say(context.lang, "read.empty", { path: shown }),
      detail: { kind: "lines", count: 0, path: shown },
      seen: [seen],
    };
  }
  const total = lines.length;
  const first = Math.min(range.offset, total);
  const end = first - 1 + Math.min(range.limit, LINES_AT_MOST);
  const cut = (line: string) =>
    line.length > LINE_CHARS ? cutLine(line, line.length, context) : line;
  const page = fit(lines.slice(first - 1, end).map(cut), total);
  const notes: string[] = [];
  if (range.offset > total) {
    notes.push(say(context.lang, "read.beyond", { offset: range.offset, total }));
  }
  if (file.encoding !== "utf-8") {
    notes.push(say(context.lang, "read.encoding", { encoding: file.encoding }));
  } else if (!file.text.isWellFormed()) {
    notes.push(say(context.lang, "read.bad_bytes"));
  }
  const last = first + page.length - 1;
  if (first > 1 || last < total) {
    notes.push(say(context.lang, "read.range", { first, last, total }));
  }
  if (last < total) notes.push(say(context.lang, "read.go_on", { next: last + 1 }));
  return shownLines(page, first, shown, sentences(context.lang, ...notes), seen);
}

async function readLarge(
  real: string,
  shown: string,
  size: number,
  range: { readonly offset: number; readonly limit: number },
  context: ToolContext,
): Promise<ToolResult> {
  const head = new Uint8Array(SNIFF_BYTES);
  using file = await Deno.open(real);
  const bytes = head.subarray(0, await file.read(head) ?? 0);
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff;
  if (utf16 || looksBinary(bytes)) return binary(bytes, size, shown, context);
  const limit = Math.min(range.limit, LINES_AT_MOST);
  const page = await readPage(real, range.offset, limit, LINE_CHARS * 4, context.signal);
  const texts = page.lines.map(({ text, bytes }) =>
    text.length > LINE_CHARS || bytes > LINE_CHARS * 4 ? cutLine(text, bytes, context) : text
  );
  const lines = fit(texts, Infinity);
  const last = page.first + lines.length - 1;
  const notes: string[] = [];
  if (range.offset > page.first) {
    notes.push(say(context.lang, "read.beyond", { offset: range.offset, total: page.first }));
  }
  if (page.encoding !== "utf-8") {
    notes.push(say(context.lang, "read.encoding", { encoding: page.encoding }));
  }
  notes.push(
    say(context.lang, "read.large", { first: page.first, last, size: sizeText(size) }),
  );
  if (!page.end || lines.length < texts.length) {
    notes.push(say(context.lang, "read.go_on", { next: last + 1 }));
  }
  return shownLines(lines, page.first, shown, sentences(context.lang, ...notes));
}

/** As many lines as an answer may hold, at least one. */
function fit(lines: readonly string[], total: number): readonly string[] {
  const most = total <= SMALL_LINES ? SMALL_CHARS_AT_MOST : CHARS_AT_MOST;
  let chars = 0;
  const over = lines.findIndex((line) => (chars += line.length + 9) > most);
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}

function cutLine(line: string, length: number, context: ToolContext): string {
  return line.slice(0, LINE_CHARS) + say(context.lang, "read.cut_line", { length });
}

function shownLines(
  lines: readonly string[],
  first: number,
  path: string,
  notes: string,
  seen?: SeenFile,
): ToolResult {
  const body = numbered(lines, first).toWellFormed();
  const count = lines.length;
  return {
    ok: true,
    text: notes === "" ? body : `${body}\n\n(${notes})`,
    detail: { kind: "lines", count, path },
    ...(seen ? { seen: [seen] } : {}),
  };
}

function binary(
  bytes: Uint8Array,
  size: number,
  path: string,
  context: ToolContext,
): ToolResult {
  return refuse(context, "read.binary", { path, kind: kindOf(bytes), size: sizeText(size) });
}

async function listFolder(
  path: string,
  shown: string,
  context: ToolContext,
): Promise<ToolResult> {
  const names = (await Array.fromAsync(Deno.readDir(path))).map((entry) =>
    entry.name + (entry.isDirectory ? "/" : entry.isSymlink ? "@" : "")
  ).sort();
  const count = names.length;
  const listed = names.slice(0, ENTRIES_AT_MOST).join("\n");
  const head = say(context.lang, "read.folder", { path: shown, count });
  const more = count > ENTRIES_AT_MOST
    ? "\n" + say(context.lang, "read.folder_cut", { shown: ENTRIES_AT_MOST, count })
    : "";
  return {
    ok: true,
    text: `${head}\n${listed}${more}`.trimEnd(),
    detail: { kind: "lines", count, path: shown },
  };
}
