import assert from "node:assert/strict";
import { join } from "node:path";
import { writeMark } from "../../../src/features/memory/dream_mark.ts";
import { createHistory } from "../../../src/session/history.ts";
import { createMemory, remember } from "../../../src/features/memory/store.ts";
import { writeMemory } from "../../../src/session/memory_files.ts";
import { createLog } from "../../../src/base/log.ts";
import { secretsOf } from "../../support/parts.ts";
import { english, HOST_MARK } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import {
  type ContextHost,
  type Message,
  ModelError,
  type Session,
} from "../../../src/base/types.ts";
import { testController } from "../../support/test_controller.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const now = () => new Date("2026-11-20T08:00:00Z");

function memoryIn(dir: string | undefined, dream = () => Promise.resolve("")) {
  const history = createHistory(dir, now);
  const log = createLog({ dir: undefined, now, redactAlways: (text) => text });
  const memory = createMemory({
    dir,
    history,
    t: english,
    redactAlways: secretsOf({}).redactAlways,
    log,
    repo: () => Promise.resolve(undefined),
    dream,
  });
  return { memory, history };
}

function talk(...turns: string[]): Session {
  const { session } = testController();
  for (const text of turns) {
    session.append({ role: "user", text }, { asked: true });
    session.append({ role: "assistant", text: `did ${text}`, calls: [], thinking: [] });
  }
  return session;
}

function hostOf(session: Session, answer: string | Error) {
  const asked: Message[][] = [];
  const host: ContextHost = {
    session,
    signal: new AbortController().signal,
    outputDir: "/nowhere",
    show() {},
    notice() {},
    ask(messages) {
      asked.push([...messages]);
      if (typeof answer !== "string") return Promise.reject(answer);
      return Promise.resolve({
        text: answer,
        usage: { input: 1200, output: 34, cached: 0, cost: 0.5 },
        stop: "end",
      });
    },
  };
  return { host, asked };
}

Deno.test("a Dream that would do nothing is told why beforehand", () =>
  withWorkspace({}, async (dir) => {
    const wait = Promise.withResolvers<string>();
    const { memory, history } = memoryIn(dir, () => wait.promise);
    assert.match(memory.whyNoDream(), /no new history/);
    history.append("x", "s");
    assert.equal(memory.whyNoDream(), "");
    const lock = Deno.openSync(join(dir, "dream.lock"), { write: true, create: true });
    lock.lockSync(true);
    assert.match(memory.whyNoDream(), /Another Dream/);
    // a child that another thread is just starting may hold the file open for a moment
    lock.unlockSync();
    lock.close();
    assert.equal(memory.whyNoDream(), "");
    const dreaming = memory.dream(new AbortController().signal);
    assert.match(memory.whyNoDream(), /at work already/);
    wait.resolve("");
    await dreaming;
    writeMark(dir, { cursor: 1, time: now().toISOString() });
    assert.match(memory.whyNoDream(), /no new history/);
    assert.match(memoryIn(undefined).memory.whyNoDream(), /There is no memory/);
  }));

Deno.test("leaving a session notes what is new in it, once", () => {
  const { memory, history } = memoryIn(undefined);
  const session = talk("one", "two");
  memory.leave(session, 2);
  memory.leave(session, session.messages.length);
  memory.leave(talk(), 0);
  assert.deepEqual(history.read().map(({ content }) => content), [
    "**Task:** two\n**Result:** did two",
  ]);
  memory.leave(session, 0, "a summary says it better");
  assert.equal(history.read().at(-1)?.content, "a summary says it better");
});

Deno.test("what the model no longer sees was recorded when it went", () => {
  const { memory, history } = memoryIn(undefined);
  const { session } = testController();
  for (const text of ["one", "two"]) {
    session.append({ role: "user", text }, { asked: true });
    session.append({ role: "assistant", text: `did ${text}`, calls: [], thinking: [] });
  }
  session.show({ why: "consolidated", lead: "[narnat] one was done", from: 2, shortened: [] });
  memory.leave(session, 0);
  assert.deepEqual(history.read().map(({ content }) => content), [
    "**Task:** two\n**Result:** did two",
  ]);
});

Deno.test("an archived session is summarised behind its own prefix, and what it cost is told", async () => {
  const { memory, history } = memoryIn(undefined);
  const session = talk("one");
  const { host, asked } = hostOf(session, " - one was done \n");
  assert.match(await memory.archive(host, 0), /1\.2k tokens, \$0\.50/);
  assert.deepEqual(asked[0]!.slice(0, -1), session.view);
  assert.ok(asked[0]!.at(-1)!.text.startsWith(HOST_MARK));
  assert.deepEqual(history.read().map(({ content }) => content), ["- one was done"]);
});

Deno.test("nothing worth keeping is not kept; nothing new is not asked about", async () => {
  const { memory, history } = memoryIn(undefined);
  for (const answer of ["(nothing)", "（Nothing）。", "(Nothing)."]) {
    assert.match(await memory.archive(hostOf(talk("hi"), answer).host, 0), /Nothing/);
  }
  const { host, asked } = hostOf(talk("hi"), "x");
  assert.equal(await memory.archive(host, 2), "");
  assert.deepEqual([asked.length, history.read().length], [0, 0]);
});

Deno.test("an archive that fails keeps the text as it stands", async () => {
  const { memory, history } = memoryIn(undefined);
  for (
    const answer of [
      new ModelError("network", "no route"),
      new DOMException("stop", "AbortError"),
      " \n",
    ]
  ) {
    const told = await memory.archive(hostOf(talk("the port is 8430"), answer).host, 0);
    assert.match(told, /as it stands/);
    assert.match(history.read().at(-1)!.content, /\[raw\][^]*the port is 8430/);
  }
});

Deno.test("a memory that cannot be written is told, and nothing is thrown", () =>
  withWorkspace({ memory: "a file where the folder should be" }, async (root) => {
    const { memory } = memoryIn(join(root, "memory"));
    memory.leave(talk("one"), 0);
    assert.match(await memory.archive(hostOf(talk("one"), "s").host, 0), /Cannot write the memory/);
  }));

Deno.test("a remembered line is added once, to what is there", () =>
  withWorkspace({}, (root) => {
    const { memory } = memoryIn(root);
    const text = () => Deno.readTextFileSync(join(root, "MEMORY.md"));
    assert.equal(remember(memory, "  tests run with\n deno task test ", english), true);
    assert.equal(text(), "# Memory\n\n- tests run with deno task test\n");
    assert.equal(remember(memory, "Tests run with deno task test", english), false);
    Deno.writeTextFileSync(join(root, "MEMORY.md"), "# 记忆\n\n* 端口 8430");
    assert.equal(remember(memory, "端口 8430", chinese), false);
    assert.equal(remember(memory, "用 pnpm", chinese), true);
    assert.equal(text(), "# 记忆\n\n* 端口 8430\n- 用 pnpm\n");
    assert.equal(Deno.statSync(join(root, "MEMORY.md")).mode! & 0o777, 0o600);
  }));

Deno.test("a link in the way of a memory file's writing is not written through", () =>
  withWorkspace({ "elsewhere": "mine\n", "memory/.keep": "" }, (dir) => {
    const elsewhere = join(dir, "elsewhere");
    Deno.symlinkSync(elsewhere, join(dir, "memory/MEMORY.md.new"));
    writeMemory(join(dir, "memory"), "MEMORY.md", "- x\n");
    assert.equal(Deno.readTextFileSync(elsewhere), "mine\n");
    assert.ok(Deno.lstatSync(join(dir, "memory/MEMORY.md")).isFile);
    assert.equal(Deno.readTextFileSync(join(dir, "memory/MEMORY.md")), "- x\n");
  }));

Deno.test("keys, nothing at all and links are refused with the reason", () =>
  withWorkspace({ "elsewhere.md": "mine" }, (root) => {
    const { memory } = memoryIn(join(root, "memory"));
    assert.throws(
      () => remember(memory, "sk-abc4efghijk1mnopqrstuvwxyz", english),
      /looks like a key/,
    );
    assert.throws(() => remember(memory, " \n", english), /Usage: \/remember TEXT/);
    Deno.mkdirSync(join(root, "memory"));
    Deno.symlinkSync(join(root, "elsewhere.md"), join(root, "memory", "MEMORY.md"));
    assert.throws(() => remember(memory, "x", english), /regular file/);
    assert.equal(Deno.readTextFileSync(join(root, "elsewhere.md")), "mine");
    assert.throws(() => remember(memoryIn(undefined).memory, "x", chinese), /没有记忆/);
  }));

Deno.test("while a Dream is at work here another one says so and begins nothing", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const { memory } = memoryIn("/m", () => (begun++, promise));
  const signal = new AbortController().signal;
  assert.equal(memory.dreaming, false);
  const first = memory.dream(signal);
  assert.equal(memory.dreaming, true);
  assert.match(await memory.dream(signal), /at work already/);
  assert.equal(memory.dreaming, true);
  resolve("dreamt");
  assert.equal(await first, "dreamt");
  assert.equal(memory.dreaming, false);
  assert.equal(begun, 1);
});
