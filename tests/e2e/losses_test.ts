/** Work that a command takes away behind the gate's back is asked about, and comes back. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { bash } from "../features/undo/checkpoints.ts";
import type { Script } from "../support/fake_provider.ts";
import type { Outcome } from "../support/narnat.ts";
import { eventually } from "../support/processes.ts";
import { slow } from "../support/soak.ts";
import { type Event, stage } from "../support/stage.ts";

const FILES = {
  "w/clean.txt": "committed\n",
  "w/new.txt": "work\n",
  "w/d/one": "one\n",
  // no reader of commands sees into a program
  "w/tidy": "#!/bin/sh\nsleep ${1:-0}\nrm -r new.txt d clean.txt\n",
};
const GIT = "chmod +x tidy; git init -q; git add tidy clean.txt; git commit -qm one";

interface LossesStage {
  readonly cwd: string;
  narnat(...args: string[]): Promise<Outcome>;
  undo(): Promise<Outcome>;
  /** A session whose questions get the answer; `stop` stops a call once all is gone. Returns its events. */
  talk(answer: string, ...lines: string[]): Promise<readonly Event[]>;
  asked(): string;
}

const withStage = (script: Script, use: (stage: LossesStage) => Promise<void>): Promise<void> =>
  stage(script, async ({ root, narnat, talk, asked }) => {
    await bash(root, GIT);
    await use({
      cwd: root,
      asked,
      narnat: (...args) => narnat([...args, "--output-format", "stream-json"]),
      undo: () => narnat(["undo", "--yes"]),
      async talk(answer, ...lines) {
        const { say, end, events } = talk([], async ({ type, id }, { send }) => {
          if (type === "tool_start" && answer === "stop") {
            await eventually(() => there(root).length === 0);
            await send({ type: "stop" });
          }
          if (type === "ask") await send({ type: "answer", id, value: answer });
        });
        for (const line of lines) await say(line);
        await end();
        return events;
      },
    });
  }, FILES);

const tidy = (command = "./tidy", more = {}): Script => [
  { calls: [{ name: "Bash", input: { command, ...more } }] },
  { text: "Done." },
];
const there = (cwd: string) => {
  const paths = ["clean.txt", "d/one", "new.txt"];
  return paths.filter((path) => {
    try {
      return Deno.statSync(join(cwd, path)).isFile;
    } catch {
      return false;
    }
  });
};

slow(
  "without a person and without --allow-delete lost work comes back, and the model is told",
  async () => {
    await withStage(tidy(), async ({ cwd, narnat, asked }) => {
      const { lines, code } = await narnat("-p", "tidy up");
      assert.equal(code, 0);
      assert.deepEqual(there(cwd), ["d/one", "new.txt"], "git can bring back what is committed");
      const questions = lines.filter(({ type }) => type === "ask");
      assert.equal(questions.length, 1);
      assert.deepEqual(
        [questions[0].kind, questions[0].answered, questions[0].command],
        ["delete", false, "./tidy"],
      );
      assert.deepEqual([...questions[0].targets].sort(), [
        join(cwd, "d/one"),
        join(cwd, "new.txt"),
      ]);
      const end = lines.find(({ type }) => type === "tool_end");
      assert.equal(end.ok, false);
      assert.deepEqual([...end.detail.restored].sort(), ["d/one", "new.txt"]);
      assert.match(asked(), /\[brought back\][^"]*nobody agreed[^"]*rm asks the user/);
    });
  },
);

slow("the model is told where that is kept which a command put over a file", async () => {
  const command = `perl -e 'rename "new.txt", "d/one"'; echo later > new.txt`;
  await withStage(tidy(command), async ({ cwd, narnat, asked }) => {
    await narnat("-p", "tidy up");
    assert.match(asked(), /\[brought back\][^"]*d\/one[^"]*\[kept beside\][^"]*d\/one\.aside/);
    assert.equal(Deno.readTextFileSync(join(cwd, "d/one.aside")), "work\n");
  });
});

slow("with --allow-delete what a command deletes is gone, and /undo still has it", async () => {
  await withStage(tidy(), async ({ cwd, narnat, undo }) => {
    const { lines } = await narnat("-p", "tidy up", "--allow-delete");
    assert.deepEqual(there(cwd), []);
    assert.equal(lines.find(({ type }) => type === "tool_end").ok, true);
    await undo();
    assert.deepEqual(there(cwd), ["clean.txt", "d/one", "new.txt"]);
  });
});

slow("a person who says Yes lets lost work go, and any other answer brings it back", async () => {
  for (const [answer, left] of [["yes", []], ["no", ["d/one", "new.txt"]]] as const) {
    await withStage(tidy(), async ({ cwd, talk }) => {
      const events = await talk(answer, "tidy up");
      assert.equal(events.filter(({ type }) => type === "ask").length, 1);
      assert.deepEqual(there(cwd), left, answer);
    });
  }
});

slow("what a job in the background takes away is asked about at the turn's end", async () => {
  const script: Script = [
    { calls: [{ name: "Bash", input: { command: "./tidy", run_in_background: true } }] },
    { calls: [{ name: "Bash", input: { action: "wait", job: "tidy" } }] },
    { text: "Done." },
    { text: "Seen." },
  ];
  await withStage(script, async ({ cwd, talk, asked }) => {
    const events = await talk("no", "tidy up");
    assert.deepEqual(there(cwd), ["d/one", "new.txt"]);
    const notice = events.find(({ type, text }) => type === "notice" && /brought back/.test(text));
    assert.match(notice.text, /new\.txt/);
    assert.match(asked(), /Done\.[^]*brought back/);
    assert.equal(events.filter(({ type }) => type === "turn_end").length, 1);
  });
});

slow("in a large folder the model is told before its turn is over, by a script too", async () => {
  const script: Script = [
    { calls: [{ name: "Bash", input: { command: "./tidy" } }] },
    { text: "Done." },
    { text: "Seen." },
  ];
  await withStage(script, async ({ cwd, narnat, asked }) => {
    await bash(cwd, "mkdir many; cd many; seq 2100 | xargs touch; git add .; git commit -qm many");
    const { lines } = await narnat("-p", "tidy up");
    assert.deepEqual(there(cwd), ["d/one", "new.txt"]);
    assert.match(asked(), /brought back/);
    assert.equal(lines.filter(({ type }) => type === "turn_end").length, 1);
  });
});

slow("a command that is stopped while it deletes gives back what it has taken", async () => {
  await withStage(tidy("./tidy; sleep 60", { timeout: 1000 }), async ({ cwd, narnat }) => {
    await narnat("-p", "tidy up");
    assert.deepEqual(there(cwd), ["d/one", "new.txt"]);
  });
});

slow(
  "what a turn that is stopped has taken comes back, and the user and the model are told",
  async () => {
    const script: Script = [
      { calls: [{ name: "Bash", input: { command: "./tidy; sleep 60" } }] },
      { text: "Seen." },
    ];
    await withStage(script, async ({ cwd, talk, asked }) => {
      const events = await talk("stop", "tidy up", "and now?");
      assert.deepEqual(there(cwd), ["d/one", "new.txt"]);
      assert.ok(events.some(({ type, text }) => type === "notice" && /brought back/.test(text)));
      assert.match(asked(), /brought back/);
      const evidence = events.find(({ type }) => type === "evidence");
      assert.deepEqual(evidence.changed, ["clean.txt"], "what is as before is no change");
    });
  },
);

Deno.test("a file is put over another one only where the model has read that", async () => {
  const write = { name: "Write", input: { file_path: "n.txt", content: "of the model\n" } };
  const move = { calls: [{ name: "Bash", input: { command: "mv n.txt new.txt" } }] };
  for (const read of [false, true]) {
    const calls = [...read ? [{ name: "Read", input: { file_path: "new.txt" } }] : [], write];
    const script: Script = [{ calls }, move, { text: "Done." }];
    await withStage(script, async ({ cwd, narnat, asked }) => {
      await narnat("-p", "write it anew");
      const text = (path: string) => Deno.readTextFileSync(join(cwd, path));
      assert.equal(text("new.txt"), read ? "of the model\n" : "work\n");
      if (read) return assert.doesNotMatch(asked(), /brought back/);
      assert.equal(text("n.txt"), "of the model\n");
      assert.match(asked(), /\[brought back\][^"]*new\.txt/);
    });
  }
});

slow("what a command has left running takes away is told before the turn is over", async () => {
  for (const left of ["./tidy 1 & echo ok", "env -i PATH=$PATH setsid ./tidy 1 & echo ok"]) {
    const script: Script = [
      { calls: [{ name: "Bash", input: { command: left } }] },
      { calls: [{ name: "Bash", input: { command: "sleep 2; echo hi" } }] },
      { text: "Done." },
      { text: "Seen." },
    ];
    await withStage(script, async ({ cwd, narnat, asked }) => {
      const { lines } = await narnat("-p", "tidy up");
      assert.deepEqual(there(cwd), ["d/one", "new.txt"], left);
      assert.match(asked(), /Done\.[^]*brought back[^]*new\.txt/, left);
      assert.equal(lines.filter(({ type }) => type === "turn_end").length, 1);
    });
  }
});

slow(
  "what was brought back at a turn's end is told to the model in a resumed session too",
  async () => {
    const script: Script = [
      { calls: [{ name: "Bash", input: { command: "./tidy 1 & echo ok" } }] },
      { fault: "stall" },
      { text: "Seen." },
    ];
    await withStage(script, async ({ cwd, talk, narnat, asked }) => {
      await talk("stop", "tidy up");
      assert.deepEqual(there(cwd), ["d/one", "new.txt"]);
      await narnat("-c", "-p", "and now?");
      assert.match(asked(), /brought back[^]*and now\?/);
    });
  },
);

slow("what the user types takes what it takes", async () => {
  await withStage([{ text: "Seen." }], async ({ cwd, talk }) => {
    const events = await talk("no", "!./tidy", "what now?");
    assert.deepEqual(events.filter(({ type }) => type === "ask"), []);
    assert.deepEqual(there(cwd), []);
  });
});
