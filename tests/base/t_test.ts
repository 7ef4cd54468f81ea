import assert from "node:assert/strict";
import { join } from "node:path";
import { english, spokenIn, type Text, translator } from "../../src/base/t.ts";
import zh from "../../src/base/zh.json" with { type: "json" };
import { ROOT } from "../../scripts/bundle.ts";
import { chinese } from "../support/chinese.ts";

const TEXTS = Object.entries(zh) as [Text, string][];

async function* sourcesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* sourcesIn(join(folder, name));
    else if (name.endsWith(".ts")) yield await Deno.readTextFile(join(folder, name));
  }
}

/** A text as the formatter quotes it in code. */
function quoted(text: string): string {
  const double = JSON.stringify(text);
  const single = `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  return single.length < double.length ? single : double;
}

Deno.test("every Chinese text stands for an English one that is said", async () => {
  const code = (await Array.fromAsync(sourcesIn(join(ROOT, "src")))).join("\n");
  const said = new Set(code.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g));
  const unsaid = TEXTS.map(([text]) => quoted(text)).filter((text) => !said.has(text));
  // a quote in a comment or a pattern turns the literals behind it inside out
  assert.deepEqual(unsaid.filter((text) => !code.includes(text)), []);
});

Deno.test("every English text has a Chinese one", async () => {
  const known = new Set(TEXTS.map(([text]) => quoted(text)));
  const code = (await Array.fromAsync(sourcesIn(join(ROOT, "src")))).join("\n");
  const calls = code.matchAll(/\bt\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g);
  const said = Array.from(calls, ([, text]) => text!);
  assert.ok(said.length > 1000);
  assert.deepEqual(said.filter((text) => !known.has(text)), []);
});

Deno.test("a text has the same placeholders in both languages", () => {
  const names = (text: string, numbers: boolean) => {
    const found = text.matchAll(
      numbers ? /\{([a-z]\w*)(?::[^{}|]+\|[^{}|]+)?\}/g : /\{([a-z]\w*)\}/g,
    );
    return new Set(Array.from(found, ([, name]) => name!));
  };
  for (const [text, translated] of TEXTS) {
    const all = names(text, true);
    const shown = names(translated, false);
    assert.deepEqual([...shown].filter((name) => !all.has(name)), [], text);
    // a number's words may be all that English says of it, and two forms of one word
    const words = new Set(["s", "es"]);
    const needed = [...names(text, false)].filter((name) => !words.has(name));
    assert.deepEqual(needed.filter((name) => !shown.has(name)), [], text);
  }
});

Deno.test("no text is shown with a number's two words still in it", () => {
  for (const [text] of TEXTS) {
    for (const t of [english, chinese]) {
      const names = Array.from(text.matchAll(/\{(\w+)/g), ([, name]) => name!);
      for (const n of [1, 2]) {
        const shown = t(text, Object.fromEntries(names.map((name) => [name, n])));
        assert.doesNotMatch(shown, /\{\w*:[^{}]*\|/, text);
      }
    }
  }
});

Deno.test("words of several parts go with a number too", () => {
  const found = (n: number) =>
    english("{n} Chinese {n:text|texts of several words}" as Text, { n } as never);
  assert.equal(found(1), "1 Chinese text");
  assert.equal(found(3), "3 Chinese texts of several words");
});

Deno.test("a lane speaks its language, and knows what was said in another", () => {
  assert.equal(english("queued"), "queued");
  assert.equal(chinese("queued"), "排队中");
  assert.equal(translator("zh").lang, "zh");
  assert.deepEqual(spokenIn(["stopped"], english), [english]);
  assert.deepEqual(spokenIn(["stopped", "已停止"], english).map((t) => t.lang), ["en", "zh"]);
  assert.deepEqual(spokenIn(["stopped"], chinese), [chinese, english]);
});

Deno.test("placeholders are typed", () => {
  const typed = () => {
    // @ts-expect-error a missing value
    english("Cannot read {path}: {why}", { path: "a" });
    // @ts-expect-error no values
    english("Cannot read {path}: {why}");
    // @ts-expect-error a surplus value
    english("Cannot read {path}: {why}", { path: "a", why: "b", how: "c" });
    // @ts-expect-error a value where none is needed
    english("interrupted", { why: "b" });
    // @ts-expect-error no such text
    english("Cannot reed {path}", { path: "a" });
    // a number's words need the number
    // @ts-expect-error a missing number
    english("{n} {n:file|files}");
  };
  assert.equal(typeof typed, "function");
});
