import assert from "node:assert/strict";
import { join } from "node:path";
import { bodyOf } from "../../../src/context/window/draft.ts";
import { english, HOST_MARK } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import { fault, foundOf } from "../../../src/models/errors.ts";
import { ModelError } from "../../../src/base/types.ts";
import { addStep, addTurn, contextStage, fill } from "../stage.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

/** Budget 22,528, target 11,264; the prompt takes about 900 of it. */
const WINDOW = 32_768;
const BUDGET = WINDOW - 8192 - 1024;

Deno.test("below the budget nothing happens", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    for (let i = 0; stage.tokens < BUDGET - 2000; i++) addTurn(stage.session, `${i}`, [4000]);
    const sent = await stage.contextManager.beforeCall(stage.host);
    assert.deepEqual(sent, stage.session.messages);
    assert.equal(stage.session.view, stage.session.messages);
    assert.deepEqual([stage.asked.length, stage.notices.length], [0, 0]);
  });
});

Deno.test("large old results become pointers to copies, oldest first, when that is enough", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    const { session } = stage;
    addTurn(session, "a", [100, ...Array(14).fill(5000)]);
    addTurn(session, "b", [6000]);
    for (let i = 0; stage.tokens <= BUDGET; i++) addTurn(session, `c${i}`, [5000]);
    const before = stage.tokens;
    const whole = session.messages.map(({ text }) => text);
    const sent = await stage.contextManager.beforeCall(stage.host);

    assert.equal(stage.asked.length, 0, "no model was asked");
    assert.ok(stage.tokens <= BUDGET / 2, `${before} → ${stage.tokens}`);
    assert.equal(sent.length, session.messages.length);
    const results = sent.flatMap((one, at) => one.role === "tool" ? [{ one, at }] : []);
    const cut = results.map(({ one }) => one.text.startsWith(HOST_MARK));
    assert.deepEqual([cut[0], cut[1]], [false, true], "a small one stays");
    assert.equal(cut.at(-1), false);
    assert.equal(cut.lastIndexOf(true), cut.slice(1).indexOf(false), "the oldest ones");
    const { one, at } = results[1]!;
    assert.match(
      one.text,
      /result of Read \{"file_path":"src\/a-1\.ts"\} \(5000 characters, \d+ lines\)/,
    );
    const copy = /Full text: (.+)$/.exec(one.text)![1]!;
    assert.equal(Deno.readTextFileSync(copy), whole[at]);
    assert.equal(Deno.statSync(copy).mode! & 0o777, 0o600);
    assert.deepEqual(session.messages.map(({ text }) => text), whole, "what is stored stays");
    assert.equal(stage.notices.length, 1);
    assert.match(
      stage.notices[0]!,
      /^info: .*14 earlier tool results? became.*\(\d+\.\dk → \d+\.\dk tokens\)/,
    );
  });
});

Deno.test("a result that was cut already points to the copy there is", async () => {
  await withWorkspace({ "outputs/bash-1.log": "all of it" }, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    const { session } = stage;
    const path = join(root, "outputs/bash-1.log");
    session.append({ role: "user", text: "go" }, { asked: true });
    const calls = [{ id: "x", name: "Bash", input: "{}" }];
    session.append({ role: "assistant", text: "", calls, thinking: [] });
    const text = `${"head\n".repeat(2000)}[… 9 characters cut; full output: ${path}]\ntail`;
    session.append({ role: "tool", id: "x", name: "Bash", ok: true, text });
    for (let i = 0; stage.tokens <= BUDGET; i++) addStep(session, `s${i}`, 5000);
    await stage.contextManager.beforeCall(stage.host);
    assert.ok(session.view[2]!.text.endsWith(`Full text: ${path}`), session.view[2]!.text);
    assert.equal(Deno.readTextFileSync(path), "all of it");
    assert.deepEqual(
      [...Deno.readDirSync(join(root, "outputs"))].map((e) => e.name)
        .filter((name) => name === "result_2.txt"),
      [],
    );
  });
});

Deno.test("the older part becomes a summary at a question's border; the last turns stay", async () => {
  await withWorkspace({}, async (root) => {
    const dir = join(root, ".narnat");
    Deno.mkdirSync(join(dir, "sessions"), { recursive: true });
    const stage = contextStage(root, undefined, { contextWindow: WINDOW, dir });
    const { session } = stage;
    session.append({ role: "user", text: "first" }, { asked: true, changed: ["src/port.ts"] });
    fill(stage, "one", BUDGET);
    const before = session.view.slice();
    const sent = await stage.contextManager.beforeCall(stage.host);

    assert.equal(stage.asked.length, 1);
    const asked = stage.asked[0]!;
    assert.deepEqual(asked.slice(0, -1), before.slice(0, asked.length - 1), "the cached prefix");
    assert.ok(asked.at(-1)!.role === "user" && asked.at(-1)!.text.startsWith(HOST_MARK));
    assert.equal(sent[0]!.role, "user");
    const lead = sent[0]!.text;
    assert.equal(bodyOf(lead), "the summary");
    assert.ok(lead.includes("src/port.ts") && lead.includes("one: the last request"), lead);
    assert.ok(lead.includes(`${session.id}.jsonl`));
    assert.equal(sent[1]!.role, "user", "the cut is before a question");
    assert.deepEqual(sent.slice(1), session.messages.slice(session.viewFrom));
    assert.ok(stage.tokens <= BUDGET * 0.6 && stage.tokens > BUDGET * 0.3, String(stage.tokens));
    assert.deepEqual(stage.history.read().map(({ content, session }) => [content, session]), [
      ["the summary", session.id],
    ]);
    const n = session.viewFrom;
    assert.match(
      stage.notices.at(-1)!,
      new RegExp(
        `^info: .*: ${n} earlier messages became a summary \\(.*tokens, spent 1\\.2k tokens \\+ 4\\.0k cached, \\$0\\.0031\\)`,
      ),
    );
    assert.equal((await stage.contextManager.beforeCall(stage.host)).length, sent.length);
    assert.equal(stage.asked.length, 1, "once is enough");
    session.close();
  });
});

Deno.test("what the host told the model in the middle of a turn is no question's border", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    const { session } = stage;
    fill(stage, "early", BUDGET * 0.35);
    const begin = session.messages.length;
    session.append({ role: "user", text: "the long turn" }, { asked: true });
    for (let i = 0; stage.tokens <= BUDGET; i++) {
      const calls = [{ id: `c${i}`, name: "Grep", input: "{}" }];
      session.append({ role: "assistant", text: "so it is. ".repeat(60), calls, thinking: [] });
      session.append({ role: "tool", id: `c${i}`, name: "Grep", ok: true, text: "nothing" });
      session.append({ role: "user", text: `${HOST_MARK} Rule reminder ${i}` });
    }
    const sent = await stage.contextManager.beforeCall(stage.host);
    assert.equal(stage.asked[0]!.length, begin + 1, "first up to the question");
    assert.equal(sent[1]!.role, "assistant", "then up to a step");
  });
});

Deno.test("the notice in Chinese says what was done, what it saved and cost", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW, t: chinese });
    fill(stage, "one", BUDGET);
    await stage.contextManager.beforeCall(stage.host);
    assert.match(
      stage.notices.at(-1)!,
      /^info: 上下文接近上限：已把较早的 \d+ 条消息整理为摘要（\d+\.\dk → \d+\.\dk token，花费 1\.2k token \+ 缓存 4\.0k，\$0\.0031）$/,
    );
  });
});

Deno.test("a second summary is made of the first one and what came since", async () => {
  await withWorkspace({}, async (root) => {
    let n = 0;
    const stage = contextStage(root, () => `summary ${++n}`, { contextWindow: WINDOW });
    fill(stage, "one", BUDGET);
    await stage.contextManager.beforeCall(stage.host);
    const first = stage.session.view[0]!;
    fill(stage, "two", BUDGET);
    await stage.contextManager.beforeCall(stage.host);
    assert.deepEqual(stage.asked[1]![0], first);
    const lead = stage.session.view[0]!.text;
    assert.equal(bodyOf(lead), "summary 2");
    assert.ok(lead.includes("two: the last request"), "what is pinned is pinned anew");
    assert.equal(stage.session.view.filter(({ text }) => text.startsWith(HOST_MARK)).length, 1);
    assert.deepEqual(stage.history.read().map(({ content }) => content), [
      "summary 1",
      "summary 2",
    ]);
  });
});

Deno.test("in one long turn the cut is before a step, and the request stays word for word", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    const { session } = stage;
    session.append({ role: "user", text: "Port the parser, keep 8-space tabs!" }, { asked: true });
    for (let i = 0; stage.tokens <= BUDGET; i++) {
      session.append({
        role: "assistant",
        text: "I think about it at length. ".repeat(40),
        calls: [{ id: `c${i}`, name: "Grep", input: "{}" }],
        thinking: [],
      });
      session.append({ role: "tool", id: `c${i}`, name: "Grep", ok: true, text: "nothing" });
    }
    const sent = await stage.contextManager.beforeCall(stage.host);
    assert.ok(sent[0]!.text.includes("Port the parser, keep 8-space tabs!"));
    assert.equal(sent[1]!.role, "assistant");
    assert.ok(stage.tokens < BUDGET * 0.6);
  });
});

for (
  const [name, answer, why] of [
    [
      "a provider that fails",
      () => Promise.reject(new ModelError("network", "no route")),
      "no route",
    ],
    ["an empty answer", () => "  \n", "the model's answer was empty"],
  ] as const
) {
  Deno.test(`${name}: the raw text goes to the history, and there is room all the same`, async () => {
    await withWorkspace({}, async (root) => {
      const dir = join(root, ".narnat");
      Deno.mkdirSync(join(dir, "sessions"), { recursive: true });
      const stage = contextStage(root, answer, { contextWindow: WINDOW, dir });
      addTurn(stage.session, "early", [300]);
      fill(stage, "one", BUDGET);
      await stage.contextManager.beforeCall(stage.host);
      assert.ok(stage.tokens < BUDGET * 0.6);
      const [raw, ...others] = stage.history.read();
      assert.equal(others.length, 0);
      assert.match(
        raw!.content,
        /^\[raw\] \d+ messages\nuser: question early\ncall: Read \{.*\nresult of Read: result early-0/,
      );
      const lead = stage.session.view[0]!.text;
      assert.match(lead, /memory\/history\.jsonl has their raw text/);
      const cut = stage.session.messages.slice(0, stage.session.viewFrom);
      const newest = cut.findLast(({ role }) => role === "user")!.text.slice(0, 8);
      assert.ok(lead.includes(newest) && !/cut\)/.test(lead), newest);
      assert.ok(stage.notices.at(-1)!.startsWith("warn: ") && stage.notices.at(-1)!.includes(why));
      stage.session.close();
    });
  });
}

Deno.test("messages that are gone without a summary are told at length once, where they are and what helps", async () => {
  await withWorkspace({}, async (root) => {
    const dir = join(root, ".narnat");
    Deno.mkdirSync(join(dir, "sessions"), { recursive: true });
    for (const where of [dir, undefined]) {
      const failing = () => Promise.reject(new ModelError("refused", "400 bad request"));
      const stage = contextStage(root, failing, { contextWindow: WINDOW, ...where && { dir } });
      for (const name of ["one", "two"]) {
        fill(stage, name, BUDGET);
        await stage.contextManager.beforeCall(stage.host);
      }
      const [first, second, ...others] = stage.notices.filter((text) => text.startsWith("warn: "));
      assert.deepEqual(others, []);
      assert.match(
        first!,
        /400 bad request\), and the model no longer sees them .*\/model.*\/clear/,
      );
      assert.equal(/memory\/history\.jsonl/.test(first!), where !== undefined);
      assert.match(second!, /^warn: Another \d+ .*400 bad request\); the model no longer sees/);
      assert.doesNotMatch(second!, /\/model/);
      stage.session.close();
    }
  });
});

Deno.test("a history that cannot be written is told, and there is room all the same", async () => {
  await withWorkspace({ ".narnat/memory": "no folder" }, async (root) => {
    const dir = join(root, ".narnat");
    Deno.mkdirSync(join(dir, "sessions"), { recursive: true });
    const stage = contextStage(root, () => "the summary", { contextWindow: WINDOW, dir });
    fill(stage, "one", BUDGET);
    await stage.contextManager.beforeCall(stage.host);
    assert.ok(stage.tokens < BUDGET * 0.6);
    assert.match(stage.session.view[0]!.text, /the summary/);
    assert.match(stage.notices.at(-2)!, /^warn: Cannot write the memory: .*memory/);
    stage.session.close();
  });
});

Deno.test("the notice says why there is no summary in the user's language", async () => {
  await withWorkspace({}, async (root) => {
    const endpoint = { host: "llm.example", apiKey: undefined };
    const error = fault("network", endpoint, "the connection failed: {why}", { why: "refused" });
    const answer = () => Promise.reject(error);
    const stage = contextStage(root, answer, { contextWindow: WINDOW, t: chinese });
    fill(stage, "one", BUDGET);
    await stage.contextManager.beforeCall(stage.host);
    const why = foundOf(chinese, error);
    assert.match(why, /[\u4e00-\u9fff]/);
    assert.ok(stage.notices.at(-1)!.includes(`（${why}）`), stage.notices.at(-1));
    stage.session.close();
  });
});

Deno.test("where nothing was worth keeping nothing is written", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, () => "(nothing)\n", { contextWindow: WINDOW });
    fill(stage, "one", BUDGET);
    await stage.contextManager.beforeCall(stage.host);
    assert.deepEqual(stage.history.read(), []);
    assert.equal(bodyOf(stage.session.view[0]!.text), "");
    assert.ok(stage.session.view[0]!.text.includes("one: the last request"));
  });
});

Deno.test("stopped while it asks, nothing has changed", async () => {
  await withWorkspace({}, async (root) => {
    const stop = new AbortController();
    const answer = () => {
      stop.abort();
      return "too late";
    };
    const stage = contextStage(root, answer, { contextWindow: WINDOW }, stop.signal);
    fill(stage, "one", BUDGET);
    await assert.rejects(stage.contextManager.beforeCall(stage.host), { name: "AbortError" });
    assert.equal(stage.session.view, stage.session.messages);
    assert.deepEqual(stage.history.read(), []);
  });
});

Deno.test("a session much larger than the window comes down in several rounds that each fit it", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    fill(stage, "one", BUDGET * 3);
    await stage.contextManager.beforeCall(stage.host);
    assert.ok(stage.asked.length >= 3 && stage.asked.length <= 5, String(stage.asked.length));
    const probe = contextStage(root);
    for (const messages of stage.asked) {
      for (const one of messages) probe.session.append(one);
      assert.ok(probe.tokens <= BUDGET, String(probe.tokens));
      while (probe.session.messages.length > 0) probe.session.retract();
    }
    assert.equal(stage.history.read().length, stage.asked.length);
    assert.equal(stage.notices.filter((text) => text.includes("became a summary")).length, 1);
    assert.ok(stage.tokens <= BUDGET * 0.65, String(stage.tokens));
  });
});

Deno.test("a summary longer than what it stands for is cut", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, () => "much ".repeat(60_000), { contextWindow: WINDOW });
    fill(stage, "one", BUDGET);
    await stage.contextManager.beforeCall(stage.host);
    assert.ok(stage.tokens <= BUDGET, String(stage.tokens));
    assert.match(stage.session.view[0]!.text, /characters cut\)/);
  });
});

Deno.test("a newest result that does not fit alone is cut to what there is room for, and that is told", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    const { session } = stage;
    session.append({ role: "user", text: "read it all" }, { asked: true });
    addStep(session, "huge", 120_000);
    const sent = await stage.contextManager.beforeCall(stage.host);
    assert.ok(stage.tokens <= WINDOW * 0.8, String(stage.tokens));
    assert.ok(stage.tokens > BUDGET * 0.8, `as much as fits: ${stage.tokens}`);
    assert.equal(sent.length, 3);
    const [beginning, mark] = sent[2]!.text.split("\n[narnat] ");
    const lines = beginning!.split("\n").length;
    assert.match(beginning!, /^result huge of a line of code\n/);
    assert.match(
      mark!,
      new RegExp(`^This is only the beginning, ${lines} of \\d+ lines, of the result of Read `),
    );
    const copy = /Full text: (.+)$/.exec(mark!)![1]!;
    assert.equal(Deno.readTextFileSync(copy).length, 120_000);
    assert.equal(stage.notices.length, 1);
    assert.match(
      stage.notices[0]!,
      new RegExp(
        `^warn: .*only its beginning: the first ${lines} of \\d+ lines of Read src/huge\\.ts$`,
      ),
    );
  });
});

for (const window of [8192, WINDOW]) {
  Deno.test(`a newest result that fits alone reaches the model whole, whatever was before it: ${window}`, async () => {
    await withWorkspace({}, async (root) => {
      const stage = contextStage(root, () => "much ".repeat(6000), { contextWindow: window });
      const { session } = stage;
      for (let i = 0; stage.tokens < window * 0.6; i++) addTurn(session, `${i}`, [1000]);
      session.append({ role: "user", text: "read it all" }, { asked: true });
      const chars = Math.round((window * 0.75 - 1100) / 0.27);
      addStep(session, "large", chars);
      const sent = await stage.contextManager.beforeCall(stage.host);
      assert.equal(sent.at(-1)!.text.length, chars);
      assert.ok(stage.tokens <= window * 0.8, String(stage.tokens));
      assert.ok(sent[0]!.text.includes("read it all"), "the request stays in the lead");
      assert.doesNotMatch(stage.notices.join("\n"), /only its beginning/);
    });
  });
}

Deno.test("a summary is asked for, and facts are recorded, in the user's language", async () => {
  for (
    const [t, request, facts] of [[english, "nearly full", "# Rec"], [
      chinese,
      "窗口快满了",
      "# narnat 自己的记录",
    ]] as const
  ) {
    await withWorkspace({}, async (root) => {
      const stage = contextStage(root, undefined, { contextWindow: WINDOW, t });
      fill(stage, "one", BUDGET);
      await stage.contextManager.beforeCall(stage.host);
      assert.ok(stage.asked[0]!.at(-1)!.text.includes(request), t.lang);
      assert.ok(stage.session.view[0]!.text.includes(facts), t.lang);
    });
  }
});

Deno.test("pointers and a cut result of one step are one notice, in plain words", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    const { session } = stage;
    session.append({ role: "user", text: "read it all" }, { asked: true });
    addStep(session, "first", 3000);
    addStep(session, "huge", 120_000);
    await stage.contextManager.beforeCall(stage.host);
    assert.equal(stage.notices.length, 1, stage.notices.join("\n"));
    assert.match(
      stage.notices[0]!,
      /^warn: .*1 earlier tool result became[^]*of Read src\/huge\.ts$/,
    );
    assert.doesNotMatch(stage.notices[0]!, /[{}]/);
  });
});

Deno.test("of several newest results the small ones stay whole when the large one is cut", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    const { session } = stage;
    session.append({ role: "user", text: "read both" }, { asked: true });
    const ids = ["small", "huge"];
    const calls = ids.map((id) => ({ id, name: "Read", input: `{"file_path":"${id}.ts"}` }));
    session.append({ role: "assistant", text: "", calls, thinking: [] });
    const text = { small: "s 12345\n".repeat(1500), huge: "h 12345\n".repeat(20_000) };
    for (const id of ["small", "huge"] as const) {
      session.append({ role: "tool", id, name: "Read", ok: true, text: text[id] });
    }
    const sent = await stage.contextManager.beforeCall(stage.host);
    assert.equal(sent[2]!.text, text.small);
    assert.match(sent[3]!.text, /^h 12345\n[^]*only the beginning/);
    assert.ok(stage.tokens <= WINDOW * 0.8, String(stage.tokens));
  });
});

for (const answer of ["(nothing)", ""]) {
  Deno.test(`a summary that is there outlives one that fails: ${JSON.stringify(answer)}`, async () => {
    await withWorkspace({}, async (root) => {
      const answers = ["the port is 4711", answer];
      const stage = contextStage(root, () => answers.shift()!, { contextWindow: WINDOW });
      fill(stage, "one", BUDGET);
      await stage.contextManager.beforeCall(stage.host);
      fill(stage, "two", BUDGET);
      await stage.contextManager.beforeCall(stage.host);
      assert.equal(answers.length, 0);
      assert.ok(bodyOf(stage.session.view[0]!.text).startsWith("the port is 4711"));
    });
  });
}

Deno.test("in a small window long requests do not crowd out the files and todos", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: 8192 });
    const { session } = stage;
    const changed = Array.from({ length: 20 }, (_, i) => `src/changed_${i}.ts`);
    session.append({ role: "user", text: "go" }, { asked: true, changed });
    session.append({ role: "assistant", text: "ok", calls: [], thinking: [] });
    for (let i = 0; i < 12; i++) {
      session.append({ role: "user", text: `request ${i} ${"really ".repeat(400)}` }, {
        asked: true,
      });
      session.append({ role: "assistant", text: "yes", calls: [], thinking: [] });
    }
    await stage.contextManager.beforeCall(stage.host);
    const lead = session.view[0]!.text;
    assert.deepEqual(changed.filter((path) => !lead.includes(path)), []);
    assert.ok(lead.includes("request 11"));
  });
});

Deno.test("what no summary can take in stays up to 80 % of the window, and is dropped above", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, () => "the summary", { contextWindow: WINDOW });
    const { session, contextManager, host } = stage;
    const line = (begin: string, tokens: number) =>
      session.append({ role: "user", text: begin + "w".repeat(tokens / 0.29) }, { asked: true });
    line("pasted ", BUDGET - 400);
    session.append({ role: "assistant", text: "I see.", calls: [], thinking: [] });
    line("and ", WINDOW * 0.8 - stage.tokens - 100);
    assert.ok(stage.tokens > BUDGET);
    assert.equal((await contextManager.beforeCall(host)).length, 3);
    assert.deepEqual(stage.notices, []);
    session.append({ role: "assistant", text: "I see.", calls: [], thinking: [] });
    line("now ", 200);
    assert.ok(stage.tokens > WINDOW * 0.8 && stage.tokens < WINDOW * 0.82);
    const [lead, ...rest] = await contextManager.beforeCall(host);
    assert.match(lead!.text, /dropped without a summary[^]*- pasted/);
    assert.ok(!rest.some(({ text }) => text.startsWith("pasted")));
    assert.ok(rest.at(-1)!.text.startsWith("now "));
    assert.match(stage.notices.join("\n"), /^warn: .*oldest 1 message left it without a summary/);
    assert.deepEqual(stage.asked, []);
    assert.equal(session.messages.length, 5);
  });
});
