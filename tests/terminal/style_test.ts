import assert from "node:assert/strict";
import type { Theme } from "../../src/base/types.ts";
import { createStyle, type StyleKind, styleKind } from "../../src/terminal/style.ts";

const COLOURS = ["red", "green", "yellow", "blue", "cyan"] as const;

/** Relative luminance (WCAG) of a colour of the 6×6×6 cube. */
function luminance(index: number): number {
  const levels = [0, 95, 135, 175, 215, 255];
  const at = index - 16;
  const [r, g, b] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((level) => {
    const part = levels[level]! / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

Deno.test("every colour of the light theme is readable on white, of the dark theme on black", () => {
  for (const [kind, background] of [["light", 1], ["dark", 0]] as const) {
    for (const colour of COLOURS) {
      const index = Number(/38;5;(\d+)m/.exec(createStyle(kind)[colour]("x"))![1]);
      const [low, high] = [luminance(index), background].sort((a, b) => a - b);
      const contrast = (high! + 0.05) / (low! + 0.05);
      assert.ok(contrast >= 4.5, `${kind} ${colour} ${contrast}`);
    }
  }
});

Deno.test("a theme is painted as the environment allows", () => {
  const kind = (theme: Theme, env: Record<string, string> = {}): StyleKind =>
    styleKind(theme, (name) => env[name]);
  assert.deepEqual(
    [kind("light"), kind("dark"), kind("none"), kind("auto")],
    ["light", "dark", "mono", "color"],
  );
  assert.equal(kind("dark", { NO_COLOR: "1" }), "mono");
  assert.equal(kind("dark", { NO_COLOR: "" }), "dark");
  assert.equal(kind("auto", { COLORFGBG: "0;15" }), "light");
  assert.equal(kind("auto", { COLORFGBG: "0;default;7" }), "light");
  assert.equal(kind("auto", { COLORFGBG: "15;0" }), "dark");
  assert.equal(kind("auto", { COLORFGBG: "7;8" }), "dark");
  assert.equal(kind("auto", { COLORFGBG: "default" }), "color");
});

Deno.test("a style changes its kind while it is in use", () => {
  const style = createStyle("color");
  const { red } = style;
  assert.equal(red("x"), "\x1b[31mx\x1b[39m");
  style.use("light");
  assert.equal(red("x"), "\x1b[38;5;124mx\x1b[39m");
  style.use("mono");
  assert.equal(red("x"), "x");
  assert.equal(style.bold("x"), "\x1b[1mx\x1b[22m");
  style.use("none");
  assert.equal(style.bold("x"), "x");
});
