import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import type { AgentEvent, EventBody } from "../../../src/base/types.ts";
import { layRows } from "../../../src/terminal/markdown/lay.ts";
import { lineOf, type Look, type Row } from "../../../src/terminal/transcript/rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { noticeRows, turnEndRows } from "../../../src/terminal/transcript/turn_rows.ts";

const en: Look = { style: createStyle("none"), t: english, workspace: "/space" };
const zh: Look = { ...en, t: chinese };
const texts = (rows: readonly Row[]) => rows.map(lineOf);

function stamped<V extends EventBody>(body: V): AgentEvent & V {
  return { session: "s", turn: 1, time: "2026-01-01T00:00:00Z", ...body } as AgentEvent & V;
}

Deno.test("the end of a turn says what it used, and that a cost is unknown", () => {
  const end = (more = {}) =>
    stamped({
      type: "turn_end" as const,
      reason: "done" as const,
      iterations: 1,
      ms: 12_400,
      ...more,
    });
  const usage = { input: 12_345, output: 512, cached: 9_000, cost: 0.01234 };
  assert.deepEqual(texts(turnEndRows(end(), usage, en)), [
    "12.3k in · 512 out · 9.0k cached (73%) · $0.0123 · 12.4 s",
  ]);
  assert.deepEqual(texts(turnEndRows(end(), { ...usage, cached: 0, cost: null }, zh)), [
    "输入 12.3k · 输出 512 · 费用未知 · 12.4 s",
  ]);
  assert.deepEqual(texts(turnEndRows(end({ reason: "interrupted", prompt: "p" }), undefined, zh)), [
    "已中断",
    "本轮未完成，提问已放回输入行",
  ]);
  assert.deepEqual(turnEndRows(end({ reason: "command" }), usage, en), []);
});

Deno.test("a notice's table wraps behind its first column, a long word with its mark", () => {
  const text =
    "* some/very/long/model-name\n   1  20261120-abcd  a question of many words\nprose is not indented";
  const event = stamped({ type: "notice" as const, level: "warn" as const, text });
  assert.deepEqual(layRows(noticeRows(event, en), 24), [
    "* some/very/long/model-n",
    "  ame",
    "   1  20261120-abcd  a",
    "      question of many",
    "      words",
    "prose is not indented",
  ]);
});
