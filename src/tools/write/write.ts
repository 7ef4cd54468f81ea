import { dirname } from "../../base/path.ts";
import type { SeenFile, Tool, ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import { writeAtomic } from "../../files/atomic.ts";
import { countLines, unifiedDiff } from "../../files/edit/diff.ts";
import { FileError } from "../../base/errors.ts";
import { kindOf } from "../../files/file_kind.ts";
import { hasVersion, readRegular } from "../../files/open_regular.ts";
import { danglingLink, displayPath, realTarget, refuseVirtual } from "../../files/paths.ts";
import { placeholderIn } from "../../files/edit/placeholder.ts";
import {
  type Coding,
  decodeText,
  EncodeError,
  encodeText,
  eolOf,
  hashBytes,
  looksBinary,
} from "../../files/text_file.ts";
import { asksFirst, declinedWrite, emptiedBytes } from "./asked_writes.ts";
import {
  failed,
  inBounds,
  joined,
  type Named,
  named,
  refuse,
  sentences,
  utf8Command,
  WHOLE_FILE_BYTES,
} from "../files.ts";
import { writeDeclaration } from "./write_declaration.ts";

/** Write: a whole file; one that exists must have been Read. */
export const write: Tool = {
  ...writeDeclaration,
  asks: asksFirst,
  async run(input, context) {
    try {
      return await writeNamed(input, named(input.file_path, context), context);
    } catch (error) {
      return await failed(context, "Cannot write {path}: {why}", input.file_path, error);
    }
  },
};

async function writeNamed(
  input: ToolInput,
  { path, shown }: Named,
  context: ToolContext,
): Promise<ToolResult> {
  if (/[/\\]$/.test(input.file_path)) throw new FileError("folder", "a folder was named");
  const real = await inBounds(path, context, realTarget);
  refuseVirtual(real);
  const old = await readOld(real);
  const before = old && decodeText(old);
  const left = placeholderIn(input.content, before?.text ?? "");
  if (!input.content.isWellFormed()) {
    return refuse(
      context,
      "content holds half a character (an unpaired \\ud800–\\udfff); nothing was written. Write the whole character.",
    );
  }
  const seen = context.seen.get(real);
  if (old && old.length > 0) {
    if (looksBinary(old)) {
      return refuse(
        context,
        "Cannot write {path}: a binary file ({kind}) is there. Choose another name, or move it away with Bash first.",
        { path: shown, kind: kindOf(old) },
      );
    }
    if (!seen) {
      return refuse(
        context,
        "Cannot write {path}: it exists and you have not Read it. Read it first; to change a part of it use Edit.",
        { path: shown },
      );
    }
    if (!await hasVersion(real, seen.hash)) {
      return refuse(
        context,
        "Cannot write {path}: it has changed since you Read it. Read it again.",
        { path: shown },
      );
    }
    if (!seen.whole) return unseenLines(old, seen, shown, context);
    if (left !== undefined) {
      return refuse(
        context,
        "The text leaves something out: “{line}”. It would be written as it stands, so nothing was written. Give the full text; what stays the same need not be sent, Edit only the lines that change. If it is meant as a comment, word it by what it is about.",
        { line: left },
      );
    }
  }
  const notes: string[] = [];
  if (!old && await danglingLink(path)) {
    notes.push(
      context.t("The path is a symbolic link; what was created is its target {target}.", {
        target: displayPath(real, context.workspace),
      }),
    );
  }
  let encoded: ReturnType<typeof encodeLike>;
  try {
    encoded = encodeLike(input.content, before, notes, context);
  } catch (error) {
    if (!(error instanceof EncodeError)) throw error;
    const { char, encoding } = error;
    const command = utf8Command(encoding, { path: real, shown }, context);
    return refuse(
      context,
      "Cannot write {path}: “{char}” in content does not exist in its encoding {encoding}; nothing was written. Use other characters, or turn the file into UTF-8 with Bash first: {command} — then Read it again.",
      { path: shown, char, encoding, command },
    );
  }
  const { bytes, text } = encoded;
  const values = { path: shown, lines: countLines(text), bytes: bytes.length };
  if (old && sameBytes(old, bytes)) {
    const same = context.t(
      "{path} already has this content ({lines} {lines:line|lines}, {bytes} {bytes:byte|bytes}); nothing changed.",
      values,
    );
    return {
      ok: true,
      text: sentences(context.t, same, ...notes),
      seen: [{ path: real, hash: seen?.hash ?? await hashBytes(old), whole: true }],
    };
  }
  const emptied = emptiedBytes(before?.text ?? "", text, old?.length ?? 0);
  const declined = await declinedWrite(real, shown, emptied, context);
  if (declined) return declined;
  context.signal.throwIfAborted();
  Deno.mkdirSync(dirname(real), { recursive: true });
  const hash = await writeAtomic(real, bytes, async () => {
    const same = old && old.length > 0
      ? await hasVersion(real, seen!.hash)
      : (await readOld(real))?.length === old?.length;
    if (!same) throw new FileError("changed", "the file changed meanwhile");
  });
  const { diff, added, removed } = unifiedDiff(before?.text ?? "", text);
  const done = context.t(
    old
      ? "Replaced {path} ({lines} {lines:line|lines}, {bytes} {bytes:byte|bytes})."
      : "Created {path} ({lines} {lines:line|lines}, {bytes} {bytes:byte|bytes}).",
    values,
  );
  return {
    ok: true,
    text: sentences(context.t, done, ...notes),
    detail: { kind: "diff", path: shown, added, removed, diff },
    seen: [{ path: real, hash, whole: true }],
    changed: [shown],
  };
}

/** Says which lines of the file the model has not been shown. */
function unseenLines(
  old: Uint8Array,
  { shown = [] }: SeenFile,
  path: string,
  context: ToolContext,
): ToolResult {
  const total = countLines(decodeText(old).text);
  const seen = joined(shown);
  const ranges = seen.map(([from, to]) => from === to ? from : `${from}–${to}`).join(", ");
  const next = seen[0]?.[0] === 1 ? seen[0][1] + 1 : 1;
  return refuse(
    context,
    "Cannot write {path}: Write replaces all of it, and of its {total} {total:line|lines} you have seen {ranges} only. Read the others first (offset {next}); to change a part of it use Edit.",
    { path, total, ranges: ranges || 0, next },
  );
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

async function readOld(real: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(real);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  if (info.isDirectory) throw new FileError("folder", "a folder is there");
  if (!info.isFile) throw new FileError("not_regular", "not a regular file");
  if (info.size > WHOLE_FILE_BYTES) throw new FileError("too_large", "over 64 MB");
  return await readRegular(real);
}

/** Encodes new content with the encoding, mark and line ends of the old one; throws EncodeError. */
function encodeLike(
  content: string,
  old: { text: string } & Coding | undefined,
  notes: string[],
  context: ToolContext,
): { bytes: Uint8Array<ArrayBuffer>; text: string } {
  const marked = content.startsWith("\ufeff");
  const given = marked ? content.slice(1) : content;
  const eol = old ? eolOf(old.text) : "";
  const kept = eol === "\n" || eol === "\r\n";
  const text = kept && eolOf(given) !== eol ? given.replace(/\r?\n/g, eol) : given;
  if (text !== given) {
    notes.push(context.t("Its line ends stay {eol}.", { eol: eol === "\n" ? "LF" : "CRLF" }));
  }
  const coding: Coding = old && old.text !== ""
    ? { encoding: old.encoding, bom: old.bom }
    : { encoding: "utf-8", bom: marked };
  const bytes = encodeText(text, coding);
  if (coding.encoding !== "utf-8") {
    notes.push(context.t("Kept its encoding, {encoding}.", { encoding: coding.encoding }));
  }
  return { bytes, text };
}
