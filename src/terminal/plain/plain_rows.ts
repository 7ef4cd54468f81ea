/** What plain mode says otherwise than the screen, which has a live part. */
import { say } from "../../base/text.ts";
import type { AgentEvent } from "../../base/types.ts";
import { toolEndRows } from "../transcript/call_rows.ts";
import { callText } from "../transcript/calls.ts";
import { plain } from "../../base/control_characters.ts";
import { type Look, type Row, wrapped } from "../transcript/rows.ts";
import { todoRows } from "../transcript/todo_rows.ts";
import { noticeRows } from "../transcript/turn_rows.ts";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** The outcome of a call; of a command of the user's own all of its output, which was what it was for. */
export function plainToolEndRows(event: EventOf<"tool_end">, look: Look): Row[] {
  const rows = toolEndRows(event, { text: callText(event.name, null, look), about: "" }, look);
  const { detail } = event;
  if (event.turn === 0 && detail?.kind === "command") {
    const output = plain([detail.output, detail.note].filter(Boolean).join("\n")).trimEnd();
    return [...rows.slice(0, 1), ...output === "" ? [] : [wrapped(output)]];
  }
  const todos = event.ok && detail?.kind === "todos" ? detail.todos : [];
  return [...rows, ...todoRows(todos, look, Infinity)];
}

/** A notice, and of a retry how long it waits. */
export function plainNoticeRows(event: EventOf<"notice">, look: Look): Row[] {
  const rows = noticeRows(event, look);
  if (!event.retryMs) return rows;
  const seconds = Math.ceil(event.retryMs / 1000);
  return [...rows, wrapped(say(look.lang, "screen.retry_in", { seconds }))];
}
