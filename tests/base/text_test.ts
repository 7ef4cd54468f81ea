import assert from "node:assert/strict";
import { say, type TextKey, texts } from "../../src/base/text.ts";

const KEYS = Object.keys(texts) as TextKey[];

Deno.test("no text is shown with a number's two words still in it", () => {
  for (const key of KEYS) {
    for (const lang of ["zh", "en"] as const) {
      const names = [...texts[key][lang].matchAll(/\{(\w+)/g)].map(([, name]) => name!);
      for (const n of [1, 2]) {
        const shown = say(lang, key, Object.fromEntries(names.map((name) => [name, n])));
        assert.doesNotMatch(shown, /\{\w+:[^}]*\|/, key);
      }
    }
  }
});

Deno.test("words of several parts go with a number too", () => {
  const reminder = (n: number) => say("en", "rules.reminder", { mark: "M", n, rules: "R" });
  assert.match(reminder(1), /must keep the work rule of the system prompt \(1\)/);
  assert.match(reminder(3), /must keep all work rules of the system prompt \(3\)/);
});
