/** What a client makes of the bytes that a server sends, at once and in random cuts. */
import assert from "node:assert/strict";
import { createModel } from "../../src/models/mod.ts";
import { ModelError, type ModelEvent, type StopReason } from "../../src/base/types.ts";
import { random } from "../support/soak.ts";
import { rawServer } from "./raw_server.ts";
import { configFor, hostWith, outcome, type Protocol, textOf } from "./setup.ts";

export interface Served {
  readonly text: string;
  readonly thinking: string;
  /** As `Name{input}`. */
  readonly calls: readonly string[];
  readonly stop: StopReason;
}

export interface Failed {
  readonly kind: string;
  readonly says: RegExp;
}

/** An event stream of chunks; a text is sent as it stands. */
export function sse(...chunks: readonly unknown[]): string {
  return chunks.map((one) => typeof one === "string" ? one : `data: ${JSON.stringify(one)}\n\n`)
    .join("");
}

/** A chunk of one choice. */
export function delta(delta: unknown, finish: string | null = null, more: object = {}): unknown {
  return { choices: [{ index: 0, delta, finish_reason: finish, ...more }] };
}

/** A streamed answer of the Messages protocol; the blocks are lists of a start and deltas. */
export function message(
  blocks: readonly (readonly object[])[],
  stop = "end_turn",
): string {
  return sse(
    { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 1 } } },
    ...blocks.flatMap(([start, ...deltas], index) => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  );
}

/** Serves `body` in three ways, without retries, and compares what comes of it. */
export async function comesTo(
  protocol: Protocol,
  body: string,
  want: Served | Failed,
  type?: string,
): Promise<void> {
  const bytes = new TextEncoder().encode(body);
  const ways = [[bytes], cut(bytes, 1), cut(bytes, 2)];
  for (const pieces of ways) {
    const server = rawServer(() => ({ pieces, ...type === undefined ? {} : { type } }));
    try {
      const base = protocol === "openai" ? server.url : server.anthropicUrl;
      const { events, error } = await outcome(await createModel(configFor(base), hostWith(), 0));
      if ("kind" in want) {
        assert.ok(error instanceof ModelError, `no error: ${JSON.stringify(events)}`);
        assert.equal(error.kind, want.kind, error.message);
        assert.match(error.message, want.says);
      } else {
        if (error !== undefined) throw error;
        assert.deepEqual(servedIn(events), want);
        assert.equal(shownIn(events), want.text);
      }
    } finally {
      await server.close();
    }
  }
}

function servedIn(events: readonly ModelEvent[]): Served {
  const last = events.at(-1);
  assert.ok(last?.type === "done");
  const { text, thinking, calls } = last.message;
  return {
    text,
    thinking: thinking.map((one) => one.text).join(""),
    calls: calls.map(({ name, input }) => name + input),
    stop: last.stop,
  };
}

/** What was streamed as text, without what was thinking after all. */
function shownIn(events: readonly ModelEvent[]): string {
  return textOf(events.slice(events.findLastIndex(({ type }) => type === "thought") + 1));
}

function cut(bytes: Uint8Array, seed: number): Uint8Array[] {
  const next = random(seed);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + Math.floor(next() * next() * 40);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
