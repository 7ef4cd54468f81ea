/** Large results leave the view for a pointer to their copy on disk. */
import type { ContextHost, Message, ToolMessage } from "../../base/types.ts";
import { HOST_MARK } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { truncate } from "../../base/strings.ts";
import type { Draft } from "./draft.ts";

/** Smaller results gain too little. */
const LEAST_TOKENS = 200;
const INPUT_CHARS = 200;

/** About what a pointer counts for. */
const POINTER_TOKENS = 150;

/** What to leave of results. */
export interface Shortening {
  /** Results from this index of the draft's messages on stay as they are. */
  readonly until: number;
  /** A result that counts more comes down to this, its beginning with the pointer behind it. */
  readonly tokens: number;
  of(messages: readonly Message[]): number;
}

/** A draft with pointers in the place of large results. Nothing is written yet. */
export function shorten(draft: Draft, host: ContextHost, how: Shortening): Draft {
  const most = Math.max(LEAST_TOKENS, how.tokens);
  const shortened = new Map(draft.shortened);
  const calls = new Map<string, string>();
  const rest = draft.rest.map((message, at): Message => {
    if (message.role === "assistant") {
      for (const call of message.calls) calls.set(call.id, call.input);
    }
    if (message.role !== "tool" || at >= how.until) return message;
    if (how.of([message]) <= most) return message;
    const place = draft.from + at;
    const whole = host.session.messages[place] as ToolMessage;
    const share = (how.tokens - POINTER_TOKENS) / how.of([whole]);
    const begin = share > 0 ? beginning(whole.text, Math.floor(whole.text.length * share)) : "";
    const { path } = copyOf(whole, place, host);
    const pointer = pointerTo(whole, calls.get(message.id) ?? "", begin, path);
    const text = begin === "" ? pointer : `${begin}\n${pointer}`;
    if (text.length >= message.text.length && !message.images) return message;
    shortened.set(place, text);
    const { images: _images, ...others } = message;
    return { ...others, text };
  });
  return { ...draft, rest, shortened };
}

/** Puts the copies on disk that the draft's pointers name. */
export function writeCopies({ shortened }: Draft, host: ContextHost): void {
  for (const place of shortened.keys()) {
    const message = host.session.messages[place] as ToolMessage;
    const { path, own } = copyOf(message, place, host);
    if (path === undefined || !own) continue;
    Deno.mkdirSync(host.outputDir, { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(path, message.text, { mode: 0o600 });
  }
}

/** The place of a result's full copy; `own` when it is for us to write. */
function copyOf(
  { text }: ToolMessage,
  place: number,
  { outputDir }: ContextHost,
): { path: string | undefined; own: boolean } {
  // a result that was cut names its copy
  const at = text.lastIndexOf(outputDir);
  const named = at < 0 ? "" : text.slice(at).split(/[\]\n]/, 1)[0]!;
  if (named.length > outputDir.length && isFile(named)) return { path: named, own: false };
  const granted = Deno.permissions.querySync({ name: "write", path: outputDir }).state;
  const path = under(outputDir, `result_${place}.txt`);
  return { path: granted === "granted" ? path : undefined, own: true };
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function pointerTo(
  { name, text, images }: ToolMessage,
  input: string,
  begin: string,
  path: string | undefined,
): string {
  const lines = linesIn(text);
  const size = `${text.length} characters, ${lines} ${lines === 1 ? "line" : "lines"}` +
    (images ? ", an image" : "");
  const where = path === undefined ? "Call it again for the text." : `Full text: ${path}`;
  const call = `the result of ${name} ${truncate(input, INPUT_CHARS)}`;
  return begin === ""
    ? `${HOST_MARK} T${call.slice(1)} (${size}) was taken out to make room. ${where}`
    : `${HOST_MARK} This is only the beginning, ${
      linesIn(begin)
    } of ${lines} lines, of ${call} (${size}): there was no room for more. ${where}`;
}

const linesIn = (text: string) => text.split("\n").length;

/** How many lines of a result stand before its pointer. */
export function linesShown(shortened: string): number {
  const end = shortened.lastIndexOf(`\n${HOST_MARK} This is only the beginning`);
  return end < 0 ? 0 : linesIn(shortened.slice(0, end));
}

/** Whole lines where there are some. */
function beginning(text: string, chars: number): string {
  const cut = text.slice(0, chars).toWellFormed();
  const end = cut.lastIndexOf("\n");
  return end > chars / 2 ? cut.slice(0, end) : cut;
}
