/** `-p`: lines from the command line or stdin, events to stdout. */
import type { AgentEvent, Channel, Inbound, Json, SessionController } from "../base/types.ts";
import { whyOf } from "../base/file_why.ts";
import { isRecord } from "../base/is_record.ts";
import { eachLine } from "./lines.ts";
import {
  commandOutput,
  complaint,
  createTally,
  initLine,
  initText,
  type Outfit,
  type OutputFormat,
  planProgress,
  progressLine,
  type UsageByModel,
} from "./output.ts";

export interface HeadlessOptions {
  readonly controller: SessionController;
  /** Sent first, where there is one. */
  readonly prompt: string | undefined;
  /** What of it was typed, not piped: only there `@path` names a file, and `/` or `!` a line to run; all of it when left out. */
  readonly typed?: string;
  /** stream-json lines, read to their end. */
  readonly input: AsyncIterable<Uint8Array> | undefined;
  readonly format: OutputFormat;
  /** Writes to stdout; throws when it is closed. */
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Takes from what a command tells all that would steer a terminal; an answer is printed as it was given. */
  readonly plain: (text: string) => string;
  /** True when somebody watches stderr. */
  readonly watched: boolean;
  /** Every call is told on stderr, and first what there is to work with. */
  readonly verbose?: boolean;
  /** Resolves when it is known what the run has to work with. */
  readonly outfit: () => Promise<Outfit>;
  /** What the requests so far have cost. */
  readonly usageByModel: () => UsageByModel;
  /** Resolves when no lane has anything to do. */
  readonly idle: () => Promise<void>;
  readonly now: () => number;
}

const LANE = "main";

type Ask = Extract<AgentEvent, { type: "ask" }>;

/** Makes the headless channel. */
export function headless(o: HeadlessOptions): Channel {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  let stopping = false;
  return {
    name: "headless",
    async stop() {
      // the turn that runs tells its end
      stopping = true;
      await o.idle();
      leave();
    },
    async start(bus) {
      const began = o.now();
      const tally = createTally(o.controller.t);
      let open = true;
      let lost = false;
      let inputEnded = o.input === undefined;
      const asks = new Map<string, Ask>();
      // Once stdin has ended nobody can say yes; who wanted a plan carried out wants it still.
      const settle = ({ id, kind }: Ask) => {
        const value = kind === "plan" && !o.controller.planMode;
        bus.send({ type: "answer", lane: LANE, id, value });
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
            const why = whyOf(o.controller.t, error).replace(/[.。]$/, "");
            o.complain(`narnat: ${o.controller.t("Cannot write the answer: {why}", { why })}`);
          }
          bus.send({ type: "stop", lane: LANE, leaving: true });
          leave();
        }
      };
      // Of all that follows from a line, what is said last is the answer.
      let held = "";
      const flush = () => {
        if (held !== "") print(held);
        held = "";
      };
      const hear = (event: AgentEvent) => {
        tally.hear(event);
        if (event.type === "turn_start" && event.from === undefined) flush();
        if (o.format === "stream-json") print(JSON.stringify(event) + "\n");
        const said = complaint(event, o.controller) ??
          (o.format === "text" ? planProgress(event) : undefined) ??
          (o.watched || o.verbose ? progressLine(event, o.controller.t, o.verbose) : undefined);
        if (said !== undefined) o.complain(said);
        const told = commandOutput(event, o.controller.t);
        if (told !== undefined && o.format === "text") {
          flush();
          print((event.type === "notice" ? o.plain(told) : told) + "\n");
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
        if (event.type === "turn_end" && stopping) leave();
        if (event.type === "ask" && event.answered === undefined) {
          if (inputEnded) queueMicrotask(() => settle(event));
          else asks.set(event.id, event);
        }
      };
      // the first line is what there is to work with
      let early: AgentEvent[] | undefined = [];
      const unsubscribe = bus.subscribe((event) => early ? early.push(event) : hear(event), LANE);
      if (o.format === "stream-json" || o.verbose) {
        const outfit = await Promise.race([left, o.outfit()]);
        if (outfit && o.format === "stream-json") {
          print(JSON.stringify(initLine(outfit, o.controller)) + "\n");
        }
        if (outfit && o.verbose) o.complain(initText(outfit, o.controller));
      }
      const before = early;
      early = undefined;
      before.forEach(hear);
      if (stopping) tally.interrupt();
      const goesOn = open && !stopping;
      if (goesOn && o.prompt !== undefined) {
        const typed = o.typed === undefined ? {} : { typed: o.typed };
        bus.send({ type: "line", lane: LANE, text: o.prompt, ...typed });
      }
      if (goesOn && o.input !== undefined) {
        const send = (inbound: Inbound) => {
          if (inbound.type === "answer") asks.delete(inbound.id);
          bus.send(inbound);
        };
        const read = readInbounds(o.input, o.controller, send, (event) => {
          tally.hear(event);
          o.complain(`narnat: ${event.text}`);
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
        const result = tally.result(o.controller, o.now() - began, o.usageByModel());
        print(JSON.stringify(result) + "\n");
      }
      if (!open) return lost ? 1 : 0;
      return tally.exitCode();
    },
  };
}

/** Sends on what the lines of stdin say, and tells of those that cannot be understood. */
function readInbounds(
  input: NonNullable<HeadlessOptions["input"]>,
  controller: SessionController,
  send: (inbound: Inbound) => void,
  fail: (event: ReturnType<typeof inputError>) => void,
): Promise<void> {
  return eachLine(input, (line, number) => {
    const why = receive(line, controller, send);
    if (why === undefined) return;
    fail(
      inputError(
        controller.t("Cannot understand line {n} of stdin: {why}", { n: number, why }),
        controller,
      ),
    );
  });
}

const inputError = (
  text: string,
  controller: SessionController,
): Extract<AgentEvent, { type: "error" }> => ({
  type: "error",
  kind: "input",
  text,
  session: controller.current().id,
  turn: 0,
  time: new Date().toISOString(),
});

/** Sends what one stream-json line says; returns what is wrong with it. */
function receive(
  line: string,
  controller: SessionController,
  send: (inbound: Inbound) => void,
): string | undefined {
  const expected = controller.t(
    'expected {"type":"user","text":"…"} (or "message":{"content": a text, or blocks of text}), {"type":"stop"}, {"type":"unqueue","text":"…"} or {"type":"answer","id":"…","value":"yes"}',
  );
  let value: { type?: unknown; text?: unknown; message?: unknown; id?: unknown; value?: Json };
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `${(error as Error).message}; ${expected}`;
  }
  if (value?.type === "user") {
    const text = textOf(value);
    if (text === undefined) return expected;
    send(
      text.trim() === "/stop" ? { type: "stop", lane: LANE } : {
        type: "line",
        lane: LANE,
        text,
      },
    );
  } else if (value?.type === "unqueue" && typeof value.text === "string") {
    send({ type: "unqueue", lane: LANE, text: value.text });
  } else if (value?.type === "stop") send({ type: "stop", lane: LANE });
  else if (value?.type === "answer" && typeof value.id === "string") {
    send({ type: "answer", lane: LANE, id: value.id, value: value.value ?? null });
  } else return expected;
  return undefined;
}

/** What a user's line says: its `text`, or the `message` of others' form, whose content is a text or blocks of text. */
function textOf({ text, message }: { text?: unknown; message?: unknown }): string | undefined {
  if (typeof text === "string") return text;
  const content = isRecord(message) ? message["content"] : undefined;
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const texts = content.map((block) =>
    isRecord(block) && block["type"] === "text" ? block["text"] : undefined
  );
  return texts.every((one) => typeof one === "string") ? texts.join("\n") : undefined;
}
