import assert from "node:assert/strict";
import { onScreen } from "./on_screen.ts";

const write = (rows: number) => ({
  type: "ask" as const,
  id: "q",
  kind: "tool" as const,
  question: "Allow Write?",
  call: {
    name: "Write",
    input: {
      file_path: "/space/a/file/of/some/length/in/a/folder.ts",
      content: Array.from({ length: rows }, (_, i) => `line ${i}`).join("\n"),
    },
  },
});

Deno.test("what a question taller than the screen is about stands above the choices", async () => {
  for (const [rows, size] of [[30, [80, 24]], [12, [40, 12]], [4, [40, 12]]] as const) {
    await onScreen(async ({ terminal, bus }) => {
      bus.emit({ type: "turn_start", text: "x" }, write(rows));
      const text = await terminal.shows("y/n");
      const below = text.slice(text.lastIndexOf(`line ${rows - 1}\n`));
      assert.match(below, /\n\? Allow Write\?\n {2}Write a\/file\/of\/some\/length\/in\/a\/f/);
      terminal.key("\x1b");
      const all = await terminal.shows("→ No");
      assert.equal(all.split("Allow Write?").length, 2, "once in the transcript");
    }, { size });
  }
});

Deno.test("on the smallest screen the call stands above the choices", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, write(3));
    assert.match(await terminal.shows("enter"), /\n {2}Write a\/[^\n]*\n→ No\n {2}Yes/);
  }, { size: [12, 5] });
});

Deno.test("a question that is all on the screen is said once", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, write(3));
    const text = await terminal.shows("y/n");
    assert.equal(text.split("Allow Write?").length, 2);
  });
});

Deno.test("words sent while a plan is asked about are a No and the next line", async () => {
  await onScreen(async ({ terminal, bus, lines }) => {
    const question = { id: "q", kind: "plan" as const, question: "Carry this plan out?" };
    bus.emit({ type: "turn_start", text: "x" }, { type: "ask", ...question });
    await terminal.shows("y/n");
    for (const key of "use zod") terminal.key(key);
    // a letter that stands for itself would answer, were it not part of the words
    await new Promise((resolve) => setTimeout(resolve, 600));
    for (const key of "y\r") terminal.key(key);
    await terminal.shows("→ No");
    assert.deepEqual(bus.sent.filter((one) => one.type === "answer").map((one) => one.value), [
      false,
    ]);
    assert.deepEqual(lines(), ["use zody"]);
  }, { again: false });
});

Deno.test("who goes to a choice behind words about a plan means the choice", async () => {
  await onScreen(async ({ terminal, bus, lines }) => {
    const question = { id: "q", kind: "plan" as const, question: "Carry this plan out?" };
    bus.emit({ type: "turn_start", text: "x" }, { type: "ask", ...question });
    await terminal.shows("y/n");
    for (const key of "use zod") terminal.key(key);
    await new Promise((resolve) => setTimeout(resolve, 600));
    for (const key of ["\x1b[B", "\r"]) terminal.key(key);
    await terminal.shows("  → ");
    assert.deepEqual(bus.sent.filter((one) => one.type === "answer").map((one) => one.value), [
      true,
    ]);
    assert.deepEqual(lines(), []);
  }, { again: false });
});
