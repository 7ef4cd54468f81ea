/** narnat that may touch one folder only, by Deno's permissions or by its own switch: no way of naming a file leads out of it. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { startFakeProvider } from "../support/fake_provider.ts";
import { sandboxRuns } from "../shell/sandboxed.ts";
import { type Program, ROOT, runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const SECRET = "s3cret-of-somebody-else";
/** A name that no call gives. */
const UNNAMED = "zz-unnamed.txt";
const OUTSIDE = [
  UNNAMED,
  `out/${UNNAMED}`,
  `w-evil/${UNNAMED}`,
  "out/secret.txt",
  "w-evil/secret.txt",
  "home/secret.txt",
  "secret.txt",
];

/** Names inside of the folder that links give to what lies outside. */
function layLinks(root: string): void {
  const w = join(root, "w");
  Deno.mkdirSync(join(w, "sub/deep"), { recursive: true });
  Deno.mkdirSync(join(root, "home"), { recursive: true });
  const links = {
    "file-link": join(root, "out/secret.txt"),
    "relative-link": "../out/secret.txt",
    "folder-link": join(root, "out"),
    "sub/up-link": "../..",
    "sub/deep/root-link": "/",
    "chain-1": "chain-2",
    "chain-2": "folder-link/secret.txt",
    "to-new": join(root, "out/new.txt"),
    "evil-link": join(root, "w-evil"),
    "parent-link": "..",
  };
  for (const [name, to] of Object.entries(links)) Deno.symlinkSync(to, join(w, name));
}

/** Each leads out where nothing holds it, or would where something were unpacked once too often. */
function escapesFrom(root: string): string[] {
  const w = join(root, "w");
  const name = basename(root);
  return [
    ...["../secret.txt", "../out/secret.txt", "../w-evil/secret.txt", "./../secret.txt"],
    ...["sub/../../secret.txt", "sub/deep/../../../secret.txt", "nowhere/../../secret.txt"],
    ...["..//out//secret.txt", ".././out/./secret.txt", "sub/./.././../out/secret.txt"],
    ...[`../../${name}/secret.txt`, `../../../../../../../../..${root}/secret.txt`],
    ...[join(root, "secret.txt"), join(root, "out/secret.txt"), `/${root}/out/secret.txt`],
    ...[`${w}-evil/secret.txt`, `${w}/../out/secret.txt`, `${w}/sub/../../w-evil/secret.txt`],
    ...[`${w}/./../secret.txt`, `${root}/./secret.txt`, `${root}/w/../secret.txt`],
    ...["~/secret.txt", "~/../secret.txt", "~/./secret.txt", "~/../out/secret.txt"],
    ...["file-link", "relative-link", "chain-1", "chain-2", "./file-link", "sub/../file-link"],
    ...["folder-link/secret.txt", "sub/up-link/secret.txt", "evil-link/secret.txt"],
    ...["parent-link/secret.txt", "parent-link/out/secret.txt", "folder-link/../secret.txt"],
    ...["sub/up-link/out/secret.txt", `sub/deep/root-link${root}/secret.txt`],
    ...["to-new", "folder-link/new.txt", "evil-link/new.txt", "../out/new.txt", "../new.txt"],
    ...[`/proc/self/cwd/../secret.txt`, `/proc/self/root${root}/secret.txt`],
    ...["../secret.txt\0", "../secret.txt\0.md", "sub\0/../../secret.txt"],
    ...[`file://${root}/secret.txt`, "%2e%2e/secret.txt", "..%2fsecret.txt", "..\\secret.txt"],
    ...[
      "．．/secret.txt",
      " ../secret.txt",
      "../secret.txt ",
      "\t../secret.txt",
      "'../secret.txt'",
    ],
    ...["../SECRET.TXT", join(root, "W/../secret.txt"), "$HOME/secret.txt", "${HOME}/secret.txt"],
  ];
}

const CALLS = (path: string) => [
  { name: "Read", input: { file_path: path } },
  { name: "Write", input: { file_path: path, content: "evil" } },
  { name: "Edit", input: { file_path: path, old_string: "s3cret", new_string: "evil" } },
  { name: "Grep", input: { pattern: "s3cret", path } },
  { name: "Glob", input: { pattern: "*", path: join(path, "..") } },
  { name: "Glob", input: { pattern: path } },
  { name: "Glob", input: { pattern: `${path}/../*.txt` } },
  { name: "Grep", input: { pattern: "s3cret", glob: path } },
];

const program = (root: string, flags: readonly string[]): Program => ({
  name: "limited",
  command: Deno.execPath(),
  args: [
    ...["run", "--no-prompt", `--config=${join(ROOT, "deno.json")}`],
    ...flags.map((flag) => flag.replace("DIR", join(root, "w"))),
    ...[join(ROOT, "main.ts")],
  ],
});
const BOUND = ["--allow-read=DIR", "--allow-write=DIR"];
/** How narnat is held: Deno's flags, and its own. */
const HOLDS: { readonly [name: string]: readonly [readonly string[], readonly string[]] } = {
  "with one folder allowed": [BOUND, []],
  "with --workspace-only": [["-A"], ["--workspace-only"]],
};

async function onStage(use: (root: string) => Promise<void>): Promise<void> {
  const outside = Object.fromEntries(OUTSIDE.map((path) => [path, `${SECRET}\n`]));
  await withWorkspace({ ...outside, "w/inside.txt": "s3cret inside\n" }, async (root) => {
    layLinks(root);
    await use(root);
  });
}

/** All that lies outside, as it stands. */
const outsideOf = (root: string) =>
  ["", "out", "w-evil", "home"].flatMap((dir) =>
    [...Deno.readDirSync(join(root, dir))].filter(({ isFile }) => isFile).map(({ name }) =>
      `${dir}/${name}: ${Deno.readTextFileSync(join(root, dir, name))}`
    )
  ).sort();

/** What the tools answer to each call, one narnat for all. */
async function answers(
  root: string,
  flags: readonly string[],
  calls: readonly object[],
  own: readonly string[] = [],
): Promise<{ ok: boolean; text: string }[]> {
  const ran = await runNarnat(program(root, flags), ["tool", "--jsonl", ...own], {
    cwd: join(root, "w"),
    env: { HOME: join(root, "home") },
    stdin: calls.map((call) => JSON.stringify(call)).join("\n") + "\n",
  });
  assert.equal(ran.lines.length, calls.length, ran.stderr);
  return ran.lines as { ok: boolean; text: string }[];
}

for (const [held, [flags, own]] of Object.entries(HOLDS)) {
  slow(
    `${held}, no way of naming a file reads, writes or finds one outside of it`,
    () =>
      onStage(async (root) => {
        const escapes = escapesFrom(root);
        assert.ok(escapes.length >= 40, `${escapes.length}`);
        const before = outsideOf(root);
        const calls = escapes.flatMap(CALLS);
        const told = await answers(root, flags, calls, own);
        const out = told.flatMap(({ text }, i) =>
          text.includes(SECRET) || text.includes(UNNAMED) ? [calls[i], text] : []
        );
        assert.deepEqual(out, []);
        assert.deepEqual(outsideOf(root), before);
        const [inside] = await answers(root, flags, CALLS("inside.txt"), own);
        assert.match(inside!.text, /s3cret inside/);
        console.log(`${escapes.length} ways, ${calls.length} calls, 0 outside`);
      }),
  );
}

Deno.test(
  "with --workspace-only a refusal names the path and the bound, and tells nothing of what lies there",
  () =>
    onStage(async (root) => {
      const paths = [join(root, "secret.txt"), join(root, "no-such.txt"), "~/none", "file-link"];
      const calls = paths.map((file_path) => ({ name: "Read", input: { file_path } }));
      for (
        const [at, { ok, text }] of (await answers(root, ["-A"], calls, ["--workspace-only"]))
          .entries()
      ) {
        assert.equal(ok, false);
        const path = paths[at]!;
        assert.equal(
          text,
          `Cannot read ${path}: it lies outside of the workspace, and only files in the workspace may be used here (workspace_only)`,
        );
      }
    }),
);

slow({
  name:
    "with --workspace-only Bash sees the workspace and the system's own folders, and writes the workspace only",
  ignore: !sandboxRuns,
  fn: () =>
    onStage(async (root) => {
      const before = outsideOf(root);
      const run = async (command: string) => {
        const calls = [{ name: "Bash", input: { command } }];
        return (await answers(root, ["-A"], calls, ["--workspace-only"]))[0]!.text;
      };
      const quoted = (path: string) => `'${path.replaceAll("\0", "").replaceAll("'", "'\\''")}'`;
      const ways = escapesFrom(root).map(quoted);
      const tries = ways.map((path) => `head -c 99 ${path}; echo evil >> ${path}; ls ${path}/..`);
      const all = await run(
        `{ ${
          tries.join("\n")
        }\n} 2>&1 | grep -c ${SECRET}; find / -name ${UNNAMED} 2>/dev/null; echo evil > /evil`,
      );
      assert.match(all, /^0\n/, all);
      assert.doesNotMatch(all, new RegExp(UNNAMED));
      assert.match(all, /evil: Read-only file system/);
      assert.deepEqual(outsideOf(root), before);
      const inside = await run(
        "echo new > sub/new.txt; head -c 99 inside.txt; git --version; ls ~ | wc -l",
      );
      assert.match(inside, /s3cret inside\ngit version .*\n0\n/);
      assert.equal(Deno.readTextFileSync(join(root, "w/sub/new.txt")), "new\n");
    }),
});

slow(
  "with --workspace-only and without a sandbox there is no Bash, and why is said",
  () =>
    onStage(async (root) => {
      Deno.mkdirSync(join(root, "bin"));
      for (const name of ["sh", "git"]) {
        Deno.symlinkSync(`/usr/bin/${name}`, join(root, "bin", name));
      }
      const settings = join(root, "w/.narnat/narnat.json");
      Deno.mkdirSync(join(settings, ".."));
      Deno.writeTextFileSync(settings, '{"workspace_only": true}');
      const ran = await runNarnat(program(root, ["-A"]), ["prompt", "--output-format", "json"], {
        cwd: join(root, "w"),
        env: { HOME: join(root, "home"), PATH: join(root, "bin") },
      });
      const tools = JSON.parse(ran.stdout).tools.map((tool: { name: string }) => tool.name);
      assert.ok(tools.includes("Read") && !tools.includes("Bash"), String(tools));
      const used = await runNarnat(program(root, ["-A"]), ["-p", "run id", "--model", "demo"], {
        cwd: join(root, "w"),
        env: { HOME: join(root, "home"), PATH: join(root, "bin") },
      });
      assert.match(used.stderr, /Bash is not offered.*bwrap.*install bubblewrap/);
    }),
);

slow(
  "the same ways lead out where nothing is limited: the judge sees them",
  () =>
    onStage(async (root) => {
      const calls = escapesFrom(root).map((path) => CALLS(path)[0]!);
      const told = await answers(root, ["-A"], calls);
      assert.ok(told.filter(({ text }) => text.includes(SECRET)).length >= 25);
    }),
);

for (const [held, [flags, own]] of Object.entries(HOLDS)) {
  slow(`${held}, @path attaches nothing from outside of it`, () =>
    onStage(async (root) => {
      const provider = await startFakeProvider(() => ({ text: "ok" }));
      try {
        const paths = escapesFrom(root).filter((path) => !/[\0\s]/.test(path));
        assert.ok(paths.length >= 40, `${paths.length}`);
        const line = `${paths.map((path) => `@${path}`).join(" ")} and @inside.txt`;
        const { host } = new URL(provider.url);
        const net = [`--allow-net=${host}`, "--allow-env"];
        const ran = await runNarnat(program(root, flags === BOUND ? [...BOUND, ...net] : flags), [
          "-p",
          ...own,
          line,
        ], {
          cwd: join(root, "w"),
          env: {
            HOME: join(root, "home"),
            NARNAT_API_KEY: "k-123456",
            NARNAT_BASE_URL: provider.url,
            NARNAT_MODEL: "fake",
          },
        });
        assert.equal(ran.code, 0, ran.stderr);
        const sent = JSON.stringify(provider.requests.map(({ json }) => json));
        assert.match(sent, /s3cret inside/);
        assert.doesNotMatch(sent, new RegExp(SECRET));
      } finally {
        await provider.close();
      }
    }));
}
