import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  dream,
  type DreamAnswer,
  type DreamOptions,
  type DreamWork,
} from "../../../src/features/memory/dream.ts";
import { isDue, readMark, writeMark } from "../../../src/features/memory/dream_mark.ts";
import { createHistory } from "../../../src/session/history.ts";
import { openRepo } from "../../../src/features/memory/memory_repo.ts";
import { createLog } from "../../../src/base/log.ts";
import { secretsOf } from "../../support/parts.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";

const now = () => new Date("2026-11-20T08:00:00Z");
const env = { PATH: Deno.env.get("PATH") ?? "" };
const usage = { input: 1000, output: 20, cached: 0, cost: 0.01 };
const done = (text = ""): DreamAnswer => ({ reason: "done", text, usage, why: "" });

interface Stage {
  readonly dir: string;
  readonly options: DreamOptions;
  readonly asked: DreamWork[];
  read(path: string): string;
  write(path: string, text: string): void;
}

/** A `.narnat` with history entries; `first` is phase one's answer, `second` works on the copies. */
function stage(
  files: Files,
  first: string | Partial<DreamAnswer>,
  second: (folder: string, stage: Stage) => Promise<Partial<DreamAnswer>> | Partial<DreamAnswer>,
  use: (stage: Stage) => Promise<void>,
  more: Partial<DreamOptions> = {},
): Promise<void> {
  return withWorkspace(files, async (dir) => {
    const history = createHistory(join(dir, "memory"), now);
    for (const text of ["port 8430", "released: tag, build, push", "released: tag, build, push"]) {
      history.append(text, "s");
    }
    const asked: DreamWork[] = [];
    const options: DreamOptions = {
      narnatDir: dir,
      history,
      t: english,
      log: createLog({ dir: undefined, now, redactAlways: (text) => text }),
      redactAlways: secretsOf({}).redactAlways,
      now,
      repo: () => openRepo({ narnatDir: dir, t: english, env }),
      async ask(work) {
        asked.push(work);
        if (work.folder === undefined) {
          return typeof first === "string" ? done(first) : { ...done(), ...first };
        }
        return { ...done(), ...await second(work.folder, staged) };
      },
      ...more,
    };
    const staged: Stage = {
      dir,
      options,
      asked,
      read: (path) => Deno.readTextFileSync(join(dir, path)),
      write: (path, text) => Deno.writeTextFileSync(join(dir, path), text),
    };
    await use(staged);
    assert.ok(!existsSync(join(dir, "memory", ".dream")), "the copies are removed");
  });
}

const never = new AbortController().signal;
const FOUND = "[MEMORY] the service listens on port 8430";

function add(folder: string, name: string, text: string): Record<string, never> {
  const path = join(folder, "memory", name);
  const before = existsSync(path) ? Deno.readTextFileSync(path) : "";
  Deno.writeTextFileSync(path, before + text);
  return {};
}

Deno.test("a Dream reads what is unread, changes the files, commits, and then counts it as read", () =>
  stage(
    { "memory/MEMORY.md": "# Memory\n\n- uses deno\n" },
    `${FOUND}\n[USER] likes short answers\nsome noise`,
    (folder) => {
      add(folder, "MEMORY.md", "- the service listens on port 8430\n");
      return add(folder, "USER.md", "# User\n\n- likes short answers\n");
    },
    async ({ dir, options, asked, read }) => {
      const told = await dream(options, never);
      assert.match(
        told,
        /read 3 entries.*USER\.md \+3 −0, MEMORY\.md \+1 −0 \((?:spent )?2\.0k tokens, \$0\.0200\)/,
      );
      assert.match(told, /\/dream-restore [0-9a-f]{7}/);
      assert.equal(
        read("memory/MEMORY.md"),
        "# Memory\n\n- uses deno\n- the service listens on port 8430\n",
      );
      assert.deepEqual(readMark(join(dir, "memory")), { cursor: 3, time: now().toISOString() });
      const [one, two] = asked;
      assert.match(one!.text, /#1 [^]*port 8430[^]*USER\.md\n\n\(does not exist\)[^]*- uses deno/);
      assert.match(
        two!.text,
        /^Today: 2026-11-20\n\n# Findings\n\n\[MEMORY\][^\n]*\n\[USER\][^\n]*\n\n/,
      );
      assert.doesNotMatch(two!.text, /noise/);
      assert.match(
        await (await options.repo())!.log(1),
        /Dream: USER\.md \+3 −0, MEMORY\.md \+1 −0/,
      );
      assert.match(
        await (await options.repo())!.log(2),
        /Changed outside of Dreams[^]*\+- uses deno/,
      );
      assert.match(await dream(options, never), /no new history/);
      assert.equal(asked.length, 2);
    },
  ));

Deno.test("nothing to change is one request, and the history counts as read", () =>
  stage({}, "[SKIP]", () => assert.fail("no second phase"), async ({ dir, options, asked }) => {
    assert.match(
      await dream(options, never),
      /nothing to change \((?:spent )?1\.0k tokens, \$0\.0100\)/,
    );
    assert.equal(asked.length, 1);
    assert.equal(readMark(join(dir, "memory")).cursor, 3);
  }));

const failures: { [what: string]: [string | Partial<DreamAnswer>, Partial<DreamAnswer>, RegExp] } =
  {
    "a failing first phase": [{ reason: "error", why: "401 no key" }, {}, /401 no key/],
    "an answer in no known form": ["I am not sure.", {}, /returned no findings/],
    "a failing second phase": [FOUND, { reason: "error", why: "cut off" }, /cut off/],
    "a second phase that goes on for ever": [FOUND, { reason: "max_iterations" }, /max_iterations/],
  };
for (const [what, [first, second, why]] of Object.entries(failures)) {
  Deno.test(`${what} changes nothing, and the same history is read next time`, () =>
    stage(
      { "memory/MEMORY.md": "- mine\n" },
      first,
      (folder) => {
        add(folder, "MEMORY.md", "- half\n");
        return second;
      },
      async ({ dir, options, read }) => {
        await assert.rejects(dream(options, never), why);
        await assert.rejects(dream(options, never), /next time \(spent \d\.\dk tokens, \$0\.0/);
        assert.equal(read("memory/MEMORY.md"), "- mine\n");
        const { cursor, time } = readMark(join(dir, "memory"));
        assert.deepEqual([cursor, time], [0, now().toISOString()]);
        assert.doesNotMatch(await (await options.repo())!.log(5), /half/);
      },
    ));
}

Deno.test("a Dream that is stopped changes nothing and says so", () => {
  const stop = new AbortController();
  return stage(
    { "memory/MEMORY.md": "- mine\n" },
    FOUND,
    (folder) => {
      stop.abort();
      return add(folder, "MEMORY.md", "- half\n");
    },
    async ({ dir, options, read }) => {
      assert.match(await dream(options, stop.signal), /stopped.*\(spent 2\.0k tokens, \$0\.02/);
      assert.equal(read("memory/MEMORY.md"), "- mine\n");
      assert.equal(readMark(join(dir, "memory")).cursor, 0);
    },
  );
});

Deno.test("what people change while a Dream goes on is kept beside its changes", () =>
  stage(
    { "memory/MEMORY.md": "- a\n\n- b\n" },
    FOUND,
    (folder, { write }) => {
      write("memory/MEMORY.md", "- a\n\n- b\n- by hand\n");
      Deno.writeTextFileSync(join(folder, "memory", "MEMORY.md"), "- A\n\n- b\n");
      return {};
    },
    async ({ options, read }) => {
      await dream(options, never);
      assert.equal(read("memory/MEMORY.md"), "- A\n\n- b\n- by hand\n");
    },
  ));

Deno.test("a Dream whose changes git will not record has happened all the same, and says so", () =>
  stage(
    {},
    FOUND,
    (folder, { write }) => {
      write("memory/.git/HEAD.lock", "");
      return add(folder, "MEMORY.md", "- port 8430\n");
    },
    async ({ options, read, dir }) => {
      const told = await dream(options, never);
      assert.match(told, /read 3 entries.*MEMORY\.md \+1 −0[^]*not recorded[^]*HEAD\.lock/);
      assert.doesNotMatch(told, /dream-restore [0-9a-f]{7}/);
      assert.equal(read("memory/MEMORY.md"), "- port 8430\n");
      assert.equal(readMark(join(dir, "memory")).cursor, 3);
    },
  ));

Deno.test("without git a Dream works, and says that it cannot be undone", () =>
  stage(
    {},
    FOUND,
    (folder) => add(folder, "MEMORY.md", "- port 8430\n"),
    async ({ options, read, dir }) => {
      assert.match(await dream(options, never), /git cannot be run/);
      assert.equal(read("memory/MEMORY.md"), "- port 8430\n");
      assert.ok(!existsSync(join(dir, "memory", ".git")));
    },
    { repo: () => Promise.resolve(undefined) },
  ));

Deno.test("without git a file that people changed meanwhile is left to them", () =>
  stage(
    { "memory/MEMORY.md": "- a\n" },
    FOUND,
    (folder, { write }) => {
      write("memory/MEMORY.md", "- by hand\n");
      return add(folder, "MEMORY.md", "- port 8430\n");
    },
    async ({ options, read, dir }) => {
      await assert.rejects(dream(options, never), /MEMORY\.md was changed/);
      assert.equal(read("memory/MEMORY.md"), "- by hand\n");
      assert.equal(readMark(join(dir, "memory")).cursor, 0);
    },
    { repo: () => Promise.resolve(undefined) },
  ));

const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: When to do it.\n---\n\n# Steps\n${more}`;

Deno.test("a skill seen twice is made; one nobody found, a malformed and an existing one are not", () =>
  stage(
    { "skills/there/SKILL.md": "the user's own" },
    "[SKILL] release (#2, #3): how to release\n[SKILL] badly (#2, #3): x\n[SKILL] there (#2, #3): x",
    (folder) => {
      const write = (name: string, text: string) => {
        Deno.mkdirSync(join(folder, "skills", name));
        Deno.writeTextFileSync(join(folder, "skills", name, "SKILL.md"), text);
      };
      write("release", skill("release", "tag, build, push"));
      write("badly", skill("another-name"));
      write("unasked", skill("unasked"));
      write("there", skill("there"));
      return {};
    },
    async ({ options, asked, read, dir }) => {
      const told = await dream(options, never);
      assert.match(told, /changed .*skills\/release/);
      assert.match(told, /badly was not taken: it does not begin/);
      assert.match(told, /there was not taken: a skill of this name exists/);
      assert.match(told, /unasked was not taken: no finding/);
      assert.deepEqual(asked[1]!.taken, ["there"]);
      assert.equal(read("skills/there/SKILL.md"), "the user's own");
      assert.match(read("skills/release/SKILL.md"), /tag, build, push/);
      assert.deepEqual([...Deno.readDirSync(join(dir, "skills"))].map(({ name }) => name).sort(), [
        "release",
        "there",
      ]);
      await (await options.repo())!.restore(undefined);
      assert.ok(!existsSync(join(dir, "skills", "release", "SKILL.md")));
      assert.equal(read("skills/there/SKILL.md"), "the user's own");
    },
  ));

Deno.test("findings that did not get into the files are told and read again, once", () =>
  stage(
    { "memory/USER.md": "- terse\n" },
    `${FOUND}\n[USER] likes tea`,
    () => ({}),
    async ({ dir, options }) => {
      const told = await dream(options, never);
      assert.match(told, /^Dream: read 3 entries[^]*do not show these[^]*port 8430[^]*likes tea/);
      assert.match(told, /read again/);
      assert.doesNotMatch(told, /nothing to change/);
      assert.equal(readMark(join(dir, "memory")).cursor, 0);
      const again = await dream(options, never);
      assert.match(
        again,
        /still do not show these[^]*not read again[^]*for MEMORY\.md: [^\n]*port 8430/,
      );
      assert.equal(readMark(join(dir, "memory")).cursor, 3);
      assert.match(await dream(options, never), /no new history/);
    },
  ));

Deno.test("a Dream that got only some of its findings into the files says which are missing", () =>
  stage(
    {},
    `${FOUND}\n[USER] likes tea\n[SKILL] release (#2, #3): how to release`,
    (folder) => add(folder, "MEMORY.md", "- port 8430\n"),
    async ({ dir, options, read }) => {
      const told = await dream(options, never);
      assert.match(told, /changed MEMORY\.md \+1[^]*do not show these[^]*likes tea[^]*release/);
      assert.doesNotMatch(told, /listens on port/);
      assert.equal(read("memory/MEMORY.md"), "- port 8430\n");
      assert.equal(readMark(join(dir, "memory")).cursor, 0);
    },
  ));

Deno.test("a finding dropped beside another one of the same file is named, and read again once", () =>
  stage(
    { "memory/MEMORY.md": "# Memory\n\n- uses deno\n- sprint of May\n" },
    "[MEMORY] The database is Postgres 16\n[MEMORY] 测试命令是 deno task test\n[MEMORY-REMOVE] sprint of May: over",
    (folder) => add(folder, "MEMORY.md", "- database: Postgres 16\n"),
    async ({ dir, options, read }) => {
      const told = await dream(options, never);
      assert.match(
        told,
        /changed MEMORY\.md \+1[^]*for MEMORY\.md: 测试命令是 deno task test\n- out of MEMORY\.md: sprint of May/,
      );
      assert.doesNotMatch(told, /The database is/);
      assert.match(read("memory/MEMORY.md"), /- database: Postgres 16/);
      assert.equal(readMark(join(dir, "memory")).cursor, 0);
      assert.doesNotMatch(await dream(options, never), /no new history/);
      assert.equal(readMark(join(dir, "memory")).cursor, 3);
    },
  ));

Deno.test("no key gets into the memory", () =>
  stage(
    {},
    FOUND,
    (folder) => add(folder, "MEMORY.md", "- key sk-abc4efghijk1mnopqrstuvwxyz\n"),
    async ({ options, read }) => {
      await dream(options, never);
      assert.equal(read("memory/MEMORY.md"), "- key «secret:api-key:73cb94»\n");
    },
  ));

Deno.test("a key that people wrote into a file stays while a Dream changes another one", () => {
  const mine = "- key sk-abc4efghijk1mnopqrstuvwxyz\n";
  return stage(
    { "memory/USER.md": mine },
    FOUND,
    (folder) => add(folder, "MEMORY.md", "- port 8430\n"),
    async ({ options, read }) => {
      assert.match(await dream(options, never), / MEMORY\.md \+1 −0 /);
      assert.equal(read("memory/USER.md"), mine);
    },
  );
});

Deno.test("a file that people change while a Dream's changes are put in place stays theirs", () =>
  stage(
    { "memory/MEMORY.md": "- a\n" },
    FOUND,
    (folder, { write }) => {
      write("memory/MEMORY.md", "- a\n- b\n");
      return add(folder, "MEMORY.md", "- port 8430\n");
    },
    async ({ dir, options, read, write }) => {
      const repo = async () => {
        const real = await options.repo();
        const merge = async (...texts: [string, string, string]) => {
          const text = await real!.merge(...texts);
          write("memory/MEMORY.md", "- late\n");
          return text;
        };
        return { ...real!, merge };
      };
      await assert.rejects(dream({ ...options, repo }, never), /MEMORY\.md/);
      assert.equal(read("memory/MEMORY.md"), "- late\n");
      assert.equal(readMark(join(dir, "memory")).cursor, 0);
    },
  ));

Deno.test("where one file cannot be written, none changes", () =>
  stage(
    { "memory/MEMORY.md.new/x": "" },
    `${FOUND}\n[USER] likes short answers`,
    (folder) => {
      add(folder, "USER.md", "- likes short answers\n");
      return add(folder, "MEMORY.md", "- port 8430\n");
    },
    async ({ dir, options }) => {
      await assert.rejects(dream(options, never), /memory has not changed/);
      assert.ok(!existsSync(join(dir, "memory/USER.md")));
      assert.equal(readMark(join(dir, "memory")).cursor, 0);
    },
  ));

Deno.test("a memory file that is a link is neither read nor written", () =>
  stage({ "elsewhere": "secret" }, FOUND, () => ({}), async ({ dir, options, asked, read }) => {
    Deno.symlinkSync(join(dir, "elsewhere"), join(dir, "memory", "SOUL.md"));
    await assert.rejects(dream(options, never), /SOUL\.md is a link/);
    assert.equal(asked.length, 0);
    assert.equal(read("elsewhere"), "secret");
  }));

Deno.test("of two Dreams at once the second is skipped", () => {
  let inner = "";
  return stage(
    {},
    FOUND,
    async (folder, { options }) => {
      inner = await dream(options, never);
      return add(folder, "MEMORY.md", "- x\n");
    },
    async ({ options, asked }) => {
      await dream(options, never);
      assert.match(inner, /skipped/);
      assert.equal(asked.length, 2);
    },
  );
});

Deno.test("a long history is read in parts, and a history begun anew from its beginning", () =>
  stage({}, "[SKIP]", () => ({}), async ({ dir, options, asked }) => {
    for (let n = 0; n < 60; n++) options.history.append(`entry ${n}`, "s");
    assert.match(await dream(options, never), /read 40 entries[^]*23 entries are still unread/);
    assert.match(await dream(options, never), /read 23 entries/);
    assert.match(asked[1]!.text, /#41 /);
    Deno.removeSync(join(dir, "memory", "history.jsonl"));
    options.history.append("anew", "s");
    assert.match(await dream(options, never), /read 1 entry/);
  }));

Deno.test("of a very long history a Dream leaves the newest thousand entries that were read", () =>
  stage({}, "[SKIP]", () => ({}), async ({ dir, options, read, write }) => {
    const timestamp = now().toISOString();
    const entry = (cursor: number) =>
      JSON.stringify({ cursor, timestamp, content: `entry ${cursor}`, session: "s" }) + "\n";
    const lines = Array.from({ length: 1200 }, (_, i) => entry(i + 1)).join("");
    await write("memory/history.jsonl", lines);
    await write("memory/dream.json", JSON.stringify({ cursor: 1199, time: timestamp }));
    await dream(options, never);
    assert.ok(read("memory/history.jsonl").startsWith(entry(201)));
    assert.deepEqual(readMark(join(dir, "memory")), { cursor: 1200, time: timestamp });
  }));

Deno.test("a Dream is due when its hours have passed and something is unread", () =>
  withWorkspace({}, (dir) => {
    const history = createHistory(dir, now);
    const at = (hours: number) => new Date(now().getTime() + hours * 3_600_000);
    assert.equal(isDue(dir, history, 2, now()), false);
    history.append("x", "s");
    assert.deepEqual([1.9, 2.1].map((hours) => isDue(dir, history, 2, at(hours))), [false, true]);
    writeMark(dir, { cursor: 0, time: now().toISOString() });
    assert.deepEqual([1.9, 2.1].map((hours) => isDue(dir, history, 2, at(hours))), [false, true]);
    assert.equal(isDue(dir, history, 2, at(-1)), true, "the clock went back");
    writeMark(dir, { cursor: 1, time: now().toISOString() });
    assert.equal(isDue(dir, history, 2, at(9)), false);
    Deno.writeTextFileSync(join(dir, "dream.json"), "{torn");
    assert.equal(isDue(dir, history, 2, at(3)), true);
  }));
