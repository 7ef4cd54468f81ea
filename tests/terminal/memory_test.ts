/** What has been said belongs to the terminal: the screen does not keep it. */
import assert from "node:assert/strict";
import { runScreen } from "../../src/terminal/screen.ts";
import { eventually, heldBytes } from "../support/processes.ts";
import { Ear } from "./ear.ts";
import { done, FakeBus, fakeOptions } from "./fake_bus.ts";
import { slow } from "../support/soak.ts";

/** After so many turns all is loaded, and as many calls as can be opened again are kept. */
const WARM = 12;
const TURNS = 30;
const SAID = 100_000;
const MOST = 500_000;

slow("memory does not grow with what was thought, said and done", async () => {
  const bus = new FakeBus();
  const ear = new Ear();
  const over = new AbortController();
  const exit = runScreen({
    ...fakeOptions(bus),
    ended: over.signal,
  }, ear);
  const shows = (text: string) => eventually(() => ear.written.includes(text));
  let base = 0;
  for (let turn = 1; turn <= TURNS; turn++) {
    const text = (line: string) => `${line} ${turn} 行\n\n`.repeat(SAID / (line.length + 6));
    bus.emit(
      { type: "turn_start", text: "go" },
      { type: "thinking", delta: text("thought") },
      { type: "text", delta: text("A paragraph of the answer that is about as long as one row") },
    );
    assert.ok(await shows(`one row ${turn} 行`));
    const output = text("output");
    bus.emit(
      { type: "tool_start", id: "1", name: "Bash", input: { command: "x" } },
      { type: "tool_progress", id: "1", text: output },
      {
        type: "tool_end",
        id: "1",
        name: "Bash",
        ok: true,
        text: output,
        ms: 1,
        detail: { kind: "command", exit: 1, output },
      },
      done,
    );
    assert.ok(await shows(`output ${turn} 行`));
    ear.written = "";
    if (turn === WARM) base = heldBytes();
  }
  const grown = heldBytes() - base;
  over.abort();
  await exit;
  assert.ok(grown < MOST, `${grown} bytes more`);
});
