/** Sessions shown again and run again, and handed in as bug reports. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { startFakeProvider } from "../support/fake_provider.ts";
import { runNarnat } from "../support/narnat.ts";
import { RECORDED, RECORDED_FILES, recordedPath } from "../fixtures/recorded.ts";
import { sandboxRuns } from "../shell/sandboxed.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";
import { stage } from "../support/stage.ts";

const RERUN = sandboxRuns ? ["--rerun"] : ["--rerun", "--yes"];

const inFolder = (files: { [path: string]: string }) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`w/${path}`, text]));

/** All files of a folder, without narnat's own. */
function filesOf(dir: string, below = ""): { [path: string]: string } {
  const out: { [path: string]: string } = {};
  for (const { name, isDirectory } of Deno.readDirSync(join(dir, below))) {
    const path = join(below, name);
    if (name === ".narnat") continue;
    if (isDirectory) Object.assign(out, filesOf(dir, path));
    else out[path] = Deno.readTextFileSync(join(dir, path));
  }
  return out;
}

/** What a duration was, nobody can say again. */
const timeless = (text: string) => text.replaceAll(/\b\d+\.\d s\b/g, "T").trimEnd();

slow("a replay through a pipe is what plain mode has shown, word for word", async () => {
  const files = { "w/a.txt": "one\ntwo\n", "w/b.txt": "b\n" };
  await stage([
    { text: "I **look**:\n\n- first", calls: [{ name: "Read", input: { file_path: "a.txt" } }] },
    {
      text: "I change it.",
      calls: [
        { name: "Edit", input: { file_path: "a.txt", old_string: "two", new_string: "2" } },
        { name: "Bash", input: { command: "echo out; echo err >&2; exit 3" } },
        { name: "Read", input: { file_path: "none.txt" } },
      ],
    },
    { text: "Done.", usage: { input: 1000, output: 50, cached: 400 } },
    { fault: "status", status: 400, body: '{"error":{"message":"no such thing"}}' },
    { text: "Again." },
  ], async ({ narnat }) => {
    const stdin = "change it\nfail\n!echo mine\nagain\n";
    const live = await narnat(["--plain"], { stdin });
    assert.equal(live.code, 0, live.stderr);
    const again = await narnat(["replay", "1"]);
    assert.equal(again.code, 0, again.stderr);
    const from = live.stdout.indexOf("❯ change it");
    assert.ok(from >= 0, live.stdout);
    const rows = (text: string) =>
      timeless(text).split("\n").map((row) => row.trimEnd()).filter((row) => row !== "");
    // the user's own command is not kept as a call but as what the model was told of it
    const own = (list: string[]) => {
      const at = list.indexOf("❯ !echo mine");
      const end = list.indexOf("❯ again");
      assert.ok(at > 0 && end > at, list.join("\n"));
      assert.match(list.slice(at, end).join("\n"), /\bmine\b/);
      return [...list.slice(0, at), ...list.slice(end)];
    };
    assert.deepEqual(own(rows(again.stdout)), own(rows(live.stdout.slice(from))));
  }, files);
});

for (const name of RECORDED) {
  slow(
    `the recorded session ${name} runs again as it was recorded, and leaves the workspace alone`,
    async () => {
      await stage([], async ({ root: cwd, narnat }) => {
        const run = await narnat(["replay", recordedPath(name), ...RERUN]);
        assert.equal(run.code, 0, run.stdout + run.stderr);
        assert.match(run.stdout, /begins as the workspace is now, not as it was then/);
        assert.match(run.stdout, /\d+ tool calls, all with the results that were recorded/);
        const scratch = /copy of the workspace, (\S+),/.exec(run.stdout)![1]!;
        assert.throws(() => Deno.statSync(scratch), Deno.errors.NotFound);
        assert.deepEqual(filesOf(cwd), RECORDED_FILES);
        const shown = await narnat(["replay", recordedPath(name)]);
        assert.equal(shown.code, 0, shown.stderr);
        assert.match(shown.stdout, /^❯ /);
      }, inFolder(RECORDED_FILES));
    },
  );
}

slow("a rerun stops at the first call that differs, says how, and exits with 1", async () => {
  const files = inFolder({ ...RECORDED_FILES, "check.sh": "echo other; exit 1\n" });
  await stage([], async ({ root: cwd, narnat }) => {
    const before = filesOf(cwd);
    const path = recordedPath("edit_and_delete");
    const run = await narnat(["replay", path, ...RERUN]);
    assert.equal(run.code, 1, run.stderr);
    assert.match(run.stdout, /Tool call 3 of 11 differs from the recording: Bash sh check\.sh/);
    assert.match(run.stdout, /^-bad$/m);
    assert.match(run.stdout, /^\+other$/m);
    assert.doesNotMatch(run.stdout, /Tool call 4/);
    const kept = /The copy is kept: (\S+)/.exec(run.stdout)![1]!;
    assert.equal(Deno.readTextFileSync(join(kept, "notes.txt")), "alpha\nbeta\ngamma\n");
    Deno.removeSync(join(kept, ".."), { recursive: true });
    assert.deepEqual(filesOf(cwd), before);
    const zh = await narnat(["replay", path, ...RERUN, "--lang", "zh"]);
    assert.match(zh.stdout, /第 3 次工具调用（共 11 次）与记录不同/);
    Deno.removeSync(join(/副本保留在 (\S+)/.exec(zh.stdout)![1]!, ".."), { recursive: true });
  }, files);
});

slow(
  "a bug report holds the session whole, and redacted neither folder, user, host nor key",
  async () => {
    await withWorkspace({ "data/alice_w/w/a.txt": "x\n", "home/.keep": "" }, async (dir) => {
      const home = join(dir, "home/alice_w");
      Deno.symlinkSync("../data/alice_w", home);
      const cwd = join(dir, "data/alice_w/w");
      const texts = [home, encodeURIComponent(home), join(dir, "data/alice_w/x")].join(" ");
      const host = Deno.hostname();
      const key = ["ghp", "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"].join("_");
      const provider = await startFakeProvider([
        {
          text: `In ${cwd} of alice_w on ${host}; ${texts}`,
          calls: [{ name: "Read", input: { file_path: join(cwd, "a.txt") } }],
        },
        { text: "", calls: [{ name: "Bash", input: { command: "hostname; echo alice_w" } }] },
        { text: "Done." },
      ]);
      try {
        const env = {
          HOME: home,
          USER: "alice_w",
          NARNAT_API_KEY: "k-123456",
          NARNAT_BASE_URL: provider.url,
          NARNAT_MODEL: "fake",
        };
        await runNarnat(BUNDLED, ["-p", "look"], { cwd, env });
        const sessions = join(cwd, ".narnat/sessions");
        const [file] = [...Deno.readDirSync(sessions)].filter(({ name }) =>
          name.endsWith(".jsonl")
        );
        const stored = Deno.readTextFileSync(join(sessions, file!.name));
        // as an older narnat, which hid less, may have written it
        const line = {
          type: "message",
          time: "2026-11-22T12:00:00Z",
          message: {
            role: "user",
            text: key,
            images: [{ mediaType: "image/png", data: "iVBORw0K" }],
          },
        };
        Deno.writeTextFileSync(join(sessions, file!.name), JSON.stringify(line) + "\n", {
          append: true,
        });

        const whole = await runNarnat(BUNDLED, ["sessions", "export", "1"], { cwd, env });
        assert.equal(whole.code, 0, whole.stderr);
        const [head, ...lines] = whole.stdout.trimEnd().split("\n");
        assert.equal(JSON.parse(head!).type, "report");
        assert.equal(lines.slice(0, -1).join("\n"), stored.trimEnd());

        const out = join(dir, "report.jsonl");
        const args = ["sessions", "export", "1", "--redacted", "-o", out];
        const run = await runNarnat(BUNDLED, args, { cwd, env });
        assert.equal(run.code, 0, run.stderr);
        const report = Deno.readTextFileSync(out);
        for (const secret of ["alice_w", dir, key, "iVBORw0K", ...host.length > 3 ? [host] : []]) {
          assert.ok(!report.includes(secret), `${secret} in ${report}`);
        }
        assert.match(report, /\/workspace\/a\.txt/);
        assert.equal(Deno.statSync(out).mode! & 0o777, 0o600);
        const twice = await runNarnat(BUNDLED, args, { cwd, env });
        assert.equal(twice.code, 2, "no file is overwritten");

        const replay = await runNarnat(BUNDLED, ["replay", out], { cwd, env });
        assert.match(
          replay.stdout,
          /❯ look\nIn \/workspace of user on host; \/home\/user \/home\/user \/home\/user\/x/,
        );
        const rerun = await runNarnat(BUNDLED, ["replay", out, ...RERUN], { cwd, env });
        assert.equal(rerun.code, 0, rerun.stdout + rerun.stderr);
      } finally {
        await provider.close();
      }
    });
  },
);

Deno.test("what is no session, or none that is there, is an error of usage", async () => {
  await stage([], async ({ narnat }) => {
    for (
      const [args, why] of [
        [[], /Usage: narnat replay/],
        [["nothing"], /nothing/],
        [["no.jsonl"], /no session file/],
        [["gone.jsonl"], /Cannot read/],
      ] as const
    ) {
      const { code, stderr } = await narnat(["replay", ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, why);
    }
  }, { "w/no.jsonl": "nonsense\n" });
});
