/** Stored sessions as what happened: for being shown, and run, again. */
import assert from "node:assert/strict";
import type { AgentEvent } from "../../../src/base/types.ts";
import { answered, joinedLines, shownDetail, storedDetail } from "../../../src/session/recorded.ts";
import { recordingOf } from "../../../src/features/replay/recording.ts";
import { eventsOf } from "../../../src/features/replay/cli.ts";
import { RECORDED, recordedEntries } from "../../fixtures/recorded.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { sessionStore } from "../../support/parts.ts";

/** What a replay is to show of an event; the time and the id of a question are its own. */
function shown(event: AgentEvent): unknown {
  const { time: _time, ...rest } = event;
  if (rest.type === "turn_end" || rest.type === "tool_end") return { ...rest, ms: 0 };
  return rest;
}

Deno.test("a session's events come back from its file as they were told", async () => {
  await withWorkspace({}, async (root) => {
    const model = new ScriptedModel([
      { text: "I look.", calls: [{ name: "Look" }] },
      { text: "I run.", calls: [{ name: "Run", input: { command: "x" } }] },
      { text: "Cut", stop: "length" },
      { error: new (await import("../../../src/base/types.ts")).ModelError("auth", "no key") },
      { text: "Fine." },
    ]);
    const t = new TestAgent({
      model,
      dir: root,
      tools: [
        tool("Look", () => ({ ok: true, text: "a\nb", detail: { kind: "lines", count: 2 } })),
        tool("Run", () => ({
          ok: false,
          text: "out\nput\n[exit 1]",
          detail: { kind: "command", exit: 1, output: "out\nput" },
          changed: ["f"],
        }), { readOnly: false }),
      ],
    });
    for (const line of ["one", "two", "three"]) await t.say(line);
    const { id } = t.agent.controller.current();
    await t.agent.close();
    const told = t.events.filter(({ type }) => type !== "writing" && type !== "thinking");
    const joined = told.reduce<AgentEvent[]>((all, event) => {
      const last = all.at(-1);
      if (event.type !== "text" || last?.type !== "text") return [...all, event];
      return [...all.slice(0, -1), { ...last, delta: last.delta + event.delta }];
    }, []);
    const again = eventsOf(sessionStore(root).read(id).entries, id);
    assert.deepEqual(again.map(shown), joined.map(shown));
  });
});

Deno.test("what was filled in is not kept, but for the steps of a plan", () => {
  const filled = { field: "mine", steps: ["one"] };
  const kept = (kind: "input" | "plan") => answered("q", { kind, question: "?" }, filled);
  assert.deepEqual(kept("input"), { type: "answer", id: "q", value: true });
  assert.deepEqual(kept("plan"), { type: "answer", id: "q", value: filled });
});

Deno.test("a detail is stored without what its message says, and is whole again", () => {
  const todos = [{ content: "c", activeForm: "a", status: "pending" }] as const;
  const text = "out\nput\n[exit code 1, 0.1 s]";
  for (
    const detail of [
      { kind: "command", exit: 1, output: "out\nput" },
      { kind: "command", exit: 0 },
      { kind: "todos", todos },
      { kind: "lines", count: 3, path: "a" },
      { kind: "diff", path: "a", added: 1, removed: 0, diff: "+ x" },
    ] as const
  ) {
    const stored = storedDetail(detail, text);
    assert.ok(!JSON.stringify(stored).includes("put"), "the output stands in the text");
    assert.deepEqual(shownDetail(stored, text, todos), detail);
  }
  const hits = [{ path: "a", line: 1, col: 1, match: "x" }];
  assert.deepEqual(storedDetail({ kind: "matches", count: 1, files: 1, hits }, text), {
    kind: "matches",
    count: 1,
    files: 1,
  });
  const long = {
    kind: "diff",
    path: "a",
    added: 9,
    removed: 0,
    diff: "+ x\n".repeat(5000),
  } as const;
  const stored = storedDetail(long, "");
  assert.ok(JSON.stringify(stored).length < 6000);
  assert.equal(stored.kind === "diff" && stored.added, 9);
});

Deno.test("a recorded session is taken apart into lines, answers, results and questions", () => {
  const { lines, answers, results, asks, run } = recordingOf(recordedEntries("edit_and_delete"));
  assert.deepEqual(lines.map(({ text, joined, behind }) => [text, joined ?? false, behind]), [
    ["make beta loud and check it", false, 0],
    ["clean up", false, 4],
    ["!ls", false, 7],
    ["write it down", false, 7],
    ["and say when", true, 8],
  ]);
  assert.equal(answers.length, 10);
  assert.equal(results.length, 11);
  assert.deepEqual(asks, [{ kind: "delete", value: true }, { kind: "delete", value: false }]);
  assert.equal(run?.model, "fake");
});

Deno.test("errors and stops are answers too, and a turn that was killed ends with one", () => {
  const { answers } = recordingOf(recordedEntries("stopped"));
  assert.deepEqual(answers.map(({ kind }) => kind), [
    "error",
    "message",
    "stopped",
    "message",
    "stopped",
    "message",
    "message",
  ]);
});

Deno.test("the steps of a plan are not sent again: the plan brings them", () => {
  const { lines, planFirst } = recordingOf(recordedEntries("planned"));
  assert.deepEqual([lines.map(({ text }) => text), planFirst], [["three things"], true]);
});

Deno.test("of a session of an older narnat the joined line is found, and every turn has an end", () => {
  const entries = recordedEntries("before_events");
  assert.ok(entries.every(({ type }) => type !== "event"));
  assert.equal(joinedLines(entries).size, 1);
  const events = eventsOf(entries, "x");
  const count = (type: string) => events.filter((event) => event.type === type).length;
  assert.equal(count("turn_start"), 3);
  assert.equal(count("turn_end"), 3);
});

Deno.test("of a session that an older narnat began, the answers that it has not kept are those results", () => {
  const [older, newer] = [recordedEntries("before_events"), recordedEntries("edit_and_delete")];
  const unasked = (entries: typeof older) => recordingOf(entries).unasked;
  const { results } = recordingOf(older);
  assert.ok(results.length > 0);
  assert.equal(unasked([...older, ...newer]), results.length);
  assert.deepEqual([unasked(older), unasked(newer)], [results.length, 0]);
});

for (const name of RECORDED) {
  Deno.test(`every call of the recorded session ${name} is shown once, begun before it ended`, () => {
    const events = eventsOf(recordedEntries(name), "x");
    const begun = events.flatMap((event) => event.type === "tool_start" ? [event.id] : []);
    const ended = events.flatMap((event) => event.type === "tool_end" ? [event.id] : []);
    assert.deepEqual([...begun].sort(), [...ended].sort());
    for (const id of ended) {
      const at = (type: string) =>
        events.findIndex((event) => event.type === type && "id" in event && event.id === id);
      assert.ok(at("tool_start") < at("tool_end"));
    }
  });
}
