/** Budgets of a session and of a day, and evidence, against a real server. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Script } from "../support/fake_provider.ts";
import type { Outcome } from "../support/narnat.ts";
import { type Stage, stage } from "../support/stage.ts";
import { slow } from "../support/soak.ts";

/** The stage of a user whose configuration holds the settings. */
const stageWith = (
  script: Script,
  settings: object,
  play: (stage: Stage) => Promise<void>,
): Promise<void> => stage(script, play, { "home/.narnat/narnat.json": JSON.stringify(settings) });

const usage = { input: 8000, output: 1000 };
const answer = () => ({ text: "yes", usage });
/** The result line of a run. */
const result = ({ lines }: Outcome) => lines.at(-1);

slow(
  "a day's budget holds from one run of narnat to the next, and the exit code is 3",
  async () => {
    await stageWith(
      answer,
      { max_tokens_per_day: 20_000, lang: "en" },
      async ({ narnat, home }) => {
        for (const expected of [0, 0, 3, 3]) {
          const ran = await narnat(["-p", "really?", "--output-format", "json"]);
          assert.equal(ran.code, expected, ran.stderr);
        }
        const refused = await narnat(["-p", "really?"]);
        assert.match(refused.stderr, /Today's token budget .*: 18000 of 20000/);
        const [file] = [...Deno.readDirSync(join(home, ".narnat/spent"))];
        const lines = Deno.readTextFileSync(join(home, ".narnat/spent", file!.name)).trim().split(
          "\n",
        );
        assert.deepEqual(lines.map((line) => JSON.parse(line).input), [8000, 8000]);
      },
    );
  },
);

Deno.test("a project's limit in money that cannot be kept is told and stops nothing; the user's own does, by its name", async () => {
  await stageWith(answer, { lang: "en" }, async ({ narnat, home }) => {
    const project = join(home, "../w/.narnat/narnat.json");
    await Deno.mkdir(join(project, ".."));
    await Deno.writeTextFile(project, '{"max_cost": 5}');
    const ran = await narnat(["-p", "really?"]);
    assert.deepEqual([ran.code, ran.stdout], [0, "yes\n"], ran.stderr);
    assert.match(ran.stderr, /price of fake.* is not known: cost limits cannot hold/);
    const own = join(home, ".narnat/narnat.json");
    await Deno.writeTextFile(own, '{"max_cost": 9, "lang": "en"}');
    const stopped = await narnat(["-p", "really?"]);
    assert.equal(stopped.code, 2);
    assert.ok(stopped.stderr.includes(`so max_cost (${own}) cannot be kept`), stopped.stderr);
  });
});

slow(
  "a script is asked at the limit where it can answer: Yes goes on, No ends with 3",
  async () => {
    await stageWith(answer, { max_total_tokens: 1000, lang: "en" }, async ({ talk }) => {
      for (const [value, code] of [[{ more: 50_000 }, 0], ["yes", 0], [false, 3]] as const) {
        const { say, end } = talk([], async ({ type, id }, { send }) => {
          if (type === "ask") await send({ type: "answer", id, value });
        });
        const events = await say("go");
        const asks = events.filter(({ type }) => type === "ask");
        assert.deepEqual(asks.map((ask) => [ask.kind, ask.fields[0].name]), [["budget", "more"]]);
        assert.equal(events.at(-1).reason, code === 0 ? "done" : "budget");
        assert.equal(await end(), code);
      }
    });
  },
);

Deno.test("a person who is not there is not asked", async () => {
  await stageWith(answer, { max_total_tokens: 1000, lang: "zh" }, async ({ narnat }) => {
    const ran = await narnat(["-p", "go", "--output-format", "stream-json"]);
    assert.equal(ran.code, 3);
    assert.equal(result(ran).stop_reason, "budget");
    assert.ok(!ran.lines.some(({ type }) => type === "ask"));
    assert.match(ran.stderr, /会话的 token 预算不够下一次请求/);
  });
});

const CHECK = "test -f a.txt && make";
const script = [
  { calls: [{ name: "Write", input: { file_path: "a.txt", content: "one\n" } }] },
  { calls: [{ name: "Write", input: { file_path: "Makefile", content: "all:\n\ttrue\n" } }] },
  { calls: [{ name: "Bash", input: { command: CHECK } }] },
  { calls: [{ name: "Bash", input: { command: "sleep 1.1; mv a.txt b.txt" } }] },
  { text: "done" },
];

slow(
  "evidence names what ran behind the last change, and what Bash has changed since",
  async () => {
    await stageWith(script, { lang: "en" }, async ({ narnat }) => {
      const ran = await narnat(["-p", "go", "--output-format", "stream-json"]);
      assert.equal(ran.code, 0, ran.stderr);
      const at = ran.lines.findIndex(({ type }) => type === "evidence");
      const { changed, runs, unverified } = ran.lines[at];
      assert.deepEqual([...changed].sort(), ["Makefile", "a.txt", "b.txt"]);
      assert.deepEqual(runs.map((one: object) => ({ ...one, ms: 0 })), [
        { command: CHECK, exit: 0, ms: 0 },
      ]);
      assert.deepEqual([...unverified].sort(), ["a.txt", "b.txt"]);
      assert.ok(at < ran.lines.findIndex(({ type }) => type === "turn_end"));
      assert.deepEqual(result(ran).evidence, { changed, runs, unverified });
      assert.match(
        ran.stderr,
        /✓ test -f a\.txt && make → exit 0 after 3 files changed; not verified/,
      );
    });
  },
);

Deno.test("a turn that changed nothing tells of no evidence", async () => {
  await stageWith(
    [{ calls: [{ name: "Bash", input: { command: "make --version; true" } }] }, { text: "done" }],
    { lang: "en" },
    async ({ narnat }) => {
      const ran = await narnat(["-p", "go", "--output-format", "json"]);
      assert.equal(result(ran).evidence, undefined);
      assert.doesNotMatch(ran.stderr, /verified/);
    },
  );
});
