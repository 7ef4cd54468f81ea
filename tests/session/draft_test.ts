/** What has come of an answer outlives a kill. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Message } from "../../src/base/types.ts";
import type { SessionFile } from "../../src/session/store.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const user = (text: string): Message => ({ role: "user", text });
const answer = (text: string): Message => ({ role: "assistant", text, thinking: [], calls: [] });

/** What the session holds whose file is as a kill leaves it now. */
async function killed(write: (session: SessionFile, path: () => string) => void) {
  return await withWorkspace({}, async (root) => {
    const store = sessionStore(root);
    const session = store.create();
    const path = () => join(root, `${session.id}.jsonl`);
    session.append(user("first"), { asked: true });
    write(session, path);
    const bytes = Deno.readFileSync(path());
    session.close();
    Deno.writeFileSync(path(), bytes);
    const read = store.read(session.id).messages.map(({ text }) => text);
    const { session: again, bad } = store.open(session.id);
    const texts = again.messages.map(({ text }) => text);
    assert.deepEqual(read, texts, "who only reads it sees the same");
    const cut = again.takeCut();
    again.append(user("go on"), { asked: true });
    again.close();
    const last = store.open(session.id);
    assert.deepEqual(last.session.messages.map(({ text }) => text), [...texts, "go on"]);
    assert.equal(last.session.takeCut(), false);
    last.session.close();
    const files = [...Deno.readDirSync(root)].map(({ name }) => name);
    const text = await Deno.readTextFile(path());
    return { texts, cut, bad: bad + last.bad, torn: files.some((one) => /torn/.test(one)), text };
  });
}

Deno.test("what has come of an answer is there after a kill, as its message", async () => {
  const { text, ...found } = await killed((session) => {
    session.draft("one ");
    session.draft("one two ");
    session.draft("one two ");
    session.draft("one two three");
  });
  assert.deepEqual(found, { texts: ["first", "one two three"], cut: true, bad: 0, torn: false });
  assert.doesNotMatch(text, /"draft"/);
});

Deno.test("a draft gives way to its message, and to nothing that is told beside it", async () => {
  const whole = await killed((session) => {
    session.draft("one ");
    session.append(answer("one two"));
  });
  assert.deepEqual([whole.texts, whole.cut], [["first", "one two"], false]);
  const beside = await killed((session) => {
    session.draft("one ");
    session.record({ type: "notice", level: "info", text: "told" });
    session.draft("one two");
  });
  assert.deepEqual([beside.texts, beside.cut, beside.bad], [["first", "one two"], true, 0]);
});

Deno.test("an answer that is void is no draft any more", async () => {
  const again = await killed((session) => {
    session.draft("void");
    session.draft("");
    session.draft("anew");
  });
  assert.deepEqual([again.texts, again.cut], [["first", "anew"], true]);
  const dropped = await killed((session) => {
    session.draft("void");
    session.draft("");
  });
  assert.deepEqual([dropped.texts, dropped.cut], [["first"], false]);
  const taken = await killed((session) => {
    session.draft("void");
    session.retract();
    session.append(user("another"), { asked: true });
  });
  assert.deepEqual(taken.texts, ["another"]);
});

Deno.test("a draft that was half written costs no more than itself", async () => {
  const { texts, cut, bad } = await killed((session, path) => {
    session.draft("one ");
    Deno.writeTextFileSync(path(), '{"type":"draft","time":"2026', { append: true });
  });
  assert.deepEqual([texts, cut, bad], [["first", "one "], true, 0]);
});
