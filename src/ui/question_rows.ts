/** How a question reads; the same for both screens. */
import { plain, visible } from "./clean.ts";
import { aboutCall, type Look, type Row } from "./render.ts";
import { say } from "../text.ts";
import type { AgentEvent, Json } from "../types.ts";

/** A tool call as it was announced by `tool_start`. */
export interface ShownCall {
  readonly name: string;
  readonly input: Json;
}

const raw = (text: string): Row => ({ text: `  ${text}`, fit: "raw" });
const oneLine = (text: string) => visible(text).replaceAll("\n", "␊");

/**
 * A question in full: nothing of the command or its targets is hidden, cut or joined. `call` is the
 * call a question of the kind `tool` is about.
 */
export function questionRows(
  event: Extract<AgentEvent, { type: "ask" }>,
  look: Look,
  call?: ShownCall,
): Row[] {
  const { style, lang } = look;
  const rows = plain(event.question).trimEnd().split("\n").map((line, index): Row => ({
    lead: index === 0 ? style.yellow(style.bold("? ")) : "  ",
    text: style.yellow(style.bold(line)),
    fit: "wrap",
  }));
  const asked = event.kind === "tool" && call !== undefined ? callRows(call, look) : [];
  if (asked.length > 0) rows.push(...asked);
  else if (event.command !== undefined) rows.push(...visible(event.command).split("\n").map(raw));
  if (event.targets !== undefined && event.targets.length > 0) {
    rows.push({ text: style.dim(`  ${say(lang, "screen.targets")}`), fit: "cut" });
    rows.push(...event.targets.map((path) => raw(`  ${oneLine(path)}`)));
  }
  return rows;
}

/** `Edit src/a.ts`, `Bash npm test`: the tool line, uncut; none when the input names nothing. */
function callRows({ name, input }: ShownCall, look: Look): Row[] {
  const about = aboutCall(input, look.workspace);
  if (about.text === "") return [];
  const text = about.key === "command" ? visible(about.text) : oneLine(about.text);
  return `${look.style.bold(oneLine(name))} ${text}`.split("\n").map(raw);
}
