/** How many tokens a request will count, without a tokenizer, and how many it may. */
import { HOST_MARK, type T } from "../../base/t.ts";
import type { Message, Session, Share } from "../../base/types.ts";
import type { History } from "../../session/history.ts";
import type { PromptPart } from "../part.ts";

/**
 * Shares of a request that counts `tokens` in all: the parts of the prompt in their order, then what
 * the conversation is made of, the largest first.
 */
export function sharesOf(
  parts: readonly PromptPart[],
  tools: string,
  messages: readonly Message[],
  tokens: number,
): Share[] {
  const fixed: Share[] = [
    ...parts.map(({ name, text }) => ({ kind: "prompt", name, tokens: textTokens(text) }) as const),
    { kind: "definitions", name: "", tokens: textTokens(tools) },
  ];
  const told = new Map<string, Share>();
  const add = (kind: Share["kind"], text: string, name = "", images = 0) => {
    const more = textTokens(text) + images * OF_IMAGE;
    const before = told.get(kind + name)?.tokens ?? 0;
    if (more > 0) told.set(kind + name, { kind, name, tokens: before + more });
  };
  for (const message of messages) {
    const images = message.role === "assistant" ? 0 : message.images?.length;
    if (message.role === "user") {
      add(message.text.startsWith(HOST_MARK) ? "host" : "user", message.text, "", images);
    } else if (message.role === "tool") {
      add("tool", message.text, message.name, images);
    } else {
      add("answer", message.text);
      for (const { name, input } of message.calls) add("tool", name + input, name);
      for (const { text } of message.thinking) add("thinking", text);
    }
  }
  const all = [...fixed, ...[...told.values()].sort((a, b) => b.tokens - a.tokens)];
  const scale = tokens / all.reduce((sum, share) => sum + share.tokens, 0);
  return all.map((share) => ({ ...share, tokens: Math.round(share.tokens * scale) }));
}

/** Tokens of a character, as models' tokenizers have it on the average. */
const OF_CJK = 0.7;
const OF_SPACE = 0.12;
const OF_OTHER = 0.29;
const CJK = /[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]+/g;
const PIECE_CHARS = 16_384;
const SPACE = /[\0- ]+/g;
/** What the wire puts around a message and around a call. */
const OF_MESSAGE = 4;
const OF_CALL = 8;
const OF_IMAGE = 1600;
/** No tokenizer is further from the averages: a provider that says so does not count. */
const LEAST_RATIO = 0.4;
const MOST_RATIO = 3;

/** Estimates requests of one session. */
export interface Gauge {
  /** What the next request will count. */
  estimate(session: Session): number;
  /** What messages count for in a request. */
  of(messages: readonly Message[]): number;
  /** What stands before the messages in every request. */
  fixed(): number;
}

/** Tokens of messages by the averages, from an index on. */
type Counter = (messages: readonly Message[], from?: number) => number;

/**
 * What the provider counted last and an estimate of what came since, corrected by how far the same
 * estimate was off for all that it counted. `fixed` are the texts before the messages.
 */
export function createGauge(fixed: () => readonly string[]): Gauge {
  const sum = createCounter();
  const total = createTally(sum);
  let counted: { readonly texts: readonly string[]; readonly tokens: number } | undefined;
  const ofFixed = () => {
    const texts = fixed();
    if (!counted || texts.some((text, at) => text !== counted!.texts[at])) {
      counted = { texts, tokens: texts.reduce((sum, text) => sum + textTokens(text), 0) };
    }
    return counted.tokens;
  };
  let ratio = 1;
  let learntFrom: Message | undefined;

  /** Tokens of what came behind the request that `lastUsage` tells of; undefined when it tells nothing. */
  function sinceCounted({ view, lastUsage, lastAnswer }: Session): number | undefined {
    const at = lastAnswer ? view.lastIndexOf(lastAnswer) : -1;
    if (at < 0 || !lastUsage) return undefined;
    const answer = sum([view[at]!]);
    const since = sum(view, at + 1);
    if (learntFrom !== lastAnswer) {
      const found = lastUsage.input / (ofFixed() + total(view) - answer - since);
      if (found < LEAST_RATIO || found > MOST_RATIO) return undefined;
      ratio = found;
      learntFrom = lastAnswer;
    }
    // thinking that is not sent back is in the output too
    const own = ratio * answer;
    return (lastUsage.output > 1.5 * own ? own : lastUsage.output) + ratio * since;
  }

  return {
    estimate(session) {
      const since = sinceCounted(session);
      return Math.ceil(
        since === undefined
          ? ratio * (ofFixed() + total(session.view))
          : session.lastUsage!.input + since,
      );
    },
    of: (messages) => ratio * sum(messages),
    fixed: () => ratio * ofFixed(),
  };
}

/** Sums a list that grows at its end without walking it again. */
function createTally(of: Counter): Counter {
  let list: readonly Message[] | undefined;
  let count = 0;
  let last: Message | undefined;
  let tokens = 0;
  return (messages) => {
    if (messages !== list || count > messages.length || messages[count - 1] !== last) {
      list = messages;
      count = tokens = 0;
    }
    tokens += of(messages, count);
    count = messages.length;
    last = messages.at(-1);
    return tokens;
  };
}

/** Sums messages that it has counted before. */
function createCounter(): Counter {
  const known = new WeakMap<Message, number>();
  return (messages, from = 0) => {
    let tokens = 0;
    for (let i = from; i < messages.length; i++) {
      const message = messages[i]!;
      let of = known.get(message);
      if (of === undefined) known.set(message, of = countMessage(message));
      tokens += of;
    }
    return tokens;
  };
}

/** Tokens of a message by the averages. */
function countMessage(message: Message): number {
  const text = OF_MESSAGE + textTokens(message.text);
  if (message.role !== "assistant") return text + (message.images?.length ?? 0) * OF_IMAGE;
  const calls = message.calls.map(({ name, input }) => OF_CALL + textTokens(name + input));
  const thinking = message.thinking.map((one) => textTokens(one.text));
  return [...calls, ...thinking].reduce((all, one) => all + one, text);
}

/** Tokens of a text by the averages. */
export function textTokens(text: string): number {
  const cjk = lengthIn(text, CJK);
  const space = lengthIn(text, SPACE);
  return cjk * OF_CJK + space * OF_SPACE + (text.length - cjk - space) * OF_OTHER;
}

/** How many characters `runs` finds; a loop over them takes milliseconds the first time. */
function lengthIn(text: string, runs: RegExp): number {
  let length = 0;
  // what a replacement keeps of a long text is many times its size
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    const piece = text.slice(at, at + PIECE_CHARS);
    length += piece.length - piece.replace(runs, "").length;
  }
  return length;
}

/** Kept free for what the estimate is wrong by. */
const SAFETY = 1024;
const COMPLETION = 8192;

export interface RoomOptions {
  readonly t: T;
  /** The project's narnat folder; undefined where nothing is kept. */
  readonly dir: string | undefined;
  readonly history: History;
  readonly gauge: Gauge;
  /** Largest answer asked for, in tokens. */
  readonly maxOutputTokens: number | undefined;
  /** Why there were no summaries, as far as the user has been told at length. */
  readonly failures: Set<string>;
}

/** Tokens that a request may count in a window: room is left for an answer. */
export function budgetOf(window: number, maxOutputTokens: number | undefined): number {
  const completion = maxOutputTokens === undefined
    ? Math.min(COMPLETION, window >> 2)
    : Math.min(maxOutputTokens, window >> 1);
  return Math.max(window - completion - SAFETY, window >> 2);
}
