import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Message } from "../../src/base/types.ts";
import { pairCalls } from "../../src/session/state.ts";
import { SessionBusy, type SessionFile, SessionStore } from "../../src/session/store.ts";
import { eventually } from "../support/processes.ts";
import { sessionStore } from "../support/parts.ts";
import { slow } from "../support/soak.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const user = (text: string): Message => ({ role: "user", text });
const answer = (text: string, ...ids: string[]): Message => ({
  role: "assistant",
  text,
  thinking: [],
  calls: ids.map((id) => ({ id, name: "Look", input: "{}" })),
});
const result = (id: string, text = "seen"): Message => ({
  role: "tool",
  id,
  name: "Look",
  ok: true,
  text,
});

Deno.test("a session comes back as it was: messages, turns, todos, seen files, cwd, usage, name", async () => {
  await withWorkspace({}, (root) => {
    const store = sessionStore(root);
    const session = store.create();
    session.append(user("你好\nsecond line"), { asked: true });
    session.append(answer("hm", "a"), { usage: { input: 5, output: 2, cached: 1, cost: 0.5 } });
    session.append(result("a"), {
      seen: [{ path: "/w/x", hash: "h" }],
      todos: [{ content: "c", activeForm: "a", status: "pending" }],
      cwd: "/w/sub",
    });
    session.rename("mine");
    session.close();
    const { session: again, bad } = store.open(session.id);
    assert.equal(bad, 0);
    assert.deepEqual(again.messages, session.messages);
    assert.equal(again.turns, 1);
    assert.equal(again.name, "mine");
    assert.equal(again.cwd, "/w/sub");
    assert.deepEqual([...again.seen.values()], [{ path: "/w/x", hash: "h" }]);
    assert.equal(again.todos[0]!.content, "c");
    assert.deepEqual(again.usage, { input: 5, output: 2, cached: 1, cost: 0.5 });
    assert.equal(again.info.title, "你好");
    again.close();
  });
});

Deno.test("nothing is on disk before the first message", async () => {
  await withWorkspace({}, (root) => {
    sessionStore(root).create();
    assert.deepEqual([...Deno.readDirSync(root)], []);
  });
});

Deno.test("an unreadable line in the middle is skipped and counted, the rest stays", async () => {
  await withWorkspace({}, (root) => {
    const store = sessionStore(root);
    const session = store.create();
    session.append(user("one"), { asked: true });
    session.append(answer("", "a"));
    session.append(result("a"));
    session.append(answer("two"));
    session.close();
    const path = join(root, `${session.id}.jsonl`);
    const lines = Deno.readTextFileSync(path).split("\n");
    lines[3] = lines[3]!.replace('"id"', '"id');
    Deno.writeTextFileSync(path, lines.join("\n"));
    const { session: again, bad } = store.open(session.id);
    assert.equal(bad, 1);
    assert.deepEqual(again.messages.map((m) => m.text), ["one", "", "interrupted", "two"]);
    again.close();
  });
});

slow("a second opener of the same session is refused, also from another process", async () => {
  await withWorkspace({}, async (root) => {
    const store = sessionStore(root);
    const session = store.create();
    session.append(user("one"));
    const code = `const f = Deno.openSync(${
      JSON.stringify(join(root, `${session.id}.jsonl`))
    }, {read: true, write: true}); console.log(f.tryLockSync(true))`;
    const other = await new Deno.Command(Deno.execPath(), { args: ["eval", code] }).output();
    assert.equal(new TextDecoder().decode(other.stdout).trim(), "false");
    assert.throws(() => store.remove(session.id), SessionBusy);
    session.close();
    store.remove(session.id);
    assert.deepEqual(store.list(), []);
  });
});

Deno.test("find() takes an id, a unique beginning, a name or a number of the list", async () => {
  await withWorkspace({}, (root) => {
    const store = sessionStore(root);
    const ids = ["first", "second"].map((text) => {
      const session = store.create();
      session.append(user(text));
      session.rename(`the ${text}`);
      session.close();
      return session.id;
    });
    assert.deepEqual(store.list().map((info) => info.title), ["second", "first"]);
    assert.equal(store.find(ids[0]!)?.id, ids[0]);
    assert.equal(store.find("the second")?.id, ids[1]);
    assert.equal(store.find("2")?.id, ids[0]);
    assert.equal(store.find("20"), undefined, "an ambiguous beginning is nobody");
    assert.equal(store.find("../../etc/passwd"), undefined);
  });
});

Deno.test("retract takes the last message and its turn back", () => {
  const session = sessionStore(undefined).create();
  session.append(user("one"), { asked: true });
  session.append(answer("x"));
  session.append(user("two"), { asked: true });
  session.retract();
  assert.equal(session.turns, 1);
  assert.deepEqual(session.messages.map((m) => m.text), ["one", "x"]);
});

Deno.test("pairCalls gives every call exactly one result next to it, whatever it is given", () => {
  const id = fc.constantFrom("a", "b", "c");
  const message = fc.oneof(
    id.map(() => user("u")),
    fc.uniqueArray(id, { maxLength: 3 }).map((ids) => answer("t", ...ids)),
    id.map((x) => result(x)),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const out = pairCalls(messages, "gone");
      for (let i = 0; i < out.length;) {
        const at = out[i]!;
        assert.notEqual(at.role, "tool");
        const ids = at.role === "assistant" ? at.calls.map((call) => call.id) : [];
        const answers = out.slice(i + 1, i + 1 + ids.length);
        assert.deepEqual(answers.map((m) => m.role === "tool" && m.id), ids);
        i += 1 + ids.length;
      }
      assert.deepEqual(pairCalls(out, "again"), out);
      const spoken = (list: readonly Message[]) => list.filter((m) => m.role !== "tool");
      assert.deepEqual(spoken(out), spoken(messages));
    }),
  );
});

slow("a session in use is refused in the user's language, and marked in the list", async () => {
  await withWorkspace({}, async (root) => {
    for (
      const [t, text] of [[english, /another narnat/], [chinese, /另一个 narnat 正在使用/]] as const
    ) {
      const dir = `${root}/${t.lang}`;
      const now = () => new Date("2026-11-20T08:00:00Z");
      const store = new SessionStore({ dir, workspace: "/w", t, now, random: () => 0.5 });
      const session = store.create();
      session.append({ role: "user", text: "one" }, { asked: true });
      assert.equal(store.list()[0]!.busy, true);
      assert.throws(() => store.open(session.id), text);
      session.close();
      // a process that is just being started holds all files for a moment
      assert.ok(await eventually(() => store.list()[0]!.busy === undefined));
    }
  });
});

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
