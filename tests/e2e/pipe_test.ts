/** What comes through a pipe is text for the model; where no model is configured a script is told. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { stage } from "../support/stage.ts";
import { slow } from "../support/soak.ts";

const names = (root: string) => [...Deno.readDirSync(root)].map(({ name }) => name).sort();

/** The texts that a person said in a request. */
// deno-lint-ignore no-explicit-any -- tests read into requests freely
const asked = ({ json }: { json: any }): string[] =>
  // deno-lint-ignore no-explicit-any
  json.messages.filter((one: any) => one.role === "user").map((one: any) => one.content);

const DIFF = ["diff --git a/x b/x", "--- a/x", "+++ b/x", "-!touch pwned", "/clear", "+two"]
  .join("\n");

slow(
  "a pipe without -p is one question, with or without words, and its lines are not run",
  async () => {
    await stage(() => ({ text: "seen" }), async ({ narnat, root, provider }) => {
      const cases: [string, string[], string][] = [
        [DIFF, ["review", "this"], `review this\n\n${DIFF}`],
        ["!touch pwned\n", ["hello"], "hello\n\n!touch pwned"],
        ["!touch pwned\n", [], "!touch pwned"],
        ["!touch pwned\n", ["-p"], "!touch pwned"],
        ["/clear\n", [], "/clear"],
        ["/clear\n", ["-p"], "/clear"],
        ["  /exit \\\n@a.txt\n", ["-p"], "  /exit \\\n@a.txt"],
        ["line\\\n!touch pwned\ny\n", [], "line\\\n!touch pwned\ny"],
      ];
      for (const [at, [stdin, args, text]] of cases.entries()) {
        const { code, stdout, stderr } = await narnat(args, { stdin });
        assert.deepEqual([code, stdout, stderr], [0, "seen\n", ""], JSON.stringify([stdin, args]));
        assert.equal(provider.requests.length, at + 1, "one request");
        assert.deepEqual(asked(provider.requests[at]!), [text]);
      }
      assert.deepEqual(names(root), [".narnat", "a.txt"]);
    }, { "w/a.txt": "a" });
  },
);

slow("a pipe takes the flags of -p: formats, streams of lines, and continuing", async () => {
  await stage(() => ({ text: "seen" }), async ({ narnat, provider }) => {
    const first = await narnat(["--output-format", "json"], { stdin: "one" });
    assert.equal(JSON.parse(first.stdout).text, "seen");
    await narnat(["-c"], { stdin: "two" });
    assert.deepEqual(asked(provider.requests[1]!), ["one", "two"]);
    const line = JSON.stringify({ type: "user", text: "three" });
    const streamed = await narnat(["--input-format", "stream-json"], { stdin: line });
    assert.equal(streamed.stdout, "seen\n", streamed.stderr);
    const nothing = await narnat([], { stdin: "" });
    assert.deepEqual([nothing.code, provider.requests.length], [2, 3]);
    assert.match(nothing.stderr, /needs a prompt/);
  });
});

slow("what is piped to a line that narnat runs itself is refused with the line", async () => {
  await stage([], async ({ narnat, root }) => {
    for (const line of ["!bash", "!cat > taken", "/clear", "/save", "/nonsense"]) {
      const { code, stderr, stdout } = await narnat(["-p", line], { stdin: "touch pwned" });
      assert.equal(code, 1, line);
      assert.match(stderr, /text for the model/, line);
      assert.equal(stdout, "", line);
    }
    assert.deepEqual(names(root), [".narnat"]);
    const empty = await narnat(["-p", "!echo ran"], { stdin: "\n" });
    assert.match(empty.stdout, /ran/, "an empty pipe is none");
  });
});

Deno.test("a command of the user's own takes its words from the line and the pipe as text", async () => {
  await stage([{ text: "reviewed" }], async ({ narnat, provider }) => {
    const { stdout } = await narnat(["-p", "/review a.ts"], { stdin: "see @b.ts\n" });
    assert.equal(stdout, "reviewed\n");
    const [line, expanded, ...more] = asked(provider.requests[0]!);
    assert.equal(line, "/review a.ts\n\nsee @b.ts");
    assert.match(expanded!, /Review a\.ts closely\.$/);
    assert.deepEqual(more, []);
  }, { "w/.narnat/commands/review.md": "Review $ARGUMENTS closely.", "w/b.ts": "bbb\n" });
});

slow("with --plain the lines of a pipe are run one by one", async () => {
  await stage(() => ({ text: "seen" }), async ({ narnat, root, provider }) => {
    const { code } = await narnat(["--plain"], { stdin: "!touch asked-for\none\ntwo\n" });
    assert.equal(code, 0);
    assert.ok(names(root).includes("asked-for"));
    assert.equal(provider.requests.length, 2);
  });
});

slow("without a configuration a script ends with exit code 2 and what to set", async () => {
  await withWorkspace({ "w/a.txt": "needle here\n" }, async (dir) => {
    const cwd = join(dir, "w");
    const run = (args: string[], stdin = "", env = {}) =>
      runNarnat(BUNDLED, args, { cwd, stdin, env });
    const cases: [string[], string?, object?][] = [
      [["-p", "find needle"]],
      [["-p", "find needle"], "", { HOME: "" }],
      [["find needle"], "more"],
      [[], "find needle"],
      [["--plain"], "find needle"],
    ];
    for (const [args, stdin, env] of cases) {
      const { code, stdout, stderr } = await run(args, stdin, env);
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(
        stderr,
        /^narnat: No model is configured: set NARNAT_API_KEY.*--model demo.*\n$/,
      );
    }
    for (const format of ["json", "stream-json"]) {
      const { code, lines } = await run(["-p", "a", "--output-format", format]);
      assert.equal(code, 2);
      assert.match(lines.at(-1).error.text, /No model is configured/);
    }
    const doctor = await run(["doctor"]);
    assert.equal(doctor.code, 2);
    assert.match(doctor.stdout, /^✗ configuration: No model is configured: set NARNAT_API_KEY/);
    assert.doesNotMatch(doctor.stdout, /demo model needs|✓ endpoint/);
    const demo = await run(["-p", "find needle", "--model", "demo"]);
    assert.equal(demo.code, 0);
    assert.match(demo.stdout, /a\.txt:1/);
    assert.equal(demo.stderr, "");
  });
});
