/** Strings that try to steer the terminal, as everything that narnat shows and did not write itself. */
import { english } from "../../src/base/t.ts";
import type { EventBody, Session, SessionController } from "../../src/base/types.ts";
import { headless } from "../../src/headless/headless.ts";
import { shownOn } from "../../src/base/host.ts";
import { plain } from "../../src/base/control_characters.ts";
import { startPlain } from "../../src/terminal/plain/plain_session.ts";
import { runScreen } from "../../src/terminal/screen.ts";
import { hostile, readTraffic } from "./hostile.ts";
import { random } from "../support/soak.ts";
import { Ear } from "./ear.ts";
import { done, FakeBus, fakeCommands, fakeController } from "./fake_bus.ts";

export interface Outcome {
  /** Hostile strings that were shown. */
  readonly strings: number;
  /** Sequences of narnat's own that were written. */
  readonly own: number;
  /** What reached the terminal and should not have. */
  readonly foreign: readonly string[];
}

/** Hostile strings, counted. */
interface Source {
  readonly random: () => number;
  next(): string;
  lines(count: number): string;
  count(): number;
}

function source(seed: number): Source {
  const number = random(seed);
  let count = 0;
  const next = () => {
    count++;
    return hostile(number);
  };
  const lines = (many: number) => Array.from({ length: many }, next).join("\n");
  return { random: number, next, lines, count: () => count };
}

/** One turn in which all that is said is hostile; the question in it stays open. */
function turn({ random, next, lines }: Source, id: string): EventBody[] {
  const deltas = (text: string) =>
    text.match(new RegExp(`[^]{1,${1 + random() * 40 | 0}}`, "g")) ?? [];
  const tool = (name: string, input: { [key: string]: string }, detail?: object): EventBody[] => [
    { type: "tool_start", id: `${id}${name}`, name, input },
    { type: "tool_progress", id: `${id}${name}`, text: lines(6) },
    {
      type: "tool_end",
      id: `${id}${name}`,
      name,
      ok: random() < 0.5,
      text: lines(3),
      ms: 1200,
      ...(detail ? { detail } : {}),
    } as EventBody,
  ];
  const diff = lines(8).replace(/^/gm, random() < 0.5 ? "+" : "-");
  const todo = () => ({ content: next(), activeForm: next(), status: "in_progress" });
  return [
    { type: "turn_start", text: lines(2) },
    ...deltas(lines(4)).map((delta): EventBody => ({ type: "thinking", delta })),
    ...deltas(lines(20)).map((delta): EventBody => ({ type: "text", delta })),
    ...tool("Edit", { file_path: next() }, {
      kind: "diff",
      path: next(),
      added: 1,
      removed: 1,
      diff,
    }),
    ...tool("Bash", { command: lines(2), description: next() }, {
      kind: "command",
      exit: 1,
      output: lines(6),
    }),
    ...tool("Bash", { command: next() }, { kind: "command", exit: null, signal: next() }),
    ...tool("WebFetch", { url: next(), prompt: next() }, { kind: "page", url: next(), bytes: 3 }),
    ...tool(next(), { [next()]: next(), pattern: next(), path: next() }),
    ...tool("TodoWrite", {}, { kind: "todos", todos: [todo(), todo()] }),
    { type: "text", delta: "```" + next() + "\n" + lines(4) },
    { type: "notice", level: "warn", text: lines(2), retryMs: 1 },
    { type: "text", delta: `| ${next()} |\n|---|\n| ${next()} |\n\n[${next()}](${next()})\n\n` },
    { type: "notice", level: "info", text: next() },
    { type: "error", kind: "network", text: lines(2) },
    {
      type: "ask",
      id: `${id}q`,
      kind: random() < 0.5 ? "delete" : "tool",
      question: next(),
      command: lines(2),
      targets: [next(), next()],
      call: { name: next(), input: { [next()]: next(), file_path: next() } },
    },
  ];
}

const frame = () => new Promise((resolve) => setTimeout(resolve, 18));

/** Adds up what was written, frame by frame. */
function tally() {
  let own = 0;
  const foreign: string[] = [];
  return {
    hear(written: string) {
      const traffic = readTraffic(written);
      own += traffic.own;
      foreign.push(...traffic.foreign);
    },
    outcome: (strings: number): Outcome => ({ strings, own, foreign }),
  };
}

/** A controller over a session in which all that was said is hostile. */
function hostileController({ next, lines }: Source): SessionController {
  const session: Session = {
    ...fakeController.current(),
    id: "hostile",
    name: next(),
    messages: [
      { role: "user", text: lines(3) },
      { role: "assistant", text: lines(5), calls: [], thinking: [] },
    ],
    turns: 1,
    prompts: [lines(2), next()],
  };
  return { ...fakeController, current: () => session };
}

const options = (from: Source) => ({
  controller: hostileController(from),
  commands: () => fakeCommands,
  t: english,
  model: from.next(),
  workspace: "/space/" + from.next(),
  version: from.next(),
  theme: "none" as const,
  env: () => undefined,
});

/** Shows at least `least` strings on the live screen. */
export async function trialOfScreen(seed: number, least: number): Promise<Outcome> {
  const from = source(seed);
  const sum = tally();
  const bus = new FakeBus();
  const ear = new Ear();
  const over = new AbortController();
  // A terminal with a title and links.
  const env = (name: string) => name === "TERM" ? "xterm-kitty" : undefined;
  const exit = runScreen({ ...options(from), env, bus, ended: over.signal }, ear);
  const listen = async () => {
    await frame();
    sum.hear(ear.written);
    ear.written = "";
  };
  for (let n = 0; from.count() < least; n++) {
    for (const event of turn(from, `${n}`)) {
      bus.emit(event);
      if (event.type === "tool_progress" && from.random() < 0.2) await listen();
    }
    await listen();
    ear.key("\x1b");
    ear.key(`\x1b[200~${from.lines(from.random() < 0.5 ? 2 : 14)}\x1b[201~`);
    ear.key("\r");
    ear.key(`\x1b[200~${from.next()}\x1b[201~`);
    await listen();
    const joined = bus.sent.findLast((inbound) => inbound.type === "line");
    if (joined?.type === "line") {
      bus.emit({ type: "notice", level: "info", text: from.next(), joined: joined.text });
    }
    ear.key("\x03");
    bus.emit({ ...done, prompt: from.next() });
    await listen();
    // The last output and thoughts in full, the search in the history, the earlier prompts.
    for (
      const keys of [["\x0f", "\x14"], ["\x12", "w"], ["\x1b", "\x03", "\x1b", "\x1b"], ["\x1b"]]
    ) {
      for (const key of keys) ear.key(key);
      await listen();
    }
  }
  over.abort();
  await exit;
  await listen();
  return sum.outcome(from.count());
}

/** Shows at least `least` strings line by line. */
export async function trialOfPlain(seed: number, least: number): Promise<Outcome> {
  const from = source(seed);
  const sum = tally();
  const bus = new FakeBus();
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const over = new AbortController();
  const write = (text: string) => sum.hear(text);
  const exit = startPlain({
    ...options(from),
    bus,
    input: input.readable,
    write,
    interactive: false,
    ended: over.signal,
  });
  for (let n = 0; from.count() < least; n++) {
    for (const event of turn(from, `${n}`)) bus.emit(event);
    bus.emit(done);
    await Promise.resolve();
  }
  over.abort();
  await exit;
  return sum.outcome(from.count());
}

/** Shows at least `least` strings as `-p` does at a terminal, answer and progress. */
export async function trialOfHeadless(seed: number, least: number): Promise<Outcome> {
  const from = source(seed);
  const sum = tally();
  const terminal = { isTerminal: () => true };
  for (let n = 0; from.count() < least; n++) {
    const bus = new FakeBus();
    const idle = Promise.withResolvers<void>();
    const channel = headless({
      controller: fakeController,
      prompt: undefined,
      input: undefined,
      format: n % 3 === 0 ? "stream-json" : "text",
      write: (text) => sum.hear(shownOn(terminal, text)),
      complain: (text) => sum.hear(shownOn(terminal, text)),
      plain,
      watched: true,
      outfit: () => Promise.resolve({ tools: [], servers: [], rules: 0, skills: 0 }),
      usageByModel: () => ({}),
      idle: () => idle.promise,
      now: () => 0,
    });
    const exit = channel.start(bus);
    for (const event of turn(from, `${n}`)) bus.emit(event);
    bus.emit(done);
    idle.resolve();
    await exit;
  }
  return sum.outcome(from.count());
}
