/** Servers of tools, skills, subagents and hooks, together in the real program against a real provider. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { bareRepo } from "../features/skills/bare_repo.ts";
import { BUNDLED } from "../support/bundled.ts";
import type { CapturedRequest, Reply, Script } from "../support/fake_provider.ts";
import { fakeCommand } from "../features/mcp/stage.ts";
import type { FakeServer } from "../features/mcp/fake_server.ts";
import { type Outcome, runNarnat, SOURCE, startNarnat } from "../support/narnat.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { alive, eventually, hasEnded, uniqueSleep } from "../support/processes.ts";
import { installRealServers, realConfig } from "../features/mcp/real_servers.ts";
import { onStage } from "../support/terminal.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";
import { Tmux } from "../support/tmux.ts";
import { type Stage, stage } from "../support/stage.ts";
import { slow } from "../support/soak.ts";

interface ExtendedStage extends Omit<Stage, "narnat"> {
  run(...args: string[]): Promise<Outcome>;
}

/** The stage with files that name their own place; `root` holds the workspace and the home. */
const extendedStage = (
  script: Script,
  files: (root: string) => Files,
  play: (stage: ExtendedStage) => Promise<void>,
): Promise<void> =>
  stage(
    script,
    ({ narnat, ...on }) => play({ ...on, root: on.dir, run: (...args) => narnat(args) }),
    (dir) => ({ "home/.keep": "", ...files(dir) }),
  );

const servers = (all: { readonly [name: string]: unknown }) => JSON.stringify({ mcpServers: all });
const fake = (options: FakeServer = {}, more: object = {}) => ({
  ...fakeCommand(options),
  ...more,
});
const toolsOf = ({ json }: CapturedRequest): string[] =>
  json.tools.map((tool: { function: { name: string } }) => tool.function.name);
const call = (name: string, input: object): Reply => ({ calls: [{ name, input: input as never }] });
// deno-lint-ignore no-explicit-any -- events are read freely
const ended = (outcome: Outcome): any[] => outcome.lines.filter(({ type }) => type === "tool_end");

const installed = await installRealServers();

slow({
  name: "a tool of a server, a skill, a subagent and hooks in one session",
  ignore: typeof installed === "string",
  async fn() {
    const dir = typeof installed === "string" ? "" : installed.dir;
    const script = ({ json }: CapturedRequest): Reply => {
      const asked = String(json.messages[1].content);
      const answers = json.messages.filter((m: { role: string }) => m.role === "assistant").length;
      const path = /in (\S+)/.exec(asked)?.[1] ?? "";
      if (asked.startsWith("count")) {
        return answers === 0
          ? call("mcp_fs_read_text_file", { path: `${path}/notes.txt` })
          : { text: "three lines" };
      }
      switch (answers) {
        case 0:
          return call("mcp_fs_list_directory", { path });
        case 1:
          return call("Spawn", { task: `count the lines in ${path}`, label: "count", wait: true });
        case 2:
          return call("Bash", { command: "rm notes.txt" });
        default:
          return { text: "three lines, nothing removed" };
      }
    };
    const files = (root: string): Files => ({
      "w/notes.txt": "one\ntwo\nthree\n",
      "w/.narnat/skills/review/SKILL.md": "---\ndescription: How to review\n---\nRead it twice.\n",
      "home/.narnat/narnat.json": JSON.stringify({
        extra_tools: ["Spawn"],
        hooks: {
          session_start: ["echo on branch x"],
          before_tool: [{ match: "Bash", command: "echo 'no shell here' >&2; exit 2" }],
          after_tool: [`cat >>${root}/after`],
          turn_end: [`cat >>${root}/ends`],
        },
      }),
      "home/.narnat/mcp.json": servers({
        fs: { ...realConfig(dir, "filesystem", [`${root}/w`]).reach, type: "stdio" },
      }),
    });
    await extendedStage(script, files, async ({ root, provider, run }) => {
      const line = `$review what is in ${root}/w`;
      const outcome = await run("-p", "--output-format", "stream-json", line);
      assert.equal(outcome.code, 0, outcome.stderr);
      assert.equal(outcome.lines.at(-1).text, "three lines, nothing removed");
      assert.deepEqual(ended(outcome).map(({ name, ok }) => [name, ok]), [
        ["mcp_fs_list_directory", true],
        ["Spawn", true],
        ["Bash", false],
      ]);
      const [listed, spawned, barred] = ended(outcome);
      assert.match(listed.text, /\[FILE\] notes\.txt/);
      assert.match(spawned.text, /three lines/);
      assert.equal(barred.text, "no shell here");
      const mine = provider.requests.filter(({ json }) =>
        json.messages[1].content.startsWith("$review")
      );
      assertPrefixes(mine);
      const first = JSON.stringify(mine[0]!.json.messages);
      assert.match(first, /Read it twice/);
      assert.match(first, /session_start:\\non branch x/);
      const nine = ["Read", "Write", "Edit", "Glob", "Grep", "Bash", "WebSearch", "WebFetch"];
      const names = toolsOf(mine[0]!);
      assert.deepEqual(names.slice(0, 10), [...nine, "TodoWrite", "Spawn"]);
      assert.ok(names.slice(10).every((name) => name.startsWith("mcp_fs_")));
      const events = (await Deno.readTextFile(join(root, "after"))).trim().split("\n")
        .map((row) => JSON.parse(row));
      assert.deepEqual(events.map(({ tool, lane }) => [tool, lane.replace(/:.*/, "")]), [
        ["mcp_fs_list_directory", "main"],
        ["mcp_fs_read_text_file", "sub"],
        ["Spawn", "main"],
      ]);
      // the subagent's turn is no turn of the user's
      const ends = (await Deno.readTextFile(join(root, "ends"))).trim().split("\n");
      assert.deepEqual(ends.map((row) => JSON.parse(row).lane), ["main"]);
      assert.ok((await Deno.stat(join(root, "w/notes.txt"))).isFile);
      assert.ok(await eventually(async () => await alive(`node .*filesystem ${root}`) === 0));
    });
  },
});

slow(
  "what a project wants to start is not started before it is trusted, and not once it has changed",
  async () => {
    const files = (root: string): Files => ({
      "w/.mcp.json": servers({ theirs: fake() }),
      "w/.narnat/narnat.json": JSON.stringify({ hooks: { turn_end: [`echo ran >>${root}/ran`] } }),
    });
    const there = (path: string) => Deno.stat(path).then(() => true, () => false);
    await extendedStage(() => ({ text: "ok" }), files, async ({ root, provider, run }) => {
      const asked = await run("-p", "go");
      assert.deepEqual([asked.code, asked.stdout], [0, "ok\n"]);
      const events = await run("-p", "go", "--output-format", "stream-json");
      assert.ok(!events.lines.some(({ type }) => type === "hook"), "none has run");
      assert.match(
        asked.stderr,
        /not trusted and not used: this project's \.mcp\.json, hooks; .*narnat trust add/,
      );
      assert.ok(!toolsOf(provider.requests[0]!).some((name) => name.startsWith("mcp_")));
      assert.equal(await there(join(root, "ran")), false);

      await run("trust", "add");
      const trusted = await run("-p", "go");
      assert.deepEqual([trusted.code, trusted.stderr], [0, ""]);
      assert.ok(toolsOf(provider.requests.at(-1)!).includes("mcp_theirs_echo"));
      assert.equal(await Deno.readTextFile(join(root, "ran")), "ran\n");

      await Deno.writeTextFile(
        join(root, "w/.mcp.json"),
        servers({ theirs: fake({ more: true }) }),
      );
      const changed = await run("-p", "go");
      assert.match(changed.stderr, /not trusted and not used: this project's \.mcp\.json;/);
      assert.ok(!toolsOf(provider.requests.at(-1)!).some((name) => name.startsWith("mcp_")));
      assert.equal(await Deno.readTextFile(join(root, "ran")), "ran\nran\n");
    });
  },
);

Deno.test("without the permission to run programs neither servers nor hooks start, and that is told", async () => {
  const files = (root: string) => ({
    "home/.narnat/mcp.json": servers({ s: fake() }),
    "home/.narnat/narnat.json": JSON.stringify({ hooks: { turn_end: [`echo ran >>${root}/ran`] } }),
  });
  await extendedStage(() => ({ text: "ok" }), files, async ({ root, provider, env }) => {
    const args = SOURCE.args.flatMap((arg) =>
      arg === "-A"
        ? ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-sys"]
        : [arg]
    );
    const { code, stdout, stderr } = await runNarnat({ ...SOURCE, args }, ["-p", "go"], {
      cwd: join(root, "w"),
      env,
      stdin: "",
    });
    assert.deepEqual([code, stdout], [0, "ok\n"], stderr);
    assert.match(stderr, /MCP server s cannot be used: narnat was not given --allow-run/);
    assert.match(stderr, /no hook runs/);
    assert.ok(!toolsOf(provider.requests[0]!).some((name) => name.startsWith("mcp_")));
    assert.equal(await Deno.stat(join(root, "ran")).catch(() => "none"), "none");
  });
});

Deno.test("a script that speaks lines is not asked for trust either", async () => {
  const files = () => ({ "w/.mcp.json": servers({ theirs: fake() }) });
  await extendedStage(() => ({ text: "ok" }), files, async ({ root, env }) => {
    const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
    const { code, lines, stderr } = await runNarnat(BUNDLED, args, {
      cwd: join(root, "w"),
      env,
      stdin: '{"type":"user","text":"go"}\n',
    });
    assert.equal(code, 0);
    assert.ok(!lines.some(({ type }) => type === "ask"));
    assert.match(stderr, /not trusted/);
  });
});

Deno.test("what is wrong with a project's server is told under -p, though nobody trusts the project", async () => {
  const inline = { tools: [{ type: "function", function: { name: "x" } }] };
  const files = () => ({ "w/.agent/mcp.json": servers({ inline, off: { disabled: true } }) });
  await extendedStage(() => ({ text: "ok" }), files, async ({ run }) => {
    const { code, stdout, stderr } = await run("-p", "go");
    assert.deepEqual([code, stdout], [0, "ok\n"]);
    assert.match(stderr, /^narnat: The MCP server inline cannot be used: .*a url .*\n$/);
    assert.match((await run("doctor")).stdout, /! MCP server: inline: .*needs a command/);
  });
});

slow(
  "a server that never answers, one that dies and one that is none: told, and the turn goes on",
  async () => {
    const files = () => ({
      "home/.narnat/mcp.json": servers({
        good: fake(),
        hung: fake({ initializeMs: -1 }, { startupTimeout: 1000 }),
        dead: fake({ diesWith: 3 }),
        none: { command: "no-such-program" },
      }),
    });
    await extendedStage(() => ({ text: "ok" }), files, async ({ provider, run }) => {
      const { code, stdout, stderr: told } = await run("-p", "go");
      assert.deepEqual([code, stdout], [0, "ok\n"]);
      for (const name of ["hung", "dead", "none"]) {
        assert.match(
          told,
          new RegExp(`The MCP server ${name} cannot be used: [^]+\\(narnat mcp test ${name} `),
        );
      }
      const names = toolsOf(provider.requests[0]!).filter((name) => name.startsWith("mcp_"));
      assert.ok(names.length > 0 && names.every((name) => name.startsWith("mcp_good_")));
    });
  },
);

slow("a tool that comes between turns joins with the next one, and is told", async () => {
  const script = ({ json }: CapturedRequest): Reply => {
    const last = json.messages.at(-1);
    return last.role === "user" && last.content === "one" ? call("mcp_s_grow", {}) : { text: "ok" };
  };
  const files = () => ({ "home/.narnat/mcp.json": servers({ s: fake() }) });
  await extendedStage(script, files, async ({ root, provider, env }) => {
    const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
    const has = () => provider.requests.map((one) => toolsOf(one).includes("mcp_s_grown"));
    const { lines } = await runNarnat(BUNDLED, args, {
      cwd: join(root, "w"),
      env,
      async during(_child, write) {
        await write('{"type":"user","text":"one"}\n');
        await eventually(() => provider.requests.length === 2, 20_000);
        // the list is read anew once the server has said that it changed
        for (let asked = 3; asked < 40 && !has().includes(true); asked++) {
          await new Promise((resolve) => setTimeout(resolve, 500));
          await write('{"type":"user","text":"two"}\n');
          await eventually(() => provider.requests.length === asked, 20_000);
        }
      },
    });
    assert.deepEqual([...new Set(has())], [false, true]);
    assert.deepEqual(has().slice(0, 2), [false, false]);
    assert.ok(lines.some(({ text }) => text === "1 tool added: mcp_s_grown"));
    assert.ok(lines.every(({ type, text }) => type !== "tool_end" || text !== undefined));
  });
});

slow("--tools names extra tools and servers' tools, and leaves the others out", async () => {
  const files = () => ({ "home/.narnat/mcp.json": servers({ s: fake() }) });
  await extendedStage(() => ({ text: "ok" }), files, async ({ provider, run }) => {
    const choices = ["Read", "Read,Plan,mcp_s_echo", "Team,mcp_s_*"];
    for (const names of choices) {
      const { code, stderr } = await run("-p", "--tools", names, "go");
      assert.equal(code, 0, stderr);
    }
    const [read, some, more] = provider.requests.map(toolsOf);
    assert.deepEqual(read, ["Read"]);
    assert.deepEqual(some, ["Read", "Plan", "mcp_s_echo"]);
    assert.equal(more![0], "Team");
    assert.ok(more!.length > 5 && more!.slice(1).every((name) => name.startsWith("mcp_s_")));
  });
});

Deno.test("nine tools without a configuration; narnat init turns Plan and Spawn on", async () => {
  await extendedStage([], () => ({}), async ({ run }) => {
    const names = async () =>
      JSON.parse((await run("prompt", "--output-format", "json")).stdout).tools
        .map(({ name }: { name: string }) => name);
    const nine = await names();
    assert.equal(nine.length, 9);
    assert.equal((await run("init")).code, 0);
    assert.deepEqual(await names(), [...nine, "Plan", "Spawn"]);
  });
});

slow("narnat tool and narnat prompt know the servers' tools", async () => {
  const files = () => ({ "home/.narnat/mcp.json": servers({ s: fake() }) });
  await extendedStage([], files, async ({ run }) => {
    const before = await run("prompt");
    assert.match(
      before.stdout,
      /left out: the tools of the MCP server s \(never connected to yet\)/,
    );
    const { code, stdout } = await run("tool", "mcp_s_echo", '{"text":"hello"}');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /hello/);
    const after = await run("prompt", "--output-format", "json");
    const { tools, left } = JSON.parse(after.stdout);
    assert.ok(tools.some(({ name }: { name: string }) => name === "mcp_s_echo"));
    assert.deepEqual(left, []);
    const doctor = await run("doctor", "--model", "demo");
    assert.match(doctor.stdout, /✓ MCP server: s: \d+ tools, \d+ ms/);
  });
});

slow("however narnat ends, its servers and what hooks have left end with it", async () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const sleep = uniqueSleep();
    const files = () => ({
      "home/.narnat/mcp.json": servers({ s: fake({ grandchild: "own group" }) }),
      "home/.narnat/narnat.json": JSON.stringify({
        hooks: { session_start: [`${sleep} >/dev/null 2>&1 &`] },
      }),
    });
    await extendedStage(() => ({ fault: "stall" }), files, async ({ root, provider, env }) => {
      const child = startNarnat(BUNDLED, ["-p", "go"], { cwd: join(root, "w"), env });
      assert.ok(await eventually(() => provider.requests.length === 1, 20_000));
      const pids = await descendants(child.pid);
      assert.ok(pids.length >= 2, `${pids}`);
      assert.equal(await alive(sleep), 1);
      child.kill(signal);
      await child.status;
      assert.ok(await eventually(async () => await alive(sleep) === 0, 10_000));
      assert.ok(await eventually(() => pids.every(hasEnded), 10_000));
    });
  }
});

/** Pids of all processes below one. */
async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-P", String(pid)] }).output();
  const own = new TextDecoder().decode(stdout).trim().split("\n").filter(Boolean).map(Number);
  return [...own, ...(await Promise.all(own.map(descendants))).flat()];
}

const available = await Tmux.available();

slow({
  name: "at the screen a project's wishes are asked about once, whole; a Yes holds from then on",
  ignore: !available,
  fn: () =>
    withWorkspace({}, async (root) => {
      const repo = await bareRepo(root, "guide.git", { "README.md": "The guide of theirs." });
      const settings = {
        hooks: { turn_end: ["echo ran >>ran"] },
        skills: [{ name: "guide", repo, skill: "README.md" }],
      };
      await onStage({
        env: { LANG: "en_US.UTF-8" },
        script: () => ({ text: "an answer" }),
        files: {
          ".mcp.json": servers({ theirs: fake() }),
          ".narnat/narnat.json": JSON.stringify(settings),
        },
        size: [160, 40],
      }, async ({ tmux, start, say, provider, project }) => {
        await start();
        const question = await tmux.shows(/Trust it\?[^]*→ No/);
        // rows break where the width wants it
        assert.match(
          question.replaceAll(/\n *(?:↳ )?/g, ""),
          /\.mcp\.json:.*theirs: .*fake_server\.ts.*hooks:.*turn_end: echo ran >>ran *skills:.*guide: .*guide\.git/,
        );
        await tmux.key("Enter");
        await tmux.shows(
          /They are not started and not used; \/trust or narnat trust add changes that/,
        );
        await say("first", "an answer");
        await tmux.key("C-d");
        await tmux.shows("RC=0");
        assert.ok(!toolsOf(provider.requests[0]!).some((name) => name.startsWith("mcp_")));

        await tmux.type("clear\n");
        await start("second");
        await tmux.shows(/Trust it\?[^]*→ No/);
        await tmux.key("Down", "Enter");
        await tmux.shows("an answer");
        assert.ok(toolsOf(provider.requests.at(-1)!).includes("mcp_theirs_echo"));
        // the line was there before the Yes
        assert.ok(provider.requests.at(-1)!.body.includes("The guide of theirs."));
        await tmux.key("C-d");
        await tmux.shows("RC=0");
        assert.equal(await Deno.readTextFile(join(project, "ran")), "ran\n");

        await tmux.type("clear\n");
        await start("third");
        const last = await tmux.shows("an answer");
        assert.doesNotMatch(last, /Trust it/);
        await tmux.key("C-d");
        await tmux.shows("RC=0");
      });
    }),
});

slow({
  name: "who said No to a project's wishes is asked again by /trust, and a Yes starts them",
  ignore: !available,
  fn: () =>
    withWorkspace({}, async (root) => {
      const repo = await bareRepo(root, "guide.git", { "README.md": "The guide of theirs." });
      const sleep = uniqueSleep();
      await onStage({
        env: { LANG: "en_US.UTF-8" },
        script: (_request, n) => ({ text: `answer ${n}` }),
        files: {
          ".mcp.json": servers({ theirs: fake() }),
          ".narnat/narnat.json": JSON.stringify({
            hooks: { turn_end: ["echo ran >>ran"] },
            skills: [{ name: "guide", repo, skill: "README.md" }],
          }),
          "../home/.narnat/narnat.json": JSON.stringify({
            hooks: { session_start: [`${sleep} >/dev/null 2>&1 &`], notify: ["cat >>noted"] },
          }),
        },
        size: [160, 40],
      }, async ({ tmux, start, say, provider, project }) => {
        const ran = () => Deno.readTextFile(join(project, "ran")).catch(() => "");
        const guided = () =>
          provider.requests.some(({ body }) => body.includes("guide of theirs."));
        await start();
        await tmux.shows(/Trust it\?[^]*→ No/);
        await tmux.key("Enter");
        await tmux.shows(/They are not started and not used; \/trust/);
        await say("first", "answer 0");
        assert.deepEqual([guided(), await ran(), await alive(sleep)], [false, "", 1]);
        await say("/trust", /Trust it\?[^]*Trust it\?[^]*\n→ No/);
        await tmux.key("Down", "Enter");
        await tmux.shows("Trusted and started: .mcp.json, hooks, skills");
        await say("second", "answer 1");
        assert.ok(toolsOf(provider.requests.at(-1)!).includes("mcp_theirs_echo"));
        // what the user's own hook had left running goes on
        assert.deepEqual([guided(), await alive(sleep)], [false, 1]);
        await say("/trust", "trusted: .mcp.json, hooks, skills");
        await say("/new", "stays stored");
        await say("third", /The skill guide was cloned[^]*answer/);
        assert.ok(guided());
        await tmux.key("C-d");
        await tmux.shows("RC=0");
        assert.equal(await ran(), "ran\nran\n");
        // the first question was also about hooks
        const noted = await Deno.readTextFile(join(project, "noted"));
        assert.equal(noted.match(/Trust it/g)?.length, 1);
        assert.ok(await eventually(async () => await alive(sleep) === 0, 10_000));
      });
    }),
});

slow(
  "ten servers' tools and 200 skills cost what the prompt command says, and the prefix holds",
  async () => {
    const SERVERS = 10;
    const toolsOfOne = (server: number) =>
      Array.from({ length: 8 }, (_, n) => ({
        name: `look_${n}`,
        description: `Looks at thing ${n} of server ${server}. `.repeat(4),
        inputSchema: { type: "object", properties: { what: { type: "string" } } },
      }));
    const files = () => ({
      "home/.narnat/mcp.json": servers(
        Object.fromEntries(
          Array.from({ length: SERVERS }, (_, n) => [`s${n}`, fake({ tools: toolsOfOne(n) })]),
        ),
      ),
      ...Object.fromEntries(
        Array.from({ length: 200 }, (_, n) => [
          `w/.narnat/skills/skill-${n}/SKILL.md`,
          `---\nname: skill-${n}\ndescription: For task ${n}\n---\nDo ${n}.\n`,
        ]),
      ),
    });
    const script: Script = (_request, index) =>
      index % 20 === 19 ? { text: "done" } : call(`mcp_s${index % SERVERS}_look_${index % 8}`, {});
    await extendedStage(script, files, async ({ root, provider, env, run }) => {
      // the servers' lists are known from then on
      assert.equal((await run("-p", "go")).code, 0);
      const first = provider.requests.length;
      const shown = JSON.parse((await run("prompt", "--output-format", "json")).stdout);
      const lines = Array.from(
        { length: 12 },
        (_, n) => JSON.stringify({ type: "user", text: `q${n}` }),
      );
      const outcome = await runNarnat(
        BUNDLED,
        ["-p", "--input-format", "stream-json", "--output-format", "stream-json"],
        { cwd: join(root, "w"), env, stdin: lines.join("\n") + "\n" },
      );
      assert.equal(outcome.code, 0, outcome.stderr);
      const sent = provider.requests.slice(first);
      assert.ok(sent.length > 12);
      assertPrefixes(sent);
      const names = toolsOf(sent[0]!);
      assert.deepEqual(
        names.slice(9),
        Array.from({ length: SERVERS }, (_, s) => toolsOfOne(s).map((t) => `mcp_s${s}_${t.name}`))
          .flat(),
      );
      assert.equal(sent[0]!.json.messages[0].content, shown.system);
      assert.deepEqual(
        shown.tools,
        sent[0]!.json.tools.map((
          { function: { name, description, parameters } }: {
            function: { name: string; description: string; parameters: unknown };
          },
        ) => ({ name, description, input: parameters })),
      );
    });
  },
);

slow("narnat tool starts the one server that a tool is of", async () => {
  const note = (root: string, name: string) => ({
    command: "sh",
    args: ["-c", `echo ${name} >> ${root}/started; exec "$0" "$@"`, fakeCommand().command]
      .concat(fakeCommand().args),
  });
  const files = (root: string) => ({
    "home/.narnat/mcp.json": servers({
      one: note(root, "one"),
      one_two: note(root, "one_two"),
      three: note(root, "three"),
    }),
  });
  await extendedStage([], files, async ({ root, run }) => {
    const started = () => Deno.readTextFile(join(root, "started"));
    const { code, stdout } = await run("tool", "mcp_three_echo", '{"text":"hello"}');
    assert.equal(code, 0);
    assert.match(stdout, /\nhello\n$/);
    assert.equal(await started(), "three\n");
    await run("tool", "mcp_one_two_echo", '{"text":"hello"}');
    assert.equal(
      await started().then((text) => text.split("\n").sort().join(" ")),
      " one one_two three",
    );
  });
});

slow("a script is refused a tool that has changed, until the user has accepted it", async () => {
  await extendedStage([], () => ({}), async ({ root, run }) => {
    const write = async (description: string) => {
      // what a server says may change without its configuration
      const { command, args } = fakeCommand({ description });
      const words = [command, ...args].map((word) => `'${word}'`).join(" ");
      await Deno.writeTextFile(join(root, "run.sh"), `exec ${words}\n`);
    };
    await Deno.mkdir(join(root, "home/.narnat"), { recursive: true });
    await Deno.writeTextFile(
      join(root, "home/.narnat/mcp.json"),
      servers({ s: { command: "sh", args: [join(root, "run.sh")] } }),
    );
    const call = () => run("tool", "mcp_s_echo", '{"text":"hello"}');
    await write("Mild");
    assert.match((await call()).stdout, /\nhello\n$/);
    await write("Wild");
    const refused = await call();
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^Not called: the tool echo .*narnat mcp accept s$/m);
    const inside = await runNarnat(BUNDLED, ["mcp", "accept", "s"], {
      cwd: join(root, "w"),
      env: { NARNAT_JOB: "x.1" },
    });
    assert.equal(inside.code, 2, "a command of narnat's accepts nothing");
    const accepted = await run("mcp", "accept", "s");
    assert.equal(accepted.stdout, "echo:\n-Mild\n+Wild\nAccepted as they are now, of s: echo\n");
    assert.match((await call()).stdout, /\nhello\n$/);
    assert.match((await run("mcp", "accept", "s")).stdout, /^No tool of s has changed/);
    assert.equal((await run("mcp", "accept", "none")).code, 2);
  });
});

slow(
  "who can be asked is shown what has changed of a tool, and a Yes lets it be called",
  async () => {
    const call = { calls: [{ name: "mcp_s_echo", input: { text: "hello" } }] };
    const script = [call, { text: "one" }, call, { text: "two" }];
    await extendedStage(script, () => ({}), async ({ root, run, provider, talk }) => {
      const write = async (description: string) => {
        const { command, args } = fakeCommand({ description });
        const words = [command, ...args].map((word) => `'${word}'`).join(" ");
        await Deno.writeTextFile(join(root, "run.sh"), `exec ${words}\n`);
      };
      await Deno.mkdir(join(root, "home/.narnat"), { recursive: true });
      await Deno.writeTextFile(
        join(root, "home/.narnat/mcp.json"),
        servers({ s: { command: "sh", args: [join(root, "run.sh")] } }),
      );
      await write("Mild");
      await run("-p", "go");
      await write("Wild");
      const { say } = talk();
      const events = await say("again");
      const asks = events.filter(({ type }) => type === "ask");
      assert.deepEqual(asks.map(({ kind, command }) => [kind, command]), [[
        "trust",
        "-Mild\n+Wild",
      ]]);
      assert.equal(events.find(({ type }) => type === "tool_end").ok, true);
      const sent = provider.requests.map(({ body }) => body.includes("Wild"));
      assert.equal(sent[2], false, "before the Yes the model reads what the user knows");
    });
  },
);
