/** What a start loads: start-up time is a feature. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { loadedBy, ownOf } from "./support/loaded.ts";
import { ROOT } from "./support/narnat.ts";
import { slow } from "./support/soak.ts";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}

/** The packages and `node:` modules that are loaded with `file`, before anything is imported lazily. */
async function loadedWith(file: string): Promise<string[]> {
  const entry = pathToFileURL(join(ROOT, file)).href;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: ROOT,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  const modules: Module[] = JSON.parse(new TextDecoder().decode(stdout)).modules;
  const byName = new Map(modules.map((module) => [module.specifier, module]));
  const seen = new Set([entry]);
  const outside = new Set<string>();
  for (const specifier of seen) {
    assert.ok(byName.has(specifier), specifier);
    for (const { specifier: word, code, isDynamic } of byName.get(specifier)!.dependencies ?? []) {
      if (code?.specifier === undefined || isDynamic) continue;
      if (code.specifier.startsWith("file:")) seen.add(code.specifier);
      else outside.add(word);
    }
  }
  return [...outside].sort();
}

const STARTS: { readonly [file: string]: readonly string[] } = {
  "main.ts": [],
  "src/cli/early.ts": [],
  "src/cli/cli.ts": ["@stricli/core"],
  "src/cli/run.ts": [],
  "src/cli/run_headless.ts": [],
  "src/cli/tool.ts": [],
  "src/cli/check_command.ts": ["unbash"],
  "src/models/mod.ts": [],
  "src/headless/headless.ts": [],
};

for (const [file, allowed] of Object.entries(STARTS)) {
  Deno.test(`${file} loads no more than ${allowed.join(", ") || "our own files"}`, async () => {
    assert.deepEqual((await loadedWith(file)).filter((word) => !allowed.includes(word)), []);
  });
}

/** What is neither the project's nor of every Deno, nor the command line's. */
function foreignOf(scripts: readonly string[]): string[] {
  const known = /@stricli|deno_node\/02_register_cloneable\.js$/;
  return scripts.filter((url) => /^node:|deno_node|\/npm\//.test(url) && !known.test(url));
}

/** The most of narnat's own files that a question may load by its first request; from source each takes Deno .4 ms. */
const MOST: { readonly [room: string]: number } = {
  agent: 16,
  app: 5,
  base: 19,
  cli: 7,
  commands: 2,
  config: 9,
  context: 8,
  "features/history_search": 1,
  "features/hooks": 1,
  "features/mcp": 3,
  "features/memory": 3,
  "features/plan": 2,
  "features/secrets": 11,
  "features/sessions": 1,
  "features/skills": 5,
  "features/subagents": 4,
  "features/trust": 1,
  "features/undo": 2,
  files: 5,
  headless: 3,
  "main.ts": 1,
  models: 13,
  search: 2,
  session: 9,
  terminal: 2,
  tools: 11,
  web: 2,
};

const roomOf = (path: string) =>
  /^src\/features\/[^/]+|^src\/[^/]+/.exec(path)?.[0].slice(4) ?? path;

slow(
  "by the first request no Node module, no package but the command line's and no room's idle files are loaded",
  async () => {
    const cwd = await Deno.makeTempDir({ prefix: "narnat-test-" });
    try {
      const { atRequest } = await loadedBy(join(ROOT, "main.ts"), ["-p", "go"], { cwd, home: cwd });
      const own = ownOf(atRequest);
      assert.ok(own.includes("src/cli/run_headless.ts"), String(atRequest));
      assert.deepEqual(foreignOf(atRequest), []);
      const rooms = Map.groupBy(own, roomOf);
      for (const [room, files] of rooms) {
        assert.ok(files.length <= (MOST[room] ?? 0), `${files.length} of ${room}: ${files}`);
      }
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  },
);

const CALLS: { readonly [tool: string]: { readonly [name: string]: string } } = {
  Read: { file_path: "a.txt" },
  Glob: { pattern: "*" },
  Grep: { pattern: "o" },
  Write: { file_path: "b.txt", content: "new" },
};

for (const [tool, input] of Object.entries(CALLS)) {
  slow(`${tool}'s first call loads no Node module`, async () => {
    const cwd = await Deno.makeTempDir({ prefix: "narnat-test-" });
    try {
      await Deno.writeTextFile(join(cwd, "a.txt"), "one\n");
      const args = ["tool", tool, JSON.stringify(input)];
      const { atEnd } = await loadedBy(join(ROOT, "main.ts"), args, { cwd, home: cwd });
      const name = tool.toLowerCase();
      assert.ok(ownOf(atEnd).includes(`src/tools/${name}/${name}.ts`), String(atEnd));
      assert.deepEqual(foreignOf(atEnd), []);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  });
}

slow("a session's first Read, Grep, Edit, Bash and Write load no Node module", async () => {
  const cwd = await Deno.makeTempDir({ prefix: "narnat-test-" });
  const home = await Deno.makeTempDir({ prefix: "narnat-test-" });
  try {
    const file_path = join(cwd, "a.txt");
    await Deno.writeTextFile(file_path, "one\n");
    const { atEnd } = await loadedBy(join(ROOT, "main.ts"), ["-p", "go"], {
      cwd,
      home,
      calls: [
        ["Read", { file_path }],
        ["Grep", { pattern: "o", output_mode: "content" }],
        ["Edit", { file_path, old_string: "one", new_string: "two" }],
        ["Bash", { command: "echo three >b.txt; cat b.txt; true" }],
        ["Write", { file_path: join(cwd, "c.txt"), content: "four\n" }],
      ],
    });
    assert.equal(await Deno.readTextFile(file_path), "two\n");
    assert.equal(await Deno.readTextFile(join(cwd, "b.txt")), "three\n");
    assert.equal(await Deno.readTextFile(join(cwd, "c.txt")), "four\n");
    // Bash reads commands with the parser
    assert.deepEqual(foreignOf(atEnd).filter((url) => !/\bunbash\b/.test(url)), []);
  } finally {
    await Deno.remove(cwd, { recursive: true });
    await Deno.remove(home, { recursive: true });
  }
});
