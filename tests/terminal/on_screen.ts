/**
 * A stage for tests of the screen; each play is followed by a look at the whole buffer, and played
 * again at other sizes, resized amid an answer far taller than the screen.
 */
import assert from "node:assert/strict";
import { runScreen } from "../../src/terminal/screen.ts";
import type { TerminalOptions } from "../../src/terminal/device/terminal.ts";
import { type Drawn, watchDrawn } from "./drawn.ts";
import { VirtualTerminal } from "../support/virtual_terminal.ts";
import { FakeBus, fakeOptions } from "./fake_bus.ts";
import { type Happening, playAgain, recorded } from "./played_again.ts";

export interface Stage {
  readonly bus: FakeBus;
  readonly terminal: VirtualTerminal;
  readonly exit: Promise<number>;
  /** Lines sent so far. */
  lines(): string[];
  /** Throws unless the whole buffer is what was committed, each line once, and the live part below. */
  whole(): Promise<void>;
}

export interface StageOptions extends Partial<TerminalOptions> {
  readonly size?: readonly [columns: number, rows: number];
  /** Stands on the terminal before the screen starts. */
  readonly before?: readonly string[];
  /** False for a play that is one of many sizes itself. */
  readonly again?: boolean;
}

/**
 * Runs the screen on a virtual terminal for `play`, then leaves it: only the transcript is left.
 * Several may run side by side.
 */
export async function onScreen(
  play: (stage: Stage) => Promise<void>,
  { again = true, ...options }: StageOptions = {},
): Promise<void> {
  const drawn = watchDrawn();
  let happenings: readonly Happening[] = [];
  await onStage(drawn, options, async (stage) => {
    happenings = recorded(stage);
    await play(stage);
  });
  if (again) await playAgain(happenings, options, (more, replay) => onStage(drawn, more, replay));
}

async function onStage(
  drawn: Drawn,
  { size = [80, 24], before = [], ...more }: StageOptions,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const bus = new FakeBus();
  const terminal = new VirtualTerminal(...size);
  for (const line of before) terminal.write(line + "\r\n");
  const over = new AbortController();
  terminal.rowsToCursor = () => drawn.rowsToCursor(terminal);
  terminal.isDue = () => drawn.isDue(terminal);
  const exit = runScreen({
    ...fakeOptions(bus),
    theme: "none",
    ended: over.signal,
    ...more,
  }, terminal);
  const lines = () => bus.sent.flatMap((inbound) => inbound.type === "line" ? [inbound.text] : []);
  const whole = async () => {
    const found = await terminal.lines();
    const expected = [...before, ...drawn.committed(terminal), ...drawn.live(terminal)];
    if (terminal.movedOff || terminal.misplaced) assertWithin(expected, found);
    else assertSame(expected, found, terminal);
  };
  try {
    await play({ bus, terminal, exit, lines, whole });
    await terminal.text();
    await whole();
    over.abort();
    await exit;
    assert.deepEqual(drawn.live(terminal), []);
    await whole();
    assert.ok(!WIPES.test(terminal.written), "the screen or the scrollback was wiped");
  } finally {
    over.abort();
    await exit.catch(() => {});
  }
}

/** Sequences that lose or double what stands on the screen. */
// deno-lint-ignore no-control-regex -- they begin with ESC
const WIPES = /\x1b\[[23]J|\x1bc|\x1b\[\?(?:47|1047|1049)[hl]/;

/** Throws where the buffer and what was drawn part; blank lines at the end do not count. */
function assertSame(expected: readonly string[], found: readonly string[], at: VirtualTerminal) {
  const length = Math.max(expected.length, found.length);
  for (let n = 0; n < length; n++) {
    if ((expected[n] ?? "") === (found[n] ?? "")) continue;
    const near = (lines: readonly string[]) => lines.slice(Math.max(0, n - 3), n + 8).join("\n");
    assert.fail(
      `line ${n} of the buffer is not what was drawn, ${at.columns}x${at.rows}\n` +
        `--- expected\n${near(expected)}\n--- found\n${near(found)}`,
    );
  }
}

/** Throws when a line that was drawn is lost; a smaller terminal may have broken it in two. */
function assertWithin(expected: readonly string[], found: readonly string[]) {
  const told = (text: string) => text.replace(/\s+/g, "");
  const all = told(found.join(""));
  let at = 0;
  for (const line of expected.map(told)) {
    let next = all.indexOf(line, at) + line.length;
    for (let cut = line.length - 1; next < at + line.length && cut > 0; cut--) {
      const head = all.indexOf(line.slice(0, cut), at);
      const rest = head < 0 ? -1 : all.indexOf(line.slice(cut), head + cut);
      if (rest >= 0) next = rest + line.length - cut;
    }
    assert.ok(next >= at + line.length, `lost: ${line}\n${found.join("\n")}`);
    at = next;
  }
}
