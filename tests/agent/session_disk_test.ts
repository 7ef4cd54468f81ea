/** A session whose disk fails, and whose file is taken away: it goes on, says so, and loses nothing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Message } from "../../src/base/types.ts";
import type { SessionFile } from "../../src/session/store.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { sessionStore } from "../support/parts.ts";
import { withSmallDisk, withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, tool } from "../support/test_agent.ts";
import { slow } from "../support/soak.ts";

const user = (text: string): Message => ({ role: "user", text });
const texts = (messages: readonly Message[]) => messages.map(({ text }) => text);

/** A session with what is told of its file. */
function begun(dir: string, more: Parameters<typeof sessionStore>[1] = {}) {
  const store = sessionStore(dir, more);
  const session = store.create();
  const told: string[] = [];
  session.onDisk = (text) => void told.push(text);
  session.append(user("one"), { asked: true });
  return { store, session, told, path: join(dir, `${session.id}.jsonl`) };
}

const stored = (dir: string, id: string) => texts(sessionStore(dir).read(id).messages);

Deno.test("on a full disk a session goes on in memory, says so once, and is written when there is room again", async () => {
  await withSmallDisk(256 * 1024, async (disk) => {
    const dir = join(disk.root, "sessions");
    const model = new ScriptedModel((request) =>
      request.messages.at(-1)?.role === "tool"
        ? { text: "done" }
        : { calls: [{ name: "Look", input: { n: request.messages.length } }] }
    );
    const look = tool("Look", () => ({ ok: true, text: "x".repeat(5000) }));
    const t = new TestAgent({ model, dir, tools: [look] });
    await t.say("first");
    const { id } = t.agent.controller.current();
    const before = Deno.readFileSync(join(dir, `${id}.jsonl`));
    disk.fill();
    await t.say("second");
    await t.say("third");
    const warned = t.of("notice").filter(({ level }) => level === "warn").map(({ text }) => text);
    assert.equal(warned.length, 1, warned.join("\n"));
    assert.match(warned[0]!, /Cannot write the session file .*No space left.*goes on in memory/);
    assert.deepEqual(t.of("turn_end").map(({ reason }) => reason), ["done", "done", "done"]);
    const now = Deno.readFileSync(join(dir, `${id}.jsonl`));
    assert.deepEqual(now.slice(0, before.length), before, "what was there is intact");
    const whole = new TextDecoder().decode(now).trimEnd().split("\n");
    for (const line of whole) JSON.parse(line);

    disk.free();
    await t.say("fourth");
    assert.match(t.of("notice").at(-1)!.text, /can be written again/);
    const messages = texts(t.messages);
    assert.deepEqual(messages.filter((text) => /^(?:first|second|third|fourth)$/.test(text)), [
      "first",
      "second",
      "third",
      "fourth",
    ]);
    assert.deepEqual(stored(dir, id), messages, "nothing lost, in order");
    await t.agent.close();
  });
});

slow("a full disk that has room again takes the session before the next word is said", async () => {
  await withSmallDisk(64 * 1024, async (disk) => {
    const { session, told } = begun(disk.root);
    disk.fill();
    // not even the room behind its last line is enough
    session.append(user("y".repeat(8000)), { asked: true });
    assert.equal(told.length, 1);
    disk.free();
    const end = Date.now() + 20_000;
    while (told.length < 2 && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.match(told[1]!, /can be written again/);
    assert.equal(stored(disk.root, session.id).length, 2);
    session.close();
  });
});

Deno.test("what a full disk does not take to the end is kept elsewhere, and said to be", async () => {
  await withSmallDisk(64 * 1024, async (disk) => {
    await withWorkspace({}, (elsewhere) => {
      const last: string[] = [];
      const { session } = begun(disk.root, {
        spare(lines, id) {
          const path = join(elsewhere, `${id}.jsonl`);
          Deno.writeTextFileSync(path, lines);
          return path;
        },
        lastWords: (text) => void last.push(text),
      });
      disk.fill();
      session.append(user("y".repeat(8000)), { asked: true });
      session.close();
      assert.equal(last.length, 1);
      assert.ok(last[0]!.includes(elsewhere), last[0]);
      assert.equal(stored(elsewhere, session.id).length, 2);
      assert.deepEqual(stored(disk.root, session.id), ["one"]);
    });
  });
});

Deno.test("a read-only disk leaves the old file intact; the session is read, goes on, and is written later", async () => {
  await withSmallDisk(256 * 1024, async (disk) => {
    const { session: first, path } = begun(disk.root);
    first.close();
    const before = Deno.readTextFileSync(path);
    await disk.readOnly(true);
    const { session, bad } = sessionStore(disk.root).open(first.id);
    assert.equal(bad, 0);
    session.append(user("two"), { asked: true });
    assert.match(session.takeUntold().join("\n"), /Cannot write the session file .*[Rr]ead-only/);
    assert.equal(Deno.readTextFileSync(path), before);
    await disk.readOnly(false);
    session.append(user("three"), { asked: true });
    assert.deepEqual(stored(disk.root, session.id), ["one", "two", "three"]);
    assert.match(session.takeUntold().join("\n"), /can be written again/);
    session.close();
  });
});

Deno.test("a torn tail does not keep a session from being read on a read-only disk", async () => {
  await withSmallDisk(256 * 1024, async (disk) => {
    const { session: first, path } = begun(disk.root);
    first.close();
    Deno.writeTextFileSync(path, '{"type":"message","ti', { append: true });
    await disk.readOnly(true);
    const { session } = sessionStore(disk.root).open(first.id);
    assert.deepEqual(texts(session.messages), ["one"]);
    session.append(user("two"));
    await disk.readOnly(false);
    session.append(user("three"));
    assert.deepEqual(stored(disk.root, session.id), ["one", "two", "three"]);
    assert.equal(Deno.readTextFileSync(`${path}.torn`), '{"type":"message","ti');
    session.close();
  });
});

Deno.test("what is put aside takes nobody's place: no older tail's, and not that of what a link leads to", async () => {
  await withWorkspace({ "mine.txt": "mine", "other.jsonl.torn": "x" }, (dir) => {
    const { session: first, path } = begun(dir);
    first.close();
    Deno.symlinkSync("mine.txt", `${path}.torn`);
    for (const tail of ["first tail", "second tail"]) {
      Deno.writeTextFileSync(path, tail, { append: true });
      const { session } = sessionStore(dir).open(first.id);
      session.append(user("more"));
      session.close();
    }
    assert.equal(Deno.readTextFileSync(join(dir, "mine.txt")), "mine");
    assert.equal(Deno.readTextFileSync(`${path}-2.torn`), "first tail");
    assert.equal(Deno.readTextFileSync(`${path}-3.torn`), "second tail");
    sessionStore(dir).remove(first.id);
    const left = [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
    assert.deepEqual(left, ["mine.txt", "other.jsonl.torn"]);
  });
});

Deno.test("a torn tail that a full disk does not take is put aside once, when there is room", async () => {
  await withSmallDisk(64 * 1024, (disk) => {
    const { session: first, path } = begun(disk.root);
    first.close();
    const tail = "y".repeat(8000);
    Deno.writeTextFileSync(path, tail, { append: true });
    disk.fill();
    const { session } = sessionStore(disk.root).open(first.id);
    for (const text of ["two", "three"]) session.append(user(text));
    disk.free();
    session.append(user("four"));
    assert.deepEqual(stored(disk.root, session.id), ["one", "two", "three", "four"]);
    session.close();
    const torn = [...Deno.readDirSync(disk.root)].filter(({ name }) => name.endsWith(".torn"));
    assert.equal(torn.length, 1);
    assert.equal(Deno.readTextFileSync(join(disk.root, torn[0]!.name)), tail);
  });
});

Deno.test("a session that goes on in memory keeps its file from every other narnat", async () => {
  await withSmallDisk(256 * 1024, async (disk) => {
    const { session: first } = begun(disk.root);
    first.close();
    await disk.readOnly(true);
    const { session } = sessionStore(disk.root).open(first.id);
    session.append(user("two"), { asked: true });
    await disk.readOnly(false);
    assert.throws(() => sessionStore(disk.root).open(first.id), /another narnat/i);
    session.append(user("three"), { asked: true });
    assert.deepEqual(stored(disk.root, session.id), ["one", "two", "three"]);
    session.close();
  });
});

Deno.test("a session whose file is replaced while the disk is full tells its new name when it has one", async () => {
  await withSmallDisk(64 * 1024, (disk) => {
    const { session, told, path } = begun(disk.root);
    const old = session.id;
    Deno.writeTextFileSync(`${path}.new`, "somebody's own");
    Deno.renameSync(`${path}.new`, path);
    disk.fill();
    session.append(user("y".repeat(8000)), { asked: true });
    disk.free();
    session.append(user("three"), { asked: true });
    assert.equal(session.id, `${old}-2`);
    assert.match(told.join("\n"), new RegExp(`has replaced or cut .*${old}.*goes on as ${old}-2`));
    assert.equal(stored(disk.root, session.id).length, 3);
    session.close();
  });
});

Deno.test("a session file that is removed in use, with its folder, is written again whole", async () => {
  await withWorkspace({}, (root) => {
    const dir = join(root, "sessions");
    const { session, told, path } = begun(dir);
    Deno.removeSync(dir, { recursive: true });
    session.append(user("two"), { asked: true });
    assert.match(told.join("\n"), /removed while in use/);
    assert.ok(told[0]!.includes(path));
    session.append(user("three"), { asked: true });
    assert.equal(told.length, 1);
    assert.deepEqual(stored(dir, session.id), ["one", "two", "three"]);
    assert.throws(() => sessionStore(dir).open(session.id), /another narnat/i);
    session.close();
  });
});

for (
  const [what, change] of [
    ["replaced by another file", (path: string) => {
      Deno.writeTextFileSync(`${path}.new`, "somebody's own\n".repeat(100));
      Deno.renameSync(`${path}.new`, path);
    }],
    ["cut short", (path: string) => Deno.truncateSync(path, 20)],
  ] as const
) {
  Deno.test(`a session file that is ${what} is left as it is, the session goes on whole in another`, async () => {
    await withWorkspace({}, (dir) => {
      const { session, told, path } = begun(dir);
      const old = session.id;
      change(path);
      const theirs = Deno.readTextFileSync(path);
      session.append(user("two"), { asked: true });
      assert.equal(session.id, `${old}-2`);
      assert.match(
        told.join("\n"),
        new RegExp(`has replaced or cut .*${old}.*goes on as ${old}-2`),
      );
      session.append(user("three"), { asked: true });
      assert.equal(told.length, 1);
      assert.equal(Deno.readTextFileSync(path), theirs);
      assert.deepEqual(stored(dir, session.id), ["one", "two", "three"]);
      assert.ok(sessionStore(dir).find(`${old}-2`));
      session.close();
    });
  });
}

Deno.test("what another program adds to a session file is put aside, and costs the session nothing", async () => {
  await withWorkspace({}, (dir) => {
    const { session, path } = begun(dir);
    Deno.writeTextFileSync(path, `${"not ours ".repeat(400)}\n`, { append: true });
    session.append(user("two"), { asked: true });
    session.close();
    const { session: again, bad } = sessionStore(dir).open(session.id);
    assert.deepEqual([texts(again.messages), bad], [["one", "two"], 0]);
    assert.match(Deno.readTextFileSync(`${path}.torn`), /^not ours/);
    again.close();
  });
});

Deno.test("two sessions of one moment never share a file", async () => {
  await withWorkspace({}, (dir) => {
    const same = { now: () => new Date(1_700_000_000_000), random: () => 0.5 };
    const { session: a } = begun(dir, same);
    const { session: b, told } = begun(dir, same);
    assert.equal(b.id, `${a.id}-2`);
    assert.match(told[0]!, /There is a session file/);
    a.append(user("two"));
    assert.deepEqual(stored(dir, a.id), ["one", "two"]);
    assert.deepEqual(stored(dir, b.id), ["one"]);
    a.close();
    b.close();
  });
});

Deno.test("a clock that jumps changes no order: it is told when it goes back, and what is newest is found", async () => {
  await withWorkspace({}, (dir) => {
    const day = 24 * 3600_000;
    const right = Date.parse("2026-11-20T08:00:00Z");
    let at = right;
    const now = () => new Date(at);
    const write = (session: SessionFile, text: string, jump: number) => {
      at = jump;
      session.append(user(text), { asked: true });
    };
    const { store, session, told } = begun(dir, { now });
    write(session, "ten years ahead", right + 3650 * day);
    at = right + 60_000;
    // these count as nothing that was said: it is told once all the same
    session.enter();
    session.record({ type: "notice", level: "warn", text: "x" });
    write(session, "right again", right + 60_000);
    write(session, "back in 1970", 1000);
    write(session, "right", right + 120_000);
    assert.deepEqual(told.map((text) => /set back by about (.*?);/.exec(text)?.[1]), [
      "87600 h",
      `${Math.round((right + 59_000) / 3600_000)} h`,
    ]);
    session.close();
    assert.deepEqual(stored(dir, session.id), [
      "one",
      "ten years ahead",
      "right again",
      "back in 1970",
      "right",
    ]);
    const ahead = store.create();
    write(ahead, "written with a clock that was wrong", right + 3650 * day);
    ahead.close();
    at = right + day;
    assert.deepEqual(store.list().map(({ id }) => id), [session.id, ahead.id]);
    // with the clock still wrong the order is the same among those
    at = 0;
    assert.deepEqual(store.list().map(({ id }) => id), [ahead.id, session.id]);
  });
});
