/** The rules of the house that no linter knows. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtinTools } from "../src/tools/mod.ts";
import type { Searcher } from "../src/search/mod.ts";
import { findCycle, type Graph, importGraph } from "./import_graph.ts";

const ROOT = dirname(import.meta.dirname!);

/** The rooms of src/, from the ground up: a room imports only from those before it. */
const ROOMS = [
  "base",
  "config",
  "files",
  "shell/process",
  "shell/policy",
  "search",
  "web",
  "models",
  "session",
  "context",
  "agent",
  "tools",
  "commands",
  "features",
  "headless",
  "terminal",
  "app",
  "cli",
];

const NINE = [
  "Read",
  "Write",
  "Edit",
  "Glob",
  "Grep",
  "Bash",
  "WebSearch",
  "WebFetch",
  "TodoWrite",
];

/** The room a file of the project belongs to; undefined for files outside the house (deno.json). */
function roomOf(file: string): string | undefined {
  if (file === "main.ts") return "cli";
  const [src, room, inner, more] = file.split("/");
  if (src !== "src" || inner === undefined) return undefined;
  return room === "shell" && more !== undefined ? `shell/${inner}` : room;
}

const featureOf = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1];

/** Every edge that runs up, as `from -> to`, by the rooms it runs between. */
function upward(graph: Graph): Map<string, string[]> {
  const up = new Map<string, string[]>();
  for (const [from, imports] of graph) {
    const room = roomOf(from);
    if (room === undefined) continue;
    for (const to of imports) {
      const other = roomOf(to);
      if (other === undefined || ROOMS.indexOf(other) <= ROOMS.indexOf(room)) continue;
      const arrow = `${room} -> ${other}`;
      up.set(arrow, [...up.get(arrow) ?? [], `${from} -> ${to}`]);
    }
  }
  return up;
}

async function git(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args, cwd: ROOT }).output();
  if (!success) throw new Error(`git ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Paths of the files git holds, or would hold after `git add`. */
async function projectFiles(): Promise<string[]> {
  const listed = await git("ls-files", "-z", "--cached", "--others", "--exclude-standard");
  const present = listed.split("\0").filter((file) => file !== "" && existsSync(join(ROOT, file)));
  return [...new Set(present)].sort();
}

async function sources(): Promise<Map<string, string>> {
  const files = (await projectFiles()).filter((file) => /^(main\.ts|src\/.*\.ts)$/.test(file));
  return new Map(files.map((file) => [file, Deno.readTextFileSync(join(ROOT, file))]));
}

/** The design's top level, and what tools need. */
const TOP_LEVEL = [
  ".ci",
  ".dvmrc",
  ".gitignore",
  ".narnat",
  "AGENTS.md",
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "README.zh-CN.md",
  "deno.json",
  "deno.lock",
  "docs",
  "main.ts",
  "scripts",
  "src",
  "tests",
];

Deno.test("the top level holds what the design names and nothing else", async () => {
  const top = new Set((await projectFiles()).map((file) => file.split("/")[0]!));
  assert.deepEqual([...top].sort(), TOP_LEVEL);
});

Deno.test("imports run downwards only, and never in a circle", async (t) => {
  const graph = await importGraph(ROOT, [...(await sources()).keys()]);
  const rooms = new Set([...graph.keys()].map(roomOf).filter((room) => room !== undefined));
  await t.step("every folder of src is a room", () => {
    assert.deepEqual([...rooms].filter((room) => !ROOMS.includes(room)), []);
  });
  await t.step("downwards", () => {
    assert.deepEqual([...upward(graph)], []);
  });
  await t.step("from one feature into another only through its mod.ts, and in no circle", () => {
    const features = new Map<string, string[]>();
    const inside: string[] = [];
    for (const [from, imports] of graph) {
      const own = featureOf(from);
      if (own === undefined) continue;
      for (const to of imports) {
        const other = featureOf(to);
        if (other === undefined || other === own) continue;
        features.set(own, [...features.get(own) ?? [], other]);
        if (to !== `src/features/${other}/mod.ts`) inside.push(`${from} -> ${to}`);
      }
    }
    assert.deepEqual(inside, []);
    assert.deepEqual(findCycle(features), []);
  });
  await t.step("no circle", () => assert.deepEqual(findCycle(graph), []));
  await t.step("types.ts imports only a type", () => {
    assert.deepEqual(graph.get("src/base/types.ts"), ["src/base/t.ts"]);
  });
});

Deno.test("the graph check sees edges that run up, and circles", () => {
  const graph = new Map([
    ["main.ts", ["src/cli/cli.ts", "src/agent/loop/loop.ts"]],
    ["src/web/a.ts", ["src/shell/policy/b.ts", "src/base/types.ts"]],
    ["src/shell/process/c.ts", ["src/shell/policy/b.ts"]],
    ["src/shell/policy/b.ts", ["src/tools/c.ts"]],
    ["src/agent/loop/loop.ts", ["src/models/mod.ts", "src/features/plan/d.ts"]],
    ["src/base/types.ts", ["src/web/a.ts"]],
  ]);
  assert.deepEqual([...upward(graph).values()].flat(), [
    "src/shell/process/c.ts -> src/shell/policy/b.ts",
    "src/shell/policy/b.ts -> src/tools/c.ts",
    "src/agent/loop/loop.ts -> src/features/plan/d.ts",
    "src/base/types.ts -> src/web/a.ts",
  ]);
  assert.deepEqual(findCycle(graph), ["src/web/a.ts", "src/base/types.ts", "src/web/a.ts"]);
  assert.deepEqual(findCycle(new Map([["a", ["b"]], ["c", ["b"]]])), []);
});

Deno.test("every tool, command, channel and provider has a test file", async () => {
  const nouns = { tools: "Tool", commands: "Command", headless: "Channel", models: "ModelClient" };
  const untested = [...await sources()].filter(([file, text]) => {
    const noun = Object.entries(nouns).find(([room]) => file.startsWith(`src/${room}/`))?.[1];
    const makesOne = new RegExp(
      `^export (const \\w+: ${noun}\\b|function \\w+\\([^]*?\\): ${noun} \\{)`,
      "m",
    );
    const test = file.replace(/^src/, "tests").replace(/\.ts$/, "_test.ts");
    return noun !== undefined && makesOne.test(text) && !existsSync(join(ROOT, test));
  });
  assert.deepEqual(untested.map(([file]) => file), []);
});

Deno.test("the default tools are the nine, in their order", () => {
  // making the tools searches nothing
  const searcher = {} as Searcher;
  assert.deepEqual(builtinTools({ searcher }).map((tool) => tool.name), NINE);
});

Deno.test("no module keeps state of its own", async () => {
  const state = [
    /^(export )?(let|var)\b/,
    /^(export )?const (?!.*\b[Rr]eadonly).* = (new (Map|Set|WeakMap|WeakSet)\b[^(]*\(\)|\[\]|\{\});/,
  ];
  const found = [...await sources()].flatMap(([file, text]) =>
    text.split("\n").filter((line) => state.some((form) => form.test(line))).map((line) =>
      `${file}: ${line}`
    )
  );
  assert.deepEqual(found, []);
});

Deno.test("one Deno version, stated in .dvmrc and repeated truthfully", async () => {
  const pinned = (await Deno.readTextFile(join(ROOT, ".dvmrc"))).trim();
  assert.match(pinned, /^\d+\.\d+\.\d+$/);
  const pages = (await projectFiles()).filter((file) => file.endsWith(".md"));
  for (const file of [...pages, ".ci/run", "deno.json"]) {
    const text = await Deno.readTextFile(join(ROOT, file));
    const stated = [...text.matchAll(/\bdeno(?:@| v?)(\d+\.\d+\.\d+)/gi)].map((match) => match[1]);
    assert.deepEqual([...new Set(stated)].filter((version) => version !== pinned), [], file);
    if (file === "README.md") assert.ok(stated.length > 0, "README.md states no Deno version");
  }
});

Deno.test("the paths of the project that the documentation names are there", async () => {
  const pages = (await projectFiles()).filter((file) =>
    /^(?!CHANGELOG)[^/]*\.md$|^docs\//.test(file)
  );
  const named = pages.flatMap((page) => {
    const text = Deno.readTextFileSync(join(ROOT, page));
    const paths = text.matchAll(/`((?:src|tests|scripts|\.ci|\.narnat\/rules)\/[\w./-]*)`/g);
    return Array.from(paths, ([, path]) => ({ page, path: path! }));
  });
  assert.ok(named.length > 20);
  assert.deepEqual(named.filter(({ path }) => !existsSync(join(ROOT, path))), []);
});

Deno.test("no file names a path of this machine or a package registry", async () => {
  const found: string[] = [];
  for (const file of await projectFiles()) {
    const text = new TextDecoder("latin1").decode(await Deno.readFile(join(ROOT, file)));
    if (text.includes(ROOT + "/")) found.push(`${file}: ${ROOT}/`);
    const host = /https?:\/\/registry\.[\w.]+/.exec(text);
    if (host) found.push(`${file}: ${host[0]}`);
  }
  assert.deepEqual(found, []);
});

Deno.test("the permission sets grant what their names say", async () => {
  const kinds = ["read", "write", "run", "net", "env", "sys", "ffi", "import"] as const;
  const program = `const kinds = ${JSON.stringify(kinds)};` +
    `const states = await Promise.all(kinds.map((name) => Deno.permissions.query({ name })));` +
    `const local = await Deno.permissions.query({ name: "net", host: "localhost:11434" });` +
    `console.log(JSON.stringify([...kinds.filter((_, at) => states[at].state === "granted"), local.state]));`;
  const granted = async (set: string) => {
    const script = await Deno.makeTempFile({ suffix: ".mjs" });
    await Deno.writeTextFile(script, program);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--config",
        join(ROOT, "deno.json"),
        "--no-lock",
        "--no-prompt",
        `-P=${set}`,
        script,
      ],
    }).output();
    await Deno.remove(script);
    return JSON.parse(new TextDecoder().decode(stdout));
  };
  assert.deepEqual(await granted("default"), [
    "read",
    "write",
    "run",
    "net",
    "env",
    "sys",
    "granted",
  ]);
  assert.deepEqual(await granted("read-only"), ["read", "net", "env", "sys", "granted"]);
  // the model may run on this machine; nothing further is reached
  assert.deepEqual(await granted("offline"), ["read", "write", "run", "env", "sys", "granted"]);
});
