import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { planQuestion } from "../../../src/features/plan/steps.ts";
import type { EventBody, Field, Question } from "../../../src/base/types.ts";
import { onScreen, type Stage, type StageOptions } from "../on_screen.ts";
import { slow } from "../../support/soak.ts";

const [ENTER, ESC, DOWN, NEW_LINE] = ["\r", "\x1b", "\x1b[B", "\x1b\r"];
const plan: Question = planQuestion(["look around", "mend it"], english);
const input = (...fields: Field[]): Question => ({ kind: "input", question: "Who?", fields });

/** A turn that asks; what was answered. */
async function asked(
  question: Question,
  play: (stage: Stage) => Promise<unknown>,
  options: StageOptions = {},
): Promise<unknown> {
  let value: unknown;
  await onScreen(async (stage) => {
    stage.bus.emit({ type: "turn_start", text: "x" });
    stage.bus.emit({ type: "ask", id: "q", ...question } as EventBody);
    await stage.terminal.shows(question.direct ? "shift-tab" : "y/n");
    await play(stage);
    const sent = stage.bus.sent.filter((inbound) => inbound.type === "answer");
    assert.ok(sent.length <= 1);
    value = sent[0]?.type === "answer" ? sent[0].value : undefined;
  }, { again: false, ...options });
  return value;
}

Deno.test("a plan may be carried out as it is, refused, or changed first", async () => {
  assert.equal(
    await asked(plan, async ({ terminal }) => {
      assert.match(await terminal.shows("Change"), / {2}No\n→ Yes, run it\n {2}Change it/);
      terminal.key(ENTER);
      await terminal.shows(/^ {2}→ Yes, run it/m);
    }),
    true,
  );
  assert.equal(
    await asked(plan, ({ terminal }) => {
      terminal.key(ESC);
      return terminal.shows(/^ {2}→ No/m);
    }),
    false,
  );
  const changed = await asked(plan, async ({ terminal }) => {
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows(/Steps, one a line\n❯ look around\n {2}mend it/);
    // there is no history of these lines to search
    terminal.key("\x12");
    terminal.type(" well");
    terminal.key(NEW_LINE);
    terminal.type("测试");
    terminal.key(ENTER);
    await terminal.shows(
      /→ Change it first…\n {4}1\. look around\n {4}2\. mend it well\n {4}3\. 测试/,
    );
  });
  assert.deepEqual(changed, { steps: ["look around", "mend it well", "测试"] });
});

Deno.test("ESC, Ctrl-D and Ctrl-C in a form are No", async () => {
  for (const key of [ESC, "\x04", "\x03"]) {
    const value = await asked(plan, async ({ terminal }) => {
      terminal.key(DOWN);
      terminal.key(ENTER);
      await terminal.shows("one a line");
      terminal.key(key);
      await terminal.shows(/^ {2}→ No/m);
    });
    assert.equal(value, false, JSON.stringify(key));
  }
});

Deno.test("a question that the user asked for shows its fields at once", async () => {
  const choices = ["one", "two"].map((value) => ({ value, label: value }));
  const field = { name: "turn", label: "turn", type: "choice", choices, value: "one" } as const;
  const question = { ...input({ ...field, required: true }), direct: true } as const;
  const value = await asked(question, async ({ terminal }) => {
    await terminal.shows(/→ one\n {2}two/);
    terminal.key(DOWN);
    terminal.key(ENTER);
  });
  assert.deepEqual(value, { turn: "two" });
  assert.equal(
    await asked(question, async ({ terminal }) => {
      await terminal.shows("→ one");
      terminal.key(ESC);
    }),
    false,
  );
});

const choices = ["red", "blue"].map((value) => ({ value, label: value.toUpperCase() }));
const all = input(
  { name: "name", label: "Name", type: "text", required: true },
  { name: "age", label: "Age", type: "integer", minimum: 1 },
  { name: "ok", label: "OK?", type: "boolean", value: true },
  { name: "colour", label: "Colour", type: "choice", choices, required: true },
  { name: "tags", label: "Tags", type: "choices", choices, value: ["blue"] },
);

slow("one field after another is filled in, checked, and gone back to", async () => {
  const value = await asked(all, async ({ terminal }) => {
    assert.match(await terminal.text(), /• Name\n {2}• Age\n {2}• OK\?: Yes/);
    terminal.key("y");
    await terminal.shows("Name (1/5)");
    terminal.key(ENTER);
    await terminal.shows("✗ this must be filled in");
    terminal.key("\x1b[Z");
    await terminal.shows("Name (1/5)");
    terminal.type("Ann");
    terminal.key(ENTER);
    await terminal.shows("Age (2/5) · may be left empty");
    terminal.type("x");
    terminal.key(ENTER);
    assert.match(await terminal.shows("✗ this must be a whole"), /❯ x/);
    terminal.key("\x15");
    terminal.type("7");
    terminal.key(ENTER);
    await terminal.shows("OK? (3/5)");
    terminal.key("\x1b[Z");
    await terminal.shows(/Age \(2\/5\)[^\n]*\n❯ 7/);
    terminal.key(ENTER);
    await terminal.shows(/→ Yes\n {2}No/);
    terminal.key("n");
    await terminal.shows(/ {2}Yes\n→ No\ny \/ n choose/);
    terminal.key("y");
    await terminal.shows(/→ Yes\n {2}No/);
    terminal.key(ENTER);
    await terminal.shows("Colour (4/5)");
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows(/Tags \(5\/5\)[^]*→ \[ \] RED\n {2}\[x\] BLUE/);
    terminal.key(" ");
    await terminal.shows("→ [x] RED");
    terminal.key(DOWN);
    terminal.key(" ");
    await terminal.shows("→ [ ] BLUE");
    terminal.key(" ");
    await terminal.shows("→ [x] BLUE");
    terminal.key(ENTER);
    await terminal.shows(/→ Fill it in…\n {4}Name: Ann\n {4}Age: 7\n[^]*Tags: RED, BLUE/);
  });
  assert.deepEqual(value, {
    name: "Ann",
    age: 7,
    ok: true,
    colour: "blue",
    tags: ["red", "blue"],
  });
});

Deno.test("what may be left empty is left out", async () => {
  const question = input({ name: "note", label: "Note", type: "lines" }, {
    name: "colour",
    label: "Colour",
    type: "choice",
    choices,
  });
  const value = await asked(question, async ({ terminal }) => {
    terminal.key("y");
    await terminal.shows("Note (1/2)");
    terminal.key(ENTER);
    await terminal.shows("→ (none)");
    terminal.key(ENTER);
    await terminal.shows(/^ {2}→ Fill it in…/m);
  });
  assert.deepEqual(value, { note: [] });
});

Deno.test("a word that was being typed when a form's question came fills nothing in", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" });
    terminal.type("ma");
    bus.emit({ type: "ask", id: "q", ...all } as EventBody);
    terminal.type("y");
    terminal.key(ENTER);
    await terminal.shows("Fill it in…");
    assert.ok(!bus.sent.some(({ type }) => type === "answer"));
    terminal.key(ESC);
    await terminal.shows(/❯ may/);
  }, { again: false });
});

Deno.test("on a small screen the field and its choices are seen", async () => {
  await asked(all, async ({ terminal }) => {
    terminal.key("y");
    await terminal.shows("Name (1/5)");
    terminal.type("A");
    terminal.key(ENTER);
    terminal.key(ENTER);
    terminal.key(ENTER);
    await terminal.shows(/Colour \(4\/5\)\n→ RED\n {2}BLUE/);
    terminal.key(ESC);
  }, { size: [40, 12] });
  const choices = Array.from({ length: 20 }, (_, n) => ({ value: `v${n}`, label: `choice ${n}` }));
  const many = input({ name: "one", label: "One of many", type: "choice", choices });
  await asked(many, async ({ terminal }) => {
    terminal.key("y");
    await terminal.shows(/One of many[^]*\n {2}choice [^]*enter/);
    const seen = (await terminal.text()).split("\n").slice(-9).join("\n");
    assert.match(seen, /One of many · may/);
    terminal.key(ESC);
  }, { size: [40, 9] });
});

Deno.test("nothing that a server names steers the terminal", async () => {
  const evil = "\x1b]0;evil\x07\x1b[2Ja\nb";
  const option = { value: "v", label: evil };
  const question = input(
    { name: "a", label: evil, type: "text", value: evil },
    { name: "b", label: evil, type: "choice", choices: [option], value: "v" },
    { name: "c", label: evil, type: "choices", choices: [option] },
  );
  const value = await asked(question, async ({ terminal }) => {
    terminal.key("y");
    for (const place of ["(1/3)", "(2/3)", "(3/3)"]) {
      await terminal.shows(place);
      terminal.key(ENTER);
    }
    await terminal.shows(/^ {2}→ Fill it in…/m);
    // deno-lint-ignore no-control-regex -- what must not be there
    assert.ok(!/\x1b\]0;evil|\x1b\[2J/.test(terminal.written));
  });
  assert.equal((value as { b: string }).b, "v");
});

Deno.test("trust says how long it holds", async () => {
  const value = await asked({ kind: "trust", question: "Trust?", command: "x" }, ({ terminal }) => {
    terminal.key("y");
    return terminal.shows(/^ {2}→ Yes, until it changes/m);
  });
  assert.equal(value, true);
});
