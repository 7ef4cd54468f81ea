/** Memory across sessions, as a user has it: real processes, a fake provider over HTTP, real git. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import type { CapturedRequest, Reply, Script } from "../support/fake_provider.ts";
import { startNarnat } from "../support/narnat.ts";
import { onStage } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";
import { type Stage, stage } from "../support/stage.ts";
import { slow, SOAK } from "../support/soak.ts";

const systemOf = ({ json }: CapturedRequest): string => json.messages[0].content;
const lastOf = ({ json }: CapturedRequest) => json.messages.at(-1);
const isPhase1 = (request: CapturedRequest) => systemOf(request).includes("one finding a line");
const isPhase2 = (request: CapturedRequest) => systemOf(request).includes("carry out findings");

/** Answers lines, archives, and dreams that the port is 8430; edits slowly where told to. */
function answer(request: CapturedRequest, slowMs = 0): Reply {
  const last = lastOf(request);
  const delay = slowMs > 0 ? { delayMs: slowMs } : {};
  if (isPhase1(request)) return { text: "[MEMORY] the service listens on port 8430", ...delay };
  if (isPhase2(request)) {
    const file_path = "memory/MEMORY.md";
    if (last.role === "user") return { calls: [{ name: "Read", input: { file_path } }], ...delay };
    if (request.json.messages.length > 4) return { text: "Done.", ...delay };
    const old_string = "- uses deno";
    const new_string = "- uses deno\n- port 8430";
    const edit = { name: "Edit", input: { file_path, old_string, new_string } };
    const evil = { name: "Write", input: { file_path: "../../../evil.md", content: "x" } };
    return { calls: [edit, evil], ...delay };
  }
  if (String(last.content).includes("put into the archive")) return { text: "- the port was set" };
  return { text: `did ${last.content}` };
}

/** The stage in a project that has a memory. */
function inPlace(
  script: Script,
  play: (stage: Stage & { read(path: string): string }) => Promise<void>,
): Promise<void> {
  const read = (root: string) => (path: string) =>
    Deno.readTextFileSync(join(root, ".narnat", path));
  return stage(script, (on) => play({ ...on, read: read(on.root) }), {
    "w/.narnat/memory/MEMORY.md": "# Memory\n\n- uses deno\n",
  });
}

slow(
  "what one run did is remembered, dreamt of, known in the next run, and undone",
  () =>
    inPlace((request) => answer(request), async ({ root, provider, narnat, read }) => {
      await narnat(["-p", "set the port to 8430"]);
      const dreamt = await narnat(["-p", "/dream"]);
      assert.match(dreamt.stdout, /Dream: read 1 entry of history, changed MEMORY\.md \+1 −0/);
      assert.equal(dreamt.code, 0);
      assert.equal(read("memory/MEMORY.md"), "# Memory\n\n- uses deno\n- port 8430\n");
      assert.ok(!existsSync(join(root, "../evil.md")));
      const phase1 = provider.requests.find(isPhase1)!;
      assert.match(lastOf(phase1).content, /#1 [^]*\*\*Task:\*\* set the port to 8430/);
      assert.ok(!("tools" in phase1.json) || phase1.json.tools.length === 0);
      const phase2 = provider.requests.find(isPhase2)!;
      assert.deepEqual(
        phase2.json.tools.map((tool: { function: { name: string } }) => tool.function.name),
        ["Read", "Write", "Edit"],
      );

      await narnat(["-p", "and now?"]);
      const prompt = systemOf(provider.requests.at(-1)!);
      assert.match(prompt, /- port 8430/);
      assert.match(
        prompt,
        /# Previous context\n<history>\n## [^\n]*\n\*\*Task:\*\* set the port to 8430/,
      );
      assert.match((await narnat(["-p", "/dream-log"])).stdout, /\+- port 8430/);
      await narnat(["-p", "/dream-restore"]);
      assert.equal(read("memory/MEMORY.md"), "# Memory\n\n- uses deno\n");
      assert.deepEqual(provider.pairingErrors, []);
    }),
);

slow(
  "a conversation that goes on is not told of itself as of an earlier one",
  () =>
    inPlace((request) => answer(request), async ({ provider, narnat }) => {
      await narnat(["-p", "set the port to 8430"]);
      await narnat(["-p", "-c", "and now?"]);
      assert.doesNotMatch(systemOf(provider.requests.at(-1)!), /Previous context/);
      await narnat(["-p", "-c", "/compact"]);
      await narnat(["-p", "-c", "go on"]);
      const system = systemOf(provider.requests.at(-1)!);
      assert.match(system, /# What the session before this one left/);
      assert.doesNotMatch(system, /Previous context/);
      await narnat(["-p", "something else"]);
      assert.match(systemOf(provider.requests.at(-1)!), /Previous context[^]*8430/);
    }),
);

Deno.test(
  "a line that was asked to be remembered counts at once, and in the next run",
  () =>
    inPlace((request) => answer(request), async ({ provider, narnat }) => {
      const lines = ["hello", "/remember tests run with deno task test", "run the tests"];
      await narnat(["-p", "--input-format", "stream-json"], {
        stdin: lines.map((text) => JSON.stringify({ type: "user", text }) + "\n").join(""),
      });
      const [first, second] = provider.requests;
      assert.equal(systemOf(second!), systemOf(first!), "the prefix stays");
      assert.match(second!.json.messages.at(-2).content, /remember: tests run with deno task test/);
      await narnat(["-p", "again"]);
      assert.match(systemOf(provider.requests.at(-1)!), /- tests run with deno task test/);
    }),
);

Deno.test(
  "a session that keeps nothing has no memory and leaves none",
  () =>
    inPlace((request) => answer(request), async ({ root, narnat }) => {
      await narnat(["-p", "--no-session", "hello"]);
      const refused = await narnat(["-p", "--no-session", "/remember x"]);
      assert.match(refused.stdout + refused.stderr, /no memory/);
      assert.deepEqual(
        [...Deno.readDirSync(join(root, ".narnat/memory"))].map(({ name }) => name),
        [
          "MEMORY.md",
        ],
      );
    }),
);

slow(
  "killed at any moment, a Dream leaves the files as they were or as it meant them",
  {
    timeout: Math.max(1, SOAK) * 120_000,
  },
  () =>
    inPlace((request) => answer(request, 15), async ({ root, env, provider, narnat, read }) => {
      const before = "# Memory\n\n- uses deno\n";
      const after = "# Memory\n\n- uses deno\n- port 8430\n";
      await narnat(["-p", "set the port to 8430"]);
      const kill = async (ms: number) => {
        const asked = provider.requests.length;
        const child = startNarnat(BUNDLED, ["-p", "/dream"], { cwd: root, env });
        let over = false;
        void child.status.then(() => over = true);
        while (!over && provider.requests.length === asked) {
          await new Promise((r) => setTimeout(r, 2));
        }
        await new Promise((resolve) => setTimeout(resolve, ms));
        if (!over) child.kill("SIGKILL");
        await child.status;
      };
      let kept = 0;
      for (let ms = 0; ms < 520; ms += 75 / SOAK) {
        await kill(ms);
        const now = read("memory/MEMORY.md");
        assert.ok(now === before || now === after, `killed after ${ms} ms: ${now}`);
        if (now === before) kept++;
        else {
          // from the beginning, so that each moment is tried on what was there before
          Deno.writeTextFileSync(join(root, ".narnat/memory/MEMORY.md"), before);
          Deno.writeTextFileSync(join(root, ".narnat/memory/dream.json"), "{}");
        }
      }
      assert.ok(kept > 1, `only ${kept} were killed in time`);
      const dreamt = await narnat(["-p", "/dream"]);
      assert.match(dreamt.stdout, /changed MEMORY\.md \+1/, dreamt.stderr);
      assert.equal(read("memory/MEMORY.md"), after);
      assert.ok(!existsSync(join(root, ".narnat/memory/.dream")));
    }),
);

slow({
  name:
    "at the terminal a Dream begins by itself when it is due, says what it did, an editor opens, /new archives",
  ignore: !await Tmux.available(),
  fn: () =>
    onStage({
      script: (request) => answer(request),
      env: { EDITOR: "sed -i s/8430/9999/" },
      files: {
        ".narnat/memory/MEMORY.md": "# Memory\n\n- uses deno\n",
        ".narnat/memory/history.jsonl":
          '{"cursor":1,"timestamp":"2020-11-20T08:00:00Z","content":"port 8430","session":"s"}\n',
      },
    }, async ({ tmux, start, project }) => {
      await start();
      // it waits for the first question: opening a folder sends nothing
      await tmux.shows(/❯ $/);
      await tmux.type("早\n");
      await tmux.shows(/正在后台整理记忆[^]*记忆整理完成：读了 1 条历史，改动 MEMORY\.md \+1 −0/);
      await tmux.type("/memory edit\n");
      const file = join(project, ".narnat/memory/MEMORY.md");
      const end = Date.now() + 10_000;
      while (!Deno.readTextFileSync(file).includes("9999")) {
        assert.ok(Date.now() < end, "the editor has not changed the file");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await tmux.shows(/已保存 [^]*MEMORY\.md；/);
      await tmux.type("/memory\n");
      await tmux.shows(/- port 9999/);
      await tmux.type("你好\n");
      await tmux.shows(/did 你好/);
      await tmux.type("/new\n");
      await tmux.shows(/正在后台总结[^]*已总结并归入记忆/);
      await tmux.shows(/❯ $/);
    }),
});

slow({
  name: "to leave amid a Dream says that it was dropped, and that nothing else was cut off",
  ignore: !await Tmux.available(),
  fn: () =>
    onStage({
      script: (request) => isPhase1(request) ? { fault: "stall", text: "[MEM" } : answer(request),
      env: { LANG: "C.UTF-8" },
    }, async ({ tmux, start, say, provider }) => {
      await start();
      await tmux.shows(/❯ $/);
      await say("set the port", "did set the port");
      await say("/clear", /❯ \/clear[^]*❯ $/);
      await say("/dream", "Dreaming");
      for (let tries = 0; !provider.requests.some(isPhase1) && tries < 200; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const left = await say("/exit", /RC=0/);
      assert.match(
        left,
        /narnat: The Dream was stopped; the memory has not changed \(spent \d+ tokens\)\nRC=0/,
      );
      assert.doesNotMatch(left, /Interrupted/);
    }),
});
