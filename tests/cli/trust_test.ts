import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";

const FILES: Files = {
  "w/.mcp.json": JSON.stringify({
    mcpServers: {
      fs: { command: "npx", args: ["-y", "fs server", "--root=."], env: { MODE: "a b" } },
      off: { command: "never", disabled: true },
      far: {
        url: "https://mcp.example/${PLACE:-x}",
        headers: { Authorization: "Bearer ${TOKEN}" },
      },
    },
  }),
  "w/.narnat/narnat.json": JSON.stringify({
    hooks: { turn_end: ["deno fmt"], before_tool: [{ match: "Bash", command: "./check.sh" }] },
    skills: [{ name: "pdf", repo: "https://user:secret-token@git.example/skills.git" }],
  }),
  "home/.narnat/narnat.json": "{}",
};
const env = { TOKEN: "t0ken-of-the-user" };
const run = (root: string, ...args: string[]) =>
  runNarnat(BUNDLED, args, { cwd: join(root, "w"), stdin: "", env });

const ROWS = [
  "  far: https://mcp.example/x [Authorization: ${TOKEN}]",
  '  fs: MODE=… npx -y "fs server" --root=.',
];

Deno.test("narnat trust shows in full what a project wants to start, and no secret", async () => {
  await withWorkspace(FILES, async (root) => {
    const { code, stdout, stderr } = await run(root, "trust");
    assert.equal(code, 0, stderr);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      ".mcp.json: not trusted, not started",
      ...ROWS,
      "hooks: not trusted, not started",
      "  before_tool: ./check.sh",
      "  turn_end: deno fmt",
      "skills: not trusted, not started",
      "  pdf: https://git.example/skills.git",
      "narnat trust add trusts all of it, until it changes",
    ]);
  });
});

Deno.test("trust is kept until what is trusted changes, each thing for itself", async () => {
  await withWorkspace(FILES, async (root) => {
    const added = await run(root, "trust", "add");
    assert.deepEqual([added.code, added.stdout.match(/: trusted/g)?.length], [0, 3]);
    const listed = await run(root, "trust", "list");
    assert.equal(listed.stdout, added.stdout);
    const file = join(root, "w/.mcp.json");
    await Deno.writeTextFile(file, `${await Deno.readTextFile(file)}\n`);
    const changed = await run(root, "trust");
    assert.match(
      changed.stdout,
      /\.mcp\.json: not trusted[\s\S]*hooks: trusted[\s\S]*skills: trusted/,
    );
  });
});

Deno.test("trust that is taken back is gone; another folder never had it", async () => {
  await withWorkspace({ ...FILES, "v/.mcp.json": FILES["w/.mcp.json"]! }, async (root) => {
    await run(root, "trust", "add");
    const other = await run(root, "trust", "-C", join(root, "v"));
    assert.match(other.stdout, /^\.mcp\.json: not trusted/);
    const gone = await run(root, "trust", "remove");
    assert.match(gone.stdout, /taken back: \.mcp\.json, hooks, skills/);
    assert.match((await run(root, "trust", "remove")).stdout, /Nothing in .* was trusted/);
    assert.doesNotMatch((await run(root, "trust")).stdout, /: trusted/);
  });
});

Deno.test("a project that wants nothing, and words that mean nothing", async () => {
  await withWorkspace({ "w/a": "", "home/.narnat/narnat.json": "{}" }, async (root) => {
    assert.match((await run(root, "trust")).stdout, /wants to start nothing/);
    for (const words of [["ad"], ["add", "x"]]) {
      const { code, stderr } = await run(root, "trust", ...words);
      assert.equal(code, 2);
      assert.match(stderr, /Usage: narnat trust \[list \| add \| remove\]/);
    }
  });
});

Deno.test("the doctor and the prompt say what is not trusted", async () => {
  await withWorkspace(FILES, async (root) => {
    const doctor = await run(root, "doctor", "--model", "demo");
    assert.match(doctor.stdout, /! MCP server: fs: not trusted \(narnat trust add\)/);
    assert.match(doctor.stdout, /! trust: not trusted: \.mcp\.json, hooks, skills/);
    const prompt = await run(root, "prompt");
    assert.match(prompt.stdout, /left out: the tools of the MCP server fs \(not trusted\)/);
  });
});
