/** Plans, plan mode and custom commands of the real program against a real server. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Script } from "../support/fake_provider.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { type Event, type Stage, stage } from "../support/stage.ts";
import { slow } from "../support/soak.ts";

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
  stage: Stage,
  args: readonly string[],
  first: string,
  hear: (event: Event, write: (line: object) => void, end: () => void) => void,
): Promise<{ events: readonly Event[]; code: number }> {
  const { send, events, ended } = stage.talk(
    args,
    (event, { send, close }) => hear(event, send, close),
  );
  await send({ type: "user", text: first });
  return { code: await ended(), events };
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
          const { code, stdout, stderr } = await s.narnat(["-p", "--plan", "mend the build"]);
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
    const { code, stderr, lines } = await s.narnat([
      "-p",
      "--plan",
      "go",
      "--output-format",
      "json",
    ]);
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
      const { stdout, code } = await s.narnat(["-p", "go"]);
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
    const { stdout, code } = await s.narnat(["-p", "/plan write new.txt"]);
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
    const { stdout, stderr } = await s.narnat(["-p", "/git:msg the parser"]);
    assert.deepEqual([stdout, stderr], ["mend: x\n", ""]);
    const texts = s.provider.requests[0]!.json.messages.map(textOf);
    assert.equal(texts.at(-2), "/git:msg the parser");
    assert.match(texts.at(-1)!, /\n\nWrite one for the parser\.$/);
    const help = await s.narnat(["-p", "/help"]);
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
