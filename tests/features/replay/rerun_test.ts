import assert from "node:assert/strict";
import {
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type RecordedAnswer,
} from "../../../src/base/types.ts";
import { replayModel } from "../../../src/features/replay/rerun.ts";

const request: ModelRequest = { model: "m", system: "", tools: [], messages: [] };
const usage = { input: 1, output: 2, cached: 0, cost: null };
const message = {
  role: "assistant",
  text: "Hello",
  thinking: [],
  calls: [{ id: "a", name: "Look", input: "{}" }],
} as const;
const answers: readonly RecordedAnswer[] = [
  { kind: "message", message, usage, stop: "calls" },
  { kind: "error", error: "rate", text: "too much" },
  { kind: "stopped", text: "Hel" },
];

Deno.test("the recorded model gives the answers, errors and stops in their order, and then no more", async () => {
  const done: number[] = [];
  const abort = new AbortController();
  const model = replayModel(answers, {
    answered: (index) => void done.push(index),
    stop: () => abort.abort(new Error("stopped")),
  });
  const ask = async (signal: AbortSignal) => {
    const events: ModelEvent[] = [];
    let error: unknown;
    try {
      for await (const event of model.stream(request, signal)) events.push(event);
    } catch (thrown) {
      error = thrown;
    }
    return { events, error };
  };
  const { signal } = new AbortController();
  const first = await ask(signal);
  assert.deepEqual(first.events, [
    { type: "text", delta: "Hello" },
    { type: "call", name: "Look" },
    { type: "done", message, usage, stop: "calls" },
  ]);
  const second = await ask(signal);
  assert.ok(second.error instanceof ModelError && second.error.kind === "rate");
  const third = await ask(abort.signal);
  assert.deepEqual(third.events, [{ type: "text", delta: "Hel" }]);
  assert.equal(third.error, abort.signal.reason);
  const after = await ask(signal);
  assert.ok(after.error instanceof ModelError && after.error.kind === "refused");
  assert.deepEqual(done, [0]);
});
