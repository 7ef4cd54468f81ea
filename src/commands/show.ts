import type { Command, Lang, SessionInfo } from "../types.ts";
import { say } from "../text.ts";

/** The newest must not scroll off the screen. */
const SHOWN = 20;

/** Lists the stored sessions, newest first. */
export const show: Command = {
  name: "show",
  usage: { zh: "", en: "" },
  anytime: true,
  help: { zh: "列出已保存的对话", en: "list the stored sessions" },
  async run(_args, desk) {
    const all = await desk.list();
    if (all.length === 0) return say(desk.lang, "command.no_sessions");
    const table = sessionTable(all.slice(0, SHOWN), desk.lang, desk.current().id);
    if (all.length <= SHOWN) return table;
    return `${table}\n${say(desk.lang, "command.more_sessions", { n: all.length - SHOWN })}`;
  },
};

/** `2026-11-20 12:03`, where the user is. */
export function localTime(iso: string): string {
  // Swedes write dates as ISO 8601 does.
  return new Date(iso).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}

/** One line per session; `*` marks the current one. */
export function sessionTable(
  all: readonly SessionInfo[],
  lang: Lang,
  current?: string,
): string {
  const mark = ({ id, busy, handedTo }: SessionInfo) =>
    busy && id !== current
      ? say(lang, "session.in_use")
      : handedTo === undefined
      ? ""
      : say(lang, "session.archived");
  return all.map((info, i) =>
    [
      `${info.id === current ? "*" : " "}${String(i + 1).padStart(3)}`,
      info.id,
      localTime(info.updated),
      String(info.turns).padStart(3),
      mark(info) + (info.name === "" ? info.title : `[${info.name}] ${info.title}`),
    ].join("  ")
  ).join("\n");
}
