/** `-p`: lines from the command line or stdin, events to stdout. */
import type { AgentEvent, Channel, Desk, Inbound, Json } from "../types.ts";
import { say } from "../text.ts";
import { eachLine } from "./lines.ts";
import {
  commandOutput,
  complaint,
  createTally,
  type OutputFormat,
  planProgress,
  progressLine,
} from "./output.ts";

export interface HeadlessOptions {
  readonly desk: Desk;
  /** Sent first, where there is one. */
  readonly prompt: string | undefined;
  /** What of it was typed, not piped: only there `@path` names a file, and `/` or `!` a line to run; all of it when left out. */
  readonly typed?: string;
  /** stream-json lines, read to their end. */
  readonly input: ReadableStream<Uint8Array> | undefined;
  readonly format: OutputFormat;
  /** Writes to stdout; throws when it is closed. */
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** True when somebody watches stderr. */
  readonly watched: boolean;
  /** Resolves when no lane has anything to do. */
  readonly idle: () => Promise<void>;
  readonly now: () => number;
}

const LANE = "main";

type Ask = Extract<AgentEvent, { type: "ask" }>;

/** Makes the headless channel. */
export function headless(o: HeadlessOptions): Channel {
  let leave = () => {};
  const left = new Promise<void>((resolve) => leave = resolve);
  return {
    name: "headless",
    stop() {
      leave();
      return Promise.resolve();
    },
    async start(bus) {
      const began = o.now();
      const tally = createTally(o.desk.lang);
      let open = true;
      let lost = false;
      let inputEnded = o.input === undefined;
      const asks = new Map<string, Ask>();
      // Once stdin has ended nobody can say yes; who wanted a plan carried out wants it still.
      const settle = ({ id, kind }: Ask) => {
        const value = kind === "plan" && !o.desk.planMode;
        bus.send({ type: "answer", session: LANE, id, value });
      };
      const print = (text: string) => {
        if (!open) return;
        try {
          o.write(text);
        } catch (error) {
          // Nobody reads any more: stop working for nobody. `| head` is no fault, a full disk is.
          open = false;
          lost = !(error instanceof Deno.errors.BrokenPipe);
          if (lost) {
            const why = error instanceof Error ? error.message : String(error);
            o.complain(`narnat: ${say(o.desk.lang, "headless.no_output", { why })}`);
          }
          bus.send({ type: "stop", session: LANE, leaving: true });
          leave();
        }
      };
      // Of all that follows from a line, what is said last is the answer.
      let held = "";
      const flush = () => {
        if (held !== "") print(held);
        held = "";
      };
      const unsubscribe = bus.subscribe((event) => {
        tally.hear(event);
        if (event.type === "turn_start" && event.from === undefined) flush();
        if (o.format === "stream-json") print(JSON.stringify(event) + "\n");
        const said = complaint(event, o.desk) ??
          (o.format === "text" ? planProgress(event) : undefined) ??
          (o.watched ? progressLine(event, o.desk.lang) : undefined);
        if (said !== undefined) o.complain(said);
        const told = commandOutput(event, o.desk.lang);
        if (told !== undefined && o.format === "text") {
          flush();
          print(told + "\n");
        }
        if (event.type === "notice" && event.level === "info" && o.format === "text") {
          if (event.turn > 0 && said === undefined && o.watched) o.complain(event.text);
        }
        if (event.type === "turn_end" && o.format === "text") {
          const text = tally.answer();
          if (text !== "" && event.reason !== "command") held = text + "\n";
          void o.idle().then(flush);
        }
        if (event.type === "turn_end") asks.clear();
        if (event.type === "ask" && event.answered === undefined) {
          if (inputEnded) queueMicrotask(() => settle(event));
          else asks.set(event.id, event);
        }
      }, LANE);
      if (o.prompt !== undefined) {
        const typed = o.typed === undefined ? {} : { typed: o.typed };
        bus.send({ type: "line", session: LANE, text: o.prompt, ...typed });
      }
      if (o.input !== undefined) {
        const send = (inbound: Inbound) => {
          if (inbound.type === "answer") asks.delete(inbound.id);
          bus.send(inbound);
        };
        const read = eachLine(o.input, (line, number) => {
          const problem = receive(line, o.desk, send);
          if (problem === undefined) return;
          const text = say(o.desk.lang, "headless.bad_line", { n: number, why: problem });
          const event = inputError(text, o.desk);
          tally.hear(event);
          o.complain(`narnat: ${text}`);
          if (o.format === "stream-json") print(JSON.stringify(event) + "\n");
        });
        await Promise.race([left, read]);
        inputEnded = true;
        for (const event of asks.values()) settle(event);
      }
      await Promise.race([left, o.idle()]);
      unsubscribe();
      flush();
      if (o.format !== "text") {
        print(JSON.stringify(tally.result(o.desk, o.now() - began)) + "\n");
      }
      if (!open) return lost ? 1 : 0;
      return tally.exitCode();
    },
  };
}

const inputError = (text: string, desk: Desk): AgentEvent => ({
  type: "error",
  kind: "input",
  text,
  session: desk.current().id,
  turn: 0,
  time: new Date().toISOString(),
});

/** Sends what one stream-json line says; returns what is wrong with it. */
function receive(
  line: string,
  desk: Desk,
  send: (inbound: Inbound) => void,
): string | undefined {
  const expected = say(desk.lang, "headless.expected");
  let value: { type?: unknown; text?: unknown; id?: unknown; value?: Json };
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `${(error as Error).message}; ${expected}`;
  }
  if (value?.type === "user" && typeof value.text === "string") {
    send({ type: "line", session: LANE, text: value.text });
  } else if (value?.type === "unqueue" && typeof value.text === "string") {
    send({ type: "unqueue", session: LANE, text: value.text });
  } else if (value?.type === "stop") send({ type: "stop", session: LANE });
  else if (value?.type === "answer" && typeof value.id === "string") {
    send({ type: "answer", session: LANE, id: value.id, value: value.value ?? null });
  } else return expected;
  return undefined;
}
