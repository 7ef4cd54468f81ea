/** What a turn's Bash has done to files is undone and redone. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { snapshot } from "../features/undo/checkpoints.ts";
import { slow } from "../support/soak.ts";
import { stage } from "../support/stage.ts";

const FILES = {
  "w/src/a.txt": "one\ntwo\n",
  "w/src/b.txt": "b\n",
  "w/old/c.txt": "c\n",
  "w/Makefile": "all:\n\tmkdir -p out && cat src/*.txt > out/all.txt\n",
};
const WORK = "sed -i s/two/TWO/ src/a.txt && mv src/b.txt src/moved.txt && rm -r old && make";

slow("a turn whose Bash edits, moves, deletes and builds is undone and redone", async () => {
  await stage([
    { calls: [{ name: "Bash", input: { command: WORK } }] },
    { text: "Done." },
  ], async ({ root: cwd, narnat }) => {
    const before = snapshot(cwd);
    const ran = await narnat(["--allow-delete", "-p", "rework it"]);
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
    const refused = await narnat(["undo"]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--yes/);
    for (const path of ["src/a.txt", "src/b.txt", "src/moved.txt", "old/c.txt", "out/all.txt"]) {
      assert.ok(refused.stdout.includes(path), `${path} is in the preview:\n${refused.stdout}`);
    }
    assert.match(refused.stdout, /rework it/);
    assert.deepEqual(snapshot(cwd), after, "a preview changes nothing");
    const undone = await narnat(["undo", "--yes"]);
    assert.equal(undone.code, 0, undone.stderr);
    assert.deepEqual(snapshot(cwd), before);
    assert.equal((await narnat(["undo", "--yes"])).code, 2, "there is nothing left");
    assert.match((await narnat(["undo", "7", "--yes"])).stderr, /Nothing to undo/);
    assert.match((await narnat(["undo", "abc", "--yes"])).stderr, /A number, not abc/);
    assert.equal((await narnat(["undo", "--redo", "--yes"])).code, 0);
    assert.deepEqual(snapshot(cwd), after);
    const list = await narnat(["undo", "--list"]);
    assert.match(list.stdout, /^ {2}1 {2}turn 1 “rework it”.*\n.*2 created, 1 changed, 2 deleted/);
  }, FILES);
});

slow("/undo in a session shows what it will do, asks, and tells the model", async () => {
  await stage([
    { calls: [{ name: "Bash", input: { command: "cp src/b.txt src/a.txt" } }] },
    { text: "Done." },
    { text: "Seen." },
  ], async ({ root: cwd, provider, talk }) => {
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
  }, FILES);
});

Deno.test("narnat undo says what is in its way, and touches nothing of it", async () => {
  await stage([], async ({ root: cwd, narnat, dir }) => {
    Deno.symlinkSync(join(dir, "theirs"), join(cwd, ".narnat/checkpoints/runs"));
    const { code, stderr } = await narnat(["undo", "--yes"]);
    assert.equal(code, 2);
    assert.match(stderr, /^narnat: Cannot undo: .*runs is no folder of narnat's own: remove it$/m);
    assert.deepEqual(Object.keys(snapshot(join(dir, "theirs"))), ["one", "one/x"]);
  }, { "w/.narnat/checkpoints/x": "", "theirs/one/x": "mine" });
});

slow(
  "an undo that others' changes stand in the way of says so, names --overwrite, and fails",
  async () => {
    await stage([
      { calls: [{ name: "Bash", input: { command: "sed -i s/one/two/ a.txt b.txt" } }] },
      { text: "Done." },
    ], async ({ root: cwd, narnat }) => {
      await narnat(["-p", "two it"]);
      Deno.writeTextFileSync(join(cwd, "a.txt"), "mine\n");
      const part = await narnat(["undo", "--yes"]);
      assert.equal(part.code, 0, part.stderr);
      assert.match(part.stdout, /Reverted 1 file[^]*--overwrite/);
      assert.equal(Deno.readTextFileSync(join(cwd, "b.txt")), "one\n");
      assert.equal((await narnat(["undo", "--redo", "--yes"])).code, 0);
      Deno.writeTextFileSync(join(cwd, "b.txt"), "mine\n");
      const { code, stdout, stderr } = await narnat(["undo", "--yes"]);
      assert.equal(code, 1);
      assert.match(stdout, /Changed by others since[^]*a\.txt[^]*b\.txt/);
      assert.match(stderr, /^narnat: Nothing was undone: .*--overwrite/m);
      assert.ok(!/as they were|Reverted/.test(stdout), stdout);
      const forced = await narnat(["undo", "--yes", "--overwrite"]);
      assert.equal(forced.code, 0, forced.stderr);
      assert.equal(Deno.readTextFileSync(join(cwd, "a.txt")), "one\n");
    }, { "w/a.txt": "one\n", "w/b.txt": "one\n" });
  },
);

slow("who goes back in both and redoes the files tells the model of it", async () => {
  const turn = (n: number) => [
    { calls: [{ name: "Bash", input: { command: `cp src/b.txt src/${n}.txt` } }] },
    { text: "Done." },
  ];
  const script = [...turn(1), ...turn(2), ...turn(3), { text: "Seen." }];
  await stage(script, async ({ root: cwd, provider, talk }) => {
    const { say, end } = talk();
    for (const line of ["one", "two", "three", "/rewind 2 both", "/redo", "what now?"]) {
      await say(line);
    }
    assert.equal(Deno.readTextFileSync(join(cwd, "src/3.txt")), "b\n");
    const asked = JSON.stringify(provider.requests.at(-1)!.json.messages);
    assert.match(asked, /redone what turn 3, 2 did to files.*src\/2\.txt, src\/3\.txt/);
    assert.equal(await end(), 0);
  }, FILES);
});

slow("where checkpoints are off, that is why nothing can be undone", async () => {
  await stage([], async ({ narnat, dir }) => {
    assert.match((await narnat(["undo", "--yes"])).stderr, /no turn has changed a file/);
    Deno.mkdirSync(join(dir, "home/.narnat"), { recursive: true });
    Deno.writeTextFileSync(join(dir, "home/.narnat/narnat.json"), '{"checkpoints": false}');
    const { code, stderr } = await narnat(["undo", "--yes"]);
    assert.deepEqual([code, /checkpoints are off/.test(stderr)], [2, true], stderr);
    assert.match((await narnat(["undo", "--list"])).stdout, /checkpoints are off/);
  }, { "w/.narnat/checkpoints/turns/x": "" });
});

slow("a turn in which narnat was killed is undone by the next one", async () => {
  const command = "echo changed > src/a.txt && rm src/b.txt && touch mark && sleep 60";
  await stage([{
    calls: [{ name: "Bash", input: { command } }],
  }], async ({ root: cwd, narnat, talk }) => {
    const before = snapshot(cwd);
    const { child, send } = talk(["--allow-delete"]);
    await send({ type: "user", text: "go" });
    while (!snapshot(cwd)["mark"]) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGKILL");
    await child.status;
    const { code, stdout, stderr } = await narnat(["undo", "--yes"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /turn 1 “go”.*killed/);
    assert.deepEqual(snapshot(cwd), before);
  }, FILES);
});
