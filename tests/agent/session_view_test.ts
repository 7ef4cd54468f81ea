import assert from "node:assert/strict";
import fc from "fast-check";
import type { Carried, Message, View } from "../../src/base/types.ts";
import type { SessionFile } from "../../src/session/store.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs } from "../support/soak.ts";

const user = (text: string): Message => ({ role: "user", text });

/** A question, `calls` calls with their results, an answer. */
function turn(session: SessionFile, name: string, calls: number): void {
  session.append(user(name), { asked: true });
  const ids = Array.from({ length: calls }, (_, i) => `${name}-${i}`);
  if (calls > 0) {
    session.append({
      role: "assistant",
      text: "",
      thinking: [],
      calls: ids.map((id) => ({ id, name: "Look", input: "{}" })),
    });
  }
  for (const id of ids) {
    session.append({ role: "tool", id, name: "Look", ok: true, text: `result ${id}` });
  }
  session.append({ role: "assistant", text: `answer ${name}`, thinking: [], calls: [] });
}

const texts = (messages: readonly Message[]) => messages.map(({ text }) => text);
const view = (more: Partial<View>): View => ({
  why: "consolidated",
  lead: "",
  from: 0,
  shortened: [],
  ...more,
});
const carried: Carried = {
  parent: "before",
  title: "the first question",
  summary: "what was",
  todos: [{ content: "c", activeForm: "a", status: "pending" }],
  changed: [["src/a.ts", false], ["src/b.ts", true]],
  skills: ["review"],
  cwd: "/w/sub",
  usage: { input: 10, output: 2, cached: 0, cost: 0.1 },
};

Deno.test("a view changes what the model sees, never what is stored", () => {
  const session = sessionStore(undefined).create();
  turn(session, "one", 1);
  turn(session, "two", 1);
  assert.equal(session.view, session.messages);
  session.show(view({ lead: "earlier", from: 4, shortened: [[6, "see file"]] }));
  assert.deepEqual(texts(session.view), ["earlier", "two", "", "see file", "answer two"]);
  assert.equal(session.viewFrom, 4);
  assert.equal(session.messages.length, 8);
  assert.equal(session.messages[6]!.text, "result two-0");
  turn(session, "three", 0);
  assert.deepEqual(texts(session.view).slice(-2), ["three", "answer three"]);
  session.retract();
  assert.deepEqual(texts(session.view).slice(-1), ["three"]);
});

Deno.test("a result that is shortened takes its images out of the view, also when it is loaded again", async () => {
  await withWorkspace({}, (root) => {
    const store = sessionStore(root);
    const session = store.create();
    session.append({ role: "user", text: "look" }, { asked: true });
    const calls = [{ id: "a", name: "Read", input: "{}" }];
    session.append({ role: "assistant", text: "", thinking: [], calls });
    const images = [{ mediaType: "image/png", data: "AAAA" }];
    session.append({ role: "tool", id: "a", name: "Read", ok: true, text: "a picture", images });
    session.show({ why: "shortened", lead: "", from: 0, shortened: [[2, "gone"]] });
    const last = { role: "tool", id: "a", name: "Read", ok: true, text: "gone" };
    assert.deepEqual(session.view.at(-1), last);
    session.close();
    const { session: again } = store.open(session.id);
    assert.deepEqual(again.view.at(-1), last);
    assert.deepEqual(again.messages.at(-1), { ...last, text: "a picture", images });
    again.close();
  });
});

Deno.test("a result once shortened stays so in later views", () => {
  const session = sessionStore(undefined).create();
  turn(session, "one", 1);
  turn(session, "two", 1);
  session.show(view({ why: "shortened", shortened: [[6, "see file"]] }));
  session.show(view({ from: 4, lead: "earlier" }));
  assert.deepEqual(texts(session.view), ["earlier", "two", "", "see file", "answer two"]);
});

const step = fc.oneof(
  fc.record({ kind: fc.constant("turn" as const), calls: fc.nat(3) }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(40), lead: fc.boolean() }),
  fc.record({ kind: fc.constant("shorten" as const), at: fc.nat(40) }),
  fc.record({ kind: fc.constant("unanswered" as const) }),
  fc.record({ kind: fc.constant("torn" as const) }),
);

Deno.test("a session loaded again shows the model what it showed before, whatever views it had", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await withWorkspace({}, (root) => {
        const store = sessionStore(root);
        const session = store.create();
        session.append(user("first"), { asked: true });
        for (const [i, one] of steps.entries()) {
          if (one.kind === "turn") turn(session, `t${i}`, one.calls);
          else if (one.kind === "unanswered") {
            session.append(user("never answered"), { asked: true });
            session.retract();
          } else if (one.kind === "torn") {
            // a turn that ended with an open call
            session.append({
              role: "assistant",
              text: "",
              thinking: [],
              calls: [{ id: `open${i}`, name: "Look", input: "{}" }],
            });
            session.pair();
          } else {
            const at = Math.min(one.at, session.messages.length - 1);
            session.show(
              one.kind === "cut"
                ? view({ from: Math.max(at, session.viewFrom), lead: one.lead ? `lead ${i}` : "" })
                : view({ why: "shortened", from: session.viewFrom, shortened: [[at, `cut ${i}`]] }),
            );
          }
        }
        const { messages, view: seen, viewFrom, turns } = session;
        session.close();
        const { session: again } = store.open(session.id);
        assert.deepEqual(again.messages, messages);
        assert.deepEqual(texts(again.view), texts(seen));
        assert.equal(again.viewFrom, viewFrom);
        assert.equal(again.turns, turns);
        again.close();
      });
    }),
    { numRuns: runs(150) },
  );
});

Deno.test("going back to a prompt keeps the views that came before it", async () => {
  await withWorkspace({}, (root) => {
    const store = sessionStore(root);
    const session = store.create();
    session.append(user("never answered"), { asked: true });
    session.retract();
    turn(session, "one", 1);
    turn(session, "two", 1);
    session.show(view({ lead: "earlier", from: 4, shortened: [[6, "see file"]] }));
    turn(session, "three", 0);
    session.show(view({ lead: "much earlier", from: 8 }));
    turn(session, "four", 0);
    const fork = store.fork(session, 3);
    const expected = ["much earlier", "three", "answer three"];
    assert.deepEqual(texts(fork.view), expected);
    assert.equal(fork.messages.length, 10);
    const early = store.fork(session, 2);
    assert.deepEqual(texts(early.view), ["earlier", "two", "", "see file", "answer two"]);
    fork.close();
    early.close();
    assert.deepEqual(texts(store.open(fork.id).session.view), expected);
    session.close();
  });
});

Deno.test("a session that takes over has all it was handed, also when it is loaded again", async () => {
  await withWorkspace({}, (root) => {
    const store = sessionStore(root);
    const next = store.create();
    next.inherit(carried, { text: "the held line" });
    next.close();
    assert.equal(store.list()[0]!.id, next.id, "it is listed before its first message");
    const { session } = store.open(next.id);
    assert.deepEqual(session.carried, carried);
    assert.deepEqual(session.held, { text: "the held line" });
    assert.deepEqual([...session.changed], [["src/a.ts", false], ["src/b.ts", true]]);
    assert.deepEqual(session.todos, carried.todos);
    assert.deepEqual([...session.skills], ["review"]);
    assert.equal(session.cwd, "/w/sub");
    assert.equal(session.usage.input, 10);
    assert.equal(session.turns, 0);
    session.append(user("the held line"), { asked: true });
    assert.equal(session.held, undefined);
    session.close();
  });
});

Deno.test("going back in a session that took over keeps what it was handed", () => {
  const store = sessionStore(undefined);
  const next = store.create();
  next.inherit(carried, undefined);
  turn(next, "one", 0);
  const fork = store.fork(next, 0);
  assert.equal(fork.carried?.summary, "what was");
  assert.deepEqual(fork.usage, next.usage);
});

Deno.test("changed files are unverified until a call verifies them", () => {
  const session = sessionStore(undefined).create();
  session.append(user("q"), { changed: ["a", "b"] });
  session.append(user("q"), { verified: true });
  session.append(user("q"), { changed: ["b", "c"] });
  assert.deepEqual([...session.changed], [["a", true], ["b", false], ["c", false]]);
});
