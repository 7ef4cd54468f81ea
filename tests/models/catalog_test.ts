import assert from "node:assert/strict";
import { warming } from "../../src/models/catalog.ts";
import type { ModelClient, ModelEvent, ModelRequest, Tool } from "../../src/base/types.ts";

const request: ModelRequest = { model: "m", system: "", tools: [], messages: [] };

function modelThatCalls(...names: string[]): ModelClient {
  return {
    async *stream() {
      await Promise.resolve();
      yield { type: "text", delta: "a" };
      for (const name of names) yield { type: "call", name };
    },
  };
}

const tool = (name: string, ...aliases: string[]) => ({ name, aliases }) as unknown as Tool;
const TOOLS = [tool("Read", "read_file"), tool("Glob", "find_files"), tool("Grep", "rg")];

Deno.test("the searcher is warmed when a call of a searching tool begins, by any of its names", async () => {
  const warmedBy = async (tools: readonly Tool[], ...names: string[]) => {
    let warmed = 0;
    const model = warming(modelThatCalls(...names), tools, () => void warmed++);
    const events: ModelEvent[] = [];
    for await (const event of model.stream(request, new AbortController().signal)) {
      events.push(event);
    }
    assert.equal(events.length, 1 + names.length, "every event comes through");
    return warmed;
  };
  assert.equal(await warmedBy(TOOLS), 0);
  assert.equal(await warmedBy(TOOLS, "Read", "read_file"), 0);
  assert.equal(await warmedBy(TOOLS, "Grep"), 1);
  assert.equal(await warmedBy(TOOLS, "find_files"), 1);
  assert.equal(await warmedBy(TOOLS.slice(0, 1), "Grep"), 0, "not offered");
});

Deno.test("a tool is loaded when a call of it begins", async () => {
  const loaded: string[] = [];
  const tools = TOOLS.map((one) => ({ ...one, warm: () => void loaded.push(one.name) }));
  const model = warming(modelThatCalls("read_file", "Nothing"), tools, () => {});
  for await (const _ of model.stream(request, new AbortController().signal));
  assert.deepEqual(loaded, ["Read"]);
});
