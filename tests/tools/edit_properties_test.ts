import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { edit } from "../../src/tools/edit/edit.ts";
import { read } from "../../src/tools/read/read.ts";
import { type Coding, detectCoding, encodeText } from "../../src/files/text_file.ts";
import { ToolRunner } from "../support/tool_context.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow, SOAK } from "../support/soak.ts";

/** Sentences long enough that each encoding is known by its bytes alone. */
const SAMPLES: readonly (readonly [Coding, readonly string[]])[] = [
  [{ encoding: "utf-8", bom: false }, ["plain", "naïve café", "中文内容", "emoji 🎉", ""]],
  [{ encoding: "utf-8", bom: true }, ["plain", "日本語", "x = 1;", ""]],
  [{ encoding: "utf-16le", bom: true }, ["plain", "中文", "ünï", ""]],
  [{ encoding: "utf-16be", bom: true }, ["plain", "中文", "ünï", ""]],
  [{ encoding: "gb18030", bom: false }, ["这是一段用来测试编码识别的中文文字。", "函数返回结果"]],
  [{ encoding: "windows-1252", bom: false }, ["déjà vu à la carte, garçon", "größer als früher"]],
  [{ encoding: "big5", bom: false }, ["這是一段用來測試編碼識別的繁體中文文字。", "函數傳回結果"]],
  [{ encoding: "shift_jis", bom: false }, [
    "これは文字コードを判定するための文章です。",
    "関数の戻り値",
  ]],
  [{ encoding: "euc-kr", bom: false }, [
    "이것은 인코딩을 판별하기 위한 한국어 문장입니다.",
    "함수의 결과",
  ]],
] as const;
const EOLS = ["\n", "\r\n", "\r", "mixed"] as const;

const file = fc.constantFrom(...SAMPLES).chain(([coding, words]) =>
  fc.record({
    coding: fc.constant(coding),
    lines: fc.array(
      fc.tuple(
        fc.constantFrom("", "  ", "\t"),
        fc.constantFrom(...words),
        fc.constantFrom("", " ", "\t"),
      ).map((parts) => parts.join("")),
      { minLength: 1, maxLength: 12 },
    ),
    eol: fc.constantFrom(...EOLS),
    final: fc.boolean(),
    at: fc.nat(),
    seed: fc.nat(),
  })
);

type FileForm = typeof file extends fc.Arbitrary<infer Form> ? Form : never;

slow(
  "1,200 random files × random edits: every byte outside the edit stays, in every encoding and line-end form",
  async () => {
    const forms = new Set<string>();
    await withWorkspace({}, async (root) => {
      const runner = new ToolRunner(root);
      runner.answer = true;
      const put = fc.constantFrom("new", "", "two\nlines", "<$&>", "a\n\nb\n");
      // side by side, for the disk's sake
      const batch = fc.array(fc.tuple(file, put), { minLength: 12, maxLength: 12 });
      const one = async (
        name: string,
        { coding, lines, eol, final, at, seed }: FileForm,
        to: string,
      ) => {
        const path = join(root, name);
        const which = at % lines.length;
        const ends: string[] = lines.map((_, i) =>
          eol !== "mixed" ? eol : (seed >> (i % 20)) & 1 ? "\r\n" : "\n"
        );
        if (!final) ends[lines.length - 1] = "";
        const whole = (from: number, until: number) =>
          lines.slice(from, until).map((line, i) => line + ends[from + i]).join("");
        const before = whole(0, which) + lines[which]!.slice(0, 1);
        const after = lines[which]!.slice(1) + ends[which] + whole(which + 1, lines.length);
        const marker = "<<here>>";
        const bytes = encodeText(before + marker + after, coding);
        await Deno.writeFile(path, bytes);
        const known = detectCoding(bytes);
        const seen = await runner.run(read, { file_path: name });
        assert.equal(seen.ok, true, seen.text);
        const result = await runner.run(edit, {
          file_path: name,
          old_string: marker,
          new_string: to,
        });
        assert.equal(result.ok, true, result.text);
        // new lines take the ends of their place; on the last line those before it
        const end = ends[which] || (which > 0 ? ends[which - 1] : "\n");
        const fitted = to.replaceAll("\n", end!);
        const expected = new Blob([
          encodeText(before, coding),
          encodeText(fitted, { ...known, bom: false }),
          encodeText(after, { ...coding, bom: false }),
        ]);
        assert.deepEqual(await Deno.readFile(path), await expected.bytes());
        forms.add(`${coding.encoding} ${coding.bom} ${eol}`);
        if (known.encoding === coding.encoding) forms.add(coding.encoding);
      };
      await fc.assert(
        fc.asyncProperty(batch, async (files) => {
          const all = await Promise.allSettled(
            files.map(([form, to], i) => one(`f${i}`, form, to)),
          );
          // only when none is at work any more may the next batch have these files
          for (const each of all) if (each.status === "rejected") throw each.reason;
        }),
        { numRuns: runs(100) },
      );
    });
    const all = SAMPLES.length * EOLS.length + new Set(SAMPLES.map(([c]) => c.encoding)).size;
    assert.ok(forms.size >= Math.min(all, runs(all)), `${forms.size} of ${all}`);
  },
);

const LETTERS = ["a", "b", "c", "é"];
const ENDS = ["\n", "\r\n", "  \n"];
const small = fc.tuple(
  fc.shuffledSubarray(LETTERS, { minLength: 3 }),
  fc.array(fc.constantFrom(...LETTERS, ...ENDS, ...ENDS), { maxLength: 3 }),
  fc.constantFrom(...ENDS),
).map(([letters, more, end]) => [...letters, ...more].join(end));
const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...LETTERS, "x", "y", "x\ny") },
  { weight: 1, arbitrary: fc.constantFrom("a\nb", "b\nc", "c\na", "y\n") },
);
const someEdits = fc.array(
  fc.record({
    old_string: piece,
    new_string: piece,
    replace_all: fc.oneof(fc.constant(true), fc.boolean()),
  }),
  { minLength: 1, maxLength: 3 },
);

Deno.test(
  "several edits in one call equal the same edits one after another, or change nothing",
  async () => {
    const outcomes = { made: 0, failed: 0 };
    await withWorkspace({}, async (root) => {
      const runner = new ToolRunner(root);
      const [one, all] = [join(root, "one"), join(root, "all")];
      await fc.assert(
        fc.asyncProperty(small, someEdits, async (text, edits) => {
          for (const path of [one, all]) {
            await Deno.writeTextFile(path, text);
            await Deno.utime(path, 1000, 1000);
            await Deno.chmod(path, 0o640);
            await runner.run(read, { file_path: path });
          }
          let broken = 0;
          for (const [i, each] of edits.entries()) {
            const { ok, text: why } = await runner.run(edit, { file_path: one, ...each });
            if (ok || why.includes("would be the same as before")) continue;
            broken = i + 1;
            break;
          }
          const together = await runner.run(edit, { file_path: all, edits });
          const now = await Deno.readTextFile(all);
          if (broken === 0) {
            assert.equal(now, await Deno.readTextFile(one));
            assert.equal(together.ok, now !== text, together.text);
            outcomes.made++;
            return;
          }
          assert.equal(together.ok, false);
          const { mtime, mode } = await Deno.stat(all);
          assert.deepEqual([now, mtime!.getTime(), mode! & 0o777], [text, 1000_000, 0o640]);
          // what is wrong at sight is said before anything is looked for
          if (edits.length > 1 && !/are the same/.test(together.text)) {
            assert.match(
              together.text,
              new RegExp(`^Edit ${broken} of ${edits.length} cannot be made`),
            );
          }
          outcomes.failed++;
        }),
        { numRuns: runs(250) },
      );
    });
    const some = SOAK < 1 ? 0 : 3;
    assert.ok(outcomes.made >= some && outcomes.failed > some, JSON.stringify(outcomes));
  },
);

slow(
  "two processes edit one file: no acknowledged edit is lost, no reader sees a half",
  async () => {
    const lines = (n: number) =>
      Array.from({ length: 400 }, (_, i) => `${"abc"[i % 3]}${i}: ${n}\n`).join("");
    await withWorkspace({ "f": lines(0) }, async (root) => {
      const path = join(root, "f");
      const at = (name: string) => new URL(`../../${name}`, import.meta.url).href;
      const code = `
      import { edit } from "${at("src/tools/edit/edit.ts")}";
      import { read } from "${at("src/tools/read/read.ts")}";
      import { ToolRunner } from "${at("tests/support/tool_context.ts")}";
      const [root, mine] = Deno.args;
      const runner = new ToolRunner(root);
      let done = 0, told = 0;
      while (done < 15) {
        await runner.run(read, { file_path: "f" });
        const input = { file_path: "f", old_string: mine + ": " + done + "\\n",
          new_string: mine + ": " + (done + 1) + "\\n" };
        const { ok, text } = await runner.run(edit, input);
        if (ok) done++;
        else if (/changed|another program/.test(text)) told++;
        else throw new Error(text);
      }
      console.log(told);`;
      const writers = ["a0", "b1"].map((mine) =>
        new Deno.Command(Deno.execPath(), {
          args: [
            "run",
            "-A",
            "--no-check",
            `data:application/typescript,${encodeURIComponent(code)}`,
            root,
            mine,
          ],
          stdout: "piped",
          stderr: "piped",
        }).output()
      );
      let running = true;
      const reader = (async () => {
        for (let reads = 0;; reads++) {
          const text = await Deno.readTextFile(path);
          assert.equal(text.split("\n").length, 401);
          assert.match(text, /^a0: \d+\nb1: \d+\nc2: 0\n/);
          assert.ok(text.endsWith("\na399: 0\n"));
          if (!running) return reads;
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      })();
      for (const { success, stderr } of await Promise.all(writers)) {
        assert.ok(success, new TextDecoder().decode(stderr));
      }
      running = false;
      await reader;
      assert.match(await Deno.readTextFile(path), /^a0: 15\nb1: 15\n/);
      const names = (await Array.fromAsync(Deno.readDir(root))).map((entry) => entry.name);
      assert.deepEqual(names, ["f"]);
    });
  },
);
