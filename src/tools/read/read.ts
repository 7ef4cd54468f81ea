import { FileError } from "../../base/errors.ts";
import type { SeenFile, Tool, ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import { sizeText } from "../../files/file_kind.ts";
import { type Line, type LinePage, pageOf, readPage } from "../../files/line_reader.ts";
import { openRegular, readRegular, STAMPED_BYTES, versionOf } from "../../files/open_regular.ts";
import { detectCoding, looksBinary } from "../../files/text_file.ts";
import {
  failed,
  inBounds,
  joined,
  type Named,
  named,
  numbered,
  refuse,
  sentences,
  WHOLE_FILE_BYTES,
} from "../files.ts";
import { readDeclaration } from "./read_declaration.ts";
import { describe, isPdf } from "./read_media.ts";
import { brokenNotebook, showNotebook } from "./read_notebook.ts";

const PATIENCE_MS = 2000;
/** These wait, and take what they give away from those who should have it. */
const LOGS = /^\/proc\/kmsg$|\/trace_pipe(_raw)?$/;

/** True for a file that the kernel makes up when it is read, whose size says nothing. */
export function isVirtual(real: string): boolean {
  return Deno.build.os === "linux" && /^\/(proc|sys)\//.test(real);
}

/**
 * Reads at most `most` bytes of such a file in a child process, for some of them (/proc/kmsg) keep
 * their reader waiting for ever. Throws FileError "waiting" after `patienceMs`, "denied" or
 * "other", and the platform's errors when no child may be started.
 */
export async function readVirtual(
  real: string,
  most: number,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<Uint8Array<ArrayBuffer>> {
  if (LOGS.test(real)) throw new FileError("waiting", `Cannot read "${real}": it is a stream`);
  const child = new Deno.Command("head", {
    args: ["-c", String(most), "--", real],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    clearEnv: true,
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
  }).spawn();
  let late = false;
  const kill = () => {
    try {
      child.kill("SIGKILL");
    } catch { /* it has ended already */ }
  };
  const timer = setTimeout(() => {
    late = true;
    kill();
  }, patienceMs);
  signal.addEventListener("abort", kill);
  try {
    const { success, stdout, stderr } = await child.output();
    signal.throwIfAborted();
    if (success || stdout.length > 0) return stdout;
    if (late) throw new FileError("waiting", `Cannot read "${real}": nothing came`);
    const why = new TextDecoder().decode(stderr).trim();
    const denied = /permitted|permission/i.test(why);
    throw new FileError(denied ? "denied" : "other", why.replace(/^.*: /, ""));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
}

const ENTRIES_AT_MOST = 200;

/** Lists a folder as `ls` would: folders first, links marked, the number told. */
async function listFolder(
  path: string,
  shown: string,
  context: ToolContext,
): Promise<ToolResult> {
  const entries = await Array.fromAsync(Deno.readDir(path));
  const names = (folders: boolean) =>
    entries.filter((entry) => entry.isDirectory === folders)
      .map(({ name, isSymlink }) => quoted(name) + (folders ? "/" : isSymlink ? "@" : ""))
      .sort();
  const listed = [...names(true), ...names(false)];
  const count = listed.length;
  const head = context.t("{path} is a folder with {count} {count:entry|entries}:", {
    path: shown,
    count,
  });
  const more = count > ENTRIES_AT_MOST
    ? "\n" +
      context.t("(The first {shown} of {count} are listed; use Glob.)", {
        shown: ENTRIES_AT_MOST,
        count,
      })
    : "";
  return {
    ok: true,
    text: `${head}\n${listed.slice(0, ENTRIES_AT_MOST).join("\n")}${more}`.trimEnd(),
    detail: { kind: "lines", count, path: shown },
  };
}

/** A name with a line break in it must not look like two. */
function quoted(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}

const LINES_AT_MOST = 2000;
/** A file of up to this many lines is shown whole, within the larger bound of characters. */
const SMALL_LINES = 500;
const CHARS_AT_MOST = 50_000;
const SMALL_CHARS_AT_MOST = 100_000;
const LINE_CHARS = 2000;
/** A character takes four bytes at most. */
const LINE_BYTES = LINE_CHARS * 4;
/** So much tells what a binary file is, and the size of nearly every image. */
const HEAD_BYTES = 1024 * 1024;
const VIRTUAL_BYTES = 1024 * 1024;
/** A shorter answer is given again rather than pointed to. */
const REPEATED_CHARS = 2000;
const RANGES_KEPT = 20;

/** Read: a file's lines with their numbers, or the entries of a folder; `mostChars` of an answer. */
export function readTool(mostChars?: number): Tool {
  return {
    ...readDeclaration,
    async run(input, context) {
      try {
        return await readNamed(input, named(input.file_path, context), context, mostChars);
      } catch (error) {
        return await failed(context, "Cannot read {path}: {why}", input.file_path, error);
      }
    },
  };
}

/** Read with its usual bounds. */
export const read: Tool = readTool();

async function readNamed(
  input: ToolInput,
  { path, shown }: Named,
  context: ToolContext,
  mostChars: number | undefined,
): Promise<ToolResult> {
  const real = await inBounds(path, context);
  const info = Deno.statSync(real);
  if (info.isDirectory) return await listFolder(real, shown, context);
  if (!info.isFile) {
    return refuse(context, "Cannot read {path}: {why}", {
      path: shown,
      why: context.t("it is a device, pipe or socket, not a regular file."),
    });
  }
  const range = {
    offset: Math.max(1, input.offset ?? 1),
    limit: Math.min(input.limit > 0 ? input.limit : Infinity, LINES_AT_MOST),
    lineBytes: LINE_BYTES,
    mostChars,
  };
  if (isVirtual(real)) {
    const bytes = await readVirtual(real, VIRTUAL_BYTES, context.signal);
    if (looksBinary(bytes)) return await describe(bytes, bytes.length, shown, context);
    return answer(pageOf(bytes, detectCoding(bytes), range), { shown, context, ...range });
  }
  const notebook = real.endsWith(".ipynb") && !(input.offset > 0) && !(input.limit > 0);
  if (info.size > (notebook ? WHOLE_FILE_BYTES : STAMPED_BYTES)) {
    const head = await readHead(real);
    if (looksBinary(head) || isPdf(head)) return await describe(head, info.size, shown, context);
    // the version comes first: what changes from here on makes an edit ask for another Read
    const hash = await versionOf(real);
    const page = await readPage(real, range, context.signal);
    return answer(page, { shown, context, size: info.size, seen: { path: real, hash }, ...range });
  }
  const stamp = info.size > STAMPED_BYTES ? await versionOf(real) : undefined;
  const bytes = await readRegular(real, context.signal);
  if (looksBinary(bytes) || isPdf(bytes)) {
    return await describe(bytes, bytes.length, shown, context);
  }
  const seen = { path: real, hash: stamp ?? await versionOf(real, bytes) };
  const page = pageOf(bytes, detectCoding(bytes), range);
  const cells = notebook ? showNotebook(bytes, shown, page.total, context) : undefined;
  if (cells) return { ...cells, seen: [{ ...seen, whole: true }] };
  const note = real.endsWith(".ipynb") ? brokenNotebook(bytes, context) : undefined;
  return answer(page, { shown, context, seen, note, ...range });
}

interface Answered {
  readonly shown: string;
  readonly context: ToolContext;
  readonly offset: number;
  readonly mostChars: number | undefined;
  /** Set where the number of lines is not known. */
  readonly size?: number;
  readonly seen?: SeenFile;
  /** What else must be known of the file. */
  readonly note?: string | undefined;
}

/** Puts the lines of a page before the model, with what it must know about them. */
function answer(
  page: LinePage & { readonly total?: number },
  { shown, context, offset, mostChars, size, seen, note }: Answered,
): ToolResult {
  const { t } = context;
  const { first, coding, total } = page;
  const [line] = page.lines;
  if (!line || coding.bom && page.end && page.lines.length === 1 && line.bytes === 0) {
    const empty = t("{path} is empty.", { path: shown });
    return result(empty, 0, shown, seen && { ...seen, whole: true });
  }
  const texts = page.lines.map((line) => cutLine(line, context));
  const lines = fit(texts, total ?? Infinity, mostChars);
  const last = first + lines.length - 1;
  const ends = page.end && lines.length === texts.length;
  const whole = first === 1 && ends;
  const notes: string[] = [];
  if (offset > first) {
    notes.push(
      t("offset {offset} is beyond the end; the file has {total} {total:line|lines}.", {
        offset,
        total: total ?? last,
      }),
    );
  }
  if (note) notes.push(note);
  const encoding = coding.encoding === "utf-8" && coding.bom ? "utf-8 with BOM" : coding.encoding;
  const unicode = encoding.startsWith("utf-");
  const valid = lines.every((line) => line.isWellFormed() && !line.includes("\0"));
  if (!unicode && !valid) {
    notes.push(
      t(
        "The encoding is not certain: it is most like {encoding}, but some bytes are not valid in that and shown as �; Edit leaves all bytes that it does not replace as they are.",
        { encoding },
      ),
    );
  } else if (encoding !== "utf-8") {
    notes.push(t("The encoding is {encoding}; Edit and Write keep it.", { encoding }));
  }
  if (unicode && !valid) {
    notes.push(
      t("Some bytes are not valid {encoding} and shown as �; Edit leaves them as they are.", {
        encoding,
      }),
    );
  }
  if (whole && lines.length === 1 && lines[0]!.includes("\r")) {
    notes.push(t("Its lines end in lone CR (old Mac) and count as one line here."));
  }
  if (lines.some((line, at) => line !== page.lines[at]!.text)) {
    notes.push(t("Of a cut line, Grep shows what stands around a match."));
  }
  if (size !== undefined) {
    notes.push(t("Lines {first}–{last} of a {size} file.", { first, last, size: sizeText(size) }));
  } else if (!whole) {
    notes.push(t("Lines {first}–{last} of {total}.", { first, last, total: total ?? last }));
  }
  if (!ends) notes.push(t("Go on with offset={next}.", { next: last + 1 }));
  const body = numbered(lines, first).toWellFormed().replaceAll("\0", "\ufffd");
  const text = notes.length === 0 ? body : `${body}\n\n(${sentences(t, ...notes)})`;

  const before = seen && context.seen.get(seen.path);
  const known = before && before.hash === seen.hash ? before : undefined;
  const ranges = known?.shown ?? [];
  const others = ranges.filter(([from, to]) => from !== first || to !== last);
  if (seen && others.length < ranges.length && text.length > REPEATED_CHARS) {
    const values = { path: shown, first, last, total: total ?? "…" };
    // it is forgotten, so that the next Read of it shows it again
    const again = { ...known!, shown: others };
    return result(
      t(
        "{path} is unchanged since you read it: lines {first}–{last} of {total} stand above, in the result of that Read. If you no longer see them, Read again the same way and get them in full.",
        values,
      ),
      lines.length,
      shown,
      again,
    );
  }
  const given: (readonly [number, number])[] = [...others, [first, last]];
  const all = joined(given);
  const end = total ?? (ends ? last : undefined);
  const allSeen = known?.whole || all[0]![0] === 1 && all[0]![1] === end;
  const kept = given.length > RANGES_KEPT ? all.slice(-RANGES_KEPT) : given;
  return result(
    text,
    lines.length,
    shown,
    seen && { ...seen, shown: kept, ...allSeen ? { whole: true } : {} },
  );
}

function result(text: string, count: number, path: string, seen?: SeenFile): ToolResult {
  const detail = { kind: "lines", count, path } as const;
  return { ok: true, text, detail, ...(seen ? { seen: [seen] } : {}) };
}

async function readHead(real: string): Promise<Uint8Array<ArrayBuffer>> {
  using file = await openRegular(real);
  const head = new Uint8Array(HEAD_BYTES);
  return head.subarray(0, await file.read(head) ?? 0);
}

/** As many lines as an answer may hold, at least one. */
function fit(
  lines: readonly string[],
  total: number,
  mostChars: number | undefined,
): readonly string[] {
  const most = mostChars ?? (total <= SMALL_LINES ? SMALL_CHARS_AT_MOST : CHARS_AT_MOST);
  let chars = 0;
  const over = lines.findIndex((line) => (chars += line.length + 9) > most);
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}

function cutLine({ text, bytes, cut }: Line, { t }: ToolContext): string {
  if (!cut && text.length <= LINE_CHARS) return text;
  const head = text.slice(0, LINE_CHARS).replace(/[\ud800-\udbff]$/, "");
  return head +
    (cut
      ? t("…[line cut, its length is {size}]", { size: sizeText(bytes) })
      : t("…[line cut, its length is {length}]", { length: text.length }));
}
