/** The model that a project names, and its skills: not before the Yes; a change is shown; no place but its own. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { type FakeProvider, startFakeProvider } from "../support/fake_provider.ts";
import { type Outcome, runNarnat } from "../support/narnat.ts";
import { type Files, withWorkspace } from "../support/temp_workspace.ts";
import { onStage } from "../support/terminal.ts";
import { Tmux } from "../support/tmux.ts";
import { slow } from "../support/soak.ts";
import { talkTo } from "../support/stage.ts";

const KEY = "k3y-of-the-user-0123456789";
const THEIRS = "k3y-of-the-project-0123456789";

/** Two real servers, one of the user's and one that only the project names. */
async function between(
  files: (mine: string, theirs: string) => Files,
  play: (
    stage: {
      root: string;
      mine: FakeProvider;
      theirs: FakeProvider;
      run: (...args: string[]) => Promise<Outcome>;
    },
  ) => Promise<void>,
  env: { readonly [name: string]: string } = {},
): Promise<void> {
  const mine = await startFakeProvider(() => ({ text: "mine" }));
  const theirs = await startFakeProvider(() => ({ text: "theirs" }));
  try {
    await withWorkspace({ "home/.keep": "", ...files(mine.url, theirs.url) }, async (root) => {
      const run = (...args: string[]) =>
        runNarnat(BUNDLED, args, { cwd: join(root, "w"), stdin: "", env });
      await play({ root, mine, theirs, run });
    });
  } finally {
    await Promise.all([mine.close(), theirs.close()]);
  }
}

const user = (mine: string) => JSON.stringify({ api_key: KEY, base_url: mine, model: "fake" });
const project = (theirs: string, key = THEIRS) =>
  JSON.stringify({ base_url: theirs, api_key: key, model: "dear" });

slow(
  "the session goes to the model that a project names once that is trusted, not before, and not once it has changed",
  async () => {
    await between((mine, theirs) => ({
      "home/.narnat/narnat.json": user(mine),
      "w/.narnat/narnat.json": project(theirs),
    }), async ({ root, mine, theirs, run }) => {
      const before = await run("-p", "hi");
      assert.deepEqual([before.code, before.stdout], [0, "mine\n"], before.stderr);
      assert.match(
        before.stderr,
        /^narnat: base_url, api_key, model in \S+narnat\.json not trusted and not used: [^\n]*\n$/,
      );
      assert.equal(theirs.requests.length, 0);

      const added = await run("trust", "add");
      assert.match(
        added.stdout,
        /^settings: trusted\n {2}base_url: http:\S+\n {2}api_key: … \(sha256 [0-9a-f]{8}\)\n {2}model: dear\n$/,
      );
      assert.ok(!added.stdout.includes(THEIRS) && !added.stderr.includes("not trusted"));
      const trusted = await run("-p", "hi");
      assert.deepEqual([trusted.stdout, trusted.stderr], ["theirs\n", ""]);
      assert.doesNotMatch(JSON.stringify(theirs.requests), new RegExp(KEY));

      await Deno.writeTextFile(
        join(root, "w/.narnat/narnat.json"),
        project(theirs.url, `${THEIRS}-2`),
      );
      const asked = theirs.requests.length;
      assert.equal((await run("-p", "hi")).stdout, "mine\n");
      assert.equal(theirs.requests.length, asked);
      const changed = await run("trust");
      assert.match(
        changed.stdout,
        /settings: not trusted, not used\n {2}\(changed since you trusted it\)\n- api_key: … \(sha256 \w{8}\)\n\+ api_key: … \(sha256 \w{8}\)\n/,
      );
      const { stdout: doctor } = await run("doctor", "--model", "demo");
      assert.match(doctor, /! trust: not trusted: settings/);
      const book = await Deno.readTextFile(join(root, "home/.narnat/trust.json"));
      assert.ok(!book.includes(THEIRS), book);
      await run("trust", "remove");
      assert.ok(mine.requests.length >= 2);
    });
  },
);

Deno.test("without any model of the user's nothing is sent, and the demo does not stand in", async () => {
  await between((_mine, theirs) => ({
    "w/.narnat/narnat.json": JSON.stringify({ base_url: theirs, model: "x" }),
  }), async ({ theirs, run }) => {
    const { code, stdout, stderr } = await run("-p", "hi");
    assert.deepEqual([code, stdout, theirs.requests.length], [2, "", 0]);
    assert.match(stderr, /base_url, model in .* not trusted and not used: [^]*narnat trust add/);
    await run("trust", "add");
    assert.equal((await run("-p", "hi")).stdout, "theirs\n");
  });
});

slow(
  "another path, a folder above, below or moved has no part in the trust; a link to it is the same",
  async () => {
    await between((mine, theirs) => ({
      "home/.narnat/narnat.json": user(mine),
      "w/.narnat/narnat.json": project(theirs),
      "w/below/.narnat/narnat.json": project(theirs),
      ".narnat/narnat.json": project(theirs),
    }), async ({ root, run }) => {
      const answer = async (dir: string) => (await run("-C", join(root, dir), "-p", "hi")).stdout;
      await run("trust", "add");
      await Deno.symlink(join(root, "w"), join(root, "link"));
      const answers = ["w", "link", ".", "w/below"].map(answer);
      assert.deepEqual(await Promise.all(answers), ["theirs\n", "theirs\n", "mine\n", "mine\n"]);
      await Deno.rename(join(root, "w"), join(root, "moved"));
      await Deno.mkdir(join(root, "w"));
      assert.equal(await answer("moved"), "mine\n");
    });
  },
);

Deno.test("a skill that would always apply is listed only, until it is trusted as it is", async () => {
  const skill = (text: string) => `---\ndescription: d\nalways: true\n---\nfirst\n\n${text}\n`;
  await between((mine) => ({
    "home/.narnat/narnat.json": user(mine),
    "home/.narnat/skills/own/SKILL.md": skill("OWN"),
    "w/.claude/skills/one/SKILL.md": skill("GUIDANCE"),
  }), async ({ root, mine, run }) => {
    const sent = async () => {
      const { stderr } = await run("-p", "hi");
      const { content } = mine.requests.at(-1)!.json.messages[0];
      return [
        content.includes("OWN"),
        content.includes("GUIDANCE"),
        content.includes("- one: d"),
        stderr,
      ];
    };
    const told =
      "narnat: not trusted and not used: this project's .claude/skills/one/SKILL.md; narnat trust shows what it wants, narnat trust add trusts it\n";
    assert.deepEqual(await sent(), [true, false, true, told]);
    await run("trust", "add");
    assert.deepEqual(await sent(), [true, true, false, ""]);
    await Deno.writeTextFile(join(root, "w/.claude/skills/one/SKILL.md"), skill("MORE GUIDANCE"));
    assert.deepEqual(await sent(), [true, false, true, told]);
    const rows = (await run("trust")).stdout.split("\n");
    assert.ok(rows.includes("- GUIDANCE") && rows.includes("+ MORE GUIDANCE"), rows.join("\n"));
    assert.ok(!rows.some((row) => /first/.test(row)), "what is as it was is not shown");
  });
});

Deno.test("a trusted skill that changes while narnat runs does not stand in the next session's prompt", async () => {
  const skill = (text: string) => `---\ndescription: d\nalways: true\n---\n${text}\n`;
  const path = "w/.narnat/skills/one/SKILL.md";
  await between((mine) => ({
    "home/.narnat/narnat.json": user(mine),
    [path]: skill("GUIDANCE"),
    // its name would pass for a row of narnat's own
    "w/.narnat/skills/x\nhooks: trusted/SKILL.md": skill("HIDDEN"),
  }), async ({ root, mine, run }) => {
    assert.doesNotMatch((await run("trust", "add")).stdout, /hooks|HIDDEN/);
    const { say, send, end } = talkTo(BUNDLED, [], { cwd: join(root, "w") });
    await say("hi");
    await Deno.writeTextFile(join(root, path), skill("ANOTHER ONE"));
    for (const text of ["/new", "hi"]) await send({ type: "user", text });
    await end();
    const prompts = mine.requests.map(({ json }) => json.messages)
      .filter((messages) => messages.at(-1).content === "hi")
      .map(([system]) => [/GUIDANCE/, /ANOTHER ONE/].map((text) => text.test(system.content)));
    assert.deepEqual(prompts, [[true, false], [false, false]]);
  });
});

slow(
  "where a project has put links nothing is kept, and what they lead to stays as it is",
  async () => {
    for (const name of [".narnat", ".narnat/sessions", ".narnat/logs", ".narnat/checkpoints"]) {
      await between(
        (mine) => ({ "home/.narnat/narnat.json": user(mine), "w/a": "", "else/a": "" }),
        async ({ root, run }) => {
          await Deno.mkdir(join(root, "w", name, ".."), { recursive: true });
          await Deno.symlink(join(root, "else"), join(root, "w", name));
          const { code, stdout, stderr } = await run("-p", "hi");
          assert.deepEqual([code, stdout], [0, "mine\n"], stderr);
          assert.match(stderr, /\.narnat\S* is a link, which may lead [^]*not kept/, name);
          assert.deepEqual([...Deno.readDirSync(join(root, "else"))].map(({ name }) => name), [
            "a",
          ]);
        },
      );
    }
  },
);

slow("a configuration that is a pipe, or has no end, is told at once", async () => {
  await between(
    (mine) => ({ "home/.narnat/narnat.json": user(mine), "w/.narnat/a": "" }),
    async ({ root, run }) => {
      const file = join(root, "w/.narnat/narnat.json");
      await new Deno.Command("mkfifo", { args: [file] }).output();
      const pipe = await run("-p", "hi");
      assert.equal(pipe.code, 2);
      assert.match(pipe.stderr, /narnat\.json.*it is no regular file/);
      await Deno.remove(file);
      await Deno.writeTextFile(file, "");
      await Deno.truncate(file, 2 ** 32);
      assert.match((await run("-p", "hi")).stderr, /it is larger than 4 MB/);
    },
  );
});

slow({
  name:
    "at the terminal one question comes before the session; its Yes is kept, its No leads past the project's model",
  ignore: !await Tmux.available(),
  async fn() {
    const theirs = await startFakeProvider(() => ({ text: "答自项目" }));
    try {
      await onStage({
        home: "empty",
        files: {
          ".narnat/narnat.json": JSON.stringify({
            ...{ base_url: theirs.url, api_key: THEIRS, model: "dear" },
            hooks: { turn_end: ["echo ran >>ran"] },
          }),
        },
      }, async ({ tmux, start, say, project }) => {
        await start();
        await tmux.shows(
          /信任它\s*们吗？[^]*settings:[^]*base_url: http[^]*api_key: … \(sha256[^]*model: dear[^]*hooks:[^]*turn_end: echo ran[^]*→ 否/,
        );
        assert.equal(theirs.requests.length, 0);
        await tmux.type("\n");
        // nothing else is configured: the first steps
        await tmux.shows(/DeepSeek/);
        assert.equal(theirs.requests.length, 0);
        await tmux.key("C-c");
        await tmux.shows("RC=0");
        await tmux.type("clear\n");
        await start();
        await tmux.shows("内容不变就一直信任");
        await tmux.type("y");
        await tmux.shows(/dear[^]*❯ $/);
        await say("你好", "答自项目");
        await tmux.key("C-d");
        await tmux.shows("RC=0");
        assert.equal(await Deno.readTextFile(join(project, "ran")), "ran\n");
        await tmux.type("clear\n");
        await start();
        const again = await tmux.shows(/dear[^]*❯ $/);
        assert.doesNotMatch(again, /信任/);
        await tmux.key("C-d");
        await tmux.shows("RC=0");
      });
    } finally {
      await theirs.close();
    }
  },
});
