import assert from "node:assert/strict";
import { join } from "node:path";
import type { SessionFile } from "../../src/session/store.ts";
import { sessionStore } from "../support/session_store.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const say = (session: SessionFile, text: string) =>
  session.append({ role: "user", text }, { asked: true });

/** Three stored sessions that nobody holds; returns their ids. */
function stored(dir: string): string[] {
  const store = sessionStore(dir);
  return ["one", "two", "three"].map((text) => {
    const session = store.create();
    say(session, text);
    session.close();
    return session.id;
  });
}

/** The list, and how many files of sessions were read for it. */
function listed(dir: string) {
  const { readFileSync } = Deno;
  let reads = 0;
  Deno.readFileSync = (path) => {
    if (String(path).endsWith(".jsonl")) reads++;
    return readFileSync(path);
  };
  try {
    return { list: sessionStore(dir).list(), reads };
  } finally {
    Deno.readFileSync = readFileSync;
  }
}

const rows = (dir: string) => listed(dir).list.map(({ title, turns }) => `${title} ${turns}`);

Deno.test("a list reads the sessions that have changed since the last one, and no others", async () => {
  await withWorkspace({}, (dir) => {
    const [, second] = stored(dir);
    assert.equal(listed(dir).reads, 3);
    const again = listed(dir);
    assert.equal(again.reads, 0);
    const { session } = sessionStore(dir).open(second!);
    say(session, "more");
    session.rename("mine");
    session.close();
    const changed = listed(dir);
    assert.equal(changed.reads, 1);
    const of = ({ list }: typeof changed, id: string) => list.find((one) => one.id === id);
    assert.deepEqual([of(changed, second!)?.turns, of(changed, second!)?.name], [2, "mine"]);
    for (const { id } of again.list.filter(({ id }) => id !== second)) {
      assert.deepEqual(of(changed, id), of(again, id));
    }
    return Promise.resolve();
  });
});

Deno.test("a list tells of a session what is in its file, whatever is done to it", async () => {
  await withWorkspace({}, (dir) => {
    const [first, second, third] = stored(dir);
    assert.deepEqual(rows(dir), ["three 1", "two 1", "one 1"]);
    Deno.removeSync(join(dir, `${third}.jsonl`));
    assert.deepEqual(rows(dir), ["two 1", "one 1"]);
    // another file under the same name
    Deno.copyFileSync(join(dir, `${first}.jsonl`), join(dir, `${third}.jsonl`));
    Deno.renameSync(join(dir, `${second}.jsonl`), join(dir, `${first}.jsonl`));
    assert.deepEqual(rows(dir).toSorted(), ["one 1", "two 1"]);
    const { session } = sessionStore(dir).open(first!);
    assert.equal(sessionStore(dir).list().find(({ id }) => id === first)?.busy, true);
    session.close();
    assert.equal(sessionStore(dir).list().find(({ id }) => id === first)?.busy, undefined);
    return Promise.resolve();
  });
});

Deno.test("what is kept for lists and is damaged, of another make, or cannot be written is done without", async () => {
  await withWorkspace({}, async (dir) => {
    const ids = stored(dir);
    const expected = listed(dir).list;
    const path = join(dir, "infos.json");
    const kept = Deno.readTextFileSync(path);
    const { sessions } = JSON.parse(kept);
    const spoilt = { ...sessions, [ids[0]!]: { ...sessions[ids[0]!], info: { id: ids[0] } } };
    for (
      const text of [
        kept.slice(0, -9),
        "",
        "null",
        "[]",
        kept.replace('"version":1', '"version":0'),
        JSON.stringify({ version: 1, sessions: spoilt }),
        JSON.stringify({ version: 1, sessions: null }),
      ]
    ) {
      Deno.writeTextFileSync(path, text);
      assert.deepEqual(listed(dir).list, expected, text.slice(0, 40));
      assert.equal(Deno.readTextFileSync(path), kept);
    }
    if (Deno.build.os !== "windows") assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    await Deno.remove(path);
    await Deno.mkdir(join(path, "in the way"), { recursive: true });
    assert.deepEqual(listed(dir).list, expected);
    assert.deepEqual([...Deno.readDirSync(dir)].filter(({ name }) => name.endsWith(".tmp")), []);
  });
});

Deno.test("a list that came with the folder, of sessions that changed at another time, hides and renames none", async () => {
  await withWorkspace({}, (dir) => {
    stored(dir);
    const expected = listed(dir).list;
    const path = join(dir, "infos.json");
    const { version, sessions } = JSON.parse(Deno.readTextFileSync(path));
    for (const known of Object.values<{ stamp: string; info: object }>(sessions)) {
      const [size, written, changed, node] = known.stamp.split("-").map(Number);
      known.stamp = [size, written, changed! - 1000, node].join("-");
      known.info = { ...known.info, title: "theirs", messages: 0 };
    }
    Deno.writeTextFileSync(path, JSON.stringify({ version, sessions }));
    assert.deepEqual(listed(dir).list, expected);
    return Promise.resolve();
  });
});

Deno.test("a deleted session leaves nothing in the list's own file", async () => {
  await withWorkspace({}, async (dir) => {
    const [first, second] = stored(dir);
    const store = sessionStore(dir);
    store.list();
    store.remove(first!);
    const kept = await Deno.readTextFile(join(dir, "infos.json"));
    assert.ok(!kept.includes(first!) && !kept.includes('"one"'), kept);
    assert.ok(kept.includes(second!));
  });
});

Deno.test("what is no file, or too large, in the place of the list's own file is not read", async () => {
  await withWorkspace({}, async (dir) => {
    stored(dir);
    const path = join(dir, "infos.json");
    const plant: readonly (() => void)[] = [
      () => new Deno.Command("mkfifo", { args: [path] }).outputSync(),
      () => Deno.symlinkSync("/dev/zero", path),
      () => Deno.truncateSync(path, 3e9),
    ];
    for (const [at, put] of plant.entries()) {
      if (at < 2) await Deno.remove(path).catch(() => {});
      put();
      assert.equal(sessionStore(dir).list().length, 3);
    }
  });
});
