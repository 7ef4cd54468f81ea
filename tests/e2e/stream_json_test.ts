/** The lines of `stream-json`: what begins and ends a run, what a line may say, what stops it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FakeProvider, Script } from "../support/fake_provider.ts";
import { fakeCommand } from "../features/mcp/stage.ts";
import { hasSaid, type Outcome } from "../support/narnat.ts";
import { stage } from "../support/stage.ts";
import { slow } from "../support/soak.ts";

const LINES = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];

const line = (value: unknown) => JSON.stringify(value) + "\n";
const said = (...texts: string[]) => texts.map((text) => line({ type: "user", text })).join("");
const ends = ({ lines }: Outcome) =>
  lines.filter(({ type }) => type === "turn_end").map(({ reason }) => reason);
/** Until the provider has been asked so often. */
async function asked(provider: FakeProvider, times: number): Promise<void> {
  while (provider.requests.length < times) await new Promise((done) => setTimeout(done, 10));
}

slow("the first line says what the run has to work with", async () => {
  const mcpServers = {
    good: fakeCommand({}),
    dead: fakeCommand({ diesWith: 3 }),
  };
  await stage(() => ({ text: "hi" }), async ({ narnat, root, provider }) => {
    for (const args of [["-p", "go", "--output-format", "stream-json"], LINES]) {
      const stdin = args === LINES ? said("go") : "";
      const { lines, stderr, code } = await narnat([...args, "--permission", "guarded"], { stdin });
      assert.equal(code, 0, stderr);
      const [{ tools, session, time, servers, ...init }, next] = lines;
      const [dead, good] = servers;
      assert.deepEqual([servers.length, dead], [2, { name: "dead", state: "error" }]);
      // one whose tools are known from before is not waited for
      const first = provider.requests.length === 1;
      assert.deepEqual(good, { name: "good", state: first ? "ready" : good.state });
      assert.deepEqual(init, {
        type: "init",
        model: "fake",
        cwd: Deno.realPathSync(root),
        permission: "guarded",
        version: init.version,
        turn: 0,
      });
      assert.match(init.version, /^\d/);
      assert.ok(session === lines.at(-1).session && Date.parse(time));
      assert.deepEqual(
        tools,
        provider.requests.at(-1)!.json.tools.map((one: { function: { name: string } }) =>
          one.function.name
        ),
      );
      assert.ok(tools.includes("mcp_good_echo"));
      assert.equal(next.type, "turn_start");
      const notices = lines.filter(({ type }) => type === "notice").map(({ text }) => text);
      assert.equal(notices.length, 1);
      assert.match(notices[0], /MCP server dead cannot be used/);
      assert.equal(stderr, `narnat: ${notices[0]}\n`);
    }
  }, { "home/.narnat/mcp.json": JSON.stringify({ mcpServers }) });
});

Deno.test("the result names the model, the time, and what each model was asked for", async () => {
  const usage = { input: 30, output: 4, cached: 10 };
  await stage(() => ({ text: "hi", usage }), async ({ narnat }) => {
    const { lines } = await narnat(LINES, { stdin: said("one", "/model other", "two", "three") });
    const { model, time, usage: all, usage_by_model } = lines.at(-1);
    assert.equal(model, "other");
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
    assert.deepEqual(usage_by_model, {
      fake: { ...usage, cost: null },
      other: { input: 60, output: 8, cached: 20, cost: null },
    });
    assert.deepEqual(all, { input: 90, output: 12, cached: 30, cost: null });
  });
});

slow("a run whose input says nothing that can be done ends in error, not done", async () => {
  await stage([], async ({ narnat }) => {
    for (const stdin of ["no json\n", line({ type: "usre", text: "x" }), line([1])]) {
      const { code, lines } = await narnat(LINES, { stdin });
      const { ok, stop_reason, error } = lines.at(-1);
      assert.deepEqual([code, ok, stop_reason, error.kind], [1, false, "error", "input"]);
    }
    const { code, lines } = await narnat(LINES, { stdin: said("/nonsense") });
    assert.deepEqual([code, lines.at(-1).ok, lines.at(-1).stop_reason], [1, false, "error"]);
  });
});

slow("a user's message is taken in the form that others write it in", async () => {
  await stage(() => ({ text: "hi" }), async ({ narnat, provider }) => {
    const message = (content: unknown) =>
      line({ type: "user", message: { role: "user", content } });
    const block = (text: string) => ({ type: "text", text });
    const good = await narnat(LINES, {
      stdin: message("one") + message("/help"),
    });
    assert.deepEqual(ends(good), ["done", "command"]);
    await narnat(LINES, { stdin: message([block("two"), block("three")]) });
    assert.deepEqual(
      provider.requests.map(({ json }) => json.messages.at(-1).content),
      ["one", "two\nthree"],
    );
    const image = { type: "image", source: { type: "base64", data: "" } };
    for (const bad of [[], [block("x"), image], [null], 5, null, undefined]) {
      const { lines } = await narnat(LINES, { stdin: message(bad) });
      assert.match(lines.at(-1).error.text, /line 1 of stdin.*blocks of text/, JSON.stringify(bad));
    }
    assert.equal(provider.requests.length, 2);
  });
});

slow("/stop and a stop line end the running turn at once; what follows is done", async () => {
  const stall = { fault: "stall", text: "half" } as const;
  await stage(
    (_r, i) => i % 2 === 0 ? stall : { text: "whole" },
    async ({ narnat }) => {
      const stops = [{ type: "user", text: " /stop " }, { type: "stop" }, {
        type: "user",
        message: { role: "user", content: "/stop" },
      }];
      for (const stop of stops) {
        const done = await narnat(LINES, {
          stdin: said("one"),
          during: async (_child, write, printed) => {
            await printed(hasSaid("hal"));
            await write(line(stop) + said("two"));
          },
        });
        assert.deepEqual(ends(done), ["interrupted", "done"]);
        assert.equal(done.lines.at(-1).text, "whole");
        assert.equal(done.code, 0);
      }
    },
  );
});

Deno.test("a signal amid a stream of lines ends the turn, and the result says interrupted", async () => {
  await stage(() => ({ fault: "stall", text: "half" }), async ({ narnat, provider }) => {
    const done = await narnat(LINES, {
      stdin: said("one", "two"),
      during: async (child) => {
        await asked(provider, 1);
        child.kill("SIGTERM");
        await child.status;
      },
    });
    assert.deepEqual(ends(done), ["interrupted"]);
    const { ok, stop_reason } = done.lines.at(-1);
    assert.deepEqual([done.code, ok, stop_reason], [143, false, "interrupted"]);
  });
});

slow("a signal while servers are waited for ends the run before its turn", async () => {
  const hung = { command: "sh", args: ["-c", "touch started; exec sleep 60"] };
  await stage(() => ({ text: "hi" }), async ({ narnat, root, provider }) => {
    const done = await narnat(["-p", "go", "--output-format", "stream-json"], {
      stdin: "",
      during: async (child) => {
        // servers are started behind the listening for signals
        while (!existsSync(join(root, "started"))) {
          await new Promise((tick) => setTimeout(tick, 20));
        }
        child.kill("SIGINT");
        await child.status;
      },
    });
    assert.deepEqual([done.code, provider.requests.length], [130, 0]);
    assert.deepEqual(done.lines.map(({ type, stop_reason }) => [type, stop_reason]), [
      ["result", "interrupted"],
    ]);
  }, { "home/.narnat/mcp.json": JSON.stringify({ mcpServers: { hung } }) });
});

slow("--verbose tells on stderr what there is to work with, and each call", async () => {
  const input = { pattern: "*.none" };
  const script: Script = [{ calls: [{ name: "Glob", input }] }, { text: "nothing" }];
  await stage([...script, ...script], async ({ narnat }) => {
    for (const format of ["text", "json"]) {
      const { stderr } = await narnat(["-p", "go", "--verbose", "--output-format", format]);
      assert.deepEqual(stderr.split("\n"), [
        "[Init] model fake, tools 9, rules 2, skills 1, MCP servers 0",
        '[Tool] Glob({"pattern":"*.none"})',
        "",
      ]);
    }
  }, {
    "w/.narnat/rules/a.md": "Be kind.",
    "w/.narnat/rules/b.md": "Be brief.",
    "w/.narnat/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: PDFs\n---\nDo it.",
  });
});
