/** A session as a markdown document. */
import { withoutEmptyEnds } from "../base/strings.ts";
import type { AssistantMessage, Message, Session, ToolMessage } from "../base/types.ts";
import { HOST_MARK, type T } from "../base/t.ts";

export interface About {
  readonly t: T;
  readonly model: string;
  readonly workspace: string;
}

/** What was asked and answered, with thinking, tool calls and their results folded away. */
export function sessionMarkdown(session: Session, about: About): string {
  const { t } = about;
  const { carried } = session;
  const first = (session.prompts[0] ?? carried?.title ?? "").trim().split("\n")[0] ?? "";
  const title = session.name || first.slice(0, 80) || session.id;
  const results = new Map<string, ToolMessage>();
  for (const message of session.messages) {
    if (message.role === "tool") results.set(message.id, message);
  }
  const parts = [
    `# ${title.replaceAll(/[\\`*_<>[\]#]/g, "\\$&")}`,
    `${session.id} · ${about.model} · \`${about.workspace.replaceAll("`", "")}\``,
    ...carried
      ? [
        folded(
          t("Goes on from session {id}, with its summary", { id: carried.parent }),
          fenced(carried.summary),
        ),
      ]
      : [],
  ];
  let speaker: "user" | "narnat" | undefined;
  for (const message of session.messages) {
    if (message.role === "tool") continue;
    const now = message.role === "user" && !isHost(message) ? "user" : "narnat";
    if (now === "user") parts.push(`## ${t("User")}`);
    else if (now !== speaker) parts.push(`## ${t("narnat")}`);
    speaker = now;
    parts.push(...partsOf(message, results, t));
  }
  return parts.join("\n\n") + "\n";
}

/** What the host put into the conversation is nobody's question. */
const isHost = (message: Message) => message.text.startsWith(HOST_MARK);

function partsOf(
  message: Exclude<Message, ToolMessage>,
  results: ReadonlyMap<string, ToolMessage>,
  t: T,
): string[] {
  if (message.role === "user") {
    if (!isHost(message)) return [withoutEmptyEnds(message.text)];
    const [head = "", ...rest] = message.text.split("\n");
    return [folded(head, fenced(rest.join("\n")))];
  }
  return answerParts(message, results, t);
}

function answerParts(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolMessage>,
  t: T,
): string[] {
  const thought = message.thinking.map(({ text }) => text.trim()).filter((text) => text !== "");
  return [
    ...thought.length > 0 ? [folded(t("thinking"), thought.join("\n\n"))] : [],
    ...message.text.trim() === "" ? [] : [withoutEmptyEnds(message.text)],
    ...message.calls.map(({ id, name, input }) => {
      const result = results.get(id);
      const mark = result?.ok === false ? "✗ " : "";
      const images = (result?.images ?? []).map(({ mediaType }) => `\n[${mediaType}]`).join("");
      const shown = result === undefined ? "" : `\n\n${fenced(result.text + images)}`;
      return folded(`${mark}${name} ${gist(input)}`, fenced(pretty(input), "json") + shown);
    }),
  ];
}

function folded(summary: string, body: string): string {
  const line = summary.replaceAll(/\s+/g, " ").trim();
  const safe = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<details><summary>${safe}</summary>\n\n${body}\n\n</details>`;
}

/** A code block that no fence inside can end. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function pretty(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), null, 2);
  } catch {
    return input;
  }
}

/** The first text of a call's input, short. */
function gist(input: string): string {
  try {
    const texts = Object.values(JSON.parse(input) as object).filter((v) => typeof v === "string");
    return String(texts[0] ?? "").slice(0, 100);
  } catch {
    return "";
  }
}
