import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { createHistory } from "../../src/session/history.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow } from "../support/soak.ts";

const now = () => new Date("2026-11-20T08:00:00Z");

Deno.test("entries are numbered, kept, and read from behind a cursor", () =>
  withWorkspace({}, (dir) => {
    const at = join(dir, "memory");
    const history = createHistory(at, now, (text) => text.replaceAll("sk-secret", "***"));
    assert.deepEqual(history.read(), []);
    assert.deepEqual(history.recent(), []);
    assert.equal(history.append("one", "s1").cursor, 1);
    assert.equal(history.append("key sk-secret", "s2").cursor, 2);
    assert.deepEqual(createHistory(at, now).read(1), [
      { cursor: 2, timestamp: "2026-11-20T08:00:00.000Z", content: "key ***", session: "s2" },
    ]);
    assert.equal(Deno.statSync(join(at, "history.jsonl")).mode! & 0o777, 0o600);
  }));

Deno.test("a history without a folder is kept in memory", () => {
  const history = createHistory(undefined, now);
  history.append("one", "s");
  history.append("two", "s");
  assert.deepEqual(history.read(1).map(({ content }) => content), ["two"]);
  assert.equal(history.recent().length, 2);
});

slow("the recent entries of a large file are its last ones", () =>
  withWorkspace({}, (dir) => {
    const history = createHistory(dir, now);
    for (let n = 0; n < 300; n++) history.append(`${n} ${"字".repeat(200)}`, "s");
    const recent = history.recent();
    assert.ok(recent.length > 50 && recent.length < 300, String(recent.length));
    assert.equal(recent.at(-1)?.cursor, 300);
    assert.ok(recent.every(({ content }) => !content.includes("\ufffd")));
  }));

Deno.test("a history that cannot be read holds no conversation up, and is no place to write", async () => {
  for (const files of [{ "memory/history.jsonl/x": "" }, { "memory": "a file" }] as Files[]) {
    await withWorkspace(files, (dir) => {
      const history = createHistory(join(dir, "memory"), () => new Date(0));
      assert.deepEqual(history.recent(), []);
      assert.throws(() => history.append("lost", "s"));
      assert.throws(() => history.read());
    });
  }
});

Deno.test("a history that is a link is not written through", () =>
  withWorkspace({ "elsewhere": "mine\n", "memory/.keep": "" }, (dir) => {
    const elsewhere = join(dir, "elsewhere");
    const lock = join(dir, "memory", ".lock");
    Deno.symlinkSync(join(dir, "nothing"), lock);
    assert.throws(() => createHistory(join(dir, "memory"), now).append("x", "s"), /regular/);
    assert.throws(() => Deno.lstatSync(join(dir, "nothing")), Deno.errors.NotFound);
    Deno.removeSync(lock);
    for (const name of ["history.jsonl", "history.jsonl.new"]) {
      const link = join(dir, "memory", name);
      Deno.symlinkSync(elsewhere, link);
      const history = createHistory(join(dir, "memory"), now);
      if (name === "history.jsonl") {
        assert.throws(() => history.append("x", "s"), /not a regular file/);
      } else {
        for (let i = 0; i < 3; i++) history.append("x", "s");
        history.compact(3, 1);
        assert.equal(history.read().length, 1);
      }
      assert.equal(Deno.readTextFileSync(elsewhere), "mine\n", name);
      if (name === "history.jsonl") Deno.removeSync(link);
    }
  }));

Deno.test("compaction leaves the newest entries, and all that is unread", () =>
  withWorkspace({}, (dir) => {
    for (const history of [createHistory(dir, now), createHistory(undefined, now)]) {
      for (let n = 0; n < 20; n++) history.append(String(n), "s");
      history.compact(5, 3);
      assert.deepEqual(history.read().map(({ cursor }) => cursor), [
        ...Array.from({ length: 15 }, (_, i) => i + 6),
      ]);
      history.compact(20, 3);
      assert.deepEqual(history.read().map(({ cursor }) => cursor), [18, 19, 20]);
      assert.equal(history.append("on", "s").cursor, 21);
    }
  }));

Deno.test("whatever a killed writer leaves, every whole entry is read and the next one is kept", () =>
  withWorkspace({}, async (dir) => {
    let run = 0;
    const torn = fc.oneof(
      fc.string(),
      fc.constantFrom('{"cursor":', "{}", "null", '{"cursor":1.5,"content":"x"}', "\n\n", "[1]"),
      fc.uint8Array({ maxLength: 20 }),
    );
    const step = fc.oneof(
      fc.record({ append: fc.string() }),
      fc.record({ torn }),
      fc.record({ compact: fc.nat(5) }),
    );
    await fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const at = join(dir, String(run++));
        const path = join(at, "history.jsonl");
        let kept: string[] = [];
        for (const one of steps) {
          const history = createHistory(at, now);
          if ("append" in one) {
            history.append(one.append, "s");
            kept.push(one.append);
          } else if ("compact" in one) {
            const entries = history.read();
            history.compact(entries.at(-1)?.cursor ?? 0, one.compact);
            // what is no entry may go with the oldest ones
            kept = one.compact === 0 ? [] : kept.slice(-one.compact);
          } else {
            Deno.mkdirSync(at, { recursive: true });
            // a whole line behind an appended part would be an entry nobody appended
            const bytes = typeof one.torn === "string"
              ? new TextEncoder().encode(one.torn)
              : one.torn;
            Deno.writeFileSync(path, bytes, { append: true });
          }
          const read = history.read();
          assert.deepEqual(read.map(({ content }) => content), kept);
          assert.ok(read.every(({ cursor }, i) => i === 0 || cursor > read[i - 1]!.cursor));
        }
      }),
      { numRuns: runs(200) },
    );
  }));

Deno.test("two processes that append at once get numbers of their own and lose nothing", () =>
  withWorkspace({}, async (dir) => {
    const module = new URL("../../src/session/history.ts", import.meta.url).href;
    const program = `import { createHistory } from ${JSON.stringify(module)};
      const history = createHistory(${JSON.stringify(dir)}, () => new Date());
      for (let n = 0; n < 60; n++) history.append(Deno.args[0] + n, Deno.args[0]);`;
    const script = join(dir, "append.ts");
    await Deno.writeTextFile(script, program);
    const runs = await Promise.all(["a", "b"].map((name) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", script, name],
        stderr: "inherit",
      }).output()
    ));
    assert.deepEqual(runs.map(({ code }) => code), [0, 0]);
    const entries = createHistory(dir, now).read();
    assert.deepEqual(
      entries.map(({ cursor }) => cursor),
      Array.from({ length: 120 }, (_, i) => i + 1),
    );
    for (const name of ["a", "b"]) {
      const own = entries.filter(({ session }) => session === name).map(({ content }) => content);
      assert.deepEqual(own, Array.from({ length: 60 }, (_, i) => name + i));
    }
  }));
