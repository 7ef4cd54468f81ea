/** However narnat ends or stops, the terminal is as before: each byte and setting is looked at. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modesLeft } from "./modes.ts";
import { eventually } from "../support/processes.ts";
import { type Pty, ptyAvailable } from "../support/pty.ts";
import { childOf, onPty } from "../support/terminal.ts";
import { slow } from "../support/soak.ts";

const DRIVER = fileURLToPath(new URL("../terminal/driver.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const SIGNALS = [["HUP", 129], ["INT", 130], ["TERM", 143], ["QUIT", 131]] as const;

const LONG = { text: "word ".repeat(4000), deltas: 4000, delayMs: 5 };

const available = await ptyAvailable();
if (!available) {
  console.error("SKIPPED: /usr/bin/python3 is missing, no pseudo-terminal to look at");
}

type Play = (pty: Pty) => Promise<void>;

function onTerminal(name: string, play: Play, test = slow): void {
  const script = () => ({ fault: "stall", text: "一段很长的回答。" }) as const;
  test({
    name,
    ignore: !available,
    fn: () => onPty({ script, env: { NO_COLOR: "" } }, (pty) => play(pty)),
  });
}

/** What the shell's terminal is set to. */
async function settings(pty: Pty): Promise<string> {
  const from = pty.written.length;
  await pty.type("stty -a; echo EN''D\r");
  await pty.shows(/END\r\n.*SH> $/, from);
  const text = pty.written.slice(from);
  return text.slice(text.indexOf("speed"), text.indexOf("END\r\n"));
}

/** Hands `play` a look that throws unless the terminal is as it was, and looks at the end. */
async function asBefore(pty: Pty, play: (look: () => Promise<void>) => Promise<void>) {
  const before = await settings(pty);
  const look = async () => {
    assert.deepEqual(modesLeft(pty.written), []);
    assert.equal(await settings(pty), before);
  };
  await play(look);
  await look();
}

/** Starts narnat, or the driver, and returns where its output begins. */
async function start(pty: Pty, command = "../narnat"): Promise<number> {
  const from = pty.written.length;
  await pty.type(`${command}; echo R''C=$?\r`);
  await pty.shows("❯", from);
  return from;
}

async function kill(
  pty: Pty,
  signal: "HUP" | "INT" | "TERM" | "QUIT" | "TSTP" | "CONT",
): Promise<void> {
  Deno.kill(await childOf(pty.pid), `SIG${signal}`);
}

const ended = (pty: Pty, code: number, from: number) =>
  pty.shows(new RegExp(`RC=${code}\r\n.*SH> $`), from);

/** Past the first frame: the live screen has drawn, and has asked about the keyboard. */
const live = (pty: Pty, from: number) => pty.shows("\x1b[?2026l", from);

onTerminal("after an exit, a throw and a rejection the terminal is as before", async (pty) => {
  await asBefore(pty, async () => {
    const from = await start(pty);
    await live(pty, from);
    await pty.type("\x04");
    await ended(pty, 0, from);
  });
  const driver = `deno run --no-prompt -A --no-check -c '${CONFIG}' '${DRIVER}'`;
  for (const [line, code] of [["throw", 1], ["reject", 1], ["exit", 7]] as const) {
    await asBefore(pty, async () => {
      const from = await start(pty, driver);
      await live(pty, from);
      await pty.type(`${line}\r`);
      await ended(pty, code, from);
    });
  }
});

onTerminal(
  "after SIGTERM, SIGHUP, SIGINT and SIGQUIT amid a turn the terminal is as before",
  async (pty) => {
    for (const [signal, code] of SIGNALS) {
      await asBefore(pty, async () => {
        const from = await start(pty);
        await live(pty, from);
        await pty.type("写\r");
        await pty.shows("一段很长", from);
        const sent = pty.written.length;
        await kill(pty, signal);
        await ended(pty, code, sent);
      });
    }
  },
);

slow({
  name: "a window closed amid an answer ends narnat in good order, all that was said kept",
  ignore: !available,
  fn: () =>
    onPty({ script: () => LONG }, async (pty, { project }) => {
      const told = join(project, "told");
      await pty.type(`(trap '' HUP; ../narnat 2>'${told}'; echo $? >'${told}.code')\r`);
      await pty.shows("❯");
      await live(pty, 0);
      await pty.type("写\r");
      await pty.shows("word word");
      await pty.hangUp();
      const code = () => Deno.readTextFile(`${told}.code`).catch(() => "");
      await eventually(async () => (await code()) !== "");
      assert.equal(await code(), "129\n");
      assert.equal(await Deno.readTextFile(told), "");
      const folder = join(project, ".narnat", "sessions");
      const files = [...Deno.readDirSync(folder)].map(({ name }) => name);
      assert.equal(files.length, 1, String(files));
      const session = await Deno.readTextFile(join(folder, files[0]!));
      assert.match(session, /"word word [^]*"reason":"interrupted"/);
    }),
});

onTerminal("a signal during the first frame leaves the terminal as before", async (pty) => {
  for (const [signal, code] of SIGNALS) {
    await asBefore(pty, async () => {
      const from = await start(pty);
      await kill(pty, signal);
      await ended(pty, code, from);
    });
  }
}, Deno.test);

slow({
  name: "a signal, ESC or Ctrl-C amid the set-up, and Ctrl-Z in it, leave the terminal as before",
  ignore: !available,
  fn: () =>
    onPty({ home: "empty" }, async (pty) => {
      const begin = async () => {
        const from = pty.written.length;
        await pty.type("../narnat; echo R''C=$?\r");
        await pty.shows("DeepSeek", from);
        await live(pty, from);
        await pty.type("\r");
        await pty.shows("API 密钥", from);
        return pty.written.length;
      };
      for (const [signal, code] of SIGNALS) {
        await asBefore(pty, async () => {
          const from = await begin();
          await kill(pty, signal);
          await ended(pty, code, from);
        });
      }
      for (const keys of ["\x03", "\x1b"]) {
        await asBefore(pty, async (look) => {
          const from = await begin();
          await pty.type("\x1a");
          await pty.shows(/Stopped[^]*SH> $/, from);
          await look();
          const back = pty.written.length;
          await pty.type("fg\r");
          await pty.shows("API 密钥", back);
          await pty.type(keys);
          if (keys === "\x1b") {
            await pty.shows("演示模型", back);
            await pty.type(keys);
          }
          await pty.shows(/SH> $/, back);
        });
      }
    }),
});

onTerminal(
  "Ctrl-Z gives the terminal to the shell as before, fg brings the screen back",
  async (pty) => {
    await asBefore(pty, async (look) => {
      const from = await start(pty);
      await live(pty, from);
      await pty.type("草稿");
      await pty.shows("草稿", from);
      for (let again = 0; again < 2; again++) {
        const stopped = pty.written.length;
        await pty.type("\x1a");
        await pty.shows(/Stopped[^]*SH> $/, stopped);
        await look();
        const back = pty.written.length;
        await pty.type("fg\r");
        await pty.shows("草稿", back);
      }
      const at = pty.written.length;
      await pty.type("\x03");
      await pty.type("\x04");
      await pty.shows(/SH> $/, at);
    });
  },
);

onTerminal(
  "SIGTSTP and SIGCONT from outside, amid a turn: the terminal is as before in between",
  async (pty) => {
    await asBefore(pty, async (look) => {
      const from = await start(pty);
      await live(pty, from);
      await pty.type("写\r");
      await pty.shows("一段很长", from);
      const stopped = pty.written.length;
      await kill(pty, "TSTP");
      await pty.shows(/Stopped[^]*SH> $/, stopped);
      await look();
      const at = pty.written.length;
      await pty.type("fg\r");
      await pty.shows("❯", at);
      await kill(pty, "CONT");
      await pty.type("\x1b");
      await pty.shows("已中断", at);
      const end = pty.written.length;
      await pty.type("\x04");
      await pty.shows(/SH> $/, end);
    });
  },
);

slow({
  name: "narnat in a window that closes while it starts, or has been, ends in good order",
  ignore: !available,
  fn: async () => {
    for (const [before, args] of [["❯", ""], ["starts", ""], ["gone", ""], ["gone", "--plain"]]) {
      await onPty({}, async (pty, { project }) => {
        const told = join(project, "told");
        const wait = before === "gone" ? "while [ -t 0 ]; do sleep .05; done;" : "";
        const from = pty.written.length;
        await pty.type(
          `(trap '' HUP; echo; ${wait} ../narnat ${args} 2>'${told}'; echo $? >'${told}.code')\r`,
        );
        await pty.shows(before === "❯" ? before : "\r\n\r\n", from);
        await pty.hangUp();
        const code = () => Deno.readTextFile(`${told}.code`).catch(() => "");
        await eventually(async () => (await code()) !== "");
        assert.deepEqual([await code(), await Deno.readTextFile(told)], ["129\n", ""]);
      });
    }
  },
});
