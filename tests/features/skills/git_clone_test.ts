/** Repositories that mean harm, and those that cannot be had. */
import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { CACHE, filesBelow, findClone } from "../../../src/features/skills/clones.ts";
import { type CloneOptions, cloneRepo, dropClone } from "../../../src/features/skills/git_clone.ts";
import { createGitSkills } from "../../../src/features/skills/git_skills.ts";
import { repoName, shownUrl, urlFault } from "../../../src/base/git_url.ts";
import { findSkills, skillBody } from "../../../src/features/skills/skills.ts";
import { bareRepo } from "./bare_repo.ts";
import { alive, uniqueSleep } from "../../support/processes.ts";
import { promptOptions } from "../../support/parts.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { slow } from "../../support/soak.ts";

const ENV = {
  PATH: Deno.env.get("PATH")!,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

const options = (root: string, more: Partial<CloneOptions> = {}): CloneOptions => ({
  userDir: join(root, "home/.narnat"),
  t: english,
  env: ENV,
  now: () => new Date(5000),
  signal: new AbortController().signal,
  ...more,
});

const pathsOf = (dir: string) => filesBelow(dir).map(({ path }) => path);
const inCache = (root: string) =>
  [...Deno.readDirSync(join(root, "home/.narnat", CACHE))].map(({ name }) => name)
    .filter((name) => !name.endsWith(".lock"));
const isThere = (path: string) => Deno.stat(path).then(() => true, () => false);

/** A program that tells that it ran, and the user's git settings that would start it. */
async function trap(root: string): Promise<{ ran: string; env: typeof ENV }> {
  const ran = join(root, "ran");
  const program = join(root, "program");
  await Deno.writeTextFile(program, `#!/bin/sh\necho "$0 $*" >>${ran}\ncat\n`, { mode: 0o755 });
  await Deno.mkdir(join(root, "hooks"));
  await Deno.mkdir(join(root, "template/hooks"), { recursive: true });
  const hooks = ["post-checkout", "post-index-change", "reference-transaction", "post-merge"];
  for (const folder of ["hooks", "template/hooks"]) {
    for (const hook of hooks) await Deno.copyFile(program, join(root, folder, hook));
  }
  const config = join(root, "gitconfig");
  await Deno.writeTextFile(
    config,
    `[core]\nhooksPath = ${root}/hooks\nfsmonitor = ${program}\nattributesFile = ${root}/attributes
autocrlf = true
[url "ext::${program} "]\ninsteadOf = https://trap.example/
[init]\ntemplateDir = ${root}/template
[filter "evil"]\nsmudge = ${program}\nclean = ${program}\nprocess = ${program}\nrequired = true
[diff "evil"]\ntextconv = ${program}\ncommand = ${program}
[diff]\nexternal = ${program}
[submodule]\nrecurse = true
[protocol "ext"]\nallow = always\n`,
  );
  await Deno.writeTextFile(join(root, "attributes"), "* filter=evil diff=evil\n");
  // as in a hook of git's own
  const env = { ...ENV, GIT_CONFIG_GLOBAL: config, GIT_INDEX_FILE: join(root, "index") };
  return { ran, env };
}

Deno.test("nothing runs by a repository being added or updated, whatever it says and git is set to", async () => {
  await withWorkspace({}, async (root) => {
    const { ran, env } = await trap(root);
    const other = await bareRepo(root, "other.git", { "x": "x" });
    const files = {
      "README.md": "guidance\r\n$Id$\n",
      ".gitattributes":
        "[attr]mine filter=evil diff=evil\n*.md mine ident text eol=lf\n* filter=evil\n",
      ".gitmodules": `[submodule "sub"]\npath = sub\nurl = ${other}\nupdate = !touch ${ran}\n`,
      sub: { mode: "submodule", text: "1234567890123456789012345678901234567890" },
      "hooks/post-checkout": { mode: "executable", text: `#!/bin/sh\ntouch ${ran}\n` },
      ".git-hooks/post-checkout": { mode: "executable", text: `#!/bin/sh\ntouch ${ran}\n` },
      ".lfsconfig": "[lfs]\nurl = http://127.0.0.1:1/\n",
      "ends.txt": "a\n",
    } as const;
    const repo = await bareRepo(root, "r.git", files);
    const got = await cloneRepo(repo, options(root, { env }));
    assert.equal(Deno.readTextFileSync(join(got.dir, "README.md")), files["README.md"]);
    assert.deepEqual(got.submodules, ["sub"]);
    assert.deepEqual(got.scripts, [".git-hooks/post-checkout", "hooks/post-checkout"]);
    assert.equal(await isThere(join(got.dir, ".git")), false);
    const changed = { "README.md": "other\n", "b.bin": "\0\0", "ends.txt": "a\r\n" };
    await bareRepo(root, "r.git", { ...files, ...changed });
    const { before } = await cloneRepo(repo, options(root, { env, anew: true }));
    assert.deepEqual(before, {
      commit: got.commit,
      changes: [
        { path: "README.md", added: 1, removed: 2 },
        { path: "b.bin" },
        { path: "ends.txt", added: 1, removed: 1 },
      ],
    });
    await assert.rejects(
      cloneRepo("https://trap.example/x.git", options(root, { env })),
      /transport 'ext' not allowed/,
    );
    assert.equal(await isThere(ran), false);
    assert.equal(await isThere(join(root, "index")), false);
  });
});

Deno.test("links that lead out are taken out; those within stay", async () => {
  await withWorkspace({ "secret.md": "secret" }, async (root) => {
    const link = (text: string) => ({ mode: "link", text }) as const;
    const repo = await bareRepo(root, "r.git", {
      "a/real.md": "real",
      "README.md": link("../../../../../secret.md"),
      "absolute.md": link(join(root, "secret.md")),
      "within.md": link("a/real.md"),
      "folder": link("a"),
      "up": link("../../../.."),
      "twice.md": link("up/secret.md"),
      "circle": link("circle"),
      "git": link(".git/config"),
    });
    const { dir, links } = await cloneRepo(repo, options(root));
    assert.deepEqual(pathsOf(dir), ["a/real.md", "folder", "within.md"]);
    assert.deepEqual(links, ["README.md", "absolute.md", "circle", "git", "twice.md", "up"]);
    // one that came into the cache by another hand is not followed either
    await Deno.symlink(join(root, "secret.md"), join(dir, "README.md"));
    const gitSkills = createGitSkills({
      ...options(root),
      items: () => ["README.md", "within.md"].map((skill) => ({ name: skill, repo, skill })),
    });
    const found = await findSkills(
      promptOptions(root, { userDir: join(root, "home/.narnat"), gitSkills }),
    );
    assert.deepEqual(found.map((skill) => skillBody(skill)?.text), ["real", "real"]);
  });
});

Deno.test("an address that would be an option, a program or nothing at all never reaches git", async () => {
  const faults = {
    option: [
      "-u",
      "--upload-pack=touch x",
      "ssh://-oProxyCommand=x/y",
      "git@-oProxyCommand=x:y",
      "https://user@-x/y",
    ],
    transport: ["ext::sh -c id", "fd::17", "ftp://h/x", "javascript://x", "a+b::x"],
    form: ["", " ", "a b", "owner/repo", "./x", "https://h/x\nhttps://h/y", "x\0y"],
  };
  for (const [fault, urls] of Object.entries(faults)) {
    for (const url of urls) assert.equal(urlFault(url), fault, url);
  }
  const good = [
    "https://h/x.git",
    "http://h:1/x",
    "ssh://git@h/x",
    "git@h:x.git",
    "host:x",
    "/a b/c",
    "file:///x",
    "git://h/x",
  ];
  for (const url of good) assert.equal(urlFault(url), undefined, url);
  await withWorkspace({}, async (root) => {
    const ran = join(root, "ran");
    for (const url of [`ext::sh -c touch% ${ran}`, `--upload-pack=touch ${ran}`]) {
      await assert.rejects(cloneRepo(url, options(root)), /is refused: /);
    }
    assert.equal(await isThere(ran), false);
  });
});

Deno.test("what is secret in an address is neither shown nor kept nor said when it fails", async () => {
  const url = "https://me:to%2Fken99@127.0.0.1:1/x/y.git?private_token=abcdef";
  assert.equal(shownUrl(url), "https://127.0.0.1:1/x/y.git");
  assert.equal(shownUrl("ssh://git:pass@h/x"), "ssh://git@h/x");
  assert.deepEqual([url, "git@h:x", "/a"].map((one) => shownUrl(one) !== one), [
    true,
    false,
    false,
  ]);
  await withWorkspace({}, async (root) => {
    const failed = await cloneRepo(url, options(root)).then(() => "", (error) => error.message);
    assert.match(
      failed,
      /^Cannot clone https:\/\/127\.0\.0\.1:1\/x\/y\.git: the server cannot be rea/,
    );
    assert.doesNotMatch(failed, /to%2Fken99|to\/ken99|abcdef/);
    const repo = await bareRepo(root, "y.git", { "README.md": "x" });
    const config = join(root, "gitconfig");
    await Deno.writeTextFile(config, `[url "${repo}"]\ninsteadOf = ${url}\n`);
    const got = await cloneRepo(url, options(root, { env: { ...ENV, GIT_CONFIG_GLOBAL: config } }));
    const receipt = Deno.readTextFileSync(join(got.dir, "../clone.json"));
    assert.equal(JSON.parse(receipt).repo, shownUrl(url));
    assert.doesNotMatch(receipt + got.place, /ken99|abcdef/);
  });
});

slow("what is too large, too slow or too many is ended, and nothing of it stays", async () => {
  await withWorkspace({}, async (root) => {
    const noise = new Uint8Array(3_000_000);
    for (let at = 0; at < noise.length; at += 50_000) {
      crypto.getRandomValues(noise.subarray(at, at + 50_000));
    }
    const limits = { ms: 60_000, bytes: 1_000_000, files: 10 };
    const cases = {
      packed: { "x.bin": noise },
      // small on the wire, large when it is written
      unpacked: { "zeros.bin": new Uint8Array(5_000_000) },
      many: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`${i}.md`, "x"])),
    };
    for (const [name, files] of Object.entries(cases)) {
      const repo = await bareRepo(root, `${name}.git`, files);
      await assert.rejects(
        cloneRepo(repo, options(root, { limits })),
        /it is larger than 1 MB or 10 files and was stopped/,
        name,
      );
    }
    // what is still on its way
    const sleep = uniqueSleep();
    const script = `#!/bin/sh\nfor dir; do :; done\nmkdir -p "$dir"
head -c 2000000 /dev/zero >"$dir/pack"\nexec ${sleep}\n`;
    await Deno.mkdir(join(root, "bin"));
    await Deno.writeTextFile(join(root, "bin/git"), script, { mode: 0o755 });
    const env = { ...ENV, PATH: `${root}/bin:${ENV.PATH}` };
    await assert.rejects(
      cloneRepo("https://endless.example/x.git", options(root, { limits, env })),
      /it is larger than 1 MB or 10 files and was stopped/,
    );
    assert.equal(await alive(sleep), 0);
    const silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const held = silent.accept();
    const { port } = silent.addr as Deno.NetAddr;
    await assert.rejects(
      cloneRepo(
        `http://127.0.0.1:${port}/x.git`,
        options(root, {
          limits: { ...limits, ms: 1000 },
        }),
      ),
      /it was not done in 1 s and was stopped/,
    );
    (await held).close();
    silent.close();
    assert.deepEqual(inCache(root), []);
    const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "args="] }).output();
    const left = new TextDecoder().decode(stdout).split("\n").filter((row) =>
      row.includes(`:${port}/`)
    );
    assert.deepEqual(left, []);
  });
});

Deno.test("ssh asks no question, unless the user has named their own", async () => {
  await withWorkspace({}, async (root) => {
    const called = join(root, "called");
    const script = `#!/bin/sh\necho "$*" >${called}\nexit 1\n`;
    await Deno.mkdir(join(root, "bin"));
    for (const name of ["ssh", "own"]) {
      await Deno.writeTextFile(join(root, "bin", name), script, { mode: 0o755 });
    }
    const PATH = `${root}/bin:${ENV.PATH}`;
    for (const [env, asks] of [[{}, false], [{ GIT_SSH_COMMAND: "own" }, true]] as const) {
      const o = options(root, { env: { ...ENV, PATH, ...env } });
      await assert.rejects(cloneRepo("git@host.example:x.git", o));
      assert.equal(!(await Deno.readTextFile(called)).includes("-oBatchMode=yes"), asks);
    }
  });
});

Deno.test(
  "only the newest commit is fetched, from a folder of this machine too, and no timer is left",
  {
    sanitizeOps: true,
  },
  async () => {
    await withWorkspace({}, async (root) => {
      const repo = await bareRepo(root, "r.git", { "README.md": "old" });
      await bareRepo(root, "r.git", { "README.md": "new" });
      // git itself, which then tells how many commits it has got
      const script = `#!/bin/sh\nPATH="${ENV.PATH}"\ngit "$@" || exit\ncase " $* " in *" clone "*)
for dir; do :; done; git --git-dir="$dir/.git" rev-list --count --all >${root}/commits ;; esac\n`;
      await Deno.mkdir(join(root, "bin"));
      await Deno.writeTextFile(join(root, "bin/git"), script, { mode: 0o755 });
      const env = { ...ENV, PATH: `${root}/bin:${ENV.PATH}` };
      for (const url of [repo, `file://${repo}`]) {
        const { dir } = await cloneRepo(url, options(root, { env }));
        assert.equal(await Deno.readTextFile(join(dir, "README.md")), "new");
        assert.equal(await Deno.readTextFile(join(root, "commits")), "1\n", url);
        await Deno.remove(join(root, "commits"));
      }
    });
  },
);

Deno.test("no git, no repository, an empty one: each is said with what to do", async () => {
  await withWorkspace({ "folder/x": "" }, async (root) => {
    const empty = await bareRepo(root, "empty.git", { x: "" });
    await Deno.remove(join(empty, "refs/heads/main")).catch(() => {});
    const cases: [string, RegExp, Partial<CloneOptions>?][] = [
      [join(root, "none.git"), /there is no such repository \(fatal: .*Check the address$/],
      [join(root, "folder"), /there is no such repository/],
      [empty, /the repository is empty, there is no commit in it$/],
      [empty, /there is no git\. Install git first$/, { env: { ...ENV, PATH: root } }],
      [empty, /克隆 .*没有找到 git。请先安装 git$/, { env: { ...ENV, PATH: root }, t: chinese }],
    ];
    for (const [url, words, more] of cases) {
      await assert.rejects(cloneRepo(url, options(root, more)), words);
    }
    assert.deepEqual(inCache(root), []);
  });
});

slow(
  "what a killed narnat left of a clone counts as none, and goes with the next one",
  async () => {
    await withWorkspace({}, async (root) => {
      const repo = await bareRepo(root, "r.git", { "README.md": "whole" });
      const { userDir } = options(root);
      const first = await cloneRepo(repo, options(root));
      const hash = first.place.split("/").at(-2)!;
      await dropClone(repo, userDir);
      await Deno.mkdir(join(userDir, CACHE, `.${hash}.killed/r/.git`), { recursive: true });
      await Deno.mkdir(join(userDir, CACHE, hash, "r"), { recursive: true });
      assert.equal(await findClone(userDir, repo), undefined);
      const again = await cloneRepo(repo, options(root));
      assert.deepEqual([again.fresh, pathsOf(again.dir)], [true, ["README.md"]]);
      assert.deepEqual(inCache(root), [hash]);
    });
  },
);

Deno.test("an update that fails leaves the clone there was", async () => {
  await withWorkspace({}, async (root) => {
    const repo = await bareRepo(root, "r.git", { "README.md": "old" });
    await cloneRepo(repo, options(root));
    await Deno.rename(repo, `${repo}.away`);
    await assert.rejects(cloneRepo(repo, options(root, { anew: true })), /no such repository/);
    const { dir } = (await findClone(options(root).userDir, repo))!;
    assert.equal(Deno.readTextFileSync(join(dir, "README.md")), "old");
  });
});

Deno.test("text in another encoding is read; what is no text is told and left out", async () => {
  await withWorkspace({}, async (root) => {
    const gbk = Uint8Array.of(0xbc, 0xbc, 0xc4, 0xdc, 0xd6, 0xb8, 0xb5, 0xbc, 0x0a);
    const repo = await bareRepo(root, "r.git", {
      "gbk.md": new Uint8Array(Array.from({ length: 30 }, () => [...gbk]).flat()),
      "binary.md": Uint8Array.from({ length: 600 }, (_, i) => i % 251),
    });
    const items = ["gbk", "binary"].map((skill) => ({ name: skill, repo, skill }));
    const gitSkills = createGitSkills({ ...options(root), items: () => items });
    await cloneRepo(repo, options(root));
    const o = promptOptions(root, { userDir: join(root, "home/.narnat"), gitSkills });
    const [text, binary] = await findSkills(o);
    assert.match(skillBody(text!)!.text, /^技能指导\n/);
    assert.equal(binary!.problem, "not_text");
    const { createPrompt } = await import("../../../src/context/prompt.ts");
    const prompt = createPrompt(o);
    await prompt.ready();
    assert.match(
      prompt.notices()[0]!,
      /^The skill binary was not loaded: there is nothing to read in/,
    );
    assert.match(prompt.system(), /### gbk\n/);
    assert.doesNotMatch(prompt.system(), /### binary/);
  });
});

Deno.test("the name of a repository is the end of its address, and no path", () => {
  const names: [string, string][] = [
    ["https://h/a/b.git", "b"],
    ["https://h/a/b/", "b"],
    ["git@h:b.git", "b"],
    ["/x/y z", "y-z"],
    ["https://h/..", "repo"],
    ["https://h/技能", "repo"],
    ["https://u:p@h/a.b?x=/../y", "a.b"],
  ];
  for (const [url, name] of names) assert.equal(repoName(url), name, url);
});
