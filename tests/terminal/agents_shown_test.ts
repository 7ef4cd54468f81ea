import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { answerLine } from "../../src/features/subagents/progress.ts";
import type { AgentInfo, AgentState, EventBody } from "../../src/base/types.ts";
import { done, fakeController } from "./fake_bus.ts";
import { onScreen } from "./on_screen.ts";
import { slow } from "../support/soak.ts";

const agent = (id: string, state: AgentState, more: Partial<AgentInfo> = {}) => ({
  type: "agent" as const,
  id,
  label: `task of ${id}`,
  kind: "",
  state,
  steps: 2,
  doing: "Grep",
  usage: { input: 1000, output: 20, cached: 0, cost: null },
  ms: 3000,
  ...more,
});
const start: EventBody = { type: "turn_start", text: "go" };

slow(
  "agents have a row while they work, amid a turn and after it, and a line when they have ended",
  async () => {
    await onScreen(async ({ terminal, bus }) => {
      bus.emit(start, agent("aaaaaaaa", "running"), agent("bbbbbbbb", "queued"));
      await terminal.shows(/◆ aaaaaaaa task of aaaaaaaa · Grep · 2 st[^]*… 1 queued[^]*Working/);
      bus.emit(done, agent("bbbbbbbb", "running"));
      await terminal.shows(/◆ bbbbbbbb[^]*2 agents at work · esc stops them · \/agents[^]*❯/);
      bus.emit(agent("aaaaaaaa", "done"), agent("bbbbbbbb", "failed"));
      const text = await terminal.shows(
        /aaaaaaaa · done[^\n]*\n◆ bbbbbbbb task of bbbbbbbb · failed/,
      );
      assert.ok(!text.includes("at work"), text);
      assert.ok(!text.includes("Grep"), text);
    });
  },
);

Deno.test("a member of a team that is only there has no row", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(start, agent("ann", "done", { member: true }), done);
    await terminal.shows("❯");
    assert.ok(!(await terminal.text()).includes("ann"));
    bus.emit(agent("ann", "running", { member: true }));
    await terminal.shows("◆ ann task of ann · Grep");
    bus.emit(agent("ann", "done", { member: true }));
    await terminal.shows("◆ ann task of ann · done");
  }, { again: false });
});

Deno.test("while nothing happens with a working agent nothing is written", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(agent("aaaaaaaa", "running"));
    await terminal.shows("1 agent at work");
    const before = terminal.written.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(terminal.written.length, before);
  }, { again: false });
});

Deno.test("ESC on an empty idle line stops the agents at work, and says so", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(agent("aaaaaaaa", "running"));
    await terminal.shows("esc stops it");
    terminal.type("hm");
    terminal.key("\x1b");
    assert.deepEqual(bus.sent, []);
    terminal.key("\x7f");
    terminal.key("\x7f");
    terminal.key("\x1b");
    await terminal.shows("1 agent stopped; reported to the model with your next message");
    assert.deepEqual(bus.sent, [{ type: "stop", lane: "main" }]);
  }, { again: false });
});

Deno.test("a turn that an agent's answer begins shows the answer folded, and none as if typed", async () => {
  const info = { ...agent("aaaaaaaa", "done") };
  const controller = {
    ...fakeController,
    agents: { ...fakeController.agents, list: () => [info] },
  };
  await onScreen(async ({ terminal, bus }) => {
    const text = answerLine(info, "It is in a.ts\nline 3", english);
    bus.emit({ type: "turn_start", text, from: "sub:aaaaaaaa" });
    const shown = await terminal.shows(/← aaaaaaaa task of aaaaaaaa · It is in a.ts · ctrl-o\n/);
    assert.ok(!shown.includes("line 3") && !shown.includes("<answer"), shown);
    bus.emit({ type: "text", delta: "thanks" }, done);
    await terminal.shows("thanks");
    terminal.key("\x0f");
    await terminal.shows(/← aaaaaaaa task of aaaaaaaa\n {2}It is in a.ts\n {2}line 3/);
  }, { again: false, controller });
});

Deno.test("a plan's step and a hook's words stand apart from what is typed", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "[Step 2/3] mend it", from: "plan" }, done);
    bus.emit({ type: "turn_start", text: "run the tests", from: "hook" }, done);
    await terminal.shows(/▸ \[Step 2\/3\] mend it\n[^]*← hook · run the tests/);
  });
});

Deno.test("Shift-Tab turns plan mode on and off in every terminal's coding", async () => {
  let on = false;
  const controller = {
    ...fakeController,
    get planMode() {
      return on;
    },
    usePlanMode: (next: boolean) => void (on = next),
  };
  await onScreen(async ({ terminal, bus }) => {
    for (const key of ["\x1b[Z", "\x1b[9;2u", "\x1b[27;2;9~"]) {
      const was = on;
      terminal.key(key);
      assert.equal(on, !was, JSON.stringify(key));
      bus.emit({ type: "plan_mode", on });
      await terminal.text();
      const foot = (await terminal.lines()).findLast((line) => line.trim() !== "")!;
      assert.equal(foot.includes("plan mode"), on, foot);
    }
  }, { again: false, controller });
});

Deno.test("what an agent does interrupts neither the thinking nor the call that is being written", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(start, { type: "thinking", delta: "first " }, agent("aaaaaaaa", "running"));
    bus.emit({ type: "thinking", delta: "second" }, { type: "text", delta: "hi" });
    const text = await terminal.shows("hi");
    assert.equal(text.split("thought for").length, 2, text);
    bus.emit({ type: "writing", name: "Write", chars: 500 }, agent("aaaaaaaa", "running"));
    await terminal.shows("Writing a Write call");
  }, { again: false });
});
