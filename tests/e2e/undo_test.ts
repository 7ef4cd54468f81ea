/** What a turn's Bash has done to files is undone and redone. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { eachLine } from "../../src/headless/lines.ts";
import { BUNDLED } from "../support/bundled.ts";
import { snapshot } from "../features/undo/checkpoints.ts";
import { type Script, startFakeProvider } from "../support/fake_provider.ts";
import { cleanEnv, runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const FILES = {
  "ws/src/a.txt": "one\ntwo\n",
  "ws/src/b.txt": "b\n",
  "ws/old/c.txt": "c\n",
  "ws/Makefile": "all:\n\tmkdir -p out && cat src/*.txt > out/all.txt\n",
};
const WORK = "sed -i s/two/TWO/ src/a.txt && mv src/b.txt src/moved.txt && rm -r old && make";

slow("a turn whose Bash edits, moves, deletes and builds is undone and redone", async () => {
  await withWorkspace(FILES, async (root) => {
    const cwd = join(root, "ws");
    const { provider, narnat } = await stage(cwd, [
      { calls: [{ name: "Bash", input: { command: WORK } }] },
      { text: "Done." },
    ]);
    const before = snapshot(cwd);
    const ran = await narnat("--allow-delete", "-p", "rework it");
    assert.equal(ran.code, 0, ran.stderr);
    const after = snapshot(cwd);
    assert.deepEqual(Object.keys(after).sort(), [
      "Makefile",
      "out",
      "out/all.txt",
      "src",
      "src/a.txt",
      "src/moved.txt",
    ]);
    const refused = await narnat("undo");
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--yes/);
    for (const path of ["src/a.txt", "src/b.txt", "src/moved.txt", "old/c.txt", "out/all.txt"]) {
      assert.ok(refused.stdout.includes(path), `${path} is in the preview:\n${refused.stdout}`);
    }
    assert.match(refused.stdout, /rework it/);
    assert.deepEqual(snapshot(cwd), after, "a preview changes nothing");
    const undone = await narnat("undo", "--yes");
    assert.equal(undone.code, 0, undone.stderr);
    assert.deepEqual(snapshot(cwd), before);
    assert.equal((await narnat("undo", "--yes")).code, 2, "there is nothing left");
    assert.match((await narnat("undo", "7", "--yes")).stderr, /Nothing to undo/);
    assert.match((await narnat("undo", "abc", "--yes")).stderr, /A number, not abc/);
    assert.equal((await narnat("undo", "--redo", "--yes")).code, 0);
    assert.deepEqual(snapshot(cwd), after);
    const list = await narnat("undo", "--list");
    assert.match(list.stdout, /^ {2}1 {2}turn 1 “rework it”.*\n.*2 created, 1 changed, 2 deleted/);
    await provider.close();
  });
});

slow("/undo in a session shows what it will do, asks, and tells the model", async () => {
  await withWorkspace(FILES, async (root) => {
    const cwd = join(root, "ws");
    const { provider, talk } = await stage(cwd, [
      { calls: [{ name: "Bash", input: { command: "cp src/b.txt src/a.txt" } }] },
      { text: "Done." },
      { text: "Seen." },
    ]);
    const before = snapshot(cwd);
    const { say, end } = talk();
    await say("change it");
    assert.notDeepEqual(snapshot(cwd), before);
    const undone = await say("/undo");
    assert.deepEqual(snapshot(cwd), before);
    const [ask] = undone.filter(({ type }) => type === "ask");
    assert.equal(ask.kind, "undo");
    assert.match(ask.command, /~ src\/a\.txt +change +\+2 −1 lines/);
    assert.match(undone.find(({ type }) => type === "notice").text, /Reverted 1 file\. \/redo/);
    await say("what now?");
    const asked = JSON.stringify(provider.requests.at(-1)!.json.messages);
    assert.match(asked, /undone what turn 1 did to files.*src\/a\.txt/);
    await say("/redo");
    assert.equal(Deno.readTextFileSync(join(cwd, "src/a.txt")), "b\n");
    assert.equal(await end(), 0);
    await provider.close();
  });
});

Deno.test("narnat undo says what is in its way, and touches nothing of it", async () => {
  await withWorkspace({ "ws/.narnat/checkpoints/x": "", "theirs/one/x": "mine" }, async (root) => {
    const cwd = join(root, "ws");
    Deno.symlinkSync(join(root, "theirs"), join(cwd, ".narnat/checkpoints/runs"));
    const { provider, narnat } = await stage(cwd, []);
    const { code, stderr } = await narnat("undo", "--yes");
    assert.equal(code, 2);
    assert.match(stderr, /^narnat: Cannot undo: .*runs is no folder of narnat's own: remove it$/m);
    assert.deepEqual(Object.keys(snapshot(join(root, "theirs"))), ["one", "one/x"]);
    await provider.close();
  });
});

slow(
  "an undo that others' changes stand in the way of says so, names --overwrite, and fails",
  async () => {
    await withWorkspace({ "ws/a.txt": "one\n", "ws/b.txt": "one\n" }, async (root) => {
      const cwd = join(root, "ws");
      const { provider, narnat } = await stage(cwd, [
        { calls: [{ name: "Bash", input: { command: "sed -i s/one/two/ a.txt b.txt" } }] },
        { text: "Done." },
      ]);
      await narnat("-p", "two it");
      Deno.writeTextFileSync(join(cwd, "a.txt"), "mine\n");
      const part = await narnat("undo", "--yes");
      assert.equal(part.code, 0, part.stderr);
      assert.match(part.stdout, /Reverted 1 file[^]*--overwrite/);
      assert.equal(Deno.readTextFileSync(join(cwd, "b.txt")), "one\n");
      assert.equal((await narnat("undo", "--redo", "--yes")).code, 0);
      Deno.writeTextFileSync(join(cwd, "b.txt"), "mine\n");
      const { code, stdout, stderr } = await narnat("undo", "--yes");
      assert.equal(code, 1);
      assert.match(stdout, /Changed by others since[^]*a\.txt[^]*b\.txt/);
      assert.match(stderr, /^narnat: Nothing was undone: .*--overwrite/m);
      assert.ok(!/as they were|Reverted/.test(stdout), stdout);
      const forced = await narnat("undo", "--yes", "--overwrite");
      assert.equal(forced.code, 0, forced.stderr);
      assert.equal(Deno.readTextFileSync(join(cwd, "a.txt")), "one\n");
      await provider.close();
    });
  },
);

slow("who goes back in both and redoes the files tells the model of it", async () => {
  await withWorkspace(FILES, async (root) => {
    const cwd = join(root, "ws");
    const turn = (n: number) => [
      { calls: [{ name: "Bash", input: { command: `cp src/b.txt src/${n}.txt` } }] },
      { text: "Done." },
    ];
    const script = [...turn(1), ...turn(2), ...turn(3), { text: "Seen." }];
    const { provider, talk } = await stage(cwd, script);
    const { say, end } = talk();
    for (const line of ["one", "two", "three", "/rewind 2 both", "/redo", "what now?"]) {
      await say(line);
    }
    assert.equal(Deno.readTextFileSync(join(cwd, "src/3.txt")), "b\n");
    const asked = JSON.stringify(provider.requests.at(-1)!.json.messages);
    assert.match(asked, /redone what turn 3, 2 did to files.*src\/2\.txt, src\/3\.txt/);
    assert.equal(await end(), 0);
    await provider.close();
  });
});

slow("where checkpoints are off, that is why nothing can be undone", async () => {
  await withWorkspace({ "ws/.narnat/checkpoints/turns/x": "" }, async (root) => {
    const cwd = join(root, "ws");
    const { provider, narnat } = await stage(cwd, []);
    assert.match((await narnat("undo", "--yes")).stderr, /no turn has changed a file/);
    Deno.mkdirSync(join(root, "home/.narnat"), { recursive: true });
    Deno.writeTextFileSync(join(root, "home/.narnat/narnat.json"), '{"checkpoints": false}');
    const { code, stderr } = await narnat("undo", "--yes");
    assert.deepEqual([code, /checkpoints are off/.test(stderr)], [2, true], stderr);
    assert.match((await narnat("undo", "--list")).stdout, /checkpoints are off/);
    await provider.close();
  });
});

slow("a turn in which narnat was killed is undone by the next one", async () => {
  await withWorkspace(FILES, async (root) => {
    const cwd = join(root, "ws");
    const command = "echo changed > src/a.txt && rm src/b.txt && touch mark && sleep 60";
    const { provider, narnat, talk } = await stage(cwd, [{
      calls: [{ name: "Bash", input: { command } }],
    }]);
    const before = snapshot(cwd);
    const { child, send } = talk("--allow-delete");
    await send("go");
    while (!snapshot(cwd)["mark"]) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGKILL");
    await child.status;
    const { code, stdout, stderr } = await narnat("undo", "--yes");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /turn 1 “go”.*killed/);
    assert.deepEqual(snapshot(cwd), before);
    await provider.close();
  });
});

// deno-lint-ignore no-explicit-any -- tests read into events freely
type Event = any;

/** narnat in a workspace, with a model that follows the script. */
async function stage(cwd: string, script: Script) {
  const provider = await startFakeProvider(script);
  const env = {
    NARNAT_API_KEY: "k-123456",
    NARNAT_BASE_URL: provider.url,
    NARNAT_MODEL: "fake-model",
  };
  const narnat = (...args: string[]) => runNarnat(BUNDLED, args, { cwd, env, stdin: "" });
  /** A session of many lines; questions are answered with Yes. */
  const talk = (...more: string[]) => {
    const stream = ["--input-format", "stream-json", "--output-format", "stream-json"];
    const child = new Deno.Command(BUNDLED.command, {
      args: [...BUNDLED.args, "-p", ...stream, ...more],
      cwd,
      clearEnv: true,
      env: { ...cleanEnv(join(cwd, "..", "home")), ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    const write = (value: unknown) =>
      writer.write(new TextEncoder().encode(JSON.stringify(value) + "\n"));
    let heard: Event[] = [];
    let wake = () => {};
    const over = eachLine(child.stdout, async (line) => {
      const event = JSON.parse(line);
      heard.push(event);
      if (event.type === "ask") await write({ type: "answer", id: event.id, value: "yes" });
      if (event.type === "turn_end") wake();
    });
    const send = (text: string) => write({ type: "user", text });
    return {
      child,
      send,
      /** Sends a line; resolves with its events. */
      async say(text: string): Promise<Event[]> {
        heard = [];
        const ended = new Promise<void>((resolve) => wake = resolve);
        await send(text);
        await Promise.race([ended, over]);
        return heard;
      },
      async end(): Promise<number> {
        await writer.close();
        await over;
        return (await child.status).code;
      },
    };
  };
  return { provider, narnat, talk };
}
