/** A play of the screen played again: at other sizes, and resized amid an answer far taller than it. */
import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/base/types.ts";
import { done } from "./fake_bus.ts";
import type { Stage, StageOptions } from "./on_screen.ts";

/** What came to a screen; `undefined` is a frame that was drawn before the next thing came. */
export type Happening = { readonly key: string } | { readonly event: AgentEvent } | undefined;

type Size = readonly [columns: number, rows: number];

const SIZES: readonly Size[] = [[80, 24], [40, 12], [200, 60]];
/** What the window changes to amid the answer: narrower, and smaller either way. */
const CHANGES: readonly Size[] = [[57, 24], [30, 10]];
/** Pieces of a tall answer, a few a paragraph, so that one is being said when the window changes. */
const TALL = 200;
const A_PARAGRAPH = 7;
const DELTAS = 4;

/** Longer than a frame may wait: what has been told is drawn. */
const frame = () => new Promise((resolve) => setTimeout(resolve, 60));

/** What comes to the stage's screen from now on. */
export function recorded({ bus, terminal }: Pick<Stage, "bus" | "terminal">): Happening[] {
  const happenings: Happening[] = [];
  let { length } = terminal.written;
  const push = (happening: Happening) => {
    if (terminal.written.length !== length) happenings.push(undefined);
    length = terminal.written.length;
    happenings.push(happening);
  };
  const { key } = terminal;
  const { emitStamped } = bus;
  terminal.key = (data) => {
    push({ key: data });
    key.call(terminal, data);
  };
  bus.emitStamped = (event) => {
    push({ event });
    emitStamped.call(bus, event);
  };
  return happenings;
}

/** Plays the same on stages of other sizes, which look at their whole buffers as the first did. */
export async function playAgain(
  happenings: readonly Happening[],
  options: StageOptions,
  on: (options: StageOptions, play: (stage: Stage) => Promise<void>) => Promise<void>,
): Promise<void> {
  const own = options.size ?? SIZES[0]!;
  const same = async (stage: Stage) => {
    for (const happening of happenings) await happen(stage, happening);
  };
  await Promise.all([
    ...SIZES.filter((size) => size[0] !== own[0]).map((size) => on({ ...options, size }, same)),
    ...CHANGES.map((to) => on(options, (stage) => resizedAmidTall(stage, happenings, to))),
  ]);
}

async function happen({ bus, terminal }: Stage, happening: Happening): Promise<void> {
  if (happening === undefined) await frame();
  else if ("key" in happening) terminal.key(happening.key);
  else bus.emitStamped(happening.event);
}

/** The first turn begins with a tall answer, amid which the window changes. */
async function resizedAmidTall(
  stage: Stage,
  happenings: readonly Happening[],
  to: Size,
): Promise<void> {
  const { bus, terminal } = stage;
  const begin = happenings.findIndex((one) =>
    one !== undefined && "event" in one && one.event.type === "turn_start"
  );
  const pieces = begin < 0 ? [] : Array.from({ length: TALL }, (_, n) => `piece 片 \`${n}\`;`);
  const answer = pieces.map((piece, n) => piece + (n % A_PARAGRAPH === 0 ? "\n\n" : " "));
  for (const one of happenings.slice(0, begin + 1)) await happen(stage, one);
  for (let n = 0; n < DELTAS; n++) {
    const delta = answer.slice(n * TALL / DELTAS, (n + 1) * TALL / DELTAS).join("");
    if (delta !== "") bus.emit({ type: "text", delta });
    await frame();
    if (n === DELTAS / 2) await terminal.resize(...to);
  }
  for (const one of happenings.slice(begin + 1)) await happen(stage, one);
  bus.emit(done);
  const told = (text: string) => text.replace(/[\s`]+/g, "");
  let all = told(await terminal.text());
  // A busy machine draws late.
  for (let tries = 0; tries < 100 && !all.includes(told(pieces.at(-1) ?? "")); tries++) {
    all = told(await terminal.text());
  }
  for (const piece of pieces.map(told)) {
    const count = all.split(piece).length - 1;
    // What moved off just before the window changed may be told again.
    assert.ok(count === 1 || count > 1 && terminal.movedOff, `${count} times ${piece}: ${all}`);
  }
}
