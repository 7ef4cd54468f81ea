// deno-lint-ignore-file no-control-regex -- the sequences are the subject
import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { runScreen } from "../../../src/terminal/screen.ts";
import { onScreen } from "../on_screen.ts";
import { VirtualTerminal } from "../../support/virtual_terminal.ts";
import { capabilitiesFrom, Window } from "../../../src/terminal/device/window.ts";
import { done, FakeBus, fakeOptions } from "../fake_bus.ts";
import { slow } from "../../support/soak.ts";

const ALL = { title: true, links: true, notifications: true, wraps: true };

function window(more: { notify?: boolean; capabilities?: typeof ALL; workspace?: string } = {}) {
  let written = "";
  const made = new Window({
    workspace: "/home/me/my project",
    t: english,
    capabilities: ALL,
    notify: true,
    ...more,
    write: (sequence) => written += sequence,
  });
  return { made, written: () => written };
}

const bells = ({ written }: VirtualTerminal) =>
  written.replace(/\x1b\][^\x07]*\x07/g, "").split("\x07").length - 1;

Deno.test("the title says narnat, the folder and whether it works, and is given back", () => {
  const { made, written } = window();
  made.show("idle");
  made.show("idle");
  made.show("working");
  made.restore();
  made.restore();
  assert.equal(
    written(),
    "\x1b[22;2t\x1b]2;narnat · my project\x07\x1b]2;● narnat · my project\x07" +
      "\x1b]2;\x07\x1b[23;2t",
  );
});

Deno.test("a folder's name cannot end the title's sequence", () => {
  const { made, written } = window({ workspace: "/tmp/a\x07\x1b]52;c;eA==\x07b" });
  made.show("idle");
  assert.equal(written(), "\x1b[22;2t\x1b]2;narnat · ab\x07");
});

Deno.test("a terminal without titles is sent none", () => {
  const { made, written } = window({ capabilities: { ...ALL, title: false } });
  made.show("working");
  made.restore();
  assert.equal(written(), "");
});

Deno.test("only a long turn's end is told, by a notification or the bell, and not when switched off", () => {
  const told = (ms: number, more: Parameters<typeof window>[0] = {}) => {
    const { made, written } = window(more);
    made.turnEnded({ reason: "done", ms });
    return written();
  };
  assert.equal(told(29_999), "");
  assert.equal(told(30_000), "\x1b]9;narnat · my project: the turn is over\x07");
  assert.equal(told(30_000, { capabilities: { ...ALL, notifications: false } }), "\x07");
  assert.equal(told(99_000, { notify: false }), "");
});

Deno.test("a question is told at once, by a notification or the bell, and not when switched off", () => {
  const told = (more: Parameters<typeof window>[0] = {}) => {
    const { made, written } = window(more);
    made.asked();
    return written();
  };
  assert.equal(told(), "\x1b]9;narnat · my project: waiting for your answer\x07");
  assert.equal(told({ capabilities: { ...ALL, notifications: false } }), "\x07");
  assert.equal(told({ notify: false }), "");
});

slow("a question of any kind rings once and stands in the title until it is answered", async () => {
  for (const kind of ["delete", "tool", "danger", "plan", "trust", "input", "budget"] as const) {
    await onScreen(async ({ terminal, bus }) => {
      const titles = () =>
        [...terminal.written.matchAll(/\x1b\]2;([^\x07]*)\x07/g)].map((at) => at[1]);
      const question = { type: "ask", kind, question: "Really?" } as const;
      bus.emit({ type: "turn_start", text: "x" });
      await terminal.text();
      bus.emit({ ...question, id: "a" }, { ...question, id: "b" });
      await terminal.shows("Really?");
      assert.equal(bells(terminal), 1, kind);
      assert.deepEqual(titles().slice(-2), ["● narnat · space", "? narnat · space"]);
      terminal.key("\x1b");
      await terminal.shows("→ No");
      assert.equal(titles().at(-1), "? narnat · space", "the second waits");
      terminal.key("\x1b");
      await terminal.text();
      assert.equal(titles().at(-1), "● narnat · space");
      assert.equal(bells(terminal), 1, "who answers is there");
    }, { again: false, env: (name) => name === "TERM" ? "xterm" : undefined });
  }
});

Deno.test("the question of a command that was just sent does not ring", async () => {
  await onScreen(async ({ terminal, bus }) => {
    for (const key of ["/", "u", "\r"]) terminal.key(key);
    await terminal.text();
    bus.emit({ type: "ask", id: "q", kind: "undo", question: "Take it back?" });
    await terminal.shows("Take it back?");
    assert.equal(bells(terminal), 0);
    assert.ok(terminal.written.includes("\x1b]2;? narnat · space\x07"));
  }, { again: false, env: (name) => name === "TERM" ? "xterm" : undefined });
});

Deno.test("the screen's title follows the turn, its end rings, and leaving gives the title back", async () => {
  const bus = new FakeBus();
  const terminal = new VirtualTerminal();
  const over = new AbortController();
  const exit = runScreen({
    ...fakeOptions(bus),
    env: (name) => name === "TERM" ? "xterm" : undefined,
    ended: over.signal,
  }, terminal);
  const titles = () => [...terminal.written.matchAll(/\x1b\]2;([^\x07]*)\x07/g)].map((at) => at[1]);
  await terminal.text();
  bus.emit({ type: "turn_start", text: "x" });
  await terminal.text();
  bus.emit({ type: "text", delta: "done" }, { ...done, ms: 31_000 });
  await terminal.text();
  assert.deepEqual(titles(), ["narnat · space", "● narnat · space", "narnat · space"]);
  assert.equal(bells(terminal), 1);
  over.abort();
  await exit;
  assert.equal(titles().at(-1), "");
  assert.ok(terminal.written.endsWith("\x1b]2;\x07\x1b[23;2t"));
});

Deno.test("a plan rings once, when its last step has ended; who has stopped a turn is there", async () => {
  await onScreen(async ({ terminal, bus }) => {
    const turn = async (ms: number, more: { readonly more?: true } = {}) => {
      bus.emit({ type: "turn_start", text: "[Step 1/3] x", from: "plan" }, {
        ...done,
        ms,
        ...more,
      });
      await terminal.text();
      return bells(terminal);
    };
    assert.equal(await turn(31_000, { more: true }), 0);
    assert.equal(await turn(31_000, { more: true }), 0);
    assert.equal(await turn(1000), 1);
    assert.equal(await turn(29_000), 1, "another wait");
    bus.emit({ type: "turn_start", text: "x" }, { ...done, reason: "interrupted", ms: 99_000 });
    await terminal.text();
    assert.equal(bells(terminal), 1);
  }, { again: false, env: (name) => name === "TERM" ? "xterm" : undefined });
});

const of = (values: { readonly [name: string]: string }) =>
  Object.entries(capabilitiesFrom((name) => values[name]))
    .flatMap(([name, able]) => able ? [name] : []).join(" ");

Deno.test("a terminal is taken at its environment's word", () => {
  const cases: readonly [{ readonly [name: string]: string }, string][] = [
    [{}, "wraps"],
    [{ TERM: "dumb" }, "wraps"],
    [{ TERM: "linux" }, ""],
    [{ TERM: "xterm-256color", CI: "true" }, "wraps"],
    [{ TERM: "xterm-256color", XTERM_VERSION: "XTerm(379)" }, "title"],
    [{ TERM: "xterm-256color" }, "title wraps"],
    [{ TERM: "xterm-256color", VTE_VERSION: "4600" }, "title wraps"],
    [{ TERM: "xterm-256color", VTE_VERSION: "7600" }, "title links wraps"],
    [{ TERM: "xterm-256color", WT_SESSION: "1-2" }, "title links wraps"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "title wraps"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "title links notifications wraps"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, "title links wraps"],
    [{ TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }, "title links notifications wraps"],
    [{ TERM: "alacritty" }, "title links wraps"],
  ];
  for (const [values, able] of cases) assert.equal(of(values), able, JSON.stringify(values));
});

Deno.test("inside tmux only tmux counts, whatever terminal it was started in", () => {
  const inner = {
    TERM: "tmux-256color",
    TMUX: "/tmp/x,1,0",
    KITTY_WINDOW_ID: "1",
    XTERM_VERSION: "XTerm(379)",
  };
  assert.equal(of(inner), "title wraps");
  const tmux = (version: string) =>
    of({ ...inner, TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: version });
  assert.equal(tmux("3.3a"), "title wraps");
  assert.equal(tmux("3.4"), "title links wraps");
  assert.equal(tmux("3.10"), "title links wraps");
  assert.equal(tmux("4.0"), "title links wraps");
});
