import { FileError, reasonOf } from "../../base/errors.ts";
import type { Text } from "../../base/t.ts";
import type { Tool, ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import { writeAtomic } from "../../files/atomic.ts";
import { type Hunk, hunksOf, renderHunks } from "../../files/edit/diff.ts";
import { findEdits, type Found, type TextEdit } from "../../files/edit/text_edit.ts";
import { jsonFault } from "../../files/edit/json_fault.ts";
import { type Piece, spliced, TooMuchError } from "../../files/edit/pieces.ts";
import { placeholderIn } from "../../files/edit/placeholder.ts";
import { kindOf } from "../../files/file_kind.ts";
import {
  fill,
  hasVersion,
  openRegular,
  readRange,
  readRegular,
  STAMPED_BYTES,
} from "../../files/open_regular.ts";
import { danglingLink, refuseVirtual } from "../../files/paths.ts";
import { resting } from "../../files/rest.ts";
import {
  decodeText,
  EncodeError,
  encodeText,
  looksBinary,
  roundTrips,
  SNIFF_BYTES,
} from "../../files/text_file.ts";
import {
  failed,
  inBounds,
  type Named,
  named,
  refuse,
  utf8Command,
  WHOLE_FILE_BYTES,
} from "../files.ts";
import { asksFirst, declinedWrite, emptiedBytes } from "../write/asked_writes.ts";
import { editDeclaration } from "./edit_declaration.ts";
import { changesNothing, numberOfEdit, told, tooLarge, whyNot } from "./edit_report.ts";

/** Refuses an edit after which a notebook is no longer JSON; one that is broken already may be mended. */
async function breaksNotebook(
  pieces: readonly Piece[],
  contents: readonly Uint8Array[],
  { path, shown }: Named,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  if (!path.endsWith(".ipynb")) return undefined;
  const { size } = await Deno.stat(path);
  if (size > WHOLE_FILE_BYTES) return undefined;
  const { signal } = context;
  if (jsonFault(decodeText(await readRegular(path, signal)).text)) return undefined;
  const parts = await Array.fromAsync(
    spliced(path, pieces, contents, signal),
    (part) => new Blob([part.slice()]),
  );
  const after = new Uint8Array(await new Blob(parts).arrayBuffer());
  const fault = jsonFault(decodeText(after).text);
  return fault &&
    refuse(
      context,
      'Cannot edit {path}: the notebook would no longer be valid JSON (at line {line}, column {column}: {near}); nothing was written. In the file each line of code is a JSON string: within it write a quote as \\", a backslash as \\\\ and a line break as \\n, and put commas between the strings.',
      { path: shown, ...fault },
    );
}

/** The longest byte order mark. */
const MARK_BYTES = 3;

/** Edit: replaces exact stretches of a file that has been Read, all of them or none. */
export const edit: Tool = {
  ...editDeclaration,
  asks: asksFirst,
  async run(input, context) {
    const edits = editsOf(input);
    if (typeof edits === "string") return refuse(context, edits);
    try {
      return await editNamed(edits, named(input.file_path, context), context);
    } catch (error) {
      if (edits[0]!.wanted === "" && reasonOf(error) === "missing") {
        const { path, shown } = named(input.file_path, context);
        if (!await danglingLink(path)) {
          return refuse(context, "Cannot edit {path}: it does not exist. To create it use Write.", {
            path: shown,
          });
        }
      }
      return await failed(context, "Cannot edit {path}: {why}", input.file_path, error);
    }
  },
};

/** The edits that were asked for, or what is wrong with the asking. */
function editsOf(
  input: ToolInput,
): TextEdit[] | Text {
  const { old_string, new_string, replace_all = false, edits = [] } = input;
  const one = (each: ToolInput): TextEdit => ({
    wanted: each["old_string"],
    replacement: each["new_string"],
    all: each["replace_all"] ?? replace_all,
    ...(each["expected_replacements"] ? { expected: each["expected_replacements"] } : {}),
  });
  if (edits.length > 0) {
    return old_string || new_string
      ? "Give either old_string and new_string or edits, not both; nothing was written. Put every change into edits."
      : edits.map(one);
  }
  if (old_string === undefined || new_string === undefined) {
    return "Give old_string and new_string; for several changes of one file, edits.";
  }
  return [one(input)];
}

async function editNamed(
  edits: readonly TextEdit[],
  { path, shown }: Named,
  context: ToolContext,
): Promise<ToolResult> {
  const real = await inBounds(path, context);
  refuseVirtual(real);
  const info = Deno.statSync(real);
  if (info.isDirectory) throw new FileError("folder", "a folder was named");
  if (!info.isFile) throw new FileError("not_regular", "not a regular file");
  const head = await headOf(real);
  if (looksBinary(head)) {
    return refuse(context, "Cannot edit {path}: it is binary ({kind}).", {
      path: shown,
      kind: kindOf(head),
    });
  }
  const seen = context.seen.get(real);
  if (!seen) {
    return refuse(
      context,
      "Cannot edit {path}: you have not Read it. Read it first, then copy old_string from what you read.",
      { path: shown },
    );
  }
  const unchanged = async () => {
    if (!await hasVersion(real, seen.hash)) throw new FileError("changed", "changed meanwhile");
  };
  if (!await hasVersion(real, seen.hash)) {
    return refuse(context, "Cannot edit {path}: it has changed since you Read it. Read it again.", {
      path: shown,
    });
  }
  const unfit = refusedAtSight(edits, context);
  if (unfit) return unfit;

  let found: Found;
  try {
    found = await findEdits(real, info.size, edits, {
      whole: STAMPED_BYTES,
      most: WHOLE_FILE_BYTES,
      signal: context.signal,
      rest: resting(context.signal),
    });
  } catch (error) {
    if (reasonOf(error) !== "too_large") throw error;
    const counts = error instanceof TooMuchError ? error.counts : [];
    return tooLarge(counts, edits, { path: shown, size: info.size }, context);
  }
  const { pieces, coding, outcome } = found;
  const partial = leavesOut(edits, pieces, context);
  if (partial) return partial;
  if (!outcome.ok) {
    return await whyNot(pieces, edits, outcome, { path: shown, size: info.size }, context);
  }
  const touched = pieces.flatMap((piece, i) => {
    const after = outcome.texts[i]!;
    return after === piece.text ? [] : [{ piece, after }];
  });
  if (touched.length === 0) return changesNothing(shown, outcome.made, context);
  const { encoding } = coding;
  const bare = { encoding, bom: false };
  for (const { piece } of touched) {
    if (!roundTrips({ ...bare, text: piece.text }, await bytesOf(real, piece))) {
      return refuse(
        context,
        "Cannot edit {path}: read as {encoding}, some of its bytes could not be written back as they are; an edit would damage other places.",
        { path: shown, encoding },
      );
    }
  }
  let contents: Uint8Array[];
  try {
    contents = touched.map(({ after }) => encodeText(after, bare));
  } catch (error) {
    if (!(error instanceof EncodeError)) throw error;
    const { char } = error;
    const which = edits.findIndex((each) => each.replacement.includes(char));
    const command = utf8Command(encoding, { path: real, shown }, context);
    const why = context.t(
      "Cannot edit {path}: “{char}” in new_string does not exist in its encoding {encoding}; nothing was written. Use other characters, or turn the file into UTF-8 with Bash first: {command} — then Read it again.",
      { path: shown, char, encoding, command },
    );
    return { ok: false, text: numberOfEdit(which, edits, context) + why };
  }
  context.signal.throwIfAborted();
  const changed = touched.map(({ piece }) => piece);
  const broken = await breaksNotebook(changed, contents, { path: real, shown }, context);
  if (broken) return broken;
  const left = changed.reduce((size, { start, end }) => size - (end - start), info.size);
  const all = (texts: readonly string[]) => texts.join("");
  // beside the pieces nothing but a mark
  const emptied = left > MARK_BYTES ? undefined : emptiedBytes(
    all(changed.map(({ text }) => text)),
    all(touched.map(({ after }) => after)),
    info.size,
  );
  const declined = await declinedWrite(real, shown, emptied, context);
  if (declined) return declined;
  const version = await writeAtomic(
    real,
    () => spliced(real, changed, contents, context.signal),
    unchanged,
  );
  const hunks = await hunksIn(touched);
  const { diff, added, removed } = renderHunks(hunks);
  return {
    ok: true,
    text: told(shown, outcome.made, hunks, context),
    detail: { kind: "diff", path: shown, added, removed, diff },
    seen: [{ path: real, hash: version, ...seen.whole ? { whole: true } : {} }],
    changed: [shown],
  };
}

/** What an edit has changed, piece by piece: it is told whatever happens now. */
async function hunksIn(
  touched: readonly { readonly piece: Piece; readonly after: string }[],
): Promise<Hunk[]> {
  const rest = resting();
  let moved = 0;
  const hunks: Hunk[] = [];
  for (const { piece, after } of touched) {
    hunks.push(...hunksOf(piece.text, after, piece.line, piece.line + moved));
    if (touched.length > 1) moved += linesIn(after) - linesIn(piece.text);
    await rest();
  }
  return hunks;
}

/** What is wrong with an edit whatever the file holds. */
function refusedAtSight(
  edits: readonly TextEdit[],
  context: ToolContext,
): ToolResult | undefined {
  for (const [index, { wanted, replacement }] of edits.entries()) {
    const why = wanted === replacement
      ? context.t("old_string and new_string are the same; there is nothing to change.")
      : !replacement.isWellFormed() || !wanted.isWellFormed()
      ? context.t(
        "old_string or new_string holds half a character (an unpaired \\ud800–\\udfff). Write the whole character.",
      )
      : undefined;
    if (why) return { ok: false, text: numberOfEdit(index, edits, context) + why };
  }
  return undefined;
}

/** Refuses to write a line that stands for text left out, unless the file has it already. */
function leavesOut(
  edits: readonly TextEdit[],
  pieces: readonly Piece[],
  context: ToolContext,
): ToolResult | undefined {
  for (const [index, { wanted, replacement }] of edits.entries()) {
    if (placeholderIn(replacement, wanted) === undefined) continue;
    const before = [wanted, ...pieces.map(({ text }) => text)].join("\n");
    const line = placeholderIn(replacement, before);
    if (line === undefined) continue;
    const why = context.t(
      "The text leaves something out: “{line}”. It would be written as it stands, so nothing was written. Give the full text; what stays the same need not be sent, Edit only the lines that change. If it is meant as a comment, word it by what it is about.",
      { line },
    );
    return { ok: false, text: numberOfEdit(index, edits, context) + why };
  }
  return undefined;
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

async function headOf(path: string): Promise<Uint8Array> {
  using file = await openRegular(path);
  const head = new Uint8Array(SNIFF_BYTES);
  return head.subarray(0, fill(file, head));
}

async function bytesOf(path: string, { start, end }: Piece): Promise<Uint8Array> {
  using file = await openRegular(path);
  return readRange(file, start, end);
}
