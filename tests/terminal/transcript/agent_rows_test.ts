import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import type { AgentInfo, AgentState } from "../../../src/base/types.ts";
import { agentEndRow, agentRows } from "../../../src/terminal/transcript/agent_rows.ts";
import { lineOf, type Look } from "../../../src/terminal/transcript/rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";

const en: Look = { style: createStyle("none"), t: english, workspace: "/space" };
const info = (state: AgentState, more: Partial<AgentInfo> = {}): AgentInfo => ({
  id: "ab12cd34",
  label: "find the bug",
  kind: "",
  state,
  steps: 3,
  doing: "Read",
  usage: { input: 12_300, output: 450, cached: 0, cost: null },
  ms: 12_400,
  ...more,
});
const lines = (agents: AgentInfo[], max: number) => agentRows(agents, en, max).map(lineOf);

Deno.test("an agent at work tells its tool, steps and tokens", () => {
  assert.deepEqual(lines([info("running"), info("running", { doing: "", kind: "reviewer" })], 4), [
    "◆ ab12cd34 find the bug · Read · 3 steps · ↑12.3k ↓450",
    "◆ ab12cd34 find the bug (reviewer) · thinking · 3 steps · ↑12.3k ↓450",
  ]);
});

Deno.test("what an agent has used is not known before its first request has ended", () => {
  const usage = { input: 0, output: 0, cached: 0, cost: 0 };
  assert.deepEqual(lines([info("running", { doing: "", steps: 0, usage })], 4), [
    "◆ ab12cd34 find the bug · thinking · 0 steps · –",
  ]);
});

Deno.test("of many agents some are shown and the others counted", () => {
  const running = Array.from({ length: 6 }, (_, i) => info("running", { id: `a${i}` }));
  const shown = lines([...running, info("queued"), info("queued")], 4);
  assert.equal(shown.length, 4);
  assert.equal(shown.at(-1), "  … 3 more at work · 2 queued");
  assert.equal(lines(running.slice(0, 4), 4).length, 4);
  assert.deepEqual(lines([info("queued")], 1), ["  … 1 queued"]);
  assert.deepEqual(lines(running, 1), ["  … 6 more at work"]);
  assert.deepEqual(lines([], 4), []);
});

Deno.test("one that has ended tells what became of it in a line", () => {
  assert.equal(
    lineOf(agentEndRow(info("done"), en)),
    "◆ ab12cd34 find the bug · done · 3 steps · ↑12.3k ↓450 · 12 s",
  );
  assert.equal(
    lineOf(agentEndRow(info("stopped", { steps: 0, ms: 0 }), { ...en, t: chinese })),
    "◆ ab12cd34 find the bug · 已停止 · 0 s",
  );
  const evil = lineOf(agentEndRow(info("failed", { label: "a\x1b[2J\nb" }), en));
  assert.match(evil, /^◆ ab12cd34 a b · failed/);
});
