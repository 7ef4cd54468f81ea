/** A session goes on with the system prompt it was begun with, over real HTTP. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type FakeProvider, startFakeProvider } from "../support/fake_provider.ts";
import { type Outcome, runNarnat, SOURCE } from "../support/narnat.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

interface Stage {
  readonly root: string;
  readonly provider: FakeProvider;
  /** Runs narnat with a line; returns what it told. */
  run(args: readonly string[], stdin?: string): Promise<Outcome>;
  /** The request that held the line first. */
  of(line: string): FakeProvider["requests"][number];
}

const FILES = {
  "ws/AGENTS.md": "Speak plainly.",
  "ws/.narnat/rules/a.md": "Measure twice.",
  "ws/.narnat/skills/bake/SKILL.md": "---\ndescription: how to bake\n---\nbake",
};

async function onStage(
  url: (provider: FakeProvider) => string,
  use: (stage: Stage) => Promise<void>,
  files: Files = FILES,
): Promise<void> {
  await withWorkspace(files, async (top) => {
    const provider = await startFakeProvider((_, index) => ({ text: `answer ${index}` }));
    const root = join(top, "ws");
    const env = {
      NARNAT_API_KEY: "sk-of-this-test",
      NARNAT_BASE_URL: url(provider),
      NARNAT_MODEL: "some-model",
      LANG: "en_US.UTF-8",
    };
    try {
      await use({
        root,
        provider,
        async run(args, stdin = "") {
          const ran = await runNarnat(SOURCE, args, { cwd: root, env, stdin });
          assert.equal(ran.code, 0, ran.stderr);
          return ran;
        },
        of(line) {
          const found = provider.requests.find(({ body }) => body.includes(line));
          assert.ok(found, `no request with ${line}`);
          return found;
        },
      });
    } finally {
      await provider.close();
    }
  });
}

const idOf = (ran: Outcome): string => ran.lines.at(-1).session;
const PROTOCOLS = {
  "chat completions": (provider: FakeProvider) => provider.url,
  Messages: (provider: FakeProvider) => provider.anthropicUrl,
};
const JSON_OUT = ["--output-format", "json", "-p"];

for (const [name, url] of Object.entries(PROTOCOLS)) {
  slow(`another session in between leaves the bytes of a resumed one: ${name}`, async () => {
    await onStage(url, async ({ run, of }) => {
      const id = idOf(await run([...JSON_OUT, "first of the one"]));
      await run(["-p", "first of the other"]);
      await run(["-r", id, "-p", "second of the one"]);
      await run(["-p", "first of a third"]);
      await run(["-r", id, "-p", "third of the one"]);
      assertPrefixes(["first of the one", "second of the one", "third of the one"].map(of));
      assert.match(of("first of a third").body, /first of the other/, "it stands in new ones");
    });
  });
}

slow(
  "the bytes of a session that is entered again go on, and /new reads everything anew",
  async () => {
    await onStage(PROTOCOLS["chat completions"], async ({ root, run, of }) => {
      const id = idOf(await run([...JSON_OUT, "first of the one"]));
      await run(["-p", "first of the other"]);
      await Deno.writeTextFile(join(root, "AGENTS.md"), "Speak in rhymes.");
      const lines = ["and more", `/enter ${id}`, "second of the one", "/new", "begun anew"]
        .map((text) => JSON.stringify({ type: "user", text }) + "\n");
      const format = ["--input-format", "stream-json", "--output-format", "stream-json"];
      await run(["-p", ...format], lines.join(""));
      assertPrefixes([of("first of the one"), of("second of the one")]);
      assert.match(of("begun anew").body, /Speak in rhymes/);
    });
  },
);

slow(
  "what has changed since is told to the user and the model, once, behind the same bytes",
  async () => {
    await onStage(PROTOCOLS["chat completions"], async ({ root, run, of, provider }) => {
      const id = idOf(await run([...JSON_OUT, "first of the one"]));
      const write = (path: string, text: string) => Deno.writeTextFile(join(root, path), text);
      await write("AGENTS.md", "Speak in rhymes.");
      await write(".narnat/rules/b.md", "Cut once.");
      await Deno.mkdir(join(root, ".narnat/skills/brew"));
      await write(".narnat/skills/brew/SKILL.md", "---\ndescription: how to brew\n---\nbrew");
      const format = ["--output-format", "stream-json", "-p"];
      const ran = await run(["-r", id, ...format, "second of the one"]);
      const notice = ran.lines.find(({ text }) => /^Changed: /.test(text ?? ""));
      assert.match(
        notice?.text,
        /^Changed: \.narnat\/rules\/b\.md \(new\), AGENTS\.md, skills\. This session keeps the prompt it began with/,
      );
      await run(["-r", id, "-p", "third of the one"]);
      assertPrefixes(provider.requests);
      const { messages } = of("third of the one").json;
      const told = messages.filter(({ role, content }: { role: string; content: string }) =>
        role === "user" && content.includes("have changed")
      );
      assert.equal(told.length, 1);
      assert.match(
        told[0].content,
        /b\.md \(new\), AGENTS\.md, skills\.[^]*\n- brew: how to brew$/,
      );
    });
  },
);

Deno.test("a file that was only touched is not told as changed", async () => {
  await onStage(PROTOCOLS["chat completions"], async ({ root, run, of }) => {
    const id = idOf(await run([...JSON_OUT, "first of the one"]));
    for (const path of ["AGENTS.md", ".narnat/rules/a.md", ".narnat/skills/bake/SKILL.md"]) {
      await Deno.utime(join(root, path), 1, 1);
    }
    await run(["-r", id, "-p", "second of the one"]);
    assert.equal(of("second of the one").json.messages.length, 4);
  });
});

slow(
  "what the command line says counts at once, and the way back finds the bytes again",
  async () => {
    await onStage(PROTOCOLS["chat completions"], async ({ run, of }) => {
      const id = idOf(await run([...JSON_OUT, "first of the one"]));
      await run(["-p", "first of the other"]);
      await run(["-r", id, "--append-system-prompt", "Say please.", "-p", "second of the one"]);
      assert.match(of("second of the one").json.messages[0].content, /Say please\./);
      await run(["-r", id, "-m", "another-model", "-p", "third of the one"]);
      assert.match(
        of("third of the one").json.messages[0].content,
        /your model is another-model\./,
      );
      await run(["-r", id, "-p", "fourth of the one"]);
      assertPrefixes([of("first of the one"), of("fourth of the one")]);
    });
  },
);

slow("going back to a prompt keeps the bytes before it", async () => {
  await onStage(PROTOCOLS["chat completions"], async ({ run, of }) => {
    const id = idOf(await run([...JSON_OUT, "first of the one"]));
    await run(["-p", "first of the other"]);
    await run(["-r", id, "-p", "second of the one"]);
    const format = ["--input-format", "stream-json", "--output-format", "stream-json"];
    const lines = ["/back 1", "another second"]
      .map((text) => JSON.stringify({ type: "user", text }) + "\n");
    await run(["-r", id, "-p", ...format], lines.join(""));
    assertPrefixes([of("first of the one"), of("another second")]);
  });
});

slow("a session of another day goes on with its bytes and is told the day", async () => {
  await onStage(PROTOCOLS["chat completions"], async ({ root, run, of }) => {
    const id = idOf(await run([...JSON_OUT, "first of the one"]));
    const path = join(root, ".narnat/sessions", `${id}.jsonl`);
    const text = await Deno.readTextFile(path);
    const before = text.replace(/"today":"[^"]*"/, '"today":"2001-02-03"');
    assert.notEqual(before, text);
    await Deno.writeTextFile(path, before);
    await run(["-r", id, "-p", "second of the one"]);
    const { messages } = of("second of the one").json;
    assert.match(messages[0].content, /^- Today: 2001-02-03$/m);
    assert.match(messages.at(-1).content, /Today is 20\d\d-\d\d-\d\d\.$/);
  });
});

slow("a session exported for others holds nothing of memory and other sessions", async () => {
  await onStage(PROTOCOLS["chat completions"], async ({ run }) => {
    await run(["-p", "a line of the other"]);
    const id = idOf(await run([...JSON_OUT, "first of the one"]));
    const { stdout } = await run(["sessions", "export", id, "--redacted"]);
    assert.match(stdout, /first of the one/);
    assert.doesNotMatch(stdout, /a line of the other/);
  });
});
