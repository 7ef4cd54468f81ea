/** Calls amid which narnat was ended: what the model and the person are told of them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ToolCall } from "../../src/base/types.ts";
import type { SessionFile } from "../../src/session/store.ts";
import { STAMPED_BYTES, versionWritten } from "../../src/files/open_regular.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, tool } from "../support/test_agent.ts";

const RUN = {
  narnat: "0",
  model: "m",
  permission: "open",
  lang: "en",
  prompt: "p",
  tools: "t",
} as const;

const call = (id: string, name: string, input: unknown): ToolCall => ({
  id,
  name,
  input: JSON.stringify(input),
});

/** A session that ended amid `calls`, as `amid` left it, taken up again by an agent. */
async function takenUp(
  calls: readonly ToolCall[],
  amid: (session: SessionFile, root: string) => void | Promise<void>,
  files: { [path: string]: string } = {},
) {
  return await withWorkspace(files, async (root) => {
    const dir = join(root, "sessions");
    const session = sessionStore(dir, { now: () => new Date() }).create();
    session.append({ role: "user", text: "go" }, { asked: true, run: RUN });
    session.append({ role: "assistant", text: "", thinking: [], calls });
    await amid(session, root);
    session.close();
    const nothing = () => ({ ok: true, text: "x" });
    const model = new ScriptedModel([{ text: "on" }, { text: "on" }]);
    const agentOf = () =>
      new TestAgent({
        model,
        dir,
        workspace: root,
        tools: [
          tool("Look", nothing),
          tool("Bash", nothing, { readOnly: false }),
          tool("Edit", nothing, { readOnly: false }),
        ],
      });
    const t = agentOf();
    const { notes } = await t.agent.resume(session.id);
    const texts = t.messages.flatMap((one) => one.role === "tool" ? [one.text] : []);
    await t.say("go on");
    await t.agent.close();
    // what was told is in the file: it is the same each time
    const again = agentOf();
    assert.deepEqual((await again.agent.resume(session.id)).notes, []);
    assert.deepEqual(again.messages, t.messages);
    await again.agent.close();
    return { notes, texts, root };
  });
}

const began = (session: SessionFile, { id, name }: ToolCall) =>
  session.record({ type: "tool_start", id, name });

Deno.test("a command that was running is told with its beginning, and that its output was not kept", async () => {
  const [a, b] = [call("a", "Bash", { command: "make all" }), call("b", "Bash", { command: "x" })];
  const { notes, texts } = await takenUp([a!, b!], (session) => began(session, a!));
  assert.match(texts[0]!, /^interrupted: .*while this call ran \(begun 20\d\d-.*\)/);
  assert.match(texts[0]!, /output was not kept\. It may have done a part of its work/);
  assert.match(texts[1]!, /before this call began\. Nothing was run/);
  assert.equal(notes.length, 1);
  assert.match(notes[0]!, /ended amid tools.*Bash make all \(20\d\d-/);
  assert.doesNotMatch(notes[0]!, /Bash x/);
});

Deno.test("the output that a command had until then is named", async () => {
  const a = call("a", "Bash", { command: "yes" });
  const { texts } = await takenUp([a], (session, root) => {
    began(session, a);
    const outputs = join(root, "outputs", session.id);
    Deno.mkdirSync(outputs, { recursive: true });
    Deno.writeTextFileSync(join(outputs, "bash-1.txt"), "y\n".repeat(50));
  });
  assert.match(texts[0]!, /Its output until then: outputs\/.*\/bash-1\.txt \(100 B\)/);
});

Deno.test("a result that had come stays; the file of an edit tells whether it was made", async () => {
  const edits = ["same.txt", "done.txt", "none.txt"].map((file, i) =>
    call(`e${i}`, "Edit", { file_path: file, old_string: "a", new_string: "b" })
  );
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const { texts } = await takenUp(
    [call("r", "Look", {}), ...edits],
    (session, root) => {
      session.append({ role: "tool", id: "r", name: "Look", ok: true, text: "was there" }, {
        seen: ["same.txt", "done.txt"].map((file) => ({ path: join(root, file), hash: hash("a") })),
      });
      for (const edit of edits) began(session, edit);
    },
    { "same.txt": "a", "done.txt": "b" },
  );
  assert.equal(texts[0], "was there");
  assert.match(texts[1]!, /same\.txt is what it was when it was read last: nothing was written/);
  assert.match(
    texts[2]!,
    /done\.txt is not what was read last \(written 20.*whole and not in part/,
  );
  assert.match(texts[3]!, /none\.txt does not exist: nothing was written/);
});

Deno.test("a large file, which is known by its stamp, tells too that nothing was written", async () => {
  const edit = call("e", "Edit", { file_path: "large.txt", old_string: "a", new_string: "b" });
  const { texts } = await takenUp([edit], async (session, root) => {
    const path = join(root, "large.txt");
    Deno.writeTextFileSync(path, "a".repeat(STAMPED_BYTES + 1));
    using file = Deno.openSync(path, { read: true, write: true });
    session.append({ role: "user", text: "x" }, {
      seen: [{ path, hash: await versionWritten(file) }],
    });
    session.append({ role: "assistant", text: "", thinking: [], calls: [edit] });
    began(session, edit);
  });
  assert.match(texts.at(-1)!, /large\.txt is what it was when it was read last/);
});

Deno.test("what is no file is not read to tell what became of it", async () => {
  const a = call("a", "Write", { file_path: "pipe", content: "x" });
  const { texts } = await takenUp([a], (session, root) => {
    assert.ok(new Deno.Command("mkfifo", { args: [join(root, "pipe")] }).outputSync().success);
    began(session, a);
  });
  assert.match(texts[0]!, /while this call ran.*\n.*may have done a part of its work/);
});

Deno.test("a call that only reads is said to have changed nothing; one that waited for a Yes, to have run nothing", async () => {
  const [look, bash] = [call("l", "Look", {}), call("b", "Bash", { command: "rm x" })];
  const { texts, notes } = await takenUp([look!, bash!], (session) => {
    began(session, bash!);
    session.record({ type: "ask", id: "q", kind: "delete", question: "Delete?" });
  });
  assert.match(texts[0]!, /only reads/);
  assert.match(texts[1]!, /while the user was being asked about this call\. Nothing was run/);
  assert.match(notes[0]!, /Bash rm x/);
});

Deno.test("after a Yes the command counts as running", async () => {
  const bash = call("b", "Bash", { command: "rm x" });
  const { texts } = await takenUp([bash], (session) => {
    began(session, bash);
    session.record({ type: "ask", id: "q", kind: "delete", question: "Delete?" });
    session.record({ type: "answer", id: "q", value: true });
  });
  assert.match(texts[0]!, /while this call ran/);
});

Deno.test("/enter tells of lost calls and unreadable lines", async () => {
  await withWorkspace({}, async (root) => {
    const dir = join(root, "sessions");
    const session = sessionStore(dir).create();
    const bash = call("b", "Bash", { command: "make" });
    session.append({ role: "user", text: "go" }, { asked: true, run: RUN });
    session.append({ role: "assistant", text: "", thinking: [], calls: [bash] });
    session.record({ type: "tool_start", id: "b", name: "Bash" });
    session.close();
    Deno.writeTextFileSync(join(dir, `${session.id}.jsonl`), "nonsense\n", { append: true });
    const bashTool = tool("Bash", () => ({ ok: true, text: "" }), { readOnly: false });
    const t = new TestAgent({
      model: new ScriptedModel([]),
      dir,
      workspace: root,
      tools: [bashTool],
    });
    await t.say(`/enter ${session.id}`);
    const told = t.of("notice").map(({ text }) => text).join("\n");
    assert.match(told, /1 line of the session file could not be read/);
    assert.match(told, /ended amid tools.*Bash make/);
    await t.agent.close();
  });
});
