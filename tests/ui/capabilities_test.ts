import assert from "node:assert/strict";
import { capabilitiesFrom } from "../../src/ui/capabilities.ts";

const of = (values: { readonly [name: string]: string }) =>
  Object.entries(capabilitiesFrom((name) => values[name]))
    .flatMap(([name, able]) => able ? [name] : []).join(" ");

Deno.test("a terminal is taken at its environment's word", () => {
  const cases: readonly [{ readonly [name: string]: string }, string][] = [
    [{}, ""],
    [{ TERM: "dumb" }, ""],
    [{ TERM: "linux" }, ""],
    [{ TERM: "xterm-256color", CI: "true" }, ""],
    [{ TERM: "xterm-256color" }, "title"],
    [{ TERM: "xterm-256color", VTE_VERSION: "4600" }, "title"],
    [{ TERM: "xterm-256color", VTE_VERSION: "7600" }, "title links"],
    [{ TERM: "xterm-256color", WT_SESSION: "1-2" }, "title links"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "title"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "title links notifications"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, "title links"],
    [{ TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }, "title links notifications"],
    [{ TERM: "alacritty" }, "title links"],
  ];
  for (const [values, able] of cases) assert.equal(of(values), able, JSON.stringify(values));
});

Deno.test("inside tmux only tmux counts, whatever terminal it was started in", () => {
  const inner = { TERM: "tmux-256color", TMUX: "/tmp/x,1,0", KITTY_WINDOW_ID: "1" };
  assert.equal(of(inner), "title");
  const tmux = (version: string) =>
    of({ ...inner, TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: version });
  assert.equal(tmux("3.3a"), "title");
  assert.equal(tmux("3.4"), "title links");
  assert.equal(tmux("3.10"), "title links");
  assert.equal(tmux("4.0"), "title links");
});
