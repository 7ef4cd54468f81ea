/** The main job, end to end: a real repository, a real server, real tools. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Answer, type FakeProvider, startFakeProvider } from "../support/fake_provider.ts";
import { type Program, runNarnat } from "../support/narnat.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const TEST = `import assert from "node:assert/strict";
import { total } from "./cart.ts";
Deno.test("adds up", () => assert.equal(total([1, 2, 3]), 6));
`;
const BUGGY = `/** Adds the prices. */
export function total(prices: number[]): number {
  let sum = 0;
  for (let i = 1; i < prices.length; i++) sum += prices[i]!;
  return sum;
}
`;

async function git(cwd: string, ...args: string[]): Promise<string> {
  const out = await new Deno.Command("git", {
    args: ["-c", "user.name=t", "-c", "user.email=t@t", ...args],
    cwd,
  }).output();
  assert.ok(out.success, new TextDecoder().decode(out.stderr));
  return new TextDecoder().decode(out.stdout);
}

/** What a model would do: Grep → Read → Edit → Bash(test) → answer. */
function script(root: string): Answer[] {
  const deno = Deno.execPath();
  return [
    {
      thinking: "Where is it?",
      signature: "sig-1",
      text: "I look for it. ",
      calls: [{ name: "Grep", input: { pattern: "function total", path: "." } }],
    },
    { calls: [{ name: "Read", input: { file_path: join(root, "src/cart.ts") } }] },
    {
      calls: [{
        name: "Edit",
        input: { file_path: "src/cart.ts", old_string: "let i = 1", new_string: "let i = 0" },
      }],
    },
    { calls: [{ name: "Bash", input: { command: `${deno} test --no-check src/cart_test.ts` } }] },
    {
      text: "Fixed: the loop skipped the first price.",
      usage: { input: 1000, output: 50, cached: 900 },
    },
  ];
}

/** Has `program` find, fix and verify a bug, and go on with that session; asserts all that is promised of it. */
export async function mainJob(program: Program, protocol: "openai" | "messages"): Promise<void> {
  await withWorkspace({ "repo/src/cart.ts": BUGGY, "repo/src/cart_test.ts": TEST }, async (dir) => {
    const root = join(dir, "repo");
    await git(root, "init", "-q");
    await git(root, "add", ".");
    await git(root, "commit", "-qm", "start");
    const provider: FakeProvider = await startFakeProvider(script(root));
    try {
      const done = await runNarnat(
        program,
        ["-p", "the total is wrong, fix it", "--output-format", "stream-json"],
        {
          cwd: root,
          env: {
            NARNAT_API_KEY: "sk-the-secret-key-of-this-test",
            NARNAT_BASE_URL: protocol === "openai" ? provider.url : provider.anthropicUrl,
            NARNAT_MODEL: "fake-model",
          },
        },
      );
      assert.equal(done.code, 0, done.stderr + done.stdout);
      assert.match(Deno.readTextFileSync(join(root, "src/cart.ts")), /let i = 0;/);
      assert.equal((await git(root, "status", "--porcelain")).trim(), "M src/cart.ts");

      const types = done.lines.map((event) => event.type).filter((type, i, all) =>
        type !== all[i - 1] && !["tool_progress", "writing"].includes(type)
      );
      const step = ["tool_start", "tool_end", "usage"];
      assert.deepEqual(types, [
        "init",
        "turn_start",
        "thinking",
        "text",
        "usage",
        ...step,
        ...step,
        ...step,
        "tool_start",
        "tool_end",
        "text",
        "usage",
        "evidence",
        "notice",
        "turn_end",
        "result",
      ]);
      const ends = done.lines.filter((event) => event.type === "tool_end");
      assert.deepEqual(ends.map((event) => [event.name, event.ok]), [
        ["Grep", true],
        ["Read", true],
        ["Edit", true],
        ["Bash", true],
      ]);
      assert.match(ends[0].text, /src\/cart\.ts:2:export function total/);
      assert.match(ends[3].text, /1 passed/);

      const evidence = done.lines.find((event) => event.type === "evidence");
      assert.deepEqual(evidence.changed, ["src/cart.ts"]);
      assert.deepEqual(evidence.unverified, []);
      const runs = evidence.runs as { command: string; exit: number }[];
      assert.deepEqual(runs.map(({ exit }) => exit), [0]);

      const result = done.lines.at(-1);
      assert.equal(result.ok, true);
      assert.equal(result.text, "Fixed: the loop skipped the first price.");
      assert.equal(result.stop_reason, "done");
      assert.equal(result.iterations, 5);
      assert.equal(result.turns, 1);
      assert.equal(result.usage.input, 1040);
      assert.equal(result.usage.cached, 900);
      assert.equal(result.usage.cost, null, "the price of this model is not known");

      assert.deepEqual(provider.pairingErrors, []);
      assert.equal(provider.requests.length, 5);
      assertPrefixes(provider.requests);
      const written = done.stdout + done.stderr +
        [...walk(join(root, ".narnat"))].map((path) => Deno.readTextFileSync(path)).join();
      assert.ok(!written.includes("the-secret-key"), "the key is nowhere");

      const again = await runNarnat(program, ["-p", "thanks", "-c", "--output-format", "json"], {
        cwd: root,
        env: {
          NARNAT_API_KEY: "k",
          NARNAT_BASE_URL: protocol === "openai" ? provider.url : provider.anthropicUrl,
          NARNAT_MODEL: "fake-model",
        },
      });
      assert.equal(again.lines[0].session, result.session);
      assert.equal(again.lines[0].turns, 2);
      assert.deepEqual(provider.pairingErrors, []);
    } finally {
      await provider.close();
    }
  });
}

function* walk(dir: string): Generator<string> {
  for (const entry of Deno.readDirSync(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory) yield* walk(path);
    else yield path;
  }
}
