import assert from "node:assert/strict";
import { join } from "node:path";
import { bareRepo } from "./bare_repo.ts";
import { BUNDLED } from "../../support/bundled.ts";
import { runNarnat } from "../../support/narnat.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const skill = (description: string) => `---\ndescription: ${description}\n---\nThe guidance.\n`;
const FILES = {
  "README.md": "readme",
  "skills/pdf/SKILL.md": skill("Makes PDFs"),
  "skills/pdf/run.sh": { mode: "executable", text: "#!/bin/sh\n" },
  "skills/sheets/SKILL.md": skill("Makes sheets"),
} as const;

const bytes = Object.values(FILES)
  .reduce((sum, file) => sum + (typeof file === "string" ? file : file.text).length, 0);

const run = (root: string, ...args: string[]) =>
  runNarnat(BUNDLED, ["skills", ...args], { cwd: join(root, "w"), stdin: "" });
const settings = (root: string) => Deno.readTextFileSync(join(root, "home/.narnat/narnat.json"));
const clones = (root: string) =>
  [...Deno.readDirSync(join(root, "home/.narnat/skills-cache"))].filter((one) => one.isDirectory);

slow("a repository is added, updated and removed, and what it holds is told", async () => {
  await withWorkspace({
    "w/x": "",
    "home/.narnat/narnat.json": `{\n  // my model\n  "model": "m", // at home\n}\n`,
  }, async (root) => {
    const repo = await bareRepo(root, "tools.git", FILES);
    const added = await run(root, "add", "../tools.git");
    assert.equal(added.code, 0, added.stderr);
    const place = /~\/\.narnat\/skills-cache\/[0-9a-f]{16}\/tools/.exec(added.stdout)?.[0];
    assert.deepEqual(added.stdout.replace(/[0-9a-f]{7},/, "COMMIT,").split("\n"), [
      `Added tools: ${repo}`,
      `COMMIT, 4 files, ${bytes} bytes, in ${place}`,
      "2 skills for the index, which the model reads when a task fits: pdf, sheets",
      "Scripts or programs in it: 1 (skills/pdf/run.sh). Nothing in it has been run; " +
      "a model that follows a skill may run them",
      "It counts from the next session on",
      "",
    ]);
    assert.equal(
      settings(root),
      `{\n  "skills": [\n    {"name":"tools","repo":"${repo}","enabled":true}\n  ],\n` +
        `  // my model\n  "model": "m", // at home\n}\n`,
    );
    const listed = (await run(root, "list")).stdout.split("\n").slice(1, 3);
    assert.deepEqual(listed.map((row) => row.split(/ {2,}/)), [
      ["pdf", "available", `${skill("Makes PDFs").length}`, `${place}/skills/pdf/SKILL.md`],
      ["sheets", "available", `${skill("Makes sheets").length}`, `${place}/skills/sheets/SKILL.md`],
    ]);

    const again = await run(root, "add", repo, "pdf");
    assert.match(again.stdout, /not fetched again; narnat skills update pdf does/);
    assert.match(
      again.stdout,
      /skills\/pdf\/SKILL\.md stands in the prompt of each session in full/,
    );
    assert.match(
      (await run(root, "show", "pdf")).stdout,
      /^.*\nalways loaded\nMakes PDFs\n\nThe gui/,
    );

    await bareRepo(root, "tools.git", { ...FILES, "README.md": "a\nb\n", "new.sh": "x\n" });
    const updated = await run(root, "update", "sheets");
    assert.deepEqual(updated.stdout.replace(/[0-9a-f]{7}\.\.[0-9a-f]{7}/, "OLD..NEW").split("\n"), [
      "tools: OLD..NEW, 2 files changed, +3 -1",
      "  README.md  +2 -1",
      "  new.sh  +1 -0",
      "  Scripts or programs in it: 1 (new.sh). Nothing in it has been run; " +
      "a model that follows a skill may run them",
      "",
    ]);
    assert.match((await run(root, "update")).stdout, /^tools, pdf: no change \([0-9a-f]{7}\)\n$/);

    // a new commit of the same files, and files of the clone that somebody has changed
    await bareRepo(root, "tools.git", { ...FILES, "README.md": "a\nb\n", "new.sh": "x\n" });
    const same = /^tools, pdf: ([0-9a-f]{7})\.\.(?!\1)[0-9a-f]{7}, 0 files changed, \+0 -0\n$/;
    assert.match((await run(root, "update")).stdout, same);
    await Deno.writeTextFile(join(root, "home", place!.slice(2), "README.md"), "mine\n");
    const back =
      /^tools, pdf: ([0-9a-f]{7})\.\.\1, 1 files? changed, \+2 -1\n {2}README\.md {2}\+2 -1\n$/;
    assert.match((await run(root, "update")).stdout, back);

    assert.equal((await run(root, "remove", "tools")).stdout, "Removed tools\n");
    assert.equal(clones(root).length, 1);
    assert.equal((await run(root, "remove", "pdf")).stdout, "Removed pdf and its clone\n");
    assert.equal(clones(root).length, 0);
    assert.match(
      settings(root),
      /"skills": \[\],\n {2}\/\/ my model\n {2}"model": "m", \/\/ at home/,
    );
  });
});

Deno.test("a skill that gives way to another is not told as one that is loaded", async () => {
  const twin = "---\nname: twin\nalways: true\n---\nThe guidance.\n";
  const mine = "---\nname: mine\ndescription: of mine\n---\nTheirs.\n";
  const files = { "a/SKILL.md": twin, "b/SKILL.md": twin, "mine/SKILL.md": mine };
  await withWorkspace({ "w/.narnat/skills/mine/SKILL.md": mine }, async (root) => {
    const { stdout } = await run(root, "add", await bareRepo(root, "twins.git", files));
    assert.match(stdout, /\/a\/SKILL\.md stands in the prompt/);
    assert.doesNotMatch(stdout, /b\/SKILL\.md|mine/);
  });
});

slow("what cannot be added is said with what to do, and leaves nothing", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const repo = await bareRepo(root, "tools.git", FILES);
    const code = await bareRepo(root, "code.git", { "main.c": "int main;" });
    const plain = await bareRepo(root, "plain.git", { "GUIDE.md": "Do it" });
    const cases: [string[], number, RegExp][] = [
      [["add"], 2, /Usage: narnat skills .*add GIT-URL \[NAME\]/],
      [["add", "a", "b", "c"], 2, /Usage: narnat skills/],
      [["add", "owner/name"], 2, /Did you mean https:\/\/github\.com\/owner\/name\?/],
      [["add", "ext::sh -c id"], 2, /other transports may start programs/],
      [
        ["add", join(root, "none.git")],
        1,
        /Cannot clone .*there is no such repository .*Check the ad/,
      ],
      [["add", repo, "sheet"], 1, /There is no skill sheet in .*There are: pdf, sheets/],
      [["add", plain, "nosuch"], 1, /There is no skill nosuch in .*There are: GUIDE\.md/],
      [["add", code], 1, /There is no SKILL\.md, README\.md or other \.md in .*; it was not added/],
      [["remove", "x"], 2, /There are no skills from git; narnat skills add/],
      [["update", "x"], 2, /There are no skills from git; narnat skills add/],
    ];
    for (const [words, exit, said] of cases) {
      const { code, stdout, stderr } = await run(root, ...words);
      assert.deepEqual([code, stdout], [exit, ""], words.join(" "));
      assert.match(stderr, said);
    }
    assert.deepEqual([...Deno.readDirSync(join(root, "home/.narnat/skills-cache"))], []);
    assert.equal((await run(root, "add", plain, "plain")).code, 0);
    await run(root, "remove", "plain");
    await run(root, "add", repo);
    await Deno.mkdir(join(root, "other"));
    const other = await bareRepo(root, "other/tools.git", FILES);
    const taken = await run(root, "add", other, "--name", "tools");
    assert.equal(taken.code, 2);
    assert.match(taken.stderr, /There is a skill tools already .*narnat skills remove tools first/);
    const pdf = await run(root, "remove", "pdf");
    assert.match(
      pdf.stderr,
      /pdf comes with the whole repository tools; narnat skills remove tools/,
    );
    assert.equal(clones(root).length, 1);
  });
});

Deno.test("the skills of narnat.json are checked, and a password in an address is not shown", async () => {
  await withWorkspace({
    "w/x": "",
    "home/.narnat/narnat.json":
      `{"skills":[{"name":"a","repo":"https://me:token99@h/x","enabled":1}]}`,
  }, async (root) => {
    const { code, stderr } = await run(root);
    assert.equal(code, 2);
    assert.match(stderr, /"skills" .*a list of \{"name": "a name", "repo": "git URL", /);
    assert.doesNotMatch(stderr, /token99/);
  });
});

Deno.test("a project's repositories do not count while nobody trusts it", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const repo = await bareRepo(root, "r.git", FILES);
    const file = join(root, "w/.narnat/narnat.json");
    await Deno.mkdir(join(root, "w/.narnat"));
    await Deno.writeTextFile(file, JSON.stringify({ skills: [{ name: "r", repo }] }));
    assert.match((await run(root)).stdout, /^Not trusted and not used: .* r \(narnat trust/);
    assert.match((await run(root, "update")).stdout, /^Not trusted and not used: .* r \(/);
    const removed = await run(root, "remove", "r");
    assert.match(removed.stderr, /r is named by this project's .*narnat\.json; take it out there/);
  });
});

slow(
  "a trusted project's repositories are there for the first line, whatever it asks",
  async () => {
    await withWorkspace({ "w/x": "" }, async (root) => {
      const repo = await bareRepo(root, "r.git", FILES);
      const file = join(root, "w/.narnat/narnat.json");
      await Deno.mkdir(join(root, "w/.narnat"));
      await Deno.writeTextFile(file, JSON.stringify({ skills: [{ name: "r", repo }] }));
      const narnat = (...args: string[]) =>
        runNarnat(BUNDLED, args, { cwd: join(root, "w"), stdin: "" });
      const asked = async () => (await narnat("--model", "demo", "-p", "/skill")).stdout;
      assert.doesNotMatch(await asked(), /Makes PDFs/);
      await narnat("trust", "add");
      assert.match(await asked(), /Makes PDFs/);
    });
  },
);

slow(
  "an update that takes a skill's file away says so, and the name is free for another",
  async () => {
    await withWorkspace({ "w/x": "" }, async (root) => {
      const repo = await bareRepo(root, "r.git", { "pdf.md": "A", "README.md": "About" });
      const other = await bareRepo(root, "o.git", { "skills/pdf/SKILL.md": skill("Makes PDFs") });
      assert.equal((await run(root, "add", repo, "pdf")).code, 0);
      assert.equal((await run(root, "add", other)).code, 0);
      await bareRepo(root, "r.git", { "README.md": "About" });
      const gone = await run(root, "update", "pdf");
      assert.match(gone.stderr, /pdf: .*there is no pdf any more.*narnat skills remove pdf/);
      assert.equal(gone.code, 1);
      await bareRepo(root, "r.git", { "main.c": "int main;" });
      assert.equal((await run(root, "update")).code, 1);
      assert.match((await run(root, "list")).stdout, /^pdf +available /m);
    });
  },
);

slow("a session clones what is configured and missing, and says so", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const repo = await bareRepo(root, "r.git", { "README.md": "the guidance" });
    await Deno.mkdir(join(root, "home/.narnat"), { recursive: true });
    const skills = [{ name: "Guide", repo, skill: "" }, { name: "gone", repo: `${repo}.gone` }];
    await Deno.writeTextFile(join(root, "home/.narnat/narnat.json"), JSON.stringify({ skills }));
    assert.match((await run(root)).stdout, /Guide +not cloned yet; a session or narnat skills upd/);
    const args = ["-p", "hello", "--model", "demo", "--output-format", "stream-json"];
    const { code, lines } = await runNarnat(BUNDLED, args, { cwd: join(root, "w"), stdin: "" });
    assert.equal(code, 0);
    const told = lines.filter(({ type }) => type === "notice").map(({ text }) => text);
    assert.match(told[0], /^Cloning skill repositories: /);
    assert.match(told[1], /^The skill Guide was cloned from /);
    assert.match(told[2], /^The skill gone was not loaded: Cannot clone /);
    const prompt = await runNarnat(BUNDLED, ["prompt"], { cwd: join(root, "w"), stdin: "" });
    assert.match(prompt.stdout, /## Skills 编程指导\n.*\n\n### Guide\n\(.*\)\nthe guidance/);
    assert.match(prompt.stdout, /left out: .*r\.git\.gone: not cloned yet/);
  });
});

Deno.test("skills in dotted folders are found, and then no README stands in for them", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const repo = await bareRepo(root, "skills.git", {
      "README.md": "readme",
      ".github/workflows/ci.yml": "on: push",
      "skills/.curated/bake/SKILL.md": skill("Bakes"),
      "skills/.experimental/brew/SKILL.md": skill("Brews"),
      ".cursor/skills/knit/SKILL.md": skill("Knits"),
    });
    const { stdout } = await run(root, "add", repo);
    assert.match(stdout, /\n3 skills for the index, .*: knit, bake, brew\n/);
    assert.doesNotMatch(stdout, /README/);
  });
});

slow("of a skill that lies in a dotted folder too, the other counts", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const files = { ".claude/skills/bake/SKILL.md": skill("Old"), "z/bake/SKILL.md": skill("New") };
    await run(root, "add", await bareRepo(root, "bakery.git", files));
    assert.match((await run(root, "show", "bake")).stdout, /\/z\/bake\/SKILL\.md\n.*\nNew\n/);
  });
});

slow("repositories of one name stand beside each other, and --name names one", async () => {
  await withWorkspace({ "w/x": "", "anna/x": "", "ben/x": "", "ben/deep/x": "" }, async (root) => {
    const one = await bareRepo(root, "anna/skills.git", { "bake/SKILL.md": skill("Bakes") });
    const two = await bareRepo(root, "ben/skills.git", { "brew/SKILL.md": skill("Brews") });
    const three = await bareRepo(root, "ben/deep/skills.git", { "bake/SKILL.md": skill("Other") });
    assert.match((await run(root, "add", one)).stdout, /^Added skills: /);
    assert.match((await run(root, "add", two)).stdout, /^Added ben-skills: /);
    assert.match((await run(root, "add", three, "--name", "deep")).stdout, /^Added deep: /);
    assert.match((await run(root, "add", one, "bake")).stdout, /^Added bake: /);
    const other = await run(root, "add", three, "bake", "--name", "bake2");
    assert.match(other.stdout, /^Added bake2: .*\n[^]*bake\/SKILL\.md stands in the prompt/);
    const again = await run(root, "add", two);
    assert.match(again.stderr, /ben-skills is there already; narnat skills update ben-skills/);
    const names = /"skills": (\[[^]*?\n {2}\])/.exec(await settings(root))?.[1];
    assert.deepEqual(JSON.parse(names!).map((item: { name: string }) => item.name), [
      "skills",
      "ben-skills",
      "deep",
      "bake",
      "bake2",
    ]);
    assert.match((await run(root, "update", "ben-skills")).stdout, /^ben-skills: no change/);
  });
});

slow("a name that is taken is told before anything is cloned", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    await run(root, "add", await bareRepo(root, "tools.git", FILES));
    const far = join(root, "nowhere.git");
    const taken = await run(root, "add", far, "--name", "tools");
    assert.equal(taken.code, 2);
    assert.match(taken.stderr, /There is a skill tools already .*another with --name/);
    assert.match((await run(root, "add", far, "--name", "../x")).stderr, /--name \.\.\/x: a name/);
    assert.equal((await run(root, "update", "--name", "x")).code, 2);
    assert.equal(clones(root).length, 1);
  });
});

slow("a repository of more skills than are taken says how many are left out", async () => {
  await withWorkspace({ "w/x": "" }, async (root) => {
    const numbers = Array.from({ length: 1003 }, (_, n) => String(n).padStart(4, "0"));
    const files = Object.fromEntries(numbers.map((n) => [`s/a${n}/SKILL.md`, skill(n)]));
    const repo = await bareRepo(root, "many.git", files);
    const added = await run(root, "add", repo);
    assert.match(added.stdout, /\n1000 skills for the index/);
    assert.match(added.stdout, /\n3 more skills are left out \(a repository brings 1000 at most\)/);
    assert.match((await run(root, "add", repo, "a1002")).stdout, /^Added a1002: /);
  });
});
