import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { createFileSearch, newKept } from "../../src/search/file_search.ts";
import { mergeParts } from "../../src/search/found.ts";
import { encodeText } from "../../src/files/text_file.ts";
import {
  asRipgrep,
  comparable,
  fileText,
  grepQuery,
  pattern,
  queryOptions,
  ripgrep,
  search,
} from "./judge.ts";
import { threadMs } from "../support/processes.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow } from "../support/soak.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Searches all files, in pieces of many sizes, and checks that the size does not matter. */
async function shown(
  files: Files,
  patterns: string | readonly string[],
  more: Parameters<typeof grepQuery>[2] = {},
): Promise<string[]> {
  return await withWorkspace(files, (root) => {
    const query = grepQuery(root, patterns, more);
    const [first, ...others] = [1 << 20, 3, 4, 7, 16, 50].map((pieceBytes) =>
      asRipgrep(query, search(query, Object.keys(files), { pieceBytes }))
    );
    for (const other of others) assert.deepEqual(other, first);
    return first!.map((line) => line.replace("\0", " "));
  });
}

slow("the search finds what ripgrep finds, whatever the size of the pieces", async (t) => {
  const sizes = fc.constantFrom(1 << 20, 16, 64, 300);
  const patterns = fc.array(pattern, { minLength: 1, maxLength: 2 });
  const queries = fc.array(fc.tuple(patterns, queryOptions, fc.boolean(), sizes), {
    minLength: 8,
    maxLength: 8,
  });
  const trees = fc.array(fileText, { minLength: 1, maxLength: 6 });
  let compared = 0;
  for (
    const [texts, asked] of fc.sample(fc.tuple(trees, queries), { numRuns: runs(15), seed: 7 })
  ) {
    const files = Object.fromEntries(texts.map((text, i) => [`f${i}.txt`, text]));
    await withWorkspace(files, async (root) => {
      for (const [patterns, more, literal, pieceBytes] of asked) {
        const query = grepQuery(root, patterns, { ...more, literal });
        if (!comparable(query)) continue;
        const wanted = await ripgrep(query);
        if (!wanted) return;
        const found = search(query, Object.keys(files), { pieceBytes, parts: 2 });
        assert.deepEqual(asRipgrep(query, found), wanted, JSON.stringify(query));
        compared++;
      }
    });
  }
  if (compared === 0) {
    await t.step({ name: "ripgrep is not here to judge", ignore: true, fn() {} });
  }
});

Deno.test("context stands around matches, each line once, across pieces too", async () => {
  const files = { "a": "1\nx2\n3\nx4\n5\n6\n7\nx8", "b": "no\r\nyes x\r\n" };
  assert.deepEqual(await shown(files, "x", { before: 1, after: 1 }), [
    "a 1-1",
    "a 2:x2",
    "a 3-3",
    "a 4:x4",
    "a 5-5",
    "a 7-7",
    "a 8:x8",
    "b 1-no",
    "b 2:yes x",
  ]);
  assert.deepEqual(await shown(files, "x8", { before: 3 }), ["a 5-5", "a 6-6", "a 7-7", "a 8:x8"]);
  assert.deepEqual(await shown(files, "x2", { after: 100 }), [
    "a 2:x2",
    ...["3-3", "4-x4", "5-5", "6-6", "7-7", "8-x8"].map((line) => `a ${line}`),
  ]);
});

Deno.test("offset and limit choose matches by path and line, whatever order the files come in", async () => {
  const names = Array.from({ length: 30 }, (_, i) => `f${String(i).padStart(2, "0")}`);
  const files = Object.fromEntries(
    names.map((name, i) => [name, `head\n${`x ${name}\nlow\n`.repeat(i % 4)}`]),
  );
  await withWorkspace(files, (root) => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(names, { minLength: names.length }),
        fc.nat(50),
        fc.nat(20),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(2),
        fc.nat(2),
        fc.constantFrom("content", "files", "count"),
        (paths, offset, limit, parts, before, after, mode) => {
          const options = { offset, limit, before, after, mode } as const;
          const found = search(grepQuery(root, "^x", options), paths, { parts });
          const all = search(grepQuery(root, "^x", { ...options, offset: 0, limit: 1e6 }), names);
          assert.equal(found.matches, mode === "files" ? 22 : 43);
          assert.equal(found.matchedFiles, 22);
          assert.deepEqual(found.files, all.files.slice(offset, offset + limit));
          const matches = all.lines.filter((line) => line.match).slice(offset, offset + limit);
          assert.deepEqual(found.lines.filter((line) => line.match), matches);
          const near = all.lines.filter((line) =>
            matches.some((match) =>
              match.path === line.path && line.line >= match.line - before &&
              line.line <= match.line + after
            )
          );
          const place = ({ path, line, text }: typeof near[number]) => `${path} ${line} ${text}`;
          assert.deepEqual(found.lines.map(place), near.map(place));
        },
      ),
      { numRuns: runs(150) },
    );
  });
});

Deno.test("what one search holds is bounded by what can be shown", async () => {
  const names = Array.from({ length: 500 }, (_, i) => `f${String(i).padStart(3, "0")}`);
  const files = Object.fromEntries(names.map((name) => [name, "x\n".repeat(40)]));
  await withWorkspace(files, (root) => {
    const query = grepQuery(root, "x", { limit: 50, offset: 10 });
    for (const order of [names, names.toReversed()]) {
      const one = createFileSearch(query, () => false);
      for (const name of order) one.file(join(root, name), name);
      const part = structuredClone(one.result());
      assert.deepEqual(part.files.map((file) => file.path), ["f000", "f001"]);
      const found = mergeParts(query, [part]);
      assert.deepEqual([found.matches, found.matchedFiles, found.searched], [20_000, 500, 500]);
      assert.equal(found.lines.length, 50);
      assert.deepEqual(found.lines[0], {
        path: "f000",
        line: 11,
        text: "x",
        match: true,
        skipped: 0,
      });
      assert.equal(found.rest.length, 0);
      assert.deepEqual([found.lines[49]!.path, found.lines[49]!.line], ["f001", 20]);
    }
  });
});

Deno.test("text is found in every encoding", async () => {
  const text = "第一行：这里是普通的文字内容\n查找这里的数据 needle\n再来一行文字结束\n".repeat(3);
  const coded = (encoding: "gb18030" | "utf-16le" | "utf-16be" | "utf-8", bom: boolean) =>
    encodeText(text, { encoding, bom });
  const files = {
    "a-utf8": text,
    "b-bom": coded("utf-8", true),
    "c-gbk": coded("gb18030", false),
    "d-utf16le": coded("utf-16le", true),
    "e-utf16be": coded("utf-16be", true),
  };
  for (
    const wanted of ["查找这里", "^查找", "needle", "据 n\\w+$", "[一-龥]{7} needle", "NEEDLE$"]
  ) {
    await withWorkspace(files, (root) => {
      for (const pieceBytes of [1 << 20, 1000, 100]) {
        const query = grepQuery(root, wanted, { ignoreCase: true, before: 1 });
        const found = search(query, Object.keys(files), { pieceBytes });
        assert.equal(found.lines.length, 30, wanted);
        for (const { line, text, match } of found.lines) {
          assert.equal(match, line % 3 === 2);
          assert.equal(text, match ? "查找这里的数据 needle" : "第一行：这里是普通的文字内容");
        }
      }
    });
  }
});

Deno.test("a mark at the beginning is not part of the first line", async () => {
  const files = {
    "a": utf8("\ufeffone\ntwo\n"),
    "b": encodeText("one\n", { encoding: "utf-16le", bom: true }),
  };
  assert.deepEqual(await shown(files, "^one$"), ["a 1:one", "b 1:one"]);
});

Deno.test("a letter of another encoding is not taken for ASCII bytes, and is found by its name", async () => {
  // 0x5c and 0x7c are second bytes of two-byte characters here
  const text = "這裡有中文字符和其他的內容，繁体乗乘傢俱也有\n丂丄丅 誠\\心\n".repeat(4);
  const files = { "gbk": encodeText(text, { encoding: "gb18030", bom: false }) };
  await withWorkspace(files, (root) => {
    const count = (wanted: string) =>
      search(grepQuery(root, wanted, { literal: true }), ["gbk"]).matches;
    assert.equal(count("\\"), 4);
    assert.equal(count("|"), 0);
    assert.equal(count("丂"), 4);
  });
});

Deno.test("bytes that are no UTF-8 match nothing, and the lines around them do", async () => {
  const files = {
    "a": Uint8Array.from([...utf8("中文中文中文 foo "), 0xff, ...utf8("bar\nfoo\n")]),
  };
  assert.deepEqual(await shown(files, "foo"), ["a 1:中文中文中文 foo \ufffdbar", "a 2:foo"]);
  assert.deepEqual(await shown(files, "foo .bar"), []);
  assert.deepEqual(await shown(files, "^[^x]*$"), ["a 2:foo"]);
});

Deno.test("a NUL near the beginning makes a file binary; a later one ends its search", async () => {
  const long = "x line\n".repeat(3000);
  const files = {
    "early": Uint8Array.from([...utf8("x\n"), 0, 0, 0, 1, 2, 0, 0, 0, ...utf8("\nx\n")]),
    "later": utf8(long + "x\0x\nx\n"),
    "quiet": utf8("y\n".repeat(9000) + "\0\ny\n"),
    "only-after": utf8("y\n".repeat(9000) + "\0\nx\n"),
  };
  await withWorkspace(files, (root) => {
    for (const pieceBytes of [1 << 20, 1000]) {
      for (const wanted of ["x", "x\\b", "[x]+"]) {
        const query = grepQuery(root, wanted, { mode: "count" });
        const found = search(query, Object.keys(files), { pieceBytes });
        assert.deepEqual(found.files, [{ path: "later", count: 3000 }]);
        assert.deepEqual([found.binary, found.cut, found.searched], [1, 2, 3]);
      }
    }
  });
});

Deno.test("a huge line is cut around its match", async () => {
  const files = {
    "a": "a".repeat(5000) + "needle" + "b".repeat(5000) + "\n",
    "b": "中".repeat(3000) + "needle" + "😀".repeat(3000),
    "c": "needle" + "c".repeat(500),
    "d": "d".repeat(500) + "needle",
    "e": "e".repeat(394) + "needle",
  };
  for (const wanted of ["needle", "n[e]{2}dle", "(?<=x|.)?needle"]) {
    const lines = await shown(files, wanted);
    for (const [index, line] of lines.entries()) {
      const text = line.slice(line.indexOf(":") + 1);
      assert.ok(text.includes("needle"), line);
      assert.ok(text.isWellFormed());
      assert.ok(text.length <= 402 && text.length >= 399, `${index} ${text.length}`);
    }
    assert.ok(lines[0]!.includes("…a") && lines[0]!.endsWith("b…"));
    assert.ok(lines[2]!.includes(":needle") && lines[2]!.endsWith("c…"));
    assert.ok(lines[3]!.includes("…d") && lines[3]!.endsWith("needle"));
    assert.ok(!lines[4]!.includes("…"));
  }
});

Deno.test("matches over several lines are found, shown whole and counted once", async () => {
  const text = "中\nfunction a(\n  b,\n) {}\nend\nfunction c(\n)\nfunction d() {}\n";
  await withWorkspace({ "a": text, "b": text.replaceAll("\n", "\r\n") }, (root) => {
    const query = grepQuery(root, "function \\w\\([^)]*\\)", { multiline: true, after: 1 });
    const found = search(query, ["a", "b"]);
    assert.deepEqual(
      found.lines.filter((line) => line.path === "a").map((line) => [line.line, line.match]),
      [[2, true], [3, true], [4, true], [5, false], [6, true], [7, true], [8, true]],
    );
    assert.deepEqual([found.matches, found.matchedFiles], [6, 2]);
    const limited = search({ ...query, offset: 1, limit: 1, after: 0 }, ["a", "b"]);
    assert.deepEqual(limited.lines.map((line) => line.line), [6, 7]);
    assert.equal(search({ ...query, mode: "files" }, ["a", "b"]).files.length, 2);
  });
});

Deno.test("a match that begins on the last line of another is shown as its part", async () => {
  const files = { "a": "x a\nb x c\nd\nx\nx e\nf\n" };
  const lines = await shown(files, "x \\w\\n\\w", { multiline: true });
  assert.deepEqual(lines, ["a 1:x a", "a 2:b x c", "a 3:d", "a 5:x e", "a 6:f"]);
  assert.deepEqual(await shown(files, "x \\w\\n\\w", { multiline: true, mode: "count" }), ["a 2"]);
  const second = { multiline: true, offset: 1, limit: 1 };
  assert.deepEqual(await shown(files, "x \\w\\n\\w", second), ["a 5:x e", "a 6:f"]);
});

Deno.test("a long line with a match at each place is gone through once, beside lines with others", async () => {
  const long = "a".repeat(250_000);
  await withWorkspace({ "f": `ab\n${long}\nb\na\n` }, (root) => {
    const look = () => search(grepQuery(root, "a", { multiline: true }), ["f"]);
    let found = look();
    // a second of V8's may be short on a busy machine
    for (let more = 4; found.slow > 0 && more > 0; more--) found = look();
    assert.deepEqual([found.slow, found.lines.map(({ line }) => line)], [0, [1, 2, 4]]);
  });
});

Deno.test("look-around and back-references work, and a catastrophic one is given up for its file", async () => {
  const files = {
    "bomb": `${"a".repeat(40)}b\n`,
    "fine": "aa\nab\nfoobar\n",
  };
  await withWorkspace(files, (root) => {
    const lines = (wanted: string) =>
      search(grepQuery(root, wanted), ["fine"]).lines.map((line) => line.line);
    assert.deepEqual(lines("^(.)\\1$"), [1]);
    assert.deepEqual(lines("foo(?=bar)"), [3]);
    assert.deepEqual(lines("^(?!a)"), [3]);
    const began = performance.now();
    const found = search(grepQuery(root, "^(?=a)(a+)+$"), ["bomb", "fine"]);
    assert.ok(performance.now() - began < 5000);
    assert.equal(found.slow, 1);
    assert.deepEqual(found.lines.map((line) => [line.path, line.line]), [["fine", 1]]);
    const both = `aaa\n${"a".repeat(40)}b\n`;
    Deno.writeTextFileSync(join(root, "both"), both);
    for (const mode of ["content", "count", "files"] as const) {
      const kept = search(grepQuery(root, "^(?=a)(a+)+$", { mode, deadlineMs: 200 }), ["both"]);
      assert.deepEqual([kept.matches, kept.slow], [1, mode === "files" ? 0 : 1]);
    }
    const late = search(grepQuery(root, "^(?=a)(a+)+$", { deadlineMs: 100 }), ["bomb", "fine"]);
    assert.deepEqual([late.slow, late.matches, late.searched], [1, 0, 1]);
  });
});

Deno.test("what cannot be read is counted and not thrown", async () => {
  await withWorkspace({ "a": "x\n", "empty": "" }, async (root) => {
    await Deno.mkdir(join(root, "folder"));
    const found = search(grepQuery(root, "x"), ["a", "empty", "folder", "missing", "bad\0name"]);
    assert.deepEqual([found.matches, found.searched, found.unopened], [1, 2, 3]);
  });
});

Deno.test("an empty line and the end of a file are matched like ripgrep's", async () => {
  const files = { "a": "\n\nx", "b": "x\n", "c": "\r\n", "d": "x\n\n" };
  assert.deepEqual(await shown(files, "^$"), ["a 1:", "a 2:", "c 1:", "d 2:"]);
  assert.deepEqual(await shown(files, ""), [
    "a 1:",
    "a 2:",
    "a 3:x",
    "b 1:x",
    "c 1:",
    "d 1:x",
    "d 2:",
  ]);
  assert.deepEqual(await shown(files, "x$"), ["a 3:x", "b 1:x", "d 1:x"]);
  assert.deepEqual(await shown(files, "x$", { mode: "files" }), ["a", "b", "d"]);
});

Deno.test("what a thread keeps can be used again, also by a pattern of another kind", async () => {
  await withWorkspace({ "a": "one 1\ntwo 22\n查找 333\n" }, (root) => {
    const kept = newKept();
    for (let round = 0; round < 3; round++) {
      for (const [wanted, line] of [["two", 2], ["\\d{3}", 3], ["^[一-龥]+", 3], ["ON[E]", 1]]) {
        const query = grepQuery(root, String(wanted), { ignoreCase: true });
        const one = createFileSearch(query, () => false, { kept });
        one.file(join(root, "a"), "a");
        assert.deepEqual(mergeParts(query, [one.result()]).lines.map((each) => each.line), [line]);
      }
    }
  });
});

Deno.test("a stop inside a large file ends its search soon", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "big");
    using file = await Deno.open(path, { write: true, create: true });
    await file.truncate(1 << 30);
    const line = utf8("some words of a log line 12345 and more\n".repeat(25_000));
    for (let i = 0; i < 50; i++) await file.write(line);
    for (const wanted of ["\\w{30}\\d", "nothing here", "(?<=q)zz", "log [a]"]) {
      let asked = 0;
      let last = 0;
      let longest = 0;
      const stop = () => {
        const now = threadMs();
        if (asked++ > 0) longest = Math.max(longest, now - last);
        last = now;
        return asked > 20;
      };
      const one = createFileSearch(grepQuery(root, wanted), stop);
      one.file(path, "big");
      assert.ok(asked >= 20 && asked < 40, `${wanted}: asked ${asked} times`);
      assert.ok(longest < 500, `${wanted}: ${longest} ms between two looks`);
    }
  });
});

Deno.test("a stop is noticed within a few short files, and for good", async () => {
  await withWorkspace({ "a": "x\n" }, (root) => {
    // V8 may take long for a file, so there each is preceded by a look
    for (const [wanted, most] of [["x", 8], ["x(?!y)", 0]] as const) {
      let stopped = false;
      let asked = 0;
      const stop = () => {
        asked++;
        return stopped;
      };
      const one = createFileSearch(grepQuery(root, wanted), stop);
      const three = () => {
        for (let i = 0; i < 3; i++) one.file(join(root, "a"), "a");
      };
      three();
      assert.equal(one.result().searched, 3);
      assert.ok(asked > 0, wanted);
      stopped = true;
      for (let i = 0; i < 10; i++) three();
      const { searched } = one.result();
      assert.ok(searched <= 3 + most, `${wanted}: ${searched} files`);
      stopped = false;
      three();
      assert.equal(one.result().searched, searched);
    }
  });
});

Deno.test("a file that grows or shrinks while it is read is no error", async () => {
  await withWorkspace({ "a": "x\n".repeat(1000) }, (root) => {
    const path = join(root, "a");
    let asked = 0;
    const one = createFileSearch(grepQuery(root, "x", { limit: 5 }), () => {
      asked++;
      if (asked === 3) Deno.writeTextFileSync(path, "x\n".repeat(10), { append: true });
      if (asked === 6) Deno.truncateSync(path, 500);
      return false;
    }, { pieceBytes: 100 });
    one.file(path, "a");
    const found = one.result();
    assert.deepEqual([found.searched, found.unopened], [1, 0]);
    assert.ok(found.matches >= 250 && found.matches <= 1010);
  });
});
