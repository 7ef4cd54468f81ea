/** What Anthropic's cache finds again of each request, told by the documented rules. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { messagesBody } from "../../src/models/wire/anthropic.ts";
import type { Message, ModelRequest } from "../../src/base/types.ts";
import type { Config } from "../../src/config/load.ts";
import { unmarked } from "../support/prefixes.ts";
import { createPromptCache } from "./prompt_cache.ts";
import { configFor, requestOf, worded } from "./setup.ts";
import { runs, slow } from "../support/soak.ts";

const SYSTEM = "Rules of this house. ".repeat(300);

/** One step: an answer with so many calls, and their results. */
function step(n: number, calls: number): Message[] {
  const ids = Array.from({ length: calls }, (_, i) => `call_${n}_${i}`);
  return [
    {
      role: "assistant",
      text: `step ${n}`,
      thinking: [{ text: "where?", signature: `sig-${n}` }],
      calls: ids.map((id) => ({ id, name: "Read", input: `{"path":"${id}"}` })),
    },
    ...ids.map((id): Message => ({ role: "tool", id, name: "Read", ok: true, text: `text ${id}` })),
  ];
}

/** Sends the steps one after another; for each request what was not found, and how much it had gained. */
function sendAll(steps: readonly (readonly Message[])[]) {
  const cache = createPromptCache();
  const bodyOf = messagesBody(configFor("https://api.anthropic.com"));
  const messages: Message[] = [{ role: "user", text: "go" }];
  let before = 0;
  return [[], ...steps].map((more) => {
    messages.push(...more);
    const request = requestOf({ system: SYSTEM, messages: [...messages] });
    const { input, cached } = cache.count(JSON.parse(worded(bodyOf(request))));
    const figures = { uncached: input - cached, gained: input - before };
    before = input;
    return figures;
  });
}

slow("of 200 steps, some of 30 parallel calls, only the last is sent uncached", () => {
  const steps = Array.from({ length: 200 }, (_, n) => step(n, n % 7 === 3 ? 30 : 1));
  const sent = sendAll(steps);
  assert.equal(sent.length, 201);
  sent.forEach(({ uncached, gained }, n) => assert.equal(uncached, gained, `request ${n}`));
});

Deno.test("whatever comes between two answers, only that is sent uncached", () => {
  const between = fc.array(
    fc.record({ calls: fc.integer({ min: 0, max: 45 }), said: fc.integer({ min: 0, max: 3 }) })
      .filter(({ calls, said }) => calls + said > 0),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(between, (parts) => {
      const steps = parts.map(({ calls, said }, n) => [
        ...step(n, calls),
        ...Array.from({ length: said }, (_, i): Message => ({ role: "user", text: `${n} ${i}` })),
      ]);
      for (const { uncached, gained } of sendAll(steps)) assert.equal(uncached, gained);
    }),
    { numRuns: runs(100) },
  );
});

Deno.test("a line that comes behind an unanswered one finds what was sent before it", () => {
  const line = (text: string): Message => ({ role: "user", text });
  const sent = sendAll([...[1, 2].map((n) => step(n, 30)), [line("a")], [line("b")]]);
  for (const { uncached, gained } of sent) assert.equal(uncached, gained);
});

Deno.test("a summary's request finds all that was sent; one that may call no tool finds prompt and tools, and spoils nothing", () => {
  const cache = createPromptCache();
  const bodyOf = messagesBody(configFor("https://api.anthropic.com"));
  const messages: Message[] = [{ role: "user", text: "go" }, ...step(1, 3)];
  const count = (more: Partial<ModelRequest>) =>
    cache.count(JSON.parse(worded(bodyOf(requestOf({ system: SYSTEM, ...more })))));
  const first = count({ messages });
  const summary = count({ messages: [...messages, ...step(2, 1)], toolChoice: "unwanted" });
  assert.equal(summary.cached, first.input);
  const asked = count({ messages: [...messages, ...step(2, 1)], toolChoice: "none" });
  assert.ok(asked.cached > 1500 && asked.cached < first.input, `${asked.cached}`);
  assert.equal(count({ messages: [...messages, ...step(2, 1)] }).cached, summary.input);
});

/** The kinds of the blocks of a request that have a marker, the prompt's first. */
function marked(more: Partial<Config>, messages: readonly Message[]): string[] {
  const config = configFor("https://api.deepseek.com/anthropic", more);
  const body = JSON.parse(worded(messagesBody(config)(requestOf({ messages }))));
  const blocks = [body, ...body.system, ...body.tools];
  for (const { content } of body.messages) blocks.push(...content);
  return blocks.filter((block) => "cache_control" in block).map(({ type }) => type);
}

Deno.test("every Messages endpoint gets the markers, in blocks that may have one", () => {
  const line = { role: "user", text: "go" } as const;
  assert.deepEqual(marked({}, [line]), ["text", "text"]);
  assert.deepEqual(marked({}, [line, ...step(1, 2)]), ["text", "text", "tool_result"]);
  const images = [{ mediaType: "image/png", data: "AAAA" }];
  const shown = step(1, 1).map((one) => one.role === "tool" ? { ...one, images } : one);
  assert.deepEqual(marked({ images: true }, [line, ...shown]), ["text", "text", "tool_result"]);
  const attached = { role: "user", text: "see", images } as const;
  assert.deepEqual(marked({ images: true }, [attached]), ["text", "image"]);
  for (const host of ["api.anthropic.com", "api.minimax.io/anthropic", "127.0.0.1:1/anthropic"]) {
    const baseUrl = `https://${host}`;
    assert.deepEqual(marked({ baseUrl }, [line, ...step(1, 2)]), ["text", "text", "tool_result"]);
  }
});

Deno.test("prompt_cache false takes every marker away and changes nothing else", () => {
  const messages: Message[] = [{ role: "user", text: "go" }, ...step(1, 2), ...step(2, 1)];
  for (const baseUrl of ["https://api.anthropic.com", "https://api.deepseek.com/anthropic"]) {
    assert.deepEqual(marked({ baseUrl, promptCache: false }, messages), []);
    const body = (promptCache: boolean) =>
      worded(messagesBody(configFor(baseUrl, { promptCache }))(requestOf({ messages })));
    assert.equal(body(false), unmarked(body(true)));
  }
});
