/** Past 120 questions, as a script and as a person meets it: real process, real server, real kills. */
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { SessionFile, SessionStore } from "../../src/session/store.ts";
import { BUNDLED } from "../support/bundled.ts";
import type { CapturedRequest, Reply } from "../support/fake_provider.ts";
import { startNarnat } from "../support/narnat.ts";
import { sessionStore } from "../support/parts.ts";
import { onStage } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";
import { type Stage, stage } from "../support/stage.ts";
import { runs, slow, SOAK } from "../support/soak.ts";

const SUMMARY = ".narnat/last_session_summary.md";
const KILLS = runs(12);

interface HandoverStage extends Stage {
  readonly store: SessionStore;
  readonly file: () => string;
}

const isSummary = ({ json }: CapturedRequest) => json.tool_choice === "none";
const lastOf = ({ json }: CapturedRequest): string => json.messages.at(-1).content;

const storeIn = (root: string) =>
  sessionStore(join(root, ".narnat/sessions"), {
    workspace: root,
    t: chinese,
    now: () => new Date(),
  });

/** The stage with a provider that sums up as it is told, and answers every other request. */
function handoverStage(
  summary: (request: CapturedRequest) => Reply,
  play: (stage: HandoverStage) => Promise<void>,
): Promise<void> {
  const script = (request: CapturedRequest) =>
    isSummary(request) ? summary(request) : { text: `re: ${lastOf(request)}` };
  return stage(script, (on) =>
    play({
      ...on,
      env: { ...on.env, LANG: "zh_CN.UTF-8" },
      narnat: (args, more = {}) =>
        on.narnat(args, { ...more, env: { LANG: "zh_CN.UTF-8", ...more.env } }),
      store: storeIn(on.root),
      file: () => Deno.readTextFileSync(join(on.root, SUMMARY)),
    }));
}

/** A stored session of so many questions; returns its id. */
function stored(store: SessionStore, turns: number, more: (s: SessionFile) => void = () => {}) {
  const session = store.create();
  for (let turn = 1; turn <= turns; turn++) {
    session.append({ role: "user", text: `第${turn}问` }, { asked: true });
    session.append({ role: "assistant", text: `第${turn}答`, calls: [], thinking: [] });
  }
  more(session);
  session.close();
  return session.id;
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => JSON.stringify({ type: "user", text: `第${i + 1}问` }))
    .join("\n") + "\n";

const STREAM = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];

slow(
  "125 questions: told at 50 and 100, handed over at the 121st, which the new session answers",
  async () => {
    const summary = { text: "## 目标与用户的要求\n端口用 8123\n" };
    await handoverStage(() => summary, async ({ narnat, root, provider, store, file }) => {
      const { code, lines: events, stderr } = await narnat(STREAM, { stdin: lines(125) });
      assert.equal(code, 0, stderr);
      const told = (text: string) => {
        const at = events.findIndex((e) => e.type === "notice" && e.text.includes(text));
        return events[at]?.turn;
      };
      assert.equal(told("已经50轮"), 50);
      assert.equal(told("已经到达100轮，建议开启新对话"), 100);
      const order = events.map((e) => e.type).filter((type) => type.startsWith("compress"));
      assert.deepEqual(order, ["compress_start", "compress_end"]);
      const end = events.find((e) => e.type === "compress_end");
      assert.equal(end.ok, true);

      const asked = provider.requests;
      assert.equal(asked.length, 126);
      const [before, frozen, after] = [asked[119]!.json, asked[120]!.json, asked[121]!.json];
      assert.deepEqual(frozen.messages.slice(0, before.messages.length), before.messages);
      assert.equal(frozen.messages.length, 1 + 240 + 1);
      assert.equal(
        lastOf(asked[120]!).split("\n")[0],
        "请总结本轮对话的全部经验和成果,写入经验成果.md,确保新对话能继承当前对话的全部经验成果。",
      );
      assert.deepEqual(frozen.tools, before.tools);
      assert.deepEqual(after.messages.slice(1), [{ role: "user", content: "第121问" }]);
      assert.match(after.messages[0].content, /端口用 8123[^]*- 第120问\n[^]*$/);
      assert.ok(after.messages[0].content.startsWith(before.messages[0].content));

      const result = events.at(-1);
      assert.equal(result.type, "result");
      assert.deepEqual([result.ok, result.run_turns, result.turns, result.text], [
        true,
        125,
        5,
        "re: 第125问",
      ]);
      const [young, old, ...others] = store.list();
      assert.deepEqual(others, []);
      assert.deepEqual([young!.id, young!.turns, old!.turns], [result.session, 5, 120]);
      assert.equal(young!.parent, old!.id);
      assert.equal(old!.handedTo, young!.id);
      assert.equal(file(), "");
      assert.equal(end.session, young!.id);
      assert.equal(end.to, young!.id);
      assert.ok(end.usage.input > 0);
      assert.deepEqual(
        events.filter((e) => e.type === "turn_start").map((e) => e.text),
        Array.from({ length: 125 }, (_, i) => `第${i + 1}问`),
      );

      const [log] = [...Deno.readDirSync(join(root, ".narnat/logs"))];
      const logged = Deno.readTextFileSync(join(root, ".narnat/logs", log!.name));
      assert.match(
        logged,
        /\[compressor\] INFO 压缩触发, 轮次=120\n[^]*\[compressor\] INFO 压缩成功, 总结写入\.narnat\/last_session_summary\.md\n/,
      );
      assert.match(
        logged,
        /\[core\.context\] INFO base \d+, [^\n]*definitions \d+, [^\n]*user \d+/,
      );
      const listed = await narnat(["sessions"]);
      assert.match(listed.stdout, / 5 {2}第121问\n.*120 {2}（已归档）第1问\n/);
      const shown = await narnat(["sessions", "show", young!.id]);
      assert.match(shown.stdout, /端口用 8123[^]*\n❯ 第121问\n/);
      const { lines: [first] } = await narnat(["sessions", "show", young!.id, "--jsonl"]);
      assert.deepEqual([first.role, first.parent], ["summary", old!.id]);
      assert.match(first.text, /端口用 8123/);
    });
  },
);

for (
  const [what, reply, why] of [
    ["an empty summary", { text: "" }, /压缩失败：模型没有给出总结/],
    ["a provider that is down", {
      fault: "status",
      status: 401,
      body: '{"error":{"message":"no such key"}}',
    }, /压缩失败：[^]*no such key/],
    ["a provider that refuses", {
      fault: "status",
      status: 400,
      body: '{"error":{"message":"bad request"}}',
    }, /压缩失败：[^]*bad request/],
  ] as [string, Reply, RegExp][]
) {
  slow(`with ${what} the old session stays, and each line past 120 comes back`, async () => {
    await handoverStage(() => reply, async ({ narnat, provider, store, file }) => {
      const id = stored(store, 119);
      const { code, lines: events, stderr } = await narnat([...STREAM, "-c"], {
        stdin: lines(3),
      });
      assert.equal(code, 1);
      assert.match(stderr, why);
      const ends = events.filter((e) => e.type === "turn_end").map((e) => [e.reason, e.prompt]);
      assert.deepEqual(ends, [["done", undefined], ["error", "第2问"], ["error", "第3问"]]);
      const result = events.at(-1);
      assert.deepEqual([result.ok, result.error.kind, result.session], [false, "compress", id]);
      assert.match(result.error.text, why);
      assert.deepEqual(
        events.filter((e) => e.type === "compress_end").map((e) => e.ok),
        [false, false],
      );
      assert.deepEqual(store.list().map((info) => [info.id, info.turns, info.handedTo]), [
        [id, 120, undefined],
      ]);
      assert.equal(store.read(id).messages.length, 240);
      assert.equal(file(), "");
      assert.deepEqual(provider.pairingErrors, []);
    });
  });
}

slow("a provider that is down for a moment is asked again, and hands over", async () => {
  let asked = 0;
  const down: Reply = { fault: "status", status: 503, headers: { "retry-after": "0" } };
  await handoverStage(() => asked++ < 2 ? down : { text: "sum" }, async ({ narnat, store }) => {
    stored(store, 120);
    const { code, stdout, stderr } = await narnat(["-p", "第121问", "-c"]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "re: 第121问\n");
    assert.match(stderr, /^narnat: 120 轮会话已压缩为 3 字符的总结/m);
    assert.equal(asked, 3);
    assert.equal(store.list()[0]!.turns, 1);
  });
});

slow("--no-session hands over without a trace on the disk", async () => {
  await handoverStage(() => ({ text: "sum" }), async ({ narnat, root, provider }) => {
    const { code, lines: events } = await narnat([...STREAM, "--no-session"], {
      stdin: lines(121),
    });
    assert.equal(code, 0);
    assert.equal(events.at(-1).run_turns, 121);
    assert.match(provider.requests.at(-1)!.json.messages[0].content, /sum[^]*第120问/);
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), []);
  });
});

slow(
  "the first run and `narnat init` leave an empty summary file, never touching one that is there",
  async () => {
    await handoverStage(() => ({ text: "sum" }), async ({ narnat, file, root }) => {
      await narnat(["init"]);
      assert.equal(file(), "");
      await Deno.remove(join(root, SUMMARY));
      await narnat(["-p", "hello"]);
      assert.equal(file(), "");
      await Deno.writeTextFile(join(root, SUMMARY), "mine");
      await narnat(["-p", "hello"]);
      assert.equal(file(), "mine");
    });
  },
);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a kill waits for: narnat's start, the summary's request, its answer, its file, the new session, the line's request. */
const MOMENTS = ["start", "asked", "answered", "written", "begun", "sent"] as const;

/** Starts the handover of the only session and kills it so many milliseconds after `from`. */
async function killed(
  { root, env, provider, file }: HandoverStage,
  from: typeof MOMENTS[number],
  ms: number,
  line: string,
): Promise<void> {
  const before = provider.requests.length;
  // what an earlier kill left would be taken for this run's
  if (from === "written") Deno.writeTextFileSync(join(root, SUMMARY), "");
  const child = startNarnat(BUNDLED, ["-p", line, "-c", "--output-format", "stream-json"], {
    cwd: root,
    env,
  });
  let ended = false;
  const status = child.status.then(() => ended = true);
  const begun = () =>
    [...Deno.readDirSync(join(root, ".narnat/sessions"))]
      .filter(({ name }) => name.endsWith(".jsonl")).length > 1;
  const reached = () => {
    if (from === "start") return true;
    if (from === "begun") return begun();
    if (from === "sent") return provider.requests.length > before + 1;
    if (from === "written") return file() !== "" || begun();
    return provider.requests.length > before &&
      (from === "asked" || provider.openConnections() === 0);
  };
  while (!reached() && !ended) await pause(1);
  await pause(ms);
  try {
    child.kill("SIGKILL");
  } catch { /* it was faster */ }
  await status;
}

slow(
  `killed at ${KILLS} moments of a handover, the old or the new session is there whole, with the line`,
  {
    timeout: Math.max(1, SOAK) * 120_000,
  },
  async () => {
    const answer: Reply = { text: "the summary", deltas: 4, delayMs: 5 };
    await handoverStage(() => answer, async (on) => {
      const seen: Record<string, number> = {};
      const old = stored(on.store, 120);
      const path = join(on.root, ".narnat/sessions", `${old}.jsonl`);
      const bytes = Deno.readFileSync(path);
      for (let run = 0; run < KILLS; run++) {
        for (const { id } of on.store.list()) on.store.remove(id);
        Deno.writeFileSync(path, bytes);
        const line = `held ${run}`;
        const from = MOMENTS[run % MOMENTS.length]!;
        const ms = from === "start"
          ? (run * 25) % 400
          : from === "asked"
          ? (run * 3) % 32
          : (run * 5) % 13;
        await killed(on, from, ms, line);
        const what = `run ${run}, ${ms} ms after ${from}`;

        const [newest] = on.store.list();
        const { session, bad } = on.store.open(newest!.id);
        assert.equal(bad, 0, what);
        const { id, turns, held, prompts, carried, messages } = session;
        session.close();
        assert.equal(on.store.read(old).messages.length, 240, what);
        let state: string;
        if (id === old) {
          assert.deepEqual([turns, messages.length], [120, 240], what);
          state = held === undefined ? "before" : "old";
          if (held) assert.equal(held.text, line, what);
        } else {
          assert.equal(carried?.parent, old, what);
          assert.match(carried!.summary, /the summary[^]*第120问/, what);
          assert.equal(held?.text ?? prompts[0], line, what);
          state = held ? "new, held" : "new, asked";
        }
        seen[state] = (seen[state] ?? 0) + 1;

        // whichever it is, it goes on
        if (run % 4 !== 0) continue;
        const next = await on.narnat(["-p", "go on", "-c", "--output-format", "json"]);
        assert.equal(next.lines[0].text, "re: go on", what + next.stderr);
        if (held) assert.ok(next.stderr.includes(`还没有提问：${line}`), what + next.stderr);
        assert.equal(on.file(), "", what);
      }
      console.log(JSON.stringify(seen));
      assert.ok((seen["old"] ?? 0) > 0, "none was killed while the old session held the line");
      assert.ok((seen["new, asked"] ?? 0) + (seen["new, held"] ?? 0) > 0, "none got through");
      assert.deepEqual(on.provider.pairingErrors, []);
    });
  },
);

slow("a script that is told to end during a handover leaves its line to the next one", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    await handoverStage(() => ({ fault: "stall", text: "half" }), async (on) => {
      const id = stored(on.store, 120);
      const child = startNarnat(BUNDLED, ["-p", "第121问", "-c"], { cwd: on.root, env: on.env });
      while (on.provider.requests.length === 0) await pause(5);
      child.kill(signal);
      await child.status;
      const { session } = on.store.open(id);
      assert.equal(session.held?.text, "第121问", signal);
      session.close();
    });
  }
});

// ---------------------------------------------------------------- on the screen

const available = await Tmux.available();
if (!available) console.error("SKIPPED: tmux is missing, no handover is seen on a screen");

const TODO = { content: "写测试", activeForm: "正在写测试", status: "in_progress" };

slow({
  name: "/compact on the screen: stopped by ESC, done, its todos still drawn, and undone",
  ignore: !available,
  async fn() {
    let summaries = 0;
    const script = (request: CapturedRequest): Reply =>
      isSummary(request)
        ? summaries++ === 0 ? { fault: "stall", text: "half" } : { text: "the summary" }
        : lastOf(request) === "plan"
        ? { calls: [{ name: "TodoWrite", input: { todos: [TODO] } }] }
        : { text: "Right." };
    await onStage({ script }, async ({ tmux, start, say }) => {
      await start();
      await tmux.shows(/❯ $/);
      await say("/compact", /还没有可以压缩的会话[^]*❯ $/);
      await say("plan", /Right\.[^]*正在写测试[^]*❯ $/);
      await say("/compact", "正在压缩...");
      await tmux.key("Escape");
      await tmux.shows(/已取消，会话没有变化[^]*❯ $/);
      const done = await say("/compact 端口", /\/undo-compact 可回去[^]*❯ $/);
      assert.match(done, /压缩完成\n[^]*1 轮会话已压缩为[^\n]*总结[^]*正在写测试\n/);
      assert.ok(!done.includes("压缩失败"));
      await say("next", /❯ next\n[^]*Right\.[^]*❯ $/);
      await say("/undo-compact", /已回到压缩前的会话[^]*最后的问答[^]*❯ $/);
    });
  },
});

slow({
  name: "a terminal left during a handover keeps the line for the next -c",
  ignore: !available,
  async fn() {
    const script = (): Reply => ({ fault: "stall", text: "half" });
    await onStage({ script }, async ({ tmux, project, pid, start, say }) => {
      const store = storeIn(await Deno.realPath(project));
      const id = stored(store, 120);
      const ways = [
        () => tmux.key("C-d"),
        async () => Deno.kill(await pid(), "SIGHUP"),
        async () => Deno.kill(await pid(), "SIGTERM"),
        () => tmux.type("/exit\n"),
      ];
      for (const [at, leave] of ways.entries()) {
        await start("-c");
        if (at === 0) await tmux.shows(/❯ $/);
        else await tmux.shows(/❯ 第121问/);
        await (at === 0 ? say("第121问", "正在压缩...") : say("", "正在压缩..."));
        await leave();
        await tmux.shows(/RC=\d+[^]*SH> $/);
        await tmux.type("clear\n");
        await tmux.shows(/^SH> $/);
        const { session } = store.open(id);
        assert.equal(session.held?.text, "第121问", `way ${at}`);
        session.close();
      }
    });
  },
});

slow({
  name: "on the screen the 121st question goes through, and a held one comes back into the line",
  ignore: !available,
  async fn() {
    const script = (request: CapturedRequest): Reply =>
      isSummary(request) ? { text: "the summary", delayMs: 100 } : { text: "Right." };
    await onStage({ script }, async ({ tmux, project, start, say }) => {
      const store = storeIn(await Deno.realPath(project));
      stored(store, 120, (session) => session.hold({ text: "第121问" }));
      await start("-c");
      await tmux.shows(/第120答[^]*❯ 第121问 *$/);
      await tmux.key("Enter");
      await tmux.shows("正在压缩...");
      const done = await tmux.shows(/压缩完成\n[^]*Right\.[^]*❯ $/);
      assert.ok(!done.includes("正在压缩..."));
      // no recap of what is on the screen already
      const after = await say("/status", /轮数：1\n[^]*❯ $/);
      assert.ok(!/最后的问答/.test(after.slice(after.indexOf("/status"))), after);
      assert.equal(store.list()[0]!.turns, 1);
      await tmux.type("/exit\n");
      await tmux.shows("RC=0");
      await start("-c");
      assert.ok(!(await tmux.shows(/Right\.[^]*❯ $/)).endsWith("第121问"));
    });
  },
});

slow("line by line, what is done and what was held is said", async () => {
  await handoverStage(() => ({ text: "sum" }), async ({ narnat, store }) => {
    stored(store, 120, (session) => session.hold({ text: "第121问" }));
    const { stdout } = await narnat(["--plain", "-c"], { stdin: "第121问\n" });
    assert.match(stdout, /第120答[^]*第121问[^]*正在压缩\.\.\.\n压缩完成\n[^]*re: 第121问/);
  });
});
