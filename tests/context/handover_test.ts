import assert from "node:assert/strict";
import { join } from "node:path";
import { textTokens } from "../../src/context/window/gauge.ts";
import { handOver, type HandoverOptions } from "../../src/context/handover.ts";
import { SessionStore } from "../../src/session/store.ts";
import { count } from "../../src/base/figures.ts";
import { english, type T } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import {
  type ContextHost,
  HandoverFailed,
  type Message,
  ModelError,
  type StopReason,
} from "../../src/base/types.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const SUMMARY = ".narnat/last_session_summary.md";
const SEED =
  "请总结本轮对话的全部经验和成果,写入经验成果.md,确保新对话能继承当前对话的全部经验成果。";

interface Stage {
  readonly session: ReturnType<SessionStore["create"]>;
  readonly asked: (readonly Message[])[];
  readonly notices: string[];
  readonly file: () => string;
  run(more?: Partial<HandoverOptions>): ReturnType<typeof handOver>;
}

type Answer = string | { readonly text: string; readonly stop: StopReason };

/** A session of one question in a workspace whose narnat folder is there; `answer` is the model. */
async function stage(
  answer: (asked: number, stop: AbortController, root: string) => Answer | Promise<Answer>,
  use: (stage: Stage, root: string) => Promise<void>,
  t: T = english,
): Promise<void> {
  await withWorkspace({ [SUMMARY]: "", "a.txt": "one\ntwo\n" }, async (root) => {
    const session = new SessionStore({
      dir: undefined,
      workspace: root,
      t,
      now: () => new Date(0),
      random: () => 0.5,
    }).create();
    session.append({ role: "user", text: "do it" }, { asked: true });
    session.append({ role: "tool", id: "i", name: "Edit", ok: true, text: "" }, {
      changed: ["a.txt", "gone.txt"],
    });
    session.append({ role: "assistant", text: "done", calls: [], thinking: [] });
    const asked: (readonly Message[])[] = [];
    const notices: string[] = [];
    const stop = new AbortController();
    const host: ContextHost = {
      session,
      signal: stop.signal,
      outputDir: join(root, "outputs"),
      async ask(messages) {
        asked.push(messages);
        const given = await answer(asked.length, stop, root);
        const made = typeof given === "string" ? { text: given, stop: "end" as const } : given;
        return { ...made, usage: { input: 1, output: 1, cached: 0, cost: 0 } };
      },
      show: (view) => session.show(view),
      notice: (level, text) => void notices.push(`${level}: ${text}`),
    };
    const dir = join(root, ".narnat");
    const options = { dir, workspace: root, t, focus: "", window: 128_000 };
    await use({
      session,
      asked,
      notices,
      file: () => Deno.readTextFileSync(join(root, SUMMARY)),
      run: (more) =>
        handOver(host, { ...options, makeRoom: () => Promise.resolve(false), ...more }),
    }, root);
  });
}

Deno.test("the request is the messages the model has seen and one more, which begins as the design has it", async () => {
  await stage(() => "sum", async ({ session, asked, run }) => {
    await run();
    assert.equal(asked.length, 1);
    assert.deepEqual(asked[0]!.slice(0, -1), session.view);
    const { role, text } = asked[0]!.at(-1)!;
    assert.equal(role, "user");
    assert.equal(text.split("\n")[0], SEED);
    assert.match(text, /## 目标与用户的要求[^]*## 下一步[^]*## 要避开的坑$/);
  }, chinese);
});

Deno.test("an English session is asked in English, with the focus the user gave", async () => {
  await stage(() => "sum", async ({ asked, run }) => {
    await run({ focus: "the ports" });
    assert.match(asked[0]!.at(-1)!.text, /^Sum up everything[^]*## Pitfalls\n\n.*: the ports$/);
    assert.ok(!/\p{Script=Han}/u.test(asked[0]!.at(-1)!.text));
  });
});

Deno.test("what is carried is the answer with the host's facts behind it, and the file holds the same", async () => {
  await stage(() => "  The answer.\n", async ({ file, run, session }) => {
    const carried = await run();
    assert.match(
      carried.summary,
      /^# What the session[^\n]*\n\nThe answer\.\n\n# Recorded by narnat[^]*- do it\n[^]*- a\.txt \(2 lines\)\n- gone\.txt \(deleted\)\n/,
    );
    assert.equal(file(), carried.summary);
    assert.equal(carried.parent, session.id);
    assert.equal(carried.title, "do it");
    assert.deepEqual(carried.changed, [["a.txt", false], ["gone.txt", false]]);
    assert.deepEqual(carried.prompts, ["do it"]);
  });
});

Deno.test("an empty answer fails and leaves the file empty", async () => {
  await stage(() => " \n", async ({ file, run }) => {
    await assert.rejects(run(), (error) => error instanceof HandoverFailed);
    assert.equal(file(), "");
  });
});

Deno.test("a file that cannot be written, or is no file, fails with its name and why", async () => {
  await stage(() => "sum", async ({ run }, root) => {
    const outside = join(root, "outside.txt");
    await Deno.writeTextFile(outside, "");
    await Deno.remove(join(root, SUMMARY));
    await Deno.symlink(outside, join(root, SUMMARY));
    await assert.rejects(run(), /last_session_summary\.md: /);
    assert.equal(await Deno.readTextFile(outside), "");
  });
});

Deno.test("a file that another narnat wrote meanwhile fails, and stays the other's", async () => {
  await stage(() => "sum", async ({ file, run }, root) => {
    const { readTextFile } = Deno;
    Deno.readTextFile = async (...args) => {
      await Deno.writeTextFile(join(root, SUMMARY), "theirs");
      return await readTextFile(...args);
    };
    try {
      await assert.rejects(
        run(),
        (error) => error instanceof HandoverFailed && /another narnat/.test(error.message),
      );
    } finally {
      Deno.readTextFile = readTextFile;
    }
    assert.equal(file(), "theirs");
  });
});

Deno.test("nothing is written where nothing is kept", async () => {
  await stage(() => "sum", async ({ file, run }) => {
    assert.match((await run({ dir: undefined })).summary, /sum/);
    assert.equal(file(), "");
  });
});

Deno.test("stopped while the answer comes in, nothing is written", async () => {
  const answer = (_asked: number, stop: AbortController) => {
    stop.abort();
    return "too late";
  };
  await stage(answer, async ({ file, run }) => {
    await assert.rejects(run(), { name: "AbortError" });
    assert.equal(file(), "");
  });
});

Deno.test("messages that do not fit are asked again once room was made, and not without", async () => {
  const answer = (asked: number) => {
    if (asked === 1) throw new ModelError("overflow", "too long");
    return "sum";
  };
  await stage(answer, async ({ asked, run, session }) => {
    const makeRoom = () => {
      session.show({ why: "trimmed", lead: "", from: 2, shortened: [] });
      return Promise.resolve(true);
    };
    await run({ makeRoom });
    assert.equal(asked[1]!.length, 2);
  });
  await stage(answer, async ({ run }) => {
    await assert.rejects(run(), { kind: "overflow" });
  });
});

Deno.test("a list of todos rides along while one of them is open", async () => {
  await stage(() => "sum", async ({ run, session }) => {
    const todos = (status: "pending" | "completed") => [
      { content: "a", activeForm: "a", status: "completed" as const },
      { content: "b", activeForm: "b", status },
    ];
    session.append({ role: "user", text: "x" }, { todos: todos("pending") });
    assert.deepEqual((await run()).todos, todos("pending"));
    session.append({ role: "user", text: "x" }, { todos: todos("completed") });
    assert.deepEqual((await run()).todos, []);
  });
});

Deno.test("a summary that fills the window is cut, which the model and the user are told", async () => {
  for (const said of ["a long story ", "很长的故事，"]) {
    await stage(() => said.repeat(250_000), async ({ file, notices, run }, root) => {
      const { parent, summary } = await run({ window: 8192 });
      assert.ok(summary.length > 2000 && textTokens(summary) < 4096, String(summary.length));
      assert.ok(
        summary.includes(
          `(The end of this summary is missing; in full, the session that it sums up: `,
        ),
      );
      assert.ok(summary.includes(join(root, ".narnat/sessions", `${parent}.jsonl`)));
      assert.match(summary, /- do it\n[^]*gone\.txt/);
      assert.equal(file(), summary);
      const shown = summary.slice(0, summary.indexOf("\n\n(The end")).split("\n\n")[1]!.length;
      assert.ok(
        notices.join("\n").startsWith(
          `warn: The summary has ${count(said.repeat(250_000).trim().length)} characters, too ` +
            `many for the model's window; only the first ${count(shown)} are kept`,
        ),
        notices.join("\n"),
      );
      assert.match(notices.join("\n"), /\/undo-compact/);
    });
  }
});

Deno.test("an answer that ends at the model's limit is asked for once more, shorter", async () => {
  const cut = "half a summ".repeat(200);
  const answer = (asked: number): Answer => asked === 1 ? { text: cut, stop: "length" } : "whole";
  await stage(answer, async ({ asked, notices, run }) => {
    const { summary, written, turns } = await run();
    assert.match(summary, /^# What[^\n]*\n\nwhole\n\n# Recorded/);
    assert.deepEqual([written, turns], [5, 1]);
    const [first, second] = asked.map((messages) => messages.at(-1)!.text);
    assert.ok(second!.startsWith(first!) && second!.endsWith("what matters most."));
    assert.match(second!.slice(first!.length), /at most 1100 characters/);
    assert.deepEqual(asked[1]!.slice(0, -1), asked[0]!.slice(0, -1));
    assert.match(notices.join("\n"), /^info: .*cut the summary off at 2\.2k characters.*$/);
  });
});

Deno.test("an answer that ends at the model's limit twice is no summary", async () => {
  await stage(() => ({ text: "half", stop: "length" }), async ({ asked, file, run }) => {
    await assert.rejects(
      run(),
      (error) => error instanceof HandoverFailed && /lost its end/.test(error.message),
    );
    assert.equal(asked.length, 2);
    assert.equal(file(), "");
  });
});

Deno.test("what a filter left of an answer is no summary", async () => {
  await stage(() => ({ text: "I can", stop: "refused" }), async ({ file, run }) => {
    await assert.rejects(run(), (error) => error instanceof HandoverFailed);
    assert.equal(file(), "");
  });
});

Deno.test("in a small window the facts behind a summary leave room to work", async () => {
  await stage(() => "sum", async ({ run, session }) => {
    for (const name of ["one", "two", "three"]) {
      session.append({ role: "user", text: name.repeat(5000) }, { asked: true });
    }
    session.append({ role: "user", text: "x" }, {
      changed: Array.from({ length: 2000 }, (_, i) => `src/folder/file_${i}.ts`),
    });
    const { summary } = await run({ window: 8192 });
    assert.ok(textTokens(summary) < 2600, String(textTokens(summary)));
    assert.match(summary, /three[^]*src\/folder/);
  });
});
