/** A disk that is full, read-only or forbidden: narnat says so, goes on in memory, and loses nothing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { asNobody, BUNDLED } from "../support/bundled.ts";
import { startFakeProvider } from "../support/fake_provider.ts";
import { runNarnat } from "../support/narnat.ts";
import { sessionStore } from "../support/parts.ts";
import { withSmallDisk, withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const envOf = (url: string, home: string) => ({
  HOME: home,
  DENO_DIR: join(home, "deno_dir"),
  NARNAT_API_KEY: "k-123456",
  NARNAT_BASE_URL: url,
  NARNAT_MODEL: "fake",
});

const texts = (sessions: string, id: string) =>
  sessionStore(sessions).read(id).messages.map(({ text }) => text);

slow(
  "the disk fills up amid a conversation: it goes on, says so, and all of it is on disk when there is room",
  async () => {
    await withSmallDisk(4 * 1024 * 1024, async (disk) => {
      await withWorkspace({ "home/x": "" }, async (dir) => {
        const cwd = join(disk.root, "w");
        Deno.mkdirSync(cwd);
        Deno.writeTextFileSync(join(cwd, "a.txt"), "a\n".repeat(3000));
        const provider = await startFakeProvider(({ json }) =>
          json.messages.at(-1).role === "tool"
            ? { text: `answer ${json.messages.length}` }
            : { calls: [{ name: "Read", input: { file_path: "a.txt" } }] }
        );
        try {
          const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
          const run = await runNarnat(BUNDLED, args, {
            cwd,
            env: envOf(provider.url, join(dir, "home")),
            async during(_child, write, printed) {
              let turns = 0;
              const say = async (text: string) => {
                await write(JSON.stringify({ type: "user", text }) + "\n");
                turns++;
                await printed((lines) =>
                  lines.filter(({ type }) => type === "turn_end").length === turns
                );
              };
              await say("one");
              disk.fill();
              await say("two");
              await say("three");
              disk.free();
              await say("four");
            },
          });
          assert.equal(run.code, 0, run.stderr);
          const told = run.lines.filter(({ type }) => type === "notice").map(({ text }) => text);
          const about = told.filter((text) => /session file/.test(text));
          assert.equal(about.length, 2, told.join("\n"));
          assert.match(about[0], /Cannot write the session file .*goes on in memory/);
          assert.match(about[1], /can be written again/);
          const ends = run.lines.filter(({ type }) => type === "turn_end");
          assert.deepEqual(ends.map(({ reason }) => reason), ["done", "done", "done", "done"]);
          const { session } = run.lines.at(-1);
          const stored = texts(join(cwd, ".narnat/sessions"), session);
          assert.equal(stored.length, 16);
          assert.deepEqual(stored.filter((_, at) => at % 4 === 0), ["one", "two", "three", "four"]);
        } finally {
          await provider.close();
        }
      });
    });
  },
);

slow(
  "who may not write the session goes on in memory, is told, and finds all of it elsewhere",
  async () => {
    await withWorkspace(
      {
        "w/a.txt": "a\n",
        "home/.keep": "",
        "home/root/.keep": "",
        "tmp/.keep": "",
        "bin/.keep": "",
      },
      async (dir) => {
        Deno.chmodSync(dir, 0o755);
        const nobody = await asNobody(join(dir, "bin"));
        if (!nobody) return;
        for (const name of ["w", "w/a.txt"]) Deno.chmodSync(join(dir, name), 0o755);
        for (const name of ["home", "tmp"]) Deno.chmodSync(join(dir, name), 0o777);
        const cwd = join(dir, "w");
        const sessions = join(cwd, ".narnat/sessions");
        const provider = await startFakeProvider(() => ({ text: "Heard." }));
        const env = { ...envOf(provider.url, join(dir, "home")), TMPDIR: join(dir, "tmp") };
        try {
          const first = await runNarnat(BUNDLED, ["-p", "one", "--output-format", "json"], {
            cwd,
            env: { ...env, HOME: join(dir, "home/root") },
          });
          const { session: id } = first.lines[0];
          const path = join(sessions, `${id}.jsonl`);
          const before = Deno.readTextFileSync(path);
          // it may be read, and narnat's own folder written, but nothing of the sessions
          Deno.chmodSync(join(cwd, ".narnat"), 0o777);
          Deno.chmodSync(sessions, 0o755);
          Deno.chmodSync(path, 0o644);

          const args = ["-p", "two", "-r", id, "--output-format", "json"];
          const resumed = await runNarnat(nobody, args, { cwd, env });
          assert.equal(resumed.code, 0, resumed.stderr);
          assert.equal(resumed.lines[0].text, "Heard.");
          assert.match(
            resumed.stderr,
            /Cannot write the session file .*(?:denied|EACCES).*goes on in memory/,
          );
          assert.equal(Deno.readTextFileSync(path), before, "the old file is intact");
          assert.equal(
            provider.requests.at(-1)!.json.messages.length,
            4,
            "the model saw all of it",
          );
          const spare = /is kept in (\S+\.jsonl)/.exec(resumed.stderr)?.[1];
          assert.ok(spare?.startsWith(join(dir, "tmp")), resumed.stderr);
          // as it is refused once more, what was kept the first time stays
          const second = await runNarnat(nobody, ["-p", "two again", "-r", id], { cwd, env });
          assert.match(second.stderr, new RegExp(`is kept in \\S+${id}-2\\.jsonl`));
          Deno.removeSync(spare!.replace(".jsonl", "-2.jsonl"));
          Deno.chmodSync(sessions, 0o777);
          Deno.chmodSync(path, 0o666);
          const again = await runNarnat(nobody, ["-p", "/status", "-c"], { cwd, env });
          const found = /^narnat: More of this session .* lies in (\S+): .* run: (cp \S+ \S+)$/m
            .exec(again.stderr);
          assert.deepEqual([found?.[1], found?.[2]], [spare, `cp ${spare} ${path}`], again.stderr);
          Deno.copyFileSync(spare!, path);
          const taken = await runNarnat(nobody, ["-p", "/status", "-c"], { cwd, env });
          assert.ok(!taken.stderr.includes("More of this session"), taken.stderr);
          assert.deepEqual(texts(sessions, id), ["one", "Heard.", "two", "Heard."]);

          Deno.chmodSync(sessions, 0o755);
          const fresh = await runNarnat(nobody, ["-p", "three", "--output-format", "json"], {
            cwd,
            env,
          });
          assert.equal(fresh.code, 0, fresh.stderr);
          assert.match(fresh.stderr, /goes on in memory/);
          assert.equal(fresh.lines[0].text, "Heard.");
        } finally {
          await provider.close();
        }
      },
    );
  },
);

Deno.test(
  "a disk that is full at the start: the session goes on in memory, and is found in the temporary folder",
  async () => {
    await withSmallDisk(256 * 1024, async (disk) => {
      await withWorkspace({ "home/.keep": "", "tmp/.keep": "" }, async (dir) => {
        const cwd = join(disk.root, "w");
        Deno.mkdirSync(cwd);
        disk.fill();
        const provider = await startFakeProvider(() => ({ text: "Heard." }));
        const env = { ...envOf(provider.url, join(dir, "home")), TMPDIR: join(dir, "tmp") };
        try {
          const run = await runNarnat(BUNDLED, ["-p", "one", "--output-format", "json"], {
            cwd,
            env,
          });
          assert.equal(run.code, 0, run.stderr);
          assert.match(run.stderr, /Cannot write \.narnat .*No space left.*goes on in memory/);
          const { session: id } = run.lines[0];
          const spare = /is kept in (\S+\.jsonl)/.exec(run.stderr)?.[1];
          assert.equal(spare, join(dir, "tmp", `narnat-${id}.jsonl`), run.stderr);
          assert.equal(Deno.statSync(spare!).mode! & 0o777, 0o600);
          assert.ok(!(await exists(join(cwd, ".narnat/.gitignore"))), "no half of it is left");
          disk.free();
          const sessions = join(cwd, ".narnat/sessions");
          Deno.mkdirSync(sessions, { recursive: true });
          Deno.copyFileSync(spare!, join(sessions, `${id}.jsonl`));
          assert.deepEqual(texts(sessions, id), ["one", "Heard."]);
          const next = await runNarnat(BUNDLED, ["-p", "two", "-c"], { cwd, env });
          assert.equal(next.stderr, "");
          assert.match(Deno.readTextFileSync(join(cwd, ".narnat/.gitignore")), /^\/sessions\/$/m);
          assert.deepEqual(texts(sessions, id), ["one", "Heard.", "two", "Heard."]);
        } finally {
          await provider.close();
        }
      });
    });
  },
);

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
