/** A stop ends the turn at once, whatever is going on, and leaves no process behind. */
import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { createModel, realHost } from "../../src/models/mod.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import { createSearcher } from "../../src/search/mod.ts";
import type { AgentEvent } from "../../src/base/types.ts";
import { type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { onStage } from "../support/terminal.ts";
import { TestAgent } from "../support/test_agent.ts";
import { Tmux } from "../support/tmux.ts";
import { slow } from "../support/soak.ts";

/** The aim is 100, which `deno task bench` watches; the rest is for a busy machine. */
const BOUND_MS = 900;
/** Two processes share the machine with others when the suite runs in parallel. */
const GONE_MS = 5000;

interface Case {
  readonly name: string;
  readonly reply: (word: string) => Reply;
  /** Stop as soon as an event passes; a case without one stops when the request has arrived. */
  readonly when?: (event: AgentEvent) => boolean;
}

const bash = (command: string): Reply => ({
  text: "I run it.",
  calls: [{ name: "Bash", input: { command } }],
});
const progressed = (event: AgentEvent) => event.type === "tool_progress";

const CASES: readonly Case[] = [
  { name: "a flood of output", reply: (word) => bash(`yes ${word}`), when: progressed },
  {
    name: "a command that ignores TERM",
    reply: (word) => bash(`trap '' TERM; while :; do echo ${word}; sleep 0.05; done`),
    when: progressed,
  },
  {
    name: "a command that left its process group",
    reply: (word) => bash(`setsid sh -c 'while :; do : ${word}; sleep 0.1; done' & echo on; wait`),
    when: progressed,
  },
  {
    name: "two commands and a search in one answer",
    reply: (word): Reply => ({
      calls: [
        { name: "Grep", input: { pattern: "a" } },
        { name: "Bash", input: { command: `echo on; sleep 600 # ${word}` } },
        { name: "Bash", input: { command: `touch ${word}` } },
      ],
    }),
    when: progressed,
  },
  { name: "a provider that never begins", reply: () => ({ fault: "stall_before_headers" }) },
  {
    name: "a provider that goes silent",
    reply: () => ({ fault: "stall", text: "half", calls: [{ name: "Read", input: {} }] }),
    when: (event) => event.type === "text",
  },
  {
    name: "a flood of text",
    reply: () => ({ text: "many words ".repeat(2000), chunk: "bytes" }),
    when: (event) => event.type === "text",
  },
  {
    name: "the wait before a retry",
    reply: () => ({ fault: "status", status: 503, headers: { "retry-after": "60" } }),
    when: (event) => event.type === "notice" && event.retryMs !== undefined,
  },
];

/** Processes that carry the word in their arguments or, as a command's shell does, in their environment. */
async function processesWith(word: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    for (const part of ["cmdline", "environ"]) {
      const text = await Deno.readTextFile(`/proc/${name}/${part}`).catch(() => "");
      if (text.includes(word)) found.push(`${name} ${text.replaceAll("\0", " ")}`);
    }
  }
  return found;
}

for (const { name, reply, when } of CASES) {
  Deno.test(`a stop ends the turn at once: ${name}`, async () => {
    await withWorkspace({ "a.txt": "a\n" }, async (root) => {
      const word = `w${crypto.randomUUID().replaceAll("-", "")}`;
      const provider = await startFakeProvider([reply(word), { text: "after" }]);
      const searcher = createSearcher({ entry: import.meta.resolve("../../main.ts") });
      const agent = new TestAgent({
        model: await createModel({
          apiKey: undefined,
          baseUrl: provider.url,
          api: "auto",
          t: english,
          maxOutputTokens: undefined,
          stallMs: 60_000,
          headerMs: 300_000,
          prices: {},
        }, realHost()),
        tools: builtinTools({ searcher }),
        workspace: root,
      });
      try {
        agent.send("go");
        if (when) await agent.until(when);
        else while (provider.requests.length === 0) await new Promise((r) => setTimeout(r, 2));
        const running = await processesWith(word);
        assert.equal(running.length > 0, when === progressed, "what is to be stopped runs");
        const began = performance.now();
        agent.stop();
        await agent.until((event) => event.type === "turn_end");
        const ms = performance.now() - began;
        console.log(`${name}: ${ms.toFixed(0)} ms`);
        assert.equal(agent.of("turn_end")[0]!.reason, "interrupted");
        assert.ok(ms < BOUND_MS, `${ms} ms`);

        await agent.say("and now?");
        assert.equal(agent.of("turn_end").at(-1)!.reason, "done");
        assert.deepEqual(provider.pairingErrors, []);
        const last = provider.requests.at(-1)!.json.messages.filter(
          (one: { role: string }) => one.role === "tool",
        );
        const calls = "calls" in reply(word) && !("fault" in reply(word));
        assert.equal(last.length > 0, calls);
        if (calls) assert.match(last.at(-1).content, /interrupted/);
        assert.deepEqual(
          [...Deno.readDirSync(root)].map((entry) => entry.name).filter((one) => one === word),
          [],
          "a call behind the stop does not run",
        );

        const end = Date.now() + GONE_MS;
        let left = await processesWith(word);
        while (left.length > 0 && Date.now() < end) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          left = await processesWith(word);
        }
        assert.deepEqual(left, []);
        assert.equal(provider.openConnections(), 0);
      } finally {
        await agent.agent.close();
        searcher.close();
        await provider.close();
      }
    });
  });
}

for (const mode of ["", "--plain"]) {
  slow({
    name: `/stop typed ${
      mode === "" ? "on the screen" : "line by line"
    } ends the running turn at once`,
    ignore: !await Tmux.available(),
    fn: () =>
      onStage({
        env: { LANG: "C.UTF-8" },
        script: (request) =>
          request.json.messages.at(-1).content === "slow"
            ? { text: "slow…", fault: "stall" }
            : { text: "quick answer" },
      }, async ({ tmux, start }) => {
        await start(mode);
        await tmux.shows(/fake/);
        await tmux.type("slow\n");
        await tmux.shows("slow…");
        await tmux.type("/stop\n");
        await tmux.shows(/Interrupted/);
        await tmux.type("again\n");
        await tmux.shows("quick answer");
        await tmux.key("C-d");
        await tmux.shows("RC=0");
      }),
  });
}
