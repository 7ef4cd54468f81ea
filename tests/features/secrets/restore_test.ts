/** Placeholders that a model uses become the secrets they stand for on the same file, and nowhere else. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { createSearcher } from "../../../src/search/mod.ts";
import { builtinTools } from "../../../src/tools/mod.ts";
import { ScriptedModel, type Step } from "../../support/scripted_model.ts";
import { secretsOf } from "../../support/parts.ts";
import { drawSecrets } from "./seeded.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";
import { runs } from "../../support/soak.ts";

const { draw, shaped } = drawSecrets(5);
const KEY = draw(32);
const TOKEN = `ghp_${draw(36)}`;
const HELD = "«secret:API_KEY»";
const call = (name: string, input: unknown): Step => ({ calls: [{ name, input }] });
const read = (file_path: string) => call("Read", { file_path });

/** Runs the calls in a workspace with a `.env`; nothing may hold a secret afterwards but the files that held one. */
async function stage(
  steps: readonly Step[],
  use: (seen: {
    readonly root: string;
    readonly t: TestAgent;
    readonly results: readonly string[];
    file(path: string): string;
  }) => Promise<void> | void,
  more: { readonly files?: Files; readonly line?: string; readonly lines?: readonly string[] } = {},
) {
  const files = { ".env": `API_KEY=${KEY}\nMODE=test\n`, ...more.files };
  await withWorkspace(files, async (root) => {
    const searcher = createSearcher();
    const model = new ScriptedModel([...steps, { text: "done" }]);
    const other = tool("Other", ({ text }) => ({ ok: true, text: `given ${text}` }), {
      needs: ["net"],
    });
    const t = new TestAgent({
      model,
      workspace: root,
      env: Deno.env.toObject(),
      secrets: secretsOf({}, root),
      tools: [...builtinTools({ searcher }), other],
    });
    try {
      await t.say(more.line ?? "go");
      const results = t.of("tool_end").map(({ text }) => text);
      const told = JSON.stringify([t.events, t.messages, model.requests]);
      for (const secret of [KEY, TOKEN]) assert.ok(!told.includes(secret), "a secret was told");
      await use({ root, t, results, file: (path) => Deno.readTextFileSync(join(root, path)) });
    } finally {
      searcher.close();
    }
  });
}

Deno.test("Edit turns a placeholder back into what the file holds, and shows neither", () =>
  stage([
    read(".env"),
    call("Edit", {
      file_path: ".env",
      old_string: `API_KEY=${HELD}\nMODE=test`,
      new_string: `API_KEY=${HELD}\nMODE=live\nOLD=${HELD}`,
    }),
  ], ({ file, t, results }) => {
    assert.match(results[0]!, /1 \| API_KEY=«secret:API_KEY»\n2 \| MODE=test/);
    assert.equal(file(".env"), `API_KEY=${KEY}\nMODE=live\nOLD=${KEY}\n`);
    const { detail } = t.of("tool_end")[1]!;
    assert.ok(detail?.kind === "diff" && detail.diff.includes(`+OLD=${HELD}`));
  }));

Deno.test("the first result with a secret says what stands for it, no other does", () =>
  stage([
    read("plain.txt"),
    read(".env"),
    call("Bash", { command: "head -1 .env" }),
  ], ({ results }) => {
    const told = results.map((text) =>
      text.includes("stands for a secret that is hidden from you")
    );
    assert.deepEqual(told, [false, true, false]);
  }, { files: { "plain.txt": "nothing\n" } }));

Deno.test("Edit goes on from its own result: the file is known as it was left", () =>
  stage([
    read(".env"),
    call("Edit", { file_path: ".env", old_string: "MODE=test", new_string: "MODE=live" }),
    call("Edit", { file_path: ".env", old_string: `=${HELD}`, new_string: `= ${HELD}` }),
  ], ({ file, results }) => {
    assert.equal(file(".env"), `API_KEY= ${KEY}\nMODE=live\n`, results.join("\n"));
  }));

Deno.test("several edits at once and a key in JSON, a block of many lines in a numbered file", async () => {
  const block = shaped["private-key"]!();
  const json = JSON.stringify({ key: block, mode: "a" }, null, 2) + "\n";
  const placeholder = secretsOf({}).redact(block);
  await stage([
    read("account.json"),
    call("Edit", {
      file_path: "account.json",
      edits: [
        { old_string: `"key": "${placeholder}",`, new_string: `"private_key": "${placeholder}",` },
        { old_string: '"a"', new_string: '"b"' },
      ],
    }),
    read("id.pem"),
    call("Edit", {
      file_path: "id.pem",
      old_string: placeholder,
      new_string: `${placeholder}\nend`,
    }),
  ], ({ file, results }) => {
    assert.deepEqual(JSON.parse(file("account.json")), { private_key: block, mode: "b" });
    assert.match(results[2]!, /1 \| begin\n2 \| «secret:private-key:[0-9a-f]{6}»\n\d+ \| after/);
    assert.equal(file("id.pem"), `begin\n${block}\nend\nafter\n`);
  }, { files: { "account.json": json, "id.pem": `begin\n${block}\nafter\n` } });
});

Deno.test("Write over the file that holds the key keeps it", () =>
  stage([
    read(".env"),
    call("Write", { file_path: ".env", content: `# mine\nAPI_KEY=${HELD}\n` }),
  ], ({ file }) => assert.equal(file(".env"), `# mine\nAPI_KEY=${KEY}\n`)));

Deno.test("what another file holds is not written: the call is refused, and the file stays", () =>
  stage([
    read("app.ini"),
    call("Edit", { file_path: "app.ini", old_string: "key=", new_string: `key=${HELD}` }),
    call("Write", { file_path: "new.ini", content: `key=${HELD}\n` }),
    call("Write", { file_path: "app.ini", content: "key=«secret:github-token:0f0f0f»\n" }),
  ], ({ file, results, root }) => {
    for (const text of results.slice(1)) assert.match(text, /^Nothing was done: «secret:/);
    assert.equal(file("app.ini"), "key=\n");
    assert.throws(() => Deno.statSync(join(root, "new.ini")));
  }, { files: { "app.ini": "key=\n" } }));

Deno.test("what the user has typed may be written, into any file", () =>
  stage(
    [call("Write", {
      file_path: "token.txt",
      content: `${secretsOf({}).redact(TOKEN)}\n`,
    })],
    ({ file, t }) => {
      assert.equal(file("token.txt"), `${TOKEN}\n`);
      assert.equal(t.of("turn_start")[0]!.text, `use ${secretsOf({}).redact(TOKEN)} from now on`);
    },
    { line: `use ${TOKEN} from now on` },
  ));

Deno.test("what the user has typed is theirs behind a handover too", () => {
  const content = `${secretsOf({}).redact(TOKEN)}\n`;
  const write = call("Write", { file_path: "token.txt", content });
  return stage(
    [{ text: "noted" }, { text: "the user has a token" }, write],
    async ({ t, file }) => {
      const { id } = t.agent.controller.current();
      await t.say("/compact");
      assert.notEqual(t.agent.controller.current().id, id);
      await t.say("write it");
      assert.equal(file("token.txt"), `${TOKEN}\n`);
    },
    { line: `use ${TOKEN} from now on` },
  );
});

Deno.test("a file that holds a value in two ways of writing keeps both, whatever was typed", () => {
  const password = `${draw(10)}"${draw(10)}1`;
  const both = `DB_PASSWORD='${password}'\n# ${JSON.stringify(password)}\n`;
  const content = "DB_PASSWORD='«secret:DB_PASSWORD»'\n# \"«secret:DB_PASSWORD»\"\nX=1\n";
  return stage([
    read("both.env"),
    call("Write", { file_path: "both.env", content }),
  ], ({ file, results }) => {
    assert.match(results[1]!, /^Nothing was done: .*more than one value/);
    assert.equal(file("both.env"), both);
  }, { files: { "both.env": both }, line: `the password is ${password}` });
});

Deno.test("a command gets the secret of a file that it names, and of no other", () =>
  stage([
    call("Bash", { command: `sed -i 's/${HELD}/changed/' .env; echo ${HELD}` }),
    call("Bash", { command: `echo ${HELD} > copy.txt` }),
    call("Bash", { command: `echo "«secret:other-key:0a0a0a»" >> .env` }),
  ], ({ file, results, root }) => {
    assert.equal(file(".env"), "API_KEY=changed\nMODE=test\n");
    assert.match(results[0]!, /^«secret:API_KEY»/, "its output is hidden again");
    assert.match(results[1]!, /^Nothing was run: «secret:API_KEY»/);
    assert.match(results[2]!, /^Nothing was run: «secret:other-key:0a0a0a»/);
    assert.throws(() => Deno.statSync(join(root, "copy.txt")));
  }));

Deno.test("a command that names two files with two values under one name gets neither", () =>
  stage([
    call("Bash", { command: `sed -i 's/${HELD}/x/' .env b/prod.env` }),
  ], ({ file, results }) => {
    assert.match(results[0]!, /^Nothing was (?:run|done): .*more than one value/);
    assert.equal(file(".env"), `API_KEY=${KEY}\nMODE=test\n`);
  }, { files: { "b/prod.env": `API_KEY=${draw(30)}\n` } }));

Deno.test("a value that a shell would read otherwise is not put into a command", () =>
  stage([
    call("Bash", { command: "grep -c «secret:DB_PASSWORD» odd.env && true" }),
  ], ({ results }) =>
    assert.match(results[0]!, /^Nothing was run: .*characters that a shell reads/), {
    files: { "odd.env": "DB_PASSWORD='x $(touch pwned) y1'\n" },
  }));

Deno.test("no other tool that reaches anything gets a secret, lists for people may name it", () =>
  stage([
    call("Other", { text: HELD }),
    call("Grep", { pattern: HELD }),
    call("WebFetch", { url: `http://127.0.0.1:9/?key=${HELD}` }),
    call("TodoWrite", {
      todos: [{ content: `rotate ${HELD}`, activeForm: "rotating", status: "in_progress" }],
    }),
  ], ({ results }) => {
    for (const text of results.slice(0, 3)) {
      assert.match(text, /^Nothing was done: «secret:API_KEY»/);
    }
    assert.doesNotMatch(results[3]!, /Nothing was done/);
  }));

Deno.test("a placeholder that a file holds as its own text stays text", () =>
  stage([
    read("README.md"),
    call("Edit", {
      file_path: "README.md",
      old_string: "shown as «secret:MY_KEY»",
      new_string: "told as «secret:MY_KEY»",
    }),
  ], ({ file }) =>
    assert.equal(file("README.md"), "It is told as «secret:MY_KEY».\n"), {
    files: { "README.md": "It is shown as «secret:MY_KEY».\n" },
  }));

Deno.test("a file that holds a key and its placeholder as text is not guessed about", () =>
  stage([
    read("both.txt"),
    call("Edit", { file_path: "both.txt", old_string: `is ${HELD}`, new_string: `was ${HELD}` }),
  ], ({ file, results }) => {
    assert.match(results[1]!, /^Nothing was done: «secret:API_KEY»/);
    assert.equal(file("both.txt"), `the key is ${KEY}, told as ${HELD}\n`);
  }, { files: { "both.txt": `the key is ${KEY}, told as ${HELD}\n` } }));

Deno.test("two values of one name are told apart by their marks; the bare name is refused", async () => {
  const [one, two] = [draw(30), draw(30)];
  const files = {
    ".env": `API_KEY=${one}\n`,
    "b/.env": `API_KEY=${two}\n`,
    "both.txt": `${one}\n${two}\n`,
  };
  await withWorkspace(files, async (root) => {
    const secrets = secretsOf({}, root);
    secrets.refresh();
    const [a, b] = [secrets.redact(one), secrets.redact(two)];
    assert.notEqual(a, b);
    await stage([
      read("both.txt"),
      call("Edit", { file_path: "both.txt", old_string: b, new_string: `second ${b}` }),
      call("Edit", { file_path: "both.txt", old_string: HELD, new_string: "x" }),
    ], ({ file, results }) => {
      assert.equal(file("both.txt"), `${one}\nsecond ${two}\n`);
      assert.match(results[2]!, /^Nothing was done: .*more than one value/);
    }, { files });
  });
});

Deno.test("whatever a model does with what it reads, the keys of a file are whole or gone, never a placeholder", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("key", "mode", "blank"), { minLength: 1, maxLength: 6 }),
      fc.nat(5),
      fc.boolean(),
      async (kinds, at, whole) => {
        const key = draw(30);
        const lines = kinds.map((kind) =>
          kind === "key" ? `API_KEY=${key}` : kind === "mode" ? "MODE=1" : ""
        );
        const shown = lines.map((line) => line.replace(key, HELD));
        const line = at % lines.length;
        const changed = shown.with(line, `${shown[line]}2`);
        await withWorkspace({ ".env": `${lines.join("\n")}\n#end\n` }, async (root) => {
          const searcher = createSearcher();
          const content = `${changed.join("\n")}\n#end\n`;
          const old_string = `${shown.join("\n")}\n#end`;
          const step = whole
            ? call("Write", { file_path: ".env", content })
            : call("Edit", { file_path: ".env", old_string, new_string: content.trimEnd() });
          const model = new ScriptedModel([read(".env"), step, { text: "ok" }]);
          const t = new TestAgent({
            model,
            workspace: root,
            secrets: secretsOf({}, root),
            tools: builtinTools({ searcher }),
          });
          await t.say("go");
          searcher.close();
          const text = Deno.readTextFileSync(join(root, ".env"));
          assert.equal(text, content.replaceAll(HELD, key));
          assert.ok(!JSON.stringify([t.events, t.messages]).includes(key));
        });
      },
    ),
    { numRuns: runs(100) },
  ));
