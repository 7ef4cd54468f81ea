import assert from "node:assert/strict";
import type { Inbound } from "../../../src/base/types.ts";
import type { FakeBus } from "../fake_bus.ts";
import { onScreen } from "../on_screen.ts";
import { slow } from "../../support/soak.ts";

const ESC = "\x1b";
const ENTER = "\r";
const DOWN = "\x1b[B";

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

slow("what a question taller than the screen is about stands above the choices", async () => {
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

Deno.test("words sent at a question are a No and the next line, and in them a letter answers nothing", async () => {
  await Promise.all((["plan", "delete", "tool", "danger", "trust"] as const).map((kind) => {
    const { now, pause } = handClock();
    return onScreen(async ({ terminal, bus, lines }) => {
      bus.emit({ type: "turn_start", text: "x" }, { ...ask, kind });
      await terminal.shows("y/n");
      for (const key of ["keep m", "y", " file", "n", "是"]) {
        terminal.type(key);
        pause();
      }
      await new Promise((resolve) => setTimeout(resolve, 600));
      assert.deepEqual(answersOf(bus), []);
      terminal.key(ENTER);
      await terminal.shows("→ No");
      assert.deepEqual(answersOf(bus), [["q1", false]]);
      assert.deepEqual(lines(), ["keep my filen是"]);
    }, { now, again: false });
  }));
});

Deno.test("who goes to a choice behind words about a plan means the choice", async () => {
  await onScreen(async ({ terminal, bus, lines }) => {
    const question = { id: "q", kind: "plan" as const, question: "Run this plan?" };
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

const ask = {
  type: "ask",
  id: "q1",
  kind: "delete",
  question: "Delete this?",
  command: "rm -rf \x1b[8mbuild",
  targets: ["/space/build"],
} as const;

/** A clock that stands still but for `pause`, which is longer than the one that ends a word. */
function handClock() {
  let ms = 0;
  return { now: () => ms, pause: () => void (ms += 600) };
}
const answersOf = (bus: FakeBus) =>
  bus.sent.flatMap((inbound) => inbound.type === "answer" ? [[inbound.id, inbound.value]] : []);

Deno.test("Enter says Yes to what the user has asked for, and to nothing else", async () => {
  for (const kind of ["plan", "undo", "delete", "danger", "tool", "trust", "budget"] as const) {
    await onScreen(async ({ terminal, bus }) => {
      bus.emit({ type: "turn_start", text: "x" }, { ...ask, kind });
      await terminal.shows("y/n");
      terminal.key(ENTER);
      await terminal.shows(/^ {2}→ /m);
      assert.deepEqual(answersOf(bus), [["q1", kind === "plan" || kind === "undo"]], kind);
    }, { again: false });
  }
});

Deno.test("Enter may be meant for a line that stands there when a plan is asked about: it is a No", async () => {
  const { now, pause } = handClock();
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" });
    terminal.type("use zod");
    pause();
    bus.emit({ ...ask, kind: "plan" });
    await terminal.shows("y/n");
    terminal.key(ENTER);
    await terminal.shows("→ No");
    assert.deepEqual(answersOf(bus), [["q1", false]]);
  }, { now, again: false });
});

slow("a question defaults to No, ESC is No and does not stop the turn", async () => {
  for (const key of [ENTER, ESC]) {
    await onScreen(async ({ terminal, bus }) => {
      terminal.type("x");
      terminal.key(ENTER);
      bus.emit({ type: "turn_start", text: "x" }, ask);
      const shown = await terminal.shows("→ No");
      assert.ok(shown.includes("rm -rf ␛[8mbuild") && shown.includes("/space/build"));
      assert.match(shown, /\n→ No\n {2}Yes, this once\n↑↓ enter · y\/n · esc no · or type .*$/);
      terminal.key(key);
      assert.deepEqual(bus.sent.slice(1), [
        { type: "answer", lane: "main", id: "q1", value: false },
      ]);
      await terminal.shows("  → No");
    });
  }
});

slow("y and n answer a question, other letters and a paste go to the prompt", async () => {
  const keys = [["y", true], ["Y", true], ["是", true], ["n", false], ["N", false], [
    "\x1b[121u",
    true,
  ]] as const;
  await Promise.all(keys.map(([key, value]) => {
    const { now, pause } = handClock();
    return onScreen(async ({ terminal, bus }) => {
      bus.emit({ type: "turn_start", text: "x" }, ask);
      await terminal.shows("→ No");
      if (key === "y") {
        terminal.type("abc 好");
        terminal.paste("y");
        await terminal.shows("❯ abc 好y");
        for (let n = 0; n < 6; n++) terminal.key("\x7f");
        pause();
      }
      assert.deepEqual(answersOf(bus), []);
      terminal.key(key);
      const all = await terminal.shows(value ? "  → Yes, this once" : "  → No");
      assert.deepEqual(answersOf(bus), [["q1", value]]);
      assert.ok(!all.includes("y/n") && all.endsWith("\n❯"), all);
    }, { now });
  }));
});

Deno.test("a question hides the prompt and gives it back with its half-typed text", async () => {
  const { now, pause } = handClock();
  await onScreen(async ({ terminal, bus, lines }) => {
    bus.emit({ type: "turn_start", text: "x" });
    terminal.type("half ty");
    bus.emit(ask);
    const open = await terminal.shows("y/n");
    assert.ok(
      open.endsWith("esc no · or type a reply") && !open.includes("half ty"),
      open,
    );
    // What the fingers still do is a word, not an answer.
    terminal.type("yn");
    terminal.key(ENTER);
    assert.deepEqual(answersOf(bus), []);
    pause();
    for (const key of [DOWN, ENTER]) terminal.key(key);
    assert.deepEqual(answersOf(bus), [["q1", true]]);
    assert.deepEqual(lines(), []);
    const all = await terminal.shows("❯ half tyyn");
    assert.ok(all.endsWith("❯ half tyyn"), all);
    terminal.type(" on");
    terminal.key(ENTER);
    assert.deepEqual(lines(), ["half tyyn on"]);
  }, { now });
});

slow(
  "what is typed at a question is seen, may be taken back, and the hint says what becomes of it",
  async () => {
    const { now, pause } = handClock();
    await onScreen(async ({ terminal, bus, lines }) => {
      bus.emit({ type: "turn_start", text: "x" }, ask);
      const hint = await terminal.shows("y/n");
      assert.ok(hint.includes("or type a reply"));
      terminal.type("use tabs,");
      const shown = await terminal.shows("❯ use tabs,");
      assert.ok(shown.includes("enter: no, and send this"), shown);
      terminal.key(DOWN);
      await terminal.shows("kept as draft");
      terminal.key("\x7f");
      await terminal.shows(/❯ use tabs\n.*and send this/);
      for (let n = 0; n < 8; n++) terminal.key("\x7f");
      await terminal.shows("y/n");
      pause();
      terminal.type("tabs");
      await terminal.shows("❯ tabs");
      terminal.key(ENTER);
      assert.deepEqual(answersOf(bus), [["q1", false]]);
      assert.deepEqual(lines(), ["tabs"]);
    }, { now });
  },
);

Deno.test("a line typed right after an answer is whole", async () => {
  const answers = [["y", true], ["n", false], ["yes\r", true], ["no\r", false]] as const;
  const next = ["next, please", "ok, go on", "nice", "yesterday's"];
  await Promise.all(answers.flatMap(([typed, value]) =>
    next.map((line) => {
      const { now } = handClock();
      return onScreen(async ({ terminal, bus, lines }) => {
        bus.emit({ type: "turn_start", text: "x" }, ask);
        await terminal.shows("y/n");
        terminal.type(typed);
        await terminal.shows(value ? "  → Yes, this once" : "  → No");
        assert.deepEqual(answersOf(bus), [["q1", value]]);
        terminal.type(line);
        terminal.key(ENTER);
        assert.deepEqual(lines(), [line]);
      }, { now, again: false });
    })
  ));
});

Deno.test("what one types when a question pops up stays in the prompt, whole", async () => {
  const { now, pause } = handClock();
  await onScreen(async ({ terminal, bus, lines }) => {
    bus.emit({ type: "turn_start", text: "x" });
    terminal.type("m");
    bus.emit(ask);
    terminal.type("aybe you can try");
    terminal.key(ENTER);
    assert.deepEqual([answersOf(bus), lines()], [[], []]);
    pause();
    terminal.key("n");
    await terminal.shows("❯ maybe you can tryn");
    assert.deepEqual(answersOf(bus), []);
    terminal.key(ESC);
    await terminal.shows("→ No");
    assert.deepEqual([answersOf(bus), lines()], [[["q1", false]], []]);
  }, { now });
});

slow(
  "what begins with the letter of an answer and goes on is text, and ESC takes the letter back",
  async () => {
    await Promise.all(
      ["you", "no wait, why", "next", "是不是", "否定", "ye", "yy", "y?"].map((begun) => {
        const { now, pause } = handClock();
        return onScreen(async ({ terminal, bus }) => {
          bus.emit({ type: "turn_start", text: "x" }, ask);
          await terminal.shows("y/n");
          terminal.type(begun);
          if (begun !== "ye") await terminal.shows("→ No");
          terminal.key("\x1b");
          assert.deepEqual(answersOf(bus), [["q1", false]]);
          pause();
          terminal.type("!");
          const all = await terminal.shows(begun === "ye" ? "❯ !" : `❯ ${begun}!`);
          assert.ok(all.includes("  → No"), all);
        }, { now });
      }),
    );
  },
);

slow(
  "the letter of a Yes shows Yes as chosen, and is the answer when nothing follows",
  async () => {
    await onScreen(async ({ terminal, bus }) => {
      bus.emit({ type: "turn_start", text: "x" }, ask);
      await terminal.shows("→ No");
      terminal.key("y");
      await terminal.shows("\n→ Yes, this once\n↑↓ enter");
      assert.deepEqual(answersOf(bus), []);
      await terminal.shows("\n  → Yes, this once");
      assert.deepEqual(answersOf(bus), [["q1", true]]);
    });
  },
);

Deno.test("the letter of a Yes answers nothing when the terminal is closed right after it", async () => {
  const over = new AbortController();
  await onScreen(async ({ terminal, bus, exit }) => {
    bus.emit({ type: "turn_start", text: "x" }, ask);
    await terminal.shows("→ No");
    terminal.key("y");
    over.abort();
    await exit;
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.deepEqual(answersOf(bus), []);
  }, { ended: over.signal, again: false });
});

Deno.test("Ctrl-D at a question is No and nothing else", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, ask);
    await terminal.shows("y/n");
    terminal.key("\x04");
    await terminal.shows("  → No");
    assert.deepEqual(bus.sent, [{ type: "answer", lane: "main", id: "q1", value: false }]);
    terminal.type("still here");
    await terminal.shows("❯ still here");
  });
});

slow("a held y answers one question only", async () => {
  const { now, pause } = handClock();
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, ask, { ...ask, id: "q2", question: "And this?" });
    await terminal.shows("Delete this?");
    terminal.type("y");
    await terminal.shows("And this?");
    terminal.type("yyy");
    assert.deepEqual(answersOf(bus), [["q1", true]]);
    pause();
    terminal.key(ESC);
    assert.deepEqual(answersOf(bus), [["q1", true], ["q2", false]]);
  }, { now });
});

Deno.test("a question about a tool call shows the call as a line", async () => {
  await onScreen(async ({ terminal, bus }) => {
    const input = { command: "npm test" };
    bus.emit({ type: "turn_start", text: "x" }, {
      type: "tool_start",
      id: "1",
      name: "Bash",
      input,
    }, {
      type: "ask",
      id: "q",
      kind: "tool",
      question: "Allow Bash?",
      command: JSON.stringify(input),
      call: { name: "Bash", input },
    });
    const all = await terminal.shows("→ No");
    assert.ok(all.includes("? Allow Bash?\n  Bash npm test\n\n→ No"), all);
  });
});

slow("one Yes answers one question; the next one asks again", async () => {
  await onScreen(async ({ terminal, bus }) => {
    terminal.type("x");
    terminal.key(ENTER);
    bus.emit({ type: "turn_start", text: "x" }, ask, { ...ask, id: "q2", question: "And this?" });
    assert.ok(!(await terminal.shows("Delete this?")).includes("And this?"));
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows("And this?");
    terminal.key(ENTER);
    const answers = bus.sent.filter((inbound): inbound is Inbound & { type: "answer" } =>
      inbound.type === "answer"
    );
    assert.deepEqual(answers.map(({ id, value }) => [id, value]), [["q1", true], ["q2", false]]);
    terminal.type("typing again");
    await terminal.shows("❯ typing again");
  });
});

Deno.test("a question longer than the screen is in the scrollback from its first line", async () => {
  const command = Array.from({ length: 60 }, (_, i) => `echo ${i}`).join("\n") + "\nrm -rf x";
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, { ...ask, command });
    const all = await terminal.shows("rm -rf x");
    assert.ok(all.includes("? Delete this?\n  echo 0\n  echo 1\n"));
  });
});
