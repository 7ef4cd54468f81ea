import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { LiveScreen } from "../../src/terminal/live.ts";
import { Tmux } from "../support/tmux.ts";
import { VirtualTerminal } from "../support/virtual_terminal.ts";
import { slow } from "../support/soak.ts";

const DRIVER = fileURLToPath(new URL("./driver.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

const available = await Tmux.available();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A live screen of one row over a terminal, and what was written in each write. */
async function onLive(
  play: (live: LiveScreen, terminal: VirtualTerminal, writes: string[]) => Promise<void>,
): Promise<void> {
  const terminal = new VirtualTerminal(40, 10);
  const writes: string[] = [];
  const write = terminal.write.bind(terminal);
  terminal.write = (data) => {
    writes.push(data);
    write(data);
  };
  const live = new LiveScreen(terminal);
  live.addChild({ render: () => ["live row"], invalidate() {} });
  live.start();
  await terminal.shows("live row");
  try {
    await play(live, terminal, writes);
  } finally {
    live.close();
  }
}

Deno.test("what is committed and the live part below it are one write", async () => {
  await onLive(async (live, terminal, writes) => {
    writes.length = 0;
    live.commit(() => ["one", "two"]);
    assert.equal(await terminal.text(), "one\ntwo\nlive row");
    assert.equal(writes.filter((data) => /one|two|live row/.test(data)).length, 1);
  });
});

slow("what streams is drawn twenty times a second at most, its last state too", async () => {
  await onLive(async (live, terminal, writes) => {
    let said = "";
    live.tail = () => [said];
    writes.length = 0;
    const began = performance.now();
    for (let n = 0; n < 60; n++) {
      said = `piece ${n}`;
      live.requestRender();
      await pause(3);
    }
    const frames = writes.filter((data) => data.includes("piece")).length;
    assert.ok(frames > 1 && frames <= 1 + (performance.now() - began) / 50, `${frames} frames`);
    await terminal.shows("piece 59");
  });
});

Deno.test("what only moves is drawn when nothing else has been for a while", async () => {
  await onLive(async (live, terminal, writes) => {
    live.tail = () => ["moved"];
    live.renderNow();
    writes.length = 0;
    live.tail = () => ["moved again"];
    live.moved();
    // behind a frame that had been asked for
    await pause(60);
    assert.deepEqual(writes, []);
    await pause(60);
    live.moved();
    await terminal.shows("moved again");
  });
});

Deno.test("a key, and what cannot wait, are drawn at once behind any frame", async () => {
  await onLive(async (live, terminal, writes) => {
    let typed = "";
    const input = {
      render: () => [`typed ${typed}`],
      handleInput: (data: string) => void (typed += data),
      invalidate() {},
    };
    live.addChild(input);
    live.setFocus(input);
    for (const key of "abc") {
      live.renderNow();
      live.requestRender();
      writes.length = 0;
      terminal.key(key);
      await pause(0);
      assert.ok(writes.some((data) => data.includes(`typed ${typed}`)), typed);
    }
    live.renderNow();
    live.tail = () => ["over"];
    live.soon();
    // Timers run in the order of their times, however late.
    await pause(30);
    assert.ok(writes.some((data) => data.includes("over")));
  });
});

slow("while a window is dragged nothing is drawn, and all of it afterwards", async () => {
  await onLive(async (live, terminal, writes) => {
    const drags = [[30, 10], [20, 8], [35, 12]].map(async ([columns, rows], n) => {
      await pause(n * 60);
      await terminal.resize(columns!, rows!);
    });
    await pause(30);
    writes.length = 0;
    live.commit(() => ["said meanwhile"]);
    await pause(150);
    assert.deepEqual(writes, []);
    await Promise.all(drags);
    assert.equal(await terminal.text(), "said meanwhile\nlive row");
  });
});

Deno.test("a terminal that cuts its lines keeps what was said above a live part that it has cut", async () => {
  const terminal = new VirtualTerminal(40, 10, true);
  const live = new LiveScreen(terminal, { wraps: false });
  const long = ["words ".repeat(6), "live row"];
  live.addChild({
    render: (width) => width < 40 ? ["words", ...long.slice(1)] : long,
    invalidate() {},
  });
  live.start();
  live.commit(() => ["one", "two", "three"]);
  await terminal.shows("live row");
  await terminal.resize(18, 10);
  live.commit(() => ["four"]);
  assert.equal(await terminal.text(), "one\ntwo\nthree\nfour\nwords\nlive row");
  live.close();
});

Deno.test("a screen that is closed while dragged still says what is pending", async () => {
  await onLive(async (live, terminal) => {
    const drag = terminal.resize(30, 10);
    live.commit(() => ["the last word"]);
    live.close();
    await drag;
    assert.equal(await terminal.text(), "the last word");
  });
});

Deno.test("given back and taken again, the live part is drawn once, below what came between", async () => {
  await onLive(async (live, terminal) => {
    live.commit(() => ["before"]);
    await terminal.shows("before");
    live.suspend();
    terminal.write("shell\r\n");
    live.commit(() => ["during"]);
    assert.equal(await terminal.text(), "before\nshell");
    live.resume();
    assert.equal(await terminal.shows("during"), "before\nshell\nduring\nlive row");
  });
});

slow({
  name: "a window dragged about mid-stream in tmux loses and doubles nothing",
  ignore: !available,
  async fn() {
    const tmux = await Tmux.open(80, 24);
    try {
      await tmux.type(`deno run -A --no-check -c '${CONFIG}' '${DRIVER}'\n`);
      await tmux.shows("❯");
      await tmux.type("long\n");
      await tmux.shows("段落 5 ");
      await tmux.type("typed " + "words 字 ".repeat(9));
      for (const width of [70, 45, 33, 52, 90, 64, 38, 80]) {
        await tmux.resize(width, 40 - width / 4 | 0);
        await pause(40);
      }
      await tmux.shows("段落 60 ");
      await tmux.key("Escape");
      const all = await tmux.shows("已中断");
      for (let n = 0; n < 60; n++) {
        assert.equal(all.split(`段落 ${n} of text.`).length, 2, `paragraph ${n}:\n${all}`);
      }
    } finally {
      await tmux.close();
    }
  },
});

slow({
  name:
    "a window made smaller than what is being said loses nothing of it, and doubles no more than came last, in tmux",
  ignore: !available,
  async fn() {
    for (const [columns, rows] of [[60, 24], [40, 24], [12, 5], [80, 12]] as const) {
      const tmux = await Tmux.open(80, 24);
      try {
        await tmux.type(`deno run -A --no-check -c '${CONFIG}' '${DRIVER}'\n`);
        await tmux.shows("❯");
        await tmux.type("para\n");
        await tmux.shows("词75 ");
        await tmux.resize(columns, rows);
        const all = (await tmux.shows(/P\s*A\s*R\s*A\s*E\s*N\s*D[^]*tokens|PARAEND[^]*1\.2k/))
          .replace(/\s+/g, "");
        const twice: number[] = [];
        for (let n = 0; n < 140; n++) {
          const count = all.split(`词${n}word`).length - 1;
          assert.ok(count > 0, `${columns}x${rows}: word ${n} is lost:\n${all}`);
          if (count > 1) twice.push(n);
        }
        // What came while the terminal was changing its size may be told again.
        assert.ok(twice.length < 10, `${columns}x${rows}: twice ${twice}:\n${all}`);
      } finally {
        await tmux.close();
      }
    }
  },
});
