import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { pickBefore, trustBefore } from "../../src/terminal/before.ts";
import { VirtualTerminal } from "../support/virtual_terminal.ts";
import { slow } from "../support/soak.ts";

const options = {
  t: english,
  env: (name: string) => name === "TERM" ? "xterm" : undefined,
  workspace: "/home/me/space",
  notify: true,
} as const;
const QUESTION = "The configuration in /home/me/space asks to run something long-winded. Trust it?";
const ROWS = ["servers:", "  build: npm run something-with-a-long-name --and an-option"];

async function trusted(keys: readonly string[], columns = 80) {
  const terminal = new VirtualTerminal(columns, 24);
  const answer = trustBefore(QUESTION, ROWS, options, terminal);
  await terminal.shows("Yes, until it changes");
  const shown = await terminal.text();
  for (const key of keys) terminal.key(key);
  return { answer: await answer, shown, terminal };
}

slow(
  "the trust that comes before a session is given by y or by choosing it, by nothing else",
  async () => {
    const cases: [string[], boolean][] = [
      [["y"], true],
      [["Y"], true],
      [["是"], true],
      [["\x1b[B", "\r"], true],
      [["\r"], false],
      [["n"], false],
      [["x", "\r"], false],
      [["\x1b"], false],
      [["\x03"], false],
    ];
    for (const [keys, expected] of cases) {
      const { answer, terminal } = await trusted(keys);
      assert.equal(answer, expected, JSON.stringify(keys));
      assert.match(await terminal.text(), expected ? /→ Yes, until it changes$/ : /→ No$/);
    }
  },
);

Deno.test("the question of trust wraps by words, rings, and stands in the title while it waits", async () => {
  const { shown, terminal } = await trusted(["n"], 40);
  const words = new Set(
    [QUESTION, ...ROWS, "? → No Yes, until it changes Trust it and use it? (y/n)"]
      .flatMap((text) => text.split(/\s+/)),
  );
  assert.deepEqual(shown.split(/\s+/).filter((word) => !words.has(word)), []);
  assert.ok(terminal.written.includes("\x1b]2;? narnat · space\x07"));
  // deno-lint-ignore no-control-regex -- the sequences are the subject
  const rest = terminal.written.replace(/\x1b\][^\x07]*\x07/g, "");
  assert.equal(rest.split("\x07").length, 2);
  assert.ok(terminal.written.includes("\x1b]2;\x07\x1b[23;2t"), "the title is given back");
});

Deno.test("a list before a session narrows to what is typed; its last choice stays, ESC takes none", async () => {
  const items = ["  1  fix the cart", "  2  write the docs", "new"].map((label) => ({
    value: label.trim(),
    label,
  }));
  const pick = async (...keys: string[]) => {
    const terminal = new VirtualTerminal(60, 20);
    const picked = pickBefore("Which?", items, options, terminal);
    await terminal.shows("new");
    for (const key of keys) terminal.key(key);
    return await picked;
  };
  assert.equal(await pick("\r"), "1  fix the cart");
  assert.equal(await pick("d", "o", "c", "\r"), "2  write the docs");
  assert.equal(await pick("z", "z", "\r"), "new");
  assert.equal(await pick("\x1b"), undefined);
  assert.equal(await pick("\x03"), undefined);
});
