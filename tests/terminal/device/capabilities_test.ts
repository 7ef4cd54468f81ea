import assert from "node:assert/strict";
import { capabilitiesFrom } from "../../../src/terminal/device/capabilities.ts";

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
