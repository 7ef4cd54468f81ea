/** A stored session shown again: as the terminal has shown it, or as plain lines. */
import type { PrinterOptions, SessionPrinter } from "../commands/environment.ts";
import type { AgentEvent, Usage } from "../base/types.ts";
import { addUsage, NO_USAGE } from "../base/figures.ts";
import { callText, toolEndRows, wholeCall } from "./transcript/calls.ts";
import { plain } from "../base/control_characters.ts";
import { plainNoticeRows, plainToolEndRows, PlainWriter } from "./plain/plain_writer.ts";
import { type Look, type Row, wrapped } from "./transcript/rows.ts";
import { createStyle, styleKind } from "./style.ts";
import { errorRows, noticeRows, todoRows, turnEndRows, userRows } from "./transcript/turn_rows.ts";
import type { Section } from "./transcript/transcript.ts";

export interface ReplayOptions extends PrinterOptions {
  env(name: string): string | undefined;
  /** Throws `Deno.errors.BrokenPipe` when nobody reads any more. */
  write(text: string): void;
}

/** Where rows and answers go. */
interface Sink {
  rows(section: Section, rows: readonly Row[]): void;
  answer(text: string): void;
  end(): void;
}

/** Makes the view; the parts of the screen are loaded for a terminal only. */
export async function sessionPrinter(options: ReplayOptions): Promise<SessionPrinter> {
  const { t, workspace, theme, env, columns } = options;
  const screen = columns !== undefined;
  const look: Look = {
    style: createStyle(screen ? styleKind(theme, env) : "none"),
    t,
    workspace,
  };
  const sink = screen ? await onScreen(options, columns, look) : inLines(options);
  let usage: Usage | undefined;
  let calls = new Map<string, { text: string; about: string }>();
  const hear = (event: AgentEvent): void => {
    switch (event.type) {
      case "turn_start":
        usage = undefined;
        calls = new Map();
        sink.rows("user", userRows(event.text, look));
        break;
      case "text":
        sink.answer(event.delta);
        break;
      case "usage":
        usage = addUsage(usage ?? NO_USAGE, event);
        break;
      case "tool_start": {
        const text = callText(event.name, event.input, look);
        calls.set(event.id, { text, about: wholeCall(event.name, event.input, look) });
        if (!screen) sink.rows("tools", [wrapped(`● ${text}`)]);
        break;
      }
      case "tool_end": {
        const call = calls.get(event.id) ?? { text: callText(event.name, null, look), about: "" };
        if (!screen) sink.rows("tools", plainToolEndRows(event, look));
        else if (event.ok && event.detail?.kind === "todos") {
          sink.rows("todos", todoRows(event.detail.todos, look, Infinity));
        } else sink.rows("tools", toolEndRows(event, call, look));
        break;
      }
      case "ask": {
        const answer = t(event.answered ? "Yes, this once" : "No");
        const command = event.command === undefined ? [] : [wrapped(plain(event.command), "  ")];
        const rows = [wrapped(look.style.yellow(plain(event.question))), ...command];
        sink.rows("question", [...rows, wrapped(answer, "  → ")]);
        break;
      }
      case "notice":
        if (event.joined !== undefined) sink.rows("user", userRows(event.joined, look));
        else if (event.turn === 0) sink.rows("tools", userOutput(event.text));
        else {
          sink.rows("notice", screen ? noticeRows(event, look) : plainNoticeRows(event, look));
        }
        break;
      case "error":
        sink.rows("notice", errorRows(event, look));
        break;
      case "turn_end":
        sink.rows("end", turnEndRows(event, usage, look));
    }
  };
  return { hear, end: sink.end };
}

const userOutput = (text: string) =>
  plain(text).trimEnd().split("\n").map((line) => wrapped(line, "  "));

function inLines({ write }: ReplayOptions): Sink {
  const writer = new PlainWriter(write, { written() {}, gone() {} });
  return {
    rows(section, rows) {
      if (section === "end") writer.endLine();
      writer.rows(rows);
      if (section === "end") writer.line("");
    },
    answer: (text) => writer.answer(text),
    end: () => writer.endLine(),
  };
}

async function onScreen({ write }: ReplayOptions, columns: number, look: Look): Promise<Sink> {
  const { Transcript } = await import("./transcript/transcript.ts");
  const commit = (draw: (width: number) => readonly string[]) =>
    write(draw(columns).map((line) => `${line}\n`).join(""));
  const transcript = new Transcript({ commit, terminal: { columns } }, look);
  return {
    rows: (section, rows) => transcript.say(section, rows),
    answer: (text) => transcript.push(text),
    end: () => transcript.endAnswer(),
  };
}
