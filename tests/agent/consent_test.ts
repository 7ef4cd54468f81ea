import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import type { EventBody, Json } from "../../src/base/types.ts";
import { type ConsentPolicy, createConsent } from "../../src/agent/consent.ts";

function make(consentPolicy: ConsentPolicy) {
  const events: EventBody[] = [];
  let n = 0;
  const consent = createConsent(
    consentPolicy,
    (event) => events.push(event),
    () => `q${++n}`,
    english,
  );
  return { consent, events };
}
const open = () => new AbortController().signal;
const question = { kind: "delete", question: "sure?", command: "rm x" } as const;

Deno.test("deny answers No at once and still shows the question", async () => {
  const { consent, events } = make("deny");
  assert.equal(await consent.ask(question, open()), false);
  assert.deepEqual(events, [{ type: "ask", id: "q1", ...question, answered: false }]);
});

Deno.test("allow_delete says Yes to deletes and to nothing else", async () => {
  const { consent } = make("allow_delete");
  assert.equal(await consent.ask(question, open()), true);
  assert.equal(await consent.ask({ kind: "danger", question: "mkfs?" }, open()), false);
  assert.equal(await consent.ask({ kind: "tool", question: "Edit?" }, open()), false);
});

Deno.test("one answer settles one question; an unknown id settles none and is told", async () => {
  const { consent, events } = make("ask");
  const first = consent.ask(question, open());
  const second = consent.ask(question, open());
  consent.answer("nope", true);
  consent.answer("q2", true);
  assert.equal(await second, true);
  consent.answer("q2", true);
  consent.answer("q1", false);
  assert.equal(await first, false);
  const text = (id: string) =>
    `The answer to ${id} was not used: no such question waits (answered already, withdrawn, or never asked)`;
  assert.deepEqual(events.filter(({ type }) => type === "error"), [
    { type: "error", kind: "input", text: text("nope") },
    { type: "error", kind: "input", text: text("q2") },
  ]);
});

Deno.test("what is no answer to the question is a No, and why is told", async () => {
  const odd: Json[] = [{ foo: 1 }, {}, [], null, "maybe", { allow: false, answer: "no" }];
  for (const value of odd) {
    const { consent, events } = make("ask");
    const asked = consent.ask(question, open());
    consent.answer("q1", value);
    assert.equal(await asked, false);
    const [told] = events.filter(({ type }) => type === "error");
    assert.match(told?.type === "error" ? told.text : "", /counts as No: expected "yes" or "no"$/);
  }
});

Deno.test("an abort is No", async () => {
  const { consent } = make("ask");
  const stop = new AbortController();
  const asked = consent.ask(question, stop.signal);
  stop.abort();
  assert.equal(await asked, false);
  assert.equal(await consent.ask(question, stop.signal), false);
});

Deno.test("an answer given while the question is being shown counts", async () => {
  const consent = createConsent(
    "ask",
    (event) => {
      if (event.type === "ask") consent.answer(event.id, true);
    },
    () => "q1",
    english,
  );
  assert.equal(await consent.ask(question, open()), true);
});
