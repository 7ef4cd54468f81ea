import assert from "node:assert/strict";
import { join } from "node:path";
import { PatternError } from "../../src/search/regex/mod.ts";
import { createSearcher, type Searcher } from "../../src/search/mod.ts";
import type { GrepQuery } from "../../src/search/types.ts";
import { encodeText } from "../../src/files/text_file.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const entry = new URL("../../main.ts", import.meta.url).href;
const SEARCH = new URL("../../src/search/mod.ts", import.meta.url).href;
const WORKER = new URL("../../src/search/worker.ts", import.meta.url).href;
const signal = new AbortController().signal;

/** V8 alone knows look-around, and takes for ever here. */
const BOMB = { "bomb.txt": "a".repeat(40) + "b\n" };
const BOMB_PATTERN = "^(?=(a+)+$)";

function grepQuery(root: string, pattern: string, more: Partial<GrepQuery> = {}): GrepQuery {
  return {
    root,
    folder: true,
    patterns: [pattern],
    literal: false,
    ignoreCase: false,
    word: false,
    multiline: false,
    mode: "content",
    globs: [],
    types: [],
    before: 0,
    after: 0,
    limit: 50,
    offset: 0,
    deadlineMs: 10_000,
    ...more,
  };
}

async function withSearcher(
  files: Files,
  use: (root: string, searcher: Searcher) => Promise<void>,
  options: { entry: string; workers?: number; hereMs?: number } = { entry },
): Promise<void> {
  const searcher = createSearcher(options);
  try {
    await withWorkspace(files, (root) => use(root, searcher));
  } finally {
    searcher.close();
  }
}

const shown = (lines: readonly { path: string; line: number; text: string; match: boolean }[]) =>
  lines.map(({ path, line, text, match }) => `${path}${match ? ":" : "-"}${line} ${text}`);

Deno.test("grep gives path, line and text, and context without repeating a line", async () => {
  const files = { "a.txt": "1\nx2\n3\nx4\n5\n6\n7\nx8", "b/c.txt": "no\r\nyes x\r\n" };
  await withSearcher(files, async (root, searcher) => {
    const found = await searcher.grep(grepQuery(root, "x", { before: 1, after: 1 }), signal);
    assert.deepEqual(shown(found.lines), [
      "a.txt-1 1",
      "a.txt:2 x2",
      "a.txt-3 3",
      "a.txt:4 x4",
      "a.txt-5 5",
      "a.txt-7 7",
      "a.txt:8 x8",
      "b/c.txt-1 no",
      "b/c.txt:2 yes x",
    ]);
    assert.deepEqual([found.matches, found.matchedFiles, found.searched], [4, 2, 2]);
  });
});

Deno.test("grep finds Chinese text in every encoding and skips binary", async () => {
  const text = "第一行\n查找这里\n";
  const files = {
    "gbk.txt": encodeText(text, { encoding: "gb18030", bom: false }),
    "utf16.txt": encodeText(text, { encoding: "utf-16le", bom: true }),
    "utf8.txt": text,
    "bom.txt": encodeText("查找这里", { encoding: "utf-8", bom: true }),
    "data.bin": Uint8Array.from([0, 1, 2, ...new TextEncoder().encode("查找这里")]),
  };
  await withSearcher(files, async (root, searcher) => {
    const found = await searcher.grep(grepQuery(root, "^查找"), signal);
    assert.deepEqual(shown(found.lines), [
      "bom.txt:1 查找这里",
      "gbk.txt:2 查找这里",
      "utf16.txt:2 查找这里",
      "utf8.txt:2 查找这里",
    ]);
    assert.equal(found.binary, 1);
  });
});

Deno.test("files and counts come with their totals, beyond the limit too", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`f${String(i).padStart(2, "0")}.txt`, "x\n".repeat(i)]),
  );
  await withSearcher(files, async (root, searcher) => {
    const count = await searcher.grep(grepQuery(root, "x", { mode: "count", limit: 2 }), signal);
    assert.deepEqual(count.files, [
      { path: "f01.txt", count: 1 },
      { path: "f02.txt", count: 2 },
    ]);
    assert.deepEqual([count.matches, count.matchedFiles], [66, 11]);
    const query = grepQuery(root, "x", { mode: "files", limit: 2, offset: 9 });
    const names = await searcher.grep(query, signal);
    assert.deepEqual(names.files.map((file) => file.path), ["f10.txt", "f11.txt"]);
    assert.equal(names.matchedFiles, 11);
  });
});

Deno.test("globs and types choose the files, and prune the walk", async () => {
  const files = { "a.ts": "x", "a.js": "x", "src/b.ts": "x", "src/c_test.ts": "x", "d.py": "x" };
  await withSearcher(files, async (root, searcher) => {
    const names = async (more: Partial<GrepQuery>) =>
      (await searcher.grep(grepQuery(root, "x", { mode: "files", ...more }), signal)).files
        .map((file) => file.path);
    assert.deepEqual(await names({ globs: ["*.ts"] }), ["a.ts", "src/b.ts", "src/c_test.ts"]);
    assert.deepEqual(await names({ globs: ["src/**", "!*_test.ts"] }), ["src/b.ts"]);
    assert.deepEqual(await names({ globs: ["*.{js,py}"] }), ["a.js", "d.py"]);
    assert.deepEqual(await names({ types: ["*.py"] }), ["d.py"]);
    assert.deepEqual(await names({ globs: ["/*.ts"] }), ["a.ts"]);
  });
});

Deno.test("multiline matches span lines and count once", async () => {
  const files = { "a.txt": "function a(\n  b,\n) {}\nend\nfunction c(\n)\n" };
  await withSearcher(files, async (root, searcher) => {
    const query = grepQuery(root, "function \\w\\([^)]*\\)", { multiline: true });
    const found = await searcher.grep(query, signal);
    assert.deepEqual(found.lines.map((line) => line.line), [1, 2, 3, 5, 6]);
    assert.equal(found.matches, 2);
  });
});

slow("a file larger than one read is searched whole, context across the border too", async () => {
  const lines = Array.from({ length: 200_000 }, (_, i) => `line ${i + 1} ${"-".repeat(20)}`);
  const hits = lines.map((_, i) => i + 1).filter((n) => String(n).endsWith("7777"));
  await withSearcher({ "big.log": lines.join("\n") }, async (root, searcher) => {
    const query = grepQuery(root, "line \\d*7777 ", { before: 2, after: 2, limit: 1000 });
    const found = await searcher.grep(query, signal);
    assert.deepEqual(found.lines.filter((line) => line.match).map((line) => line.line), hits);
    for (const line of found.lines) assert.equal(line.text, lines[line.line - 1]);
    assert.equal(found.lines.length, hits.length * 5);
    const every = await searcher.grep(
      grepQuery(root, "line", { before: 2, after: 2, offset: 100_000, limit: 100_000 }),
      signal,
    );
    assert.deepEqual([every.matches, every.lines.length], [200_000, 100_002]);
    for (const line of every.lines) assert.equal(line.text, lines[line.line - 1]);
  });
});

Deno.test("glob lists newest first with the true total", async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`d/${i}.txt`, ""]));
  await withSearcher(files, async (root, searcher) => {
    for (let i = 0; i < 30; i++) await Deno.utime(join(root, `d/${i}.txt`), 1e9, 1e9 + i);
    const query = { root, patterns: ["**/*.txt"], hidden: false, limit: 3, deadlineMs: 10_000 };
    const found = await searcher.glob(query, signal);
    assert.deepEqual(found.files, ["d/29.txt", "d/28.txt", "d/27.txt"]);
    assert.equal(found.total, 30);
  });
});

Deno.test("a bad pattern is refused with its reason", async () => {
  await withSearcher({ "a": "" }, async (root, searcher) => {
    await assert.rejects(searcher.grep(grepQuery(root, "(a"), signal), PatternError);
  });
});

slow("a catastrophic pattern stops at its deadline and keeps what was found", async () => {
  const files = { "a/a.txt": "aaa\n", "b/bomb.txt": BOMB["bomb.txt"] };
  await withSearcher(files, async (root, searcher) => {
    // on a busy machine the workers' start alone takes longer than the deadline
    await searcher.grep(grepQuery(join(root, "a"), BOMB_PATTERN), signal);
    const query = grepQuery(root, BOMB_PATTERN, { deadlineMs: 600 });
    const found = await searcher.grep(query, signal);
    assert.equal(found.stopped, "deadline");
    assert.deepEqual(shown(found.lines), ["a/a.txt:1 aaa"]);
    const after = await searcher.grep(grepQuery(root, "aaa"), signal);
    assert.equal(after.stopped, undefined);
    assert.equal(after.matches, 2);
  });
});

Deno.test("an abort is answered at once, and the next search is not held up by it", async () => {
  await withSearcher(BOMB, async (root, searcher) => {
    await searcher.grep(grepQuery(root, "warm"), signal);
    const stop = new AbortController();
    const running = searcher.grep(grepQuery(root, BOMB_PATTERN, { deadlineMs: 4000 }), stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = performance.now();
    stop.abort(new Error("stop"));
    await assert.rejects(running, /stop/);
    assert.ok(performance.now() - began < 1000);
    const found = await searcher.grep(grepQuery(root, "ab"), signal);
    assert.equal(found.matches, 1);
    assert.ok(performance.now() - began < 3000);
  });
});

Deno.test("a search after an aborted one that still holds its worker has a fresh one", async () => {
  await withWorkspace({ "a.txt": "x\n" }, async (root) => {
    const said = JSON.stringify(join(root, "said"));
    // the first worker is deaf for three seconds once it is asked something
    await Deno.writeTextFile(
      join(root, "deaf.js"),
      `const say = (text) => Deno.writeTextFileSync(${said}, text, { append: true });
      say("start ");
      const { start } = await import(${JSON.stringify(WORKER)});
      start();
      if (Deno.readTextFileSync(${said}) === "start ") {
        onmessage = () => {
          say("deaf ");
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
        };
      }`,
    );
    const searcher = createSearcher({
      entry: `file://${join(root, "deaf.js")}`,
      workers: 1,
      hereMs: 0,
    });
    try {
      const stop = new AbortController();
      const query = grepQuery(root, "x", { globs: ["*.txt"] });
      const running = searcher.grep(query, stop.signal);
      running.catch(() => {});
      const heard = () => Deno.readTextFile(join(root, "said")).catch(() => "");
      while (!(await heard()).includes("deaf")) await new Promise((r) => setTimeout(r, 10));
      stop.abort(new Error("stop"));
      await assert.rejects(running, /stop/);
      for (let i = 0; i < 5; i++) {
        const found = await searcher.grep(query, signal);
        assert.deepEqual([found.matches, found.stopped], [1, undefined]);
      }
      assert.equal(await heard(), "start deaf start ");
    } finally {
      searcher.close();
    }
  });
});

slow(
  "a worker that never answers is given up after the deadline, and again if need be",
  async () => {
    const hung = "data:text/javascript,postMessage({ready:true});onmessage=()=>{}";
    await withSearcher({ "a.txt": "x\n" }, async (root, searcher) => {
      for (let i = 0; i < 4; i++) {
        const began = performance.now();
        const found = await searcher.grep(grepQuery(root, "x", { deadlineMs: 10 }), signal);
        assert.deepEqual([found.matches, found.stopped], [0, "deadline"]);
        assert.ok(performance.now() - began < 10_000);
      }
    }, { entry: hung, hereMs: 0 });
  },
);

Deno.test("workers that crash are started three times, then the search runs here", async () => {
  await withWorkspace({ "a.txt": "x\n" }, async (root) => {
    const starts = join(root, "starts");
    const program = `Deno.writeTextFileSync(${JSON.stringify(starts)}, "x", { append: true });
      postMessage({ ready: true });
      onmessage = () => { throw 1 };`;
    await Deno.writeTextFile(join(root, "crash.js"), program);
    const searcher = createSearcher({
      entry: `file://${join(root, "crash.js")}`,
      workers: 1,
      hereMs: 0,
    });
    try {
      for (let i = 0; i < 5; i++) {
        const found = await searcher.grep(grepQuery(root, "x", { globs: ["a.txt"] }), signal);
        assert.equal(found.matches, 1);
      }
      assert.equal(await Deno.readTextFile(starts), "xxx");
    } finally {
      searcher.close();
    }
  });
});

slow("without a worker, or with one that crashes, the search runs in this thread", async () => {
  const crashing = "data:text/javascript,throw new Error('no')";
  const crashingLater = `data:text/javascript,postMessage({ready:true});onmessage=()=>{throw 1}`;
  for (const broken of [crashing, crashingLater, "not a url"]) {
    await withSearcher({ "a.txt": "x\n", ...BOMB }, async (root, searcher) => {
      const found = await searcher.grep(grepQuery(root, "x"), signal);
      assert.equal(found.matches, 1);
      const bomb = grepQuery(root, BOMB_PATTERN, { deadlineMs: 100 });
      const stopped = await searcher.grep(bomb, signal);
      assert.equal(stopped.stopped, "deadline");
    }, { entry: broken, hereMs: 0 });
  }
});

Deno.test("searches may be asked for side by side", async () => {
  await withSearcher({ "a": "one\n", "b": "two\n" }, async (root, searcher) => {
    const patterns = ["one", "two", "o", "none", "t"];
    const found = await Promise.all(
      patterns.map((pattern) => searcher.grep(grepQuery(root, pattern), signal)),
    );
    assert.deepEqual(found.map((each) => each.matches), [1, 1, 2, 0, 1]);
  });
});

slow("however many workers share a search, the result is the same", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [
      `d${i % 7}/e${i % 31}/f${i}.txt`,
      `one ${i}\n${i % 3 === 0 ? "two\n" : ""}${"x\n".repeat(i % 50)}one two\n`,
    ]),
  );
  await withWorkspace(files, async (root) => {
    const queries = [
      grepQuery(root, "two", { before: 1, after: 1 }),
      grepQuery(root, "^x|one", { limit: 30, offset: 1234 }),
      grepQuery(root, "two$", { mode: "count", limit: 20, offset: 300 }),
      grepQuery(root, "one \\d*7", { mode: "files", limit: 1000, globs: ["d3/**"] }),
    ];
    const results: unknown[][] = [];
    for (const workers of [1, 2, 4]) {
      const searcher = createSearcher({ entry, workers, hereMs: 0 });
      try {
        for (let again = 0; again < 4; again++) {
          results.push(await Promise.all(queries.map((query) => searcher.grep(query, signal))));
        }
      } finally {
        searcher.close();
      }
    }
    for (const options of [{ entry: "not a url", hereMs: 0 }, { entry }, { entry, hereMs: 0.01 }]) {
      const searcher = createSearcher(options);
      results.push(await Promise.all(queries.map((query) => searcher.grep(query, signal))));
      searcher.close();
    }
    for (const result of results) assert.deepEqual(result, results[0]);
  });
});

slow("an abort frees the worker within a moment, inside a large file too", async () => {
  const line = "a line of a large file that holds no needle at all\n";
  await withSearcher(
    { "big.log": line.repeat(1_500_000), "b.txt": "ab\n" },
    async (root, searcher) => {
      const long = grepQuery(root, "\\w{30,}\\d", { limit: 1e6 });
      const started = performance.now();
      await searcher.grep(long, signal);
      const whole = performance.now() - started;
      const waits: number[] = [];
      // one in time is enough on a busy machine
      while (waits.length < 5 && !waits.some((ms) => ms < whole / 4)) {
        const stop = new AbortController();
        searcher.grep(long, stop.signal).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 20));
        stop.abort(new Error("stop"));
        const began = performance.now();
        const found = await searcher.grep(grepQuery(root, "ab", { globs: ["b.txt"] }), signal);
        assert.equal(found.matches, 1);
        waits.push(performance.now() - began);
      }
      assert.ok(waits.some((ms) => ms < whole / 4), `${waits} of ${whole} ms`);
    },
    { entry, workers: 1, hereMs: 0 },
  );
});

slow("a walk yields every file once, and ends early when nobody listens", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 700 }, (_, i) => [`folder_${i % 20}/${"long".repeat(20)}_${i}`, ""]),
  );
  for (
    const options of [{ entry }, { entry, hereMs: 0 }, { entry: "not a url", hereMs: 0 }]
  ) {
    await withSearcher({ ...files, ".ignore": "*_7\n" }, async (root, searcher) => {
      const batches: (readonly string[])[] = [];
      for await (const batch of searcher.walk(root, signal)) batches.push(batch);
      assert.ok(batches.length > 1);
      const wanted = [".ignore", ...Object.keys(files).filter((path) => !/_7(\/|$)/.test(path))];
      assert.deepEqual(batches.flat().sort(), wanted.sort());
      for await (const batch of searcher.walk(root, signal)) {
        assert.ok(batch.length > 0);
        break;
      }
      const late = searcher.walk(root, AbortSignal.abort(new Error("stop")));
      await assert.rejects(late.next(), /stop/);
      assert.equal((await searcher.grep(grepQuery(root, "x"), signal)).matches, 0);
    }, options);
  }
});

Deno.test("an abort does not wait for the workers to start", async () => {
  const silent = "data:text/javascript,onmessage=()=>{}";
  await withSearcher({ "a": "" }, async (root, searcher) => {
    const stop = AbortSignal.timeout(20);
    const began = performance.now();
    await assert.rejects(searcher.grep(grepQuery(root, "x"), stop), { name: "TimeoutError" });
    assert.ok(performance.now() - began < 2000);
  }, { entry: silent, hereMs: 0 });
});

Deno.test("changes between searches are seen at once", async () => {
  await withSearcher({ "a.txt": "needle\n", "sub/b.txt": "" }, async (root, searcher) => {
    const count = async () => (await searcher.grep(grepQuery(root, "needle"), signal)).matchedFiles;
    assert.equal(await count(), 1);
    await Deno.writeTextFile(join(root, "sub/b.txt"), "needle\n");
    assert.equal(await count(), 2);
    await Deno.writeTextFile(join(root, "sub/c.txt"), "needle\n");
    assert.equal(await count(), 3);
    await Deno.writeTextFile(join(root, ".gitignore"), "sub\n");
    assert.equal(await count(), 1);
    await Deno.remove(join(root, ".gitignore"));
    await Deno.remove(join(root, "sub"), { recursive: true });
    assert.equal(await count(), 1);
  });
});

Deno.test("warming does not change what is found, and a search does not wait for it", async () => {
  await withSearcher({ "a.txt": "needle\n" }, async (root, searcher) => {
    searcher.warm(root);
    searcher.warm(join(root, "missing"));
    const found = await searcher.grep(grepQuery(root, "needle"), signal);
    assert.deepEqual([found.matches, found.stopped, found.searched], [1, undefined, 1]);
  });
});

Deno.test("after close nothing keeps the process alive", async () => {
  const program = `
    const { createSearcher } = await import(${JSON.stringify(SEARCH)});
    const searcher = createSearcher({ entry: ${JSON.stringify(entry)} });
    searcher.warm(Deno.cwd());
    const query = { root: Deno.cwd(), patterns: ["*"], hidden: false, limit: 9, deadlineMs: 9e3 };
    await searcher.glob(query, new AbortController().signal);
    searcher.close();
    searcher.close();
    console.log("closed");`;
  const file = await Deno.makeTempFile({ suffix: ".mjs" });
  try {
    await Deno.writeTextFile(file, program);
    const config = new URL("../../deno.json", import.meta.url).pathname;
    const { stdout, code } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", config, file],
      signal: AbortSignal.timeout(20_000),
      stderr: "inherit",
    }).output();
    assert.deepEqual([code, new TextDecoder().decode(stdout).trim()], [0, "closed"]);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("closing ends what is under way", async () => {
  await withSearcher(BOMB, async (root, searcher) => {
    await searcher.grep(grepQuery(root, "warm"), signal);
    const running = searcher.grep(grepQuery(root, BOMB_PATTERN, { deadlineMs: 500 }), signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    searcher.close();
    await assert.rejects(running, /closed/);
  });
});
