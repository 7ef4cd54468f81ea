import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../../../support/bundled.ts";
import { fakeCommand } from "../stage.ts";
import { serveTools } from "../http_server.ts";
import { runNarnat, startNarnat } from "../../../support/narnat.ts";
import { drawSecrets } from "../../secrets/seeded.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";
import { slow } from "../../../support/soak.ts";

const run = (root: string, ...args: string[]) =>
  runNarnat(BUNDLED, ["mcp", ...args], { cwd: join(root, "w"), stdin: "" });
const project = (root: string) => Deno.readTextFileSync(join(root, "w/.narnat/mcp.json"));
const words = (command: { command: string; args: string[] }) => [command.command, ...command.args];

slow(
  "a server is added, listed, tried, switched and removed; what else the file holds stays",
  async () => {
    const before = `{\n  // ours\n  "mcpServers": {},\n  "note": 1\n}\n`;
    await withWorkspace({ "w/.narnat/mcp.json": before, "home/x": "" }, async (root) => {
      const added = await run(root, "add", "fake", "--", ...words(fakeCommand()));
      assert.equal(added.code, 0, added.stderr);
      assert.match(added.stdout, /^Added fake: .*fake_server\.ts .*\(\.narnat\/mcp\.json\)\n/);
      assert.doesNotMatch(added.stdout, /not trusted/);
      assert.match(project(root), /\/\/ ours/);
      assert.match(project(root), /"note": 1/);

      const listed = await run(root, "list");
      assert.match(listed.stdout, /^fake +on +\.narnat\/mcp\.json +/);

      const tried = await run(root, "test");
      assert.equal(tried.code, 0, tried.stderr + tried.stdout);
      assert.match(tried.stdout, /^fake: ready, \d+ tools, \d+ ms\n {2}echo, /);

      assert.equal((await run(root, "disable", "fake")).code, 0);
      assert.match((await run(root, "list")).stdout, /^fake +off /);
      // who names one that is off wants to know of it
      assert.match((await run(root, "test", "fake")).stdout, /^fake: ready/);
      const enabled = await run(root, "enable", "fake");
      assert.equal(enabled.stdout, "fake is on (.narnat/mcp.json)\n");
      assert.match((await run(root, "list")).stdout, /^fake +on /);

      const removed = await run(root, "remove", "fake");
      assert.equal(removed.stdout, "Removed fake from .narnat/mcp.json\n");
      assert.match(project(root), /\/\/ ours/);
      assert.match((await run(root)).stdout, /^No MCP servers are configured/);
    });
  },
);

slow("a server of the user's goes to the user's file, an address with its headers", async () => {
  await withWorkspace({ "w/x": "", "home/x": "" }, async (root) => {
    const added = await run(
      root,
      ...["add", "web", "--url", "https://web.example/mcp", "--user"],
      ...["--header", "Authorization: Bearer ${TOKEN:-none}", "--header", "X-A: b:c"],
    );
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /The values stand in the file as they are/);
    const file = join(root, "home/.narnat/mcp.json");
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(file)), {
      mcpServers: {
        web: {
          url: "https://web.example/mcp",
          headers: { "Authorization": "Bearer ${TOKEN:-none}", "X-A": "b:c" },
        },
      },
    });
    assert.equal(Deno.statSync(file).mode! & 0o777, 0o600);
    assert.match((await run(root, "list")).stdout, /^web +on +~\/\.narnat\/mcp\.json +https:/);
  });
});

slow("neither what a server is started with nor what it says shows a secret", async () => {
  const { draw } = drawSecrets(17);
  const [token, flag, query] = [draw(30), draw(30), draw(30)];
  const mcpServers = {
    a: {
      command: "bash",
      args: ["-c", 'echo "no $A_TOKEN, no $2" >&2; exit 3', "a", "--api-key", flag],
      env: { A_TOKEN: token },
    },
    b: { url: `http://127.0.0.1:9/?token=${query}` },
  };
  const files = {
    "w/x": "",
    "home/.narnat/mcp.json": JSON.stringify({ mcpServers }),
    "home/.narnat/narnat.json": '{"model": "demo"}',
  };
  await withWorkspace(files, async (root) => {
    for (const line of ["mcp list", "mcp get a", "mcp test", "doctor", "mcp disable a"]) {
      const ran = await runNarnat(BUNDLED, line.split(" "), { cwd: join(root, "w"), stdin: "" });
      const told = ran.stdout + ran.stderr;
      for (const secret of [token, flag, query]) assert.ok(!told.includes(secret), told);
      if (line !== "mcp disable a") assert.match(told, /«secret:(?:api-key|A_TOKEN)»/, line);
    }
    const added = await run(root, ...["add", "c", "--", "run", "--token", flag]);
    assert.ok(!added.stdout.includes(flag), added.stdout);
  });
});

slow("a server that fails makes the test fail, and says what it said last", async () => {
  await withWorkspace({ "w/x": "", "home/x": "" }, async (root) => {
    await run(root, "add", "dead", "--user", "--", ...words(fakeCommand({ diesWith: 3 })));
    await run(root, "add", "gone", "--user", "--env", "A=1", "--", "no-such-program-here");
    const tried = await run(root, "test");
    assert.equal(tried.code, 1);
    assert.match(tried.stdout, /^dead: error: .*has ended \(exit 3\)/m);
    assert.match(tried.stdout, /^gone: error: .*no-such-program-here was not found/m);
    assert.equal((await run(root, "test", "dead")).code, 1);
  });
});

slow(
  "a list of tools that could not be had, or not all of it, makes the test fail; a script is told of the first",
  async () => {
    const mcpServers = {
      poor: fakeCommand({ noList: true }),
      "a b": { command: 1 },
      half: fakeCommand({ tools: [{ name: "good" }, { name: "bad", inputSchema: 1 }] }),
    };
    await withWorkspace({
      "w/x": "",
      "home/.narnat/mcp.json": JSON.stringify({ mcpServers }),
    }, async (root) => {
      for (
        const [name, why] of [["poor", /ready, 0 tools, .* could not be had/], ["half", /bad/]]
      ) {
        const tried = await run(root, "test", String(name));
        assert.match(tried.stdout, why as RegExp);
        assert.equal(tried.code, 1, `${name}: ${tried.stdout}`);
      }
      const args = ["-p", "hello", "--model", "demo"];
      const { stderr } = await runNarnat(BUNDLED, args, { cwd: join(root, "w"), stdin: "" });
      assert.match(stderr, /MCP server poor .*could not be had/);
      assert.doesNotMatch(stderr, /half/);
      assert.match(stderr, /narnat mcp test 'a b' tries it/);
    });
  },
);

slow("what a project brings along is not started before it is trusted", async () => {
  const mark = "started-by-test";
  const entry = { command: "touch", args: [mark] };
  await withWorkspace({
    "w/.mcp.json": JSON.stringify({ mcpServers: { theirs: entry } }),
    "home/x": "",
  }, async (root) => {
    assert.match((await run(root, "list")).stdout, /^theirs +not trusted +\.mcp\.json +touch/);
    for (const args of [["test"], ["test", "theirs"]]) {
      const tried = await run(root, ...args);
      assert.equal(tried.code, 1);
      assert.match(tried.stdout, /theirs was not tried: \.mcp\.json is not trusted/);
    }
    // nor does switching it off and on, or adding beside it in another file, trust it
    await run(root, "disable", "theirs");
    assert.match((await run(root, "enable", "theirs")).stdout, /not trusted yet/);
    assert.equal((await run(root, "test")).code, 1);
    await assert.rejects(Deno.stat(join(root, "w", mark)), Deno.errors.NotFound);
  });
});

slow("a server is added in the words of other agents too", async () => {
  await withWorkspace({ "w/x": "", "home/x": "" }, async (root) => {
    const add = (...args: string[]) => run(root, "add", ...args);
    assert.equal((await add("a", "--scope", "user", "-e", "A=1", "--", "x", "-y")).code, 0);
    const far = ["b", "https://b.example/sse", "--header", "X: y"];
    assert.equal((await add("--transport", "sse", "--scope", "user", ...far)).code, 0);
    const file = Deno.readTextFileSync(join(root, "home/.narnat/mcp.json"));
    assert.deepEqual(JSON.parse(file).mcpServers, {
      a: { command: "x", args: ["-y"], env: { A: "1" } },
      b: { type: "sse", url: "https://b.example/sse", headers: { X: "y" } },
    });
    const local = await add("c", "--scope", "local", "--", "x");
    assert.deepEqual([local.code, /take --user .* or --project/.test(local.stderr)], [2, true]);
    const other = await add("c", "--transport", "http", "--", "x");
    assert.deepEqual([other.code, /takes a program/.test(other.stderr)], [2, true]);
  });
});

slow(
  "a program's options are its own, with no -- before it, unless it cannot be told whose they are",
  async () => {
    await withWorkspace({ "w/x": "", "home/x": "" }, async (root) => {
      const added = async (...args: string[]) => {
        const { code, stderr } = await run(root, ...args);
        assert.equal(code, 0, stderr);
      };
      await added("add", "pw", "npx", "-y", "@playwright/mcp@latest", "--port", "80");
      await added("add", "-s", "project", "-e", "A=1", "own", "npx", "x");
      await added("add", "behind", "npx", "x", "--env", "A=1");
      await added("add", "-t", "http", "far", "https://far.example/mcp", "-H", "X: y");
      await added("add-json", "json", '{"type":"stdio","command":"npx","args":["-y"]}');
      assert.deepEqual(JSON.parse(project(root)).mcpServers, {
        pw: { command: "npx", args: ["-y", "@playwright/mcp@latest", "--port", "80"] },
        own: { command: "npx", args: ["x"], env: { A: "1" } },
        behind: { command: "npx", args: ["x"], env: { A: "1" } },
        far: { url: "https://far.example/mcp", headers: { X: "y" } },
        json: { type: "stdio", command: "npx", args: ["-y"] },
      });
      const got = await run(root, "get", "pw");
      assert.match(
        got.stdout,
        /^pw +on +\.narnat\/mcp\.json +npx -y @playwright\/mcp@latest --port 80\n$/,
      );
      const wrong: readonly (readonly [string[], RegExp])[] = [
        [["add", "gh", "docker", "run", "-i", "-e", "T", "img"], /-e .* -- docker/],
        [["add-json", "bad", "{"], /must be JSON/],
        [["add-json", "bad", "[]"], /must be JSON/],
        [["add-json", "bad"], /Usage: narnat mcp/],
        [["get", "pv"], /did you mean pw/],
      ];
      for (const [args, why] of wrong) {
        const { code, stderr } = await run(root, ...args);
        assert.match(stderr, why, args.join(" "));
        assert.equal(code, 2, args.join(" "));
      }
      const { stdout } = await run(root, "--help");
      assert.match(stdout, /--scope/);
      assert.match(stdout, /--transport/);
    });
  },
);

slow("a project's wrong hook stops nothing; the user's own is told with its line", async () => {
  const hooks = JSON.stringify({ hooks: { PreToolUse: [{ command: "x" }] }, extra_tools: ["X"] });
  await withWorkspace({ "w/.narnat/narnat.json": hooks, "home/x": "" }, async (root) => {
    for (const args of [["mcp"], ["skills"], ["trust"], ["-p", "hello", "--model", "demo"]]) {
      const { code, stderr } = await runNarnat(BUNDLED, args, { cwd: join(root, "w"), stdin: "" });
      assert.equal(code, 0, `${args}: ${stderr}`);
      if (args[0] === "-p") assert.match(stderr, /no event PreToolUse; did you mean before_tool/);
    }
  });
  await withWorkspace({ "w/x": "", "home/.narnat/narnat.json": hooks }, async (root) => {
    const { code, stderr } = await run(root);
    assert.equal(code, 2);
    assert.match(stderr, /narnat\.json, line 1, hooks: there is no event PreToolUse/);
  });
});

slow("an untrusted project's server hides none of the user's own", async () => {
  await withWorkspace({
    "w/.mcp.json": JSON.stringify({ mcpServers: { files: { command: "theirs" } } }),
    "home/.narnat/mcp.json": JSON.stringify({ mcpServers: { files: { command: "mine" } } }),
  }, async (root) => {
    const before = (await run(root)).stdout;
    assert.match(
      before,
      /^files +on +~\/\.narnat\/mcp\.json +mine\nfiles +not trusted +\.mcp\.json +theirs\n/,
    );
    assert.match(before, /Once \.mcp\.json is trusted, its files takes the place of the one in ~/);
    const trusted = await runNarnat(BUNDLED, ["trust", "add"], { cwd: join(root, "w"), stdin: "" });
    assert.equal(trusted.code, 0, trusted.stderr);
    const after = (await run(root)).stdout;
    assert.match(after, /^files {2}on {2}\.mcp\.json {2}theirs\n/);
    assert.match(after, /The files in ~\/\.narnat\/mcp\.json does not count/);
  });
});

Deno.test("a server that does not count is told of, with the one that does", async () => {
  const named = (command: string, ...more: string[]) =>
    JSON.stringify({ mcpServers: { ok: { command }, ...more[0] ? { [more[0]]: 1 } : {} } });
  const twice = { mcpServers: [{ name: "two", command: "a" }, { name: "two", command: "b" }] };
  await withWorkspace({
    "w/.narnat/mcp.json": named("first"),
    "w/.agent/mcp.json": named("third"),
    "home/.narnat/mcp.json": JSON.stringify(twice),
  }, async (root) => {
    await runNarnat(BUNDLED, ["trust", "add"], { cwd: join(root, "w"), stdin: "" });
    await Deno.writeTextFile(join(root, "w/.agent/mcp.json"), named("fourth", "wrong"));
    const { stdout } = await run(root);
    assert.match(stdout, /The ok in \.agent\/mcp\.json does not count: the one in \.narnat\//);
    assert.match(stdout, /~\/\.narnat\/mcp\.json names two more than once; the first counts/);
    assert.doesNotMatch(stdout, /takes the place/);
    // what is wrong with a server is told before it is trusted, too
    const tried = await run(root, "test", "wrong");
    assert.match(tried.stdout, /^wrong: error: [^]*mcpServers\.wrong must be an object/);
  });
});

Deno.test("trust is asked for a faulty server as such", async () => {
  const mcpServers = {
    later: { command: "x", args: ["${NO_SUCH_VARIABLE}"] },
    good: { command: "y" },
  };
  await withWorkspace(
    { "w/.mcp.json": JSON.stringify({ mcpServers }), "home/x": "" },
    async (root) => {
      const told = await runNarnat(BUNDLED, ["trust"], { cwd: join(root, "w"), stdin: "" });
      assert.match(told.stdout, /^ {2}later: x \$\{NO_SUCH_VARIABLE\} \(faulty\)$/m);
      assert.match(told.stdout, /^ {2}good: y$/m);
    },
  );
});

Deno.test("what is added to a file that is not trusted is not said to be ready to be tried", async () => {
  const file = JSON.stringify({ mcpServers: { theirs: { command: "x" } } });
  await withWorkspace({ "w/.narnat/mcp.json": file, "home/x": "" }, async (root) => {
    const { stdout } = await run(root, "add", "m2", "--", "y");
    assert.match(stdout, /not trusted yet/);
    assert.doesNotMatch(stdout, /mcp test/);
  });
});

slow(
  "a login tells its address, waits for the browser, and holds for every narnat until the logout",
  async () => {
    await withWorkspace({ "w/x": "", "home/x": "" }, async (root) => {
      await using server = serveTools({ login: {} });
      await run(root, "add", "web", server.url, "--user");
      const before = await run(root, "test", "web");
      assert.equal(before.code, 1);
      assert.match(before.stdout, /narnat mcp login web/);

      const cwd = join(root, "w");
      const child = startNarnat(BUNDLED, ["mcp", "login", "web"], { cwd }, "piped");
      let told = "";
      for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
        told += piece;
        const url = /^http\S+$/m.exec(told)?.[0];
        if (url !== undefined && server.oauth.count.authorize === 0) {
          await (await fetch(url)).text();
        }
      }
      assert.equal((await child.status).code, 0);
      assert.match(told, /Logged in to web\n$/);

      const after = await run(root, "test", "web");
      assert.equal(after.code, 0, after.stdout);
      assert.match(after.stdout, /^web: ready, 1 tool, 1 resource, \d+ ms/);
      assert.match((await run(root, "logout", "web")).stdout, /^Logged out of web/);
      assert.equal((await run(root, "test", "web")).code, 1);
      assert.match((await run(root, "logout", "web")).stdout, /^There was no login to web/);
    });
  },
);

slow("a login that is given up ends with the signal's exit code", async () => {
  await withWorkspace({ "w/x": "", "home/x": "" }, async (root) => {
    await using server = serveTools({ login: {} });
    await run(root, "add", "web", server.url, "--user");
    const cwd = join(root, "w");
    const child = startNarnat(BUNDLED, ["mcp", "login", "web"], { cwd }, "piped");
    let told = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      if (!told.includes("http") && piece.includes("http")) child.kill("SIGINT");
      told += piece;
    }
    assert.equal((await child.status).code, 130, told);
  });
});

slow("there is no login to what is not trusted, not right, or no address", async () => {
  await using server = serveTools({ login: {} });
  const theirs = JSON.stringify({ mcpServers: { theirs: { url: server.url } } });
  const mine = { bad: { url: "${NO_SUCH_VARIABLE}" }, prog: { command: "x" } };
  await withWorkspace({
    "w/.mcp.json": theirs,
    "home/.narnat/mcp.json": JSON.stringify({ mcpServers: mine }),
  }, async (root) => {
    const refused: readonly (readonly [string, RegExp])[] = [
      ["theirs", /\.mcp\.json is not trusted/],
      ["bad", /NO_SUCH_VARIABLE/],
      ["prog", /is a program and no HTTP server/],
      ["thairs", /did you mean theirs/],
    ];
    for (const [name, why] of refused) {
      const { code, stderr } = await run(root, "login", name);
      assert.match(stderr, why);
      assert.equal(code, 2, name);
    }
    assert.deepEqual(server.asked, []);
  });
});

slow("wrong usage says what is expected, with exit code 2", async () => {
  const file = `{"mcpServers": {"fake": {"command": "x"}}}`;
  await withWorkspace({ "w/.narnat/mcp.json": file, "home/x": "" }, async (root) => {
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [["add", "a"], /either a program or --url/],
      [["add", "a", "--url", "https://x", "--", "y"], /either a program or --url/],
      [["add", "a", "--url", "x"], /begins with http/],
      [["add", "a b", "--", "x"], /cannot be named a b: letters of any script.*no spaces/],
      [["add", "fake", "--", "x"], /names fake already/],
      [["add", "a", "--header", "A:b", "--", "x"], /--header is not valid/],
      [["add", "a", "--url", "https://x", "--header", "nothing"], /expected NAME:VALUE/],
      [["remove", "fak"], /did you mean fake/],
      [["remove"], /Usage: narnat mcp/],
      [["nonsense"], /Usage: narnat mcp/],
      [["list", "--user"], /--user is not valid/],
    ];
    for (const [args, why] of wrong) {
      const { code, stderr } = await run(root, ...args);
      assert.match(stderr, why, args.join(" "));
      assert.equal(code, 2, args.join(" "));
    }
    assert.equal(project(root), file);
  });
});

slow("a server whose name has no letters is told once what that does to its tools", async () => {
  await withWorkspace({ "w/x": "", "home/x": "" }, async (root) => {
    const named = async (name: string) => (await run(root, "add", name, "--", "true")).stdout;
    assert.match(await named("文件"), /a name in such letters reads better/);
    assert.doesNotMatch(await named("files"), /reads better/);
  });
});
