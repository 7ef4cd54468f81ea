/** Plans, plan mode and custom commands of the real program against a real server. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import type { Script } from "../support/fake_provider.ts";
import { cleanEnv, runNarnat } from "../support/narnat.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { type Stage, stage } from "../support/stage.ts";
import { slow } from "../support/soak.ts";

// deno-lint-ignore no-explicit-any -- events are read freely
type Event = any;
const THREE = '["look", "mend", "test"]';
const ON = "[narnat] Plan mode is on";

/** The last message of each request. */
const last = ({ provider }: Stage): string[] =>
  provider.requests.map((request) => textOf(request.json.messages.at(-1)));

/** The text of a message of either protocol; of several blocks the last one's. */
function textOf(message: Event): string {
  const { content } = message;
  return typeof content === "string" ? content : content.at(-1).text ?? "";
}

/** Runs with stream-json both ways; `hear` may write a line for each event it is given. */
async function talk(
  { root, env }: Stage,
  args: readonly string[],
  first: string,
  hear: (event: Event, write: (line: unknown) => void, end: () => void) => void,
): Promise<{ events: Event[]; code: number }> {
  const child = new Deno.Command(BUNDLED.command, {
    args: [
      ...BUNDLED.args,
      ...["-p", "--input-format", "stream-json", "--output-format", "stream-json"],
      ...args,
    ],
    cwd: root,
    clearEnv: true,
    env: { ...cleanEnv(join(root, "../home")), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const write = (line: unknown) =>
    void writer.write(new TextEncoder().encode(JSON.stringify(line) + "\n"));
  const end = () => void writer.close();
  write({ type: "user", text: first });
  const events: Event[] = [];
  let rest = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      events.push(JSON.parse(line));
      hear(events.at(-1), write, end);
    }
  }
  return { events, code: (await child.status).code };
}

const of = (events: readonly Event[], type: string) => events.filter((e) => e.type === type);
const stepsOf = (events: readonly Event[]) =>
  of(events, "turn_start").filter((e) => e.from === "plan").map((e) => e.text);

for (const protocol of ["openai", "anthropic"] as const) {
  slow(
    `--plan without a terminal plans, goes ahead, and prints what came of it: ${protocol}`,
    async () => {
      const read = { calls: [{ name: "Read", input: { file_path: "a.txt" } }] };
      const script = [
        { text: "Here:\n```json\n" + THREE + "\n```\n" },
        read,
        { text: "looked" },
        { text: "mended" },
        { text: "tested" },
      ];
      await stage(
        script,
        async (s) => {
          const options = { cwd: s.root, env: s.env };
          const { code, stdout, stderr } = await runNarnat(
            BUNDLED,
            ["-p", "--plan", "mend the build"],
            options,
          );
          assert.deepEqual(stderr.trimEnd().split("\n"), [
            "[Plan] 3 steps created",
            ...["  1. look", "  2. mend", "  3. test"],
            ...["[Step 1/3] look", "[Step 2/3] mend", "[Step 3/3] test"],
          ]);
          assert.equal(code, 0);
          assert.equal(stdout, "tested\n");
          assert.equal(s.provider.requests.length, 5);
          assertPrefixes(s.provider.requests);
          assert.deepEqual(s.provider.pairingErrors, []);
          assert.match(last(s)[0]!, /break the task above into 3 to 5 steps/);
          assert.deepEqual([last(s)[1], last(s)[3], last(s)[4]], [
            "[Step 1/3] look",
            "[Step 2/3] mend",
            "[Step 3/3] test",
          ]);
        },
        { "w/a.txt": "hello\n" },
        { protocol },
      );
    },
  );
}

Deno.test("a step that fails ends the run with its exit code", async () => {
  await stage([{ text: THREE }, { text: "ok" }, { fault: "status", status: 401 }], async (s) => {
    const { code, stderr, lines } = await runNarnat(
      BUNDLED,
      ["-p", "--plan", "go", "--output-format", "json"],
      { cwd: s.root, env: s.env },
    );
    assert.equal(code, 1);
    assert.match(stderr, /The plan stops at this step; 1 more step/);
    assert.equal(lines[0].ok, false);
    assert.equal(s.provider.requests.length, 3);
  });
});

slow("a script answers the question about a plan: yes, no, or with other steps", async () => {
  const cases: [unknown, string[]][] = [
    [{ stpes: ["only this"] }, []],
    ["yes", ["[Step 1/3] look", "[Step 2/3] mend", "[Step 3/3] test"]],
    ["no", []],
    [{ steps: ["only this"] }, ["[Step 1/1] only this"]],
  ];
  for (const [value, expected] of cases) {
    await stage((_r, i) => ({ text: i === 0 ? THREE : "ok" }), async (s) => {
      const { events, code } = await talk(s, ["--plan"], "go", (event, write, end) => {
        if (event.type !== "ask") return;
        write({ type: "answer", id: event.id, value });
        end();
      });
      const [asked] = of(events, "ask");
      assert.equal(asked.kind, "plan");
      assert.deepEqual(asked.fields[0].value, ["look", "mend", "test"]);
      assert.deepEqual(stepsOf(events), expected);
      const wrong = of(events, "error").map((event) => event.text);
      assert.equal(wrong.length, JSON.stringify(value).includes("stpes") ? 1 : 0);
      assert.equal(code, 0);
      assertPrefixes(s.provider.requests);
    });
  }
});

slow(
  "with Plan among extra_tools the model plans by itself, and the question is the same",
  async () => {
    const script: Script = (_r, i) =>
      i === 0
        ? { text: "I plan.", calls: [{ name: "Plan", input: { steps: ["look", "mend"] } }] }
        : { text: `${i}` };
    const files = { "w/.narnat/narnat.json": '{"extra_tools": ["Plan"]}' };
    await stage(script, async (s) => {
      const { events } = await talk(s, [], "go", (event, write, end) => {
        if (event.type !== "ask") return;
        write({ type: "answer", id: event.id, value: { steps: ["look", "mend well"] } });
        end();
      });
      assert.deepEqual(stepsOf(events), ["[Step 1/2] look", "[Step 2/2] mend well"]);
      assertPrefixes(s.provider.requests);
      const { stdout, code } = await runNarnat(BUNDLED, ["-p", "go"], { cwd: s.root, env: s.env });
      assert.deepEqual([stdout, code], ["3\n", 0]);
    }, files);
  },
);

slow(
  "when nobody can answer any more, a plan that was wanted is carried out and one of plan mode is not",
  async () => {
    const plan = (_r: unknown, i: number) => ({ text: i === 0 ? THREE : "ok" });
    await stage(plan, async (s) => {
      const { events } = await talk(s, ["--plan"], "go", (event, _write, end) => {
        if (event.type === "turn_start" && event.from === undefined) end();
      });
      assert.equal(stepsOf(events).length, 3);
    });
    await stage(plan, async (s) => {
      const { events } = await talk(s, [], "/plan a parser", (event, _write, end) => {
        if (event.type === "ask") end();
      });
      assert.equal(of(events, "ask").length, 1);
      assert.deepEqual(stepsOf(events), []);
      assert.equal(s.provider.requests.length, 1);
      assert.ok(last(s)[0]!.startsWith(ON));
    });
  },
);

Deno.test("-p with /plan tells a plan and changes nothing", async () => {
  const write = { name: "Write", input: { file_path: "new.txt", content: "x" } };
  await stage([{ calls: [write] }, { text: "The plan." }], async (s) => {
    const { stdout, code } = await runNarnat(
      BUNDLED,
      ["-p", "/plan write new.txt"],
      { cwd: s.root, env: s.env },
    );
    assert.deepEqual([stdout, code], ["The plan.\n", 0]);
    assert.throws(() => Deno.statSync(join(s.root, "new.txt")));
  });
});

Deno.test("a custom command is asked as typed with its text behind it", async () => {
  const files = {
    "w/.claude/commands/git/msg.md":
      "---\ndescription: A message\nallowed-tools: Bash(git diff:*)\n---\nWrite one for $ARGUMENTS.",
  };
  await stage([{ text: "mend: x" }], async (s) => {
    const { stdout, stderr } = await runNarnat(
      BUNDLED,
      ["-p", "/git:msg the parser"],
      { cwd: s.root, env: s.env },
    );
    assert.deepEqual([stdout, stderr], ["mend: x\n", ""]);
    const texts = s.provider.requests[0]!.json.messages.map(textOf);
    assert.equal(texts.at(-2), "/git:msg the parser");
    assert.match(texts.at(-1)!, /\n\nWrite one for the parser\.$/);
    const help = await runNarnat(BUNDLED, ["-p", "/help"], { cwd: s.root, env: s.env });
    assert.match(help.stdout, /\/git:msg +A message/);
  }, files);
});

for (const [protocol, test] of [["openai", Deno.test], ["anthropic", slow]] as const) {
  test(`plan mode on and off, plans and commands leave each request a prefix of the next: ${protocol}`, async () => {
    const lines = ["one", "/plan two", "/plan off", "/do it", "three"];
    await stage(
      (_r, i) => i === 1 ? { calls: [{ name: "Write", input: {} }] } : { text: `1. a\n2. b${i}` },
      async (s) => {
        let next = 1;
        await talk(s, [], lines[0]!, (event, write, end) => {
          if (event.type === "ask") write({ type: "answer", id: event.id, value: next < 3 });
          if (event.type !== "turn_end") return;
          // the approved plan is a turn of its own
          if (event.reason === "done" && next === 2 && s.provider.requests.length < 4) return;
          if (next < lines.length) write({ type: "user", text: lines[next++] });
          else if (event.reason === "done") end();
        });
        assert.equal(s.provider.requests.length, 6);
        assertPrefixes(s.provider.requests);
        assert.deepEqual(s.provider.pairingErrors, []);
      },
      { "w/.narnat/commands/do.md": "Do $1." },
      { protocol },
    );
  });
}
