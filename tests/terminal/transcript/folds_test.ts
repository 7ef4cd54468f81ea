import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import type { AgentEvent } from "../../../src/base/types.ts";
import { Folds } from "../../../src/terminal/transcript/folds.ts";
import { lineOf, type Look } from "../../../src/terminal/transcript/rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";

type ToolEnd = Extract<AgentEvent, { type: "tool_end" }>;

const look: Look = { style: createStyle("none"), t: english, workspace: "/space", keys: true };
const stamp = { session: "s", turn: 1, time: "2026-01-01T00:00:00Z" };

function read(text: string): ToolEnd {
  return { type: "tool_end", id: "1", name: "Read", ok: true, text, ms: 1, ...stamp };
}

Deno.test("folded output opens from the newest to the oldest and round again", () => {
  const folds = new Folds(look);
  const call = { text: "Read a", about: "a" };
  const opened = () => folds.open()?.map(lineOf).slice(1).join();
  assert.equal(opened(), undefined);
  folds.keep(read(""), call);
  assert.equal(opened(), undefined, "nothing was folded");
  folds.keep(read("one"), call);
  assert.deepEqual([opened(), opened()], ["  one", "  one"]);
  folds.keep(read("two"), call);
  assert.deepEqual([opened(), opened(), opened()], ["  two", "  one", "  two"]);
  folds.keep(read("three"), call);
  assert.equal(opened(), "  three", "a new one comes first");
});
