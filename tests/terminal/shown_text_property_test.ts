/** Whatever the answer, its pieces and the height: the terminal shows the answer's text, in order. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { done } from "./fake_bus.ts";
import { onScreen } from "./on_screen.ts";
import { runs, slow } from "../support/soak.ts";

/** A block of an answer: its source, and what of it is text; lines of code count as they are. */
interface Block {
  readonly source: string;
  readonly text: string;
  readonly code?: readonly string[];
}

/** A word that occurs nowhere else. */
type Word = () => string;

const DASHES = "-".repeat(70);

/** Lines as programs and people write them in code. */
const CODE_LINE: readonly ((word: Word) => string)[] = [
  () => "",
  () => "",
  () => DASHES,
  () => "=".repeat(70),
  (word) => `def test_${word()}_case(self, **kw):`,
  (word) => `    return some_snake_${word()} * 2 ** _x_  # *not* **bold**`,
  (word) => `- item ${word()}`,
  (word) => ` id | ${word()}`,
  () => "----+----------",
  (word) => `FAIL: test_x (my_mod.__init__.${word()})`,
  (word) => `| a | ${word()} |`,
  (word) => `# 注释 ${word()} &lt; ![a](b) [x]: y`,
  (word) => `> > > > > > > > > > > > > > > > > > > > > > ${word()}`,
];

const lines = (size: number, line: (n: number) => string) =>
  Array.from({ length: size }, (_, n) => line(n));

function codeOf(size: number, seed: number, word: Word): string[] {
  const inner = lines(
    size,
    (n) => CODE_LINE[(seed + n * (1 + seed % 5)) % CODE_LINE.length]!(word),
  );
  return [`x = ${word()}`, ...inner, `end ${word()}`];
}

const indented = (code: readonly string[], by: string) =>
  code.map((line) => line === "" ? "" : by + line).join("\n");

const same = (source: string): Block => ({ source, text: source });

const KINDS: readonly ((size: number, seed: number, word: Word) => Block)[] = [
  (size, seed, word) => {
    const code = codeOf(size, seed, word);
    const text = `\`\`\`python\n${indented(code, "")}\n\`\`\``;
    return { source: text, text, code };
  },
  (size, seed, word) => {
    const code = ["```", ...codeOf(size, seed, word)];
    const source = `~~~\n${indented(code, "")}\n~~~`;
    return { source, text: source.replaceAll("~~~", "```"), code };
  },
  (size, seed, word) => {
    const code = codeOf(size, seed, word);
    const [before, text] = [`Text ${word()}:`, indented(code, "    ")];
    return { source: `${before}\n\n${text}`, text: `${before}\`\`\`${text}\`\`\``, code };
  },
  (size, seed, word) => {
    const code = codeOf(Math.min(size, 20), seed, word);
    const text = `- ${word()}\n\n  \`\`\`\n${indented(code, "  ")}\n  \`\`\`\n- ${word()}`;
    return { source: text, text, code: code.map((line) => line && `  ${line}`) };
  },
  (size, _, word) => {
    const rows = lines(size % 30, (n) => `${word()} | ${n}`);
    const source = ["Name | V", `${DASHES}|---:`, ...rows].join("\n");
    return { source, text: ["Name | V", ...rows].join("\n").replaceAll("|", "") };
  },
  (size, _, word) => {
    const rows = lines(size % 30, () => `| ${word()} | 值 | **${word()}** |`);
    const source = ["| a | 列 | c |", "|:--|:-:|---|", ...rows].join("\n");
    return { source, text: ["a 列 c", ...rows].join("\n").replace(/[|*]/g, "") };
  },
  (size, _, word) => {
    const source = lines(size * 6, () => `**${word()}** 和**“${word()}”**字`).join(" ");
    return { source, text: source.replaceAll("*", "") };
  },
  (size, _, word) => same(lines(size, (n) => `${n + 3}) step ${word()}`).join("\n")),
  (size, _, word) =>
    same(lines(size, (n) => `${n % 3 === 0 ? "- " : "  - "}item ${word()}`).join("\n")),
  (size, _, word) => same(lines(size, (n) => `${n + 1}. step ${word()}`).join("\n")),
  (_, seed, word) => {
    const first = `[1]: https://a.example/${word()}\n`.repeat(1 + seed % 2);
    const source = `${first}[1]: u\n[2 \\]]: v "${word()}"`;
    return { source, text: source.replace("\\", "") };
  },
  (_, __, word) => same(`[two\n${word()}]: https://a.example/`),
  (_, seed, word) => {
    const text = `Heading ${word()}`;
    return { source: `${text}\n${seed % 2 === 0 ? DASHES : "=".repeat(30)}`, text };
  },
  (_, __, word) => same(`### Heading ${word()}`),
  (size, _, word) => {
    const source = lines(size, () => `第${word()}段：**“重点”**内容，一些中文文字👍🏽。`).join("");
    return { source, text: source.replaceAll("*", "") };
  },
  (size, _, word) => same(lines(size, () => `words in a long line ${word()}`).join(" ")),
  (size, _, word) => same(lines(size % 7 + 1, () => `snake_case_${word()} is a_b`).join("\n")),
  (size, _, word) => {
    const quoted = lines(size % 5 + 1, () => word());
    return { source: quoted.map((line) => `> ${line}`).join("\n"), text: quoted.join(" ") };
  },
  (_, __, word) => same(` id | ${word()}\n----+----------\n  1 | ${word()}\n(1 row)`),
  () => ({ source: DASHES, text: "" }),
];

const block = fc.record({
  kind: fc.nat({ max: KINDS.length - 1 }),
  size: fc.integer({ min: 1, max: 45 }),
  seed: fc.nat({ max: 99 }),
});

const told = (text: string) => text.replace(/[\s│┌─┬┐├┼┤└┴┘]+/g, "");

/** Longer than the screen waits with a frame. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 70));

const frame = () => new Promise((resolve) => setTimeout(resolve, 20));

slow(
  "the terminal shows the answer's text in order, whatever its pieces and the height",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { minLength: 1, maxLength: 7 }),
        fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(12, 24, 40),
        async (specs, sizes, rows) => {
          let count = 0;
          const word = () => `w${count++}q`;
          // Two numbered lists in a row are one, whose numbers count on.
          const apart = specs.filter(({ kind }, n) => kind !== specs[n - 1]?.kind);
          const blocks = apart.map(({ kind, size, seed }) => KINDS[kind]!(size, seed, word));
          const all = ["BEGIN", ...blocks.map(({ source }) => source), "END"].join("\n\n");
          await onScreen(async ({ bus, terminal }) => {
            bus.emit({ type: "turn_start", text: "go" });
            for (let at = 0, n = 0; at < all.length; n++) {
              const delta = all.slice(at, at += sizes[n % sizes.length]!);
              bus.emit({ type: "text", delta });
              if (n % 3 === 0) await frame();
            }
            bus.emit(done);
            await terminal.text();
            const shown = await terminal.lines();
            const from = shown.indexOf("BEGIN");
            const to = shown.indexOf("END");
            assert.ok(from >= 0 && to > from, shown.join("\n"));
            const answer = shown.slice(from + 1, to);
            assert.equal(told(answer.join("")), told(blocks.map(({ text }) => text).join("")));
            for (const { code } of blocks) {
              if (code === undefined || code.some((line) => line.length > 76)) continue;
              const drawn = ["", ...code.map((line) => line && `  ${line}`), ""].join("\n");
              assert.ok(
                answer.join("\n").includes(drawn),
                `${drawn}\n--- shown\n${answer.join("\n")}`,
              );
            }
          }, { size: [80, rows], again: false });
        },
      ),
      { numRuns: runs(25), endOnFailure: true },
    );
  },
);

slow("a pause amid code or its fences adds no line and loses none, at any height", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          kind: fc.nat({ max: 3 }),
          size: fc.integer({ min: 1, max: 45 }),
          seed: fc.nat({ max: 99 }),
          // where before or behind the end of the block's last line, or of one within, it pauses
          line: fc.constantFrom(1, 1, 2, 9),
          offset: fc.integer({ min: -1, max: 4 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      fc.constantFrom(12, 14, 16, 20, 24, 30, 50),
      async (specs, rows) => {
        let count = 0;
        const word = () => `w${count++}q`;
        const blocks = specs.map(({ kind, size, seed }) => KINDS[kind]!(size, seed, word));
        await onScreen(async ({ bus, terminal }) => {
          const say = (delta: string) => bus.emit({ type: "text", delta });
          bus.emit({ type: "turn_start", text: "go" });
          say("BEGIN\n\n");
          for (const [n, { source }] of blocks.entries()) {
            const { line, offset } = specs[n]!;
            const ends = [...source.matchAll(/\n/g)].map(({ index }) => index + 1);
            const at = (ends.at(-line) ?? 0) + offset;
            say(source.slice(0, at));
            await pause();
            say(source.slice(at) + "\n\n");
          }
          say("END");
          bus.emit(done);
          await terminal.text();
          const shown = (await terminal.lines()).join("\n");
          for (const { code } of blocks) {
            const drawn = ["", ...code!.map((line) => line && `  ${line}`), ""].join("\n");
            const [above = "", below = ""] = shown.split(drawn);
            const ends = /`{3}(?:python)?$/.test(above) && /^ *`{3}\n/.test(below);
            assert.ok(ends, `${drawn}\n--- shown\n${shown}`);
          }
        }, { size: [80, rows], again: false });
      },
    ),
    { numRuns: 24, endOnFailure: true },
  );
});

/** The words of a text in the order in which they stand there. */
const wordsOf = (text: string) => text.match(/w\d+q/g) ?? [];

const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });

slow(
  "a window resized amid an answer loses no word of it and no empty line of its code",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { minLength: 1, maxLength: 5 }),
        sizes,
        fc.constantFrom([80, 24], [80, 12], [100, 30]),
        fc.constantFrom([80, 10], [80, 40], [60, 12], [120, 30], [46, 24]),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        async (specs, pieces, size, to, when) => {
          let count = 0;
          const word = () => `w${count++}q`;
          const blocks = specs.map(({ kind, size, seed }) => KINDS[kind]!(size, seed, word));
          const all = ["BEGIN", ...blocks.map(({ source }) => source), "END"].join("\n\n");
          await onScreen(async ({ bus, terminal }) => {
            bus.emit({ type: "turn_start", text: "go" });
            let resized = false;
            for (let at = 0, n = 0; at < all.length; n++) {
              bus.emit({ type: "text", delta: all.slice(at, at += pieces[n % pieces.length]!) });
              if (n % 3 === 0) await frame();
              if (resized || at < all.length * when) continue;
              resized = true;
              await terminal.resize(to[0]!, to[1]!);
            }
            bus.emit(done);
            await terminal.text();
            const shown = await terminal.lines();
            // what the window has moved off may end within a word
            const told = wordsOf(shown.join("").replace(/\s+/g, ""));
            const said = wordsOf(all);
            assert.deepEqual([...new Set(told)], [...new Set(said)], shown.join("\n"));
            if (terminal.movedOff || terminal.misplaced) return;
            assert.equal(told.length, said.length, shown.join("\n"));
            for (const { code } of blocks) {
              if (code === undefined || code.some((line) => line.length > 40)) continue;
              const drawn = ["", ...code.map((line) => line && `  ${line}`), ""].join("\n");
              assert.ok(
                shown.join("\n").includes(drawn),
                `${drawn}\n--- shown\n${shown.join("\n")}`,
              );
            }
          }, { size: [size[0]!, size[1]!], again: false });
        },
      ),
      { numRuns: runs(20), endOnFailure: true },
    );
  },
);

slow("on twelve rows no word is left out of what is being said", async () => {
  const kinds = KINDS.map((_, kind) => kind);
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ kind: fc.constantFrom(...kinds), size: fc.integer({ min: 8, max: 30 }) }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      fc.constantFrom(40, 80),
      async (specs, columns) => {
        let count = 0;
        const word = () => `w${count++}q`;
        const all = specs.map(({ kind, size }) => KINDS[kind]!(size, size, word).source).join(
          "\n\n",
        );
        await onScreen(async ({ bus, terminal }) => {
          bus.emit({ type: "turn_start", text: "go" });
          for (let at = 0; at < all.length;) {
            bus.emit({ type: "text", delta: all.slice(at, at += 24) });
            await terminal.text();
            const shown = (await terminal.lines()).join("\n");
            const seen = wordsOf(shown);
            assert.deepEqual(seen, wordsOf(all).slice(0, seen.length), shown);
          }
          bus.emit(done);
        }, { size: [columns, 12], again: false });
      },
    ),
    { numRuns: runs(8), endOnFailure: true },
  );
});
