/**
 * Takes what was said out of the session: `/export` writes it as markdown, `/copy` puts the last
 * answer on the clipboard.
 */
import { whyOf } from "../base/file_why.ts";
import { resolve } from "../base/path.ts";
import { withoutEmptyEnds } from "../base/strings.ts";
import { HOST_MARK, type T } from "../base/t.ts";
import type { AssistantMessage, Command, Message, Session, ToolMessage } from "../base/types.ts";

interface About {
  readonly t: T;
  readonly model: string;
  readonly workspace: string;
}

/** What was asked and answered, with thinking, tool calls and their results folded away. */
function sessionMarkdown(session: Session, about: About): string {
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

/** Puts the last answer on the clipboard. */
export const copy: Command = {
  name: "copy",
  anytime: true,
  help: (t) => t("copy the last answer to the clipboard"),
  run(_args, controller) {
    const answer = controller.current().messages.findLast((message) =>
      message.role === "assistant" && message.text.trim() !== ""
    );
    if (!answer) throw new Error(controller.t("There is no answer to copy yet"));
    controller.copy(withoutEmptyEnds(answer.text));
    return "";
  },
};

/** Writes the session as markdown, never over a file that is there. */
export const exportSession: Command = {
  name: "export",
  usage: (t) => t("[file]"),
  help: (t) => t("write this session to a markdown file"),
  async run(args, controller) {
    const { t, workspace } = controller;
    const session = controller.current();
    if (session.messages.length === 0 && !session.carried) {
      throw new Error(t("The session is empty; there is nothing to export"));
    }
    const text = sessionMarkdown(session, { t, model: controller.model, workspace });
    const given = args.replace(/^(["'])(.*)\1$/, "$2");
    const names = given === ""
      ? Array.from({ length: 99 }, (_, i) => `narnat-${session.id}${i === 0 ? "" : `-${i + 1}`}.md`)
      : [given];
    for (const name of names) {
      const path = resolve(workspace, name);
      try {
        await write(path, text);
        const count = session.messages.length;
        return t("Wrote {count} {count:message|messages} to {path}", { path, count });
      } catch (error) {
        if (given === "" && error instanceof Deno.errors.AlreadyExists) continue;
        const why = error instanceof Deno.errors.AlreadyExists
          ? t("the file exists and is not overwritten; choose another name")
          : whyOf(t, error);
        throw new Error(t("Cannot export to {path}: {why}", { path, why }));
      }
    }
    throw new Error(
      t("Cannot export to {path}: {why}", {
        path: workspace,
        why: t("the file exists and is not overwritten; choose another name"),
      }),
    );
  },
};

/** What was said is private. */
async function write(path: string, text: string): Promise<void> {
  if (Deno.permissions.querySync({ name: "write", path }).state !== "granted") {
    throw new Deno.errors.NotCapable("--allow-write");
  }
  await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
}
