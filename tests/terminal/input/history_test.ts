import assert from "node:assert/strict";
import { join } from "node:path";
import { type Entry, History, historyFile } from "../../../src/terminal/input/history.ts";
import { secretsOf } from "../../support/parts.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const texts = (history: History) => {
  const all: string[] = [];
  for (let at = 0; history.at(at); at++) all.push(history.at(at)!.text);
  return all;
};

async function reread(path: string): Promise<string[]> {
  const history = new History(historyFile({ path, write: false }));
  await history.load();
  return texts(history);
}

Deno.test("equal lines are folded, the newest stays; private and empty ones are not kept", () => {
  const history = new History();
  for (const text of ["a", "b", "a", " secret", "", "  "]) history.add({ text });
  assert.deepEqual(texts(history), ["a", "b"]);
});

Deno.test("lines come back in the next session, behind what was typed before they were there", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "deep", "history.jsonl");
    const first = new History(historyFile({ path, write: true }));
    const pasted: Entry = { text: "see [paste #1 +12 lines]", pastes: { 1: "a\n中\u0000" } };
    first.add({ text: "old" });
    first.add(pasted);
    first.add({ text: " secret" });
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(join(root, "deep"))).mode! & 0o777, 0o700);

    const second = new History(historyFile({ path, write: true }));
    second.add({ text: "early" });
    await second.load();
    assert.deepEqual(texts(second), ["early", pasted.text, "old"]);
    assert.deepEqual(second.at(1), pasted);
    assert.ok(!(await Deno.readTextFile(path)).includes("secret"));
  });
});

Deno.test("without a session nothing is written, and the old lines are there", async () => {
  await withWorkspace({ "h": '{"text":"old"}\n' }, async (root) => {
    const path = join(root, "h");
    const history = new History(historyFile({ path, write: false }));
    await history.load();
    history.add({ text: "new" });
    assert.deepEqual(texts(history), ["new", "old"]);
    assert.equal(await Deno.readTextFile(path), '{"text":"old"}\n');
  });
});

Deno.test("a line that cannot be read is passed over, a missing file is an empty history", async () => {
  const bad = [
    "{torn",
    "null",
    "[]",
    '{"text":5}',
    '{"text":"x","pastes":{"1":2}}',
    '{"text":"x","pastes":null}',
    "\xff",
    '{"text":"good"}',
  ].join("\n");
  await withWorkspace({ "h": bad }, async (root) => {
    assert.deepEqual(await reread(join(root, "h")), ["good"]);
    assert.deepEqual(await reread(join(root, "none")), []);
  });
});

Deno.test("a folder that cannot be written keeps nothing and disturbs nobody", () => {
  new History(historyFile({ path: "/proc/none/history.jsonl", write: true })).add({ text: "x" });
});

Deno.test("several narnats that append and shorten at the same time lose no new line", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "h");
    const old = JSON.stringify({ text: "x".repeat(1000) }) + "\n";
    await Deno.writeTextFile(path, old.repeat(2500));
    const script = `
      import { historyFile } from "${
      import.meta.resolve("../../../src/terminal/input/history.ts")
    }";
      const store = historyFile({ path: ${JSON.stringify(path)}, write: true });
      for (let i = 0; i < 100; i++) {
        if (i % 25 === 0) await store.load();
        store.append({ text: Deno.args[0] + i });
      }`;
    await Deno.writeTextFile(join(root, "run.ts"), script);
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    const runs = ["a", "b", "c"].map((name) =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "--no-check",
          "--no-lock",
          "--config",
          config,
          join(root, "run.ts"),
          name,
        ],
      }).output()
    );
    for (const run of runs) {
      const { code, stderr } = await run;
      assert.equal(code, 0, new TextDecoder().decode(stderr));
    }
    assert.ok((await Deno.stat(path)).size < 2_000_000, "it was shortened");
    const text = await Deno.readTextFile(path);
    for (const name of ["a", "b", "c"]) {
      for (let i = 0; i < 100; i++) assert.ok(text.includes(`"${name}${i}"`), name + i);
    }
  });
});

slow(
  "a history is bounded, in memory and in each line of the file; a huge paste loses its end",
  async () => {
    await withWorkspace({}, async (root) => {
      const path = join(root, "h");
      const history = new History(historyFile({ path, write: true }));
      const text = "huge [paste #1 +9 lines] [paste #2]";
      history.add({ text, pastes: { 1: "中".repeat(600_000), 2: "short" } });
      const huge = (await Deno.readTextFile(path)).trimEnd();
      assert.ok(huge.length < 500_000);
      const kept = JSON.parse(huge) as Entry;
      assert.equal(kept.text, text);
      assert.match(kept.pastes!["1"]!, /^中{50000,}\n…$/);
      assert.equal(kept.pastes!["2"], "short");
      for (let i = 0; i < 1100; i++) history.add({ text: `line ${i}` });
      assert.equal(texts(history).length, 1000);
      assert.equal((await reread(path)).length, 1000);
    });
  },
);

Deno.test("a key is masked in the file, in a line and in a paste, and stays in this session's line", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "h");
    const key = 'my"Key-1';
    const history = new History(
      historyFile({ path, write: true, redactAlways: secretsOf({ api_key: key }).redactAlways }),
    );
    history.add({
      text: `use ${key} [paste #1 +9 lines]`,
      pastes: { 1: "TOKEN=ghp_0123456789abcdefghij0123456789abcdef" },
    });
    const stored = JSON.parse(await Deno.readTextFile(path));
    assert.deepEqual(stored, {
      text: "use «secret:api_key» [paste #1 +9 lines]",
      pastes: { 1: "TOKEN=«secret:github-token:6f7909»" },
    });
    assert.deepEqual(texts(history), [`use ${key} [paste #1 +9 lines]`]);
  });
});

Deno.test("the same line twice in a row is stored once, in the next session too", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "h");
    const first = new History(historyFile({ path, write: true }));
    for (const text of ["a", "b", "b"]) first.add({ text });
    const second = new History(historyFile({ path, write: true }));
    await second.load();
    second.add({ text: "b" });
    second.add({ text: "a" });
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    assert.deepEqual(lines.map((line) => (JSON.parse(line) as Entry).text), ["a", "b", "a"]);
    assert.deepEqual(texts(second), ["a", "b"]);
  });
});
