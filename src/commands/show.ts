import type { Command, Desk, SessionInfo } from "../base/types.ts";
import type { T } from "../base/t.ts";
import { table } from "./table.ts";

const COLUMNS = {
  number: "no.",
  id: "session",
  turns: "turns",
  title: "title",
  updated: "last used",
} as const;

/** The newest must not scroll off the screen. */
const SHOWN = 20;

/** Lists the stored sessions, newest first. */
export const show: Command = {
  name: "show",
  aliases: ["sessions"],
  anytime: true,
  help: (t) => t("list the stored sessions"),
  async run(_args, desk) {
    return sessionList(await desk.list(), desk.t, desk.current().id);
  },
};

/** The newest sessions, and how many older ones there are. */
export function sessionList(all: readonly SessionInfo[], t: T, current?: string): string {
  if (all.length === 0) return t("No stored sessions yet");
  const rows = sessionTable(all.slice(0, SHOWN), t, current);
  if (all.length <= SHOWN) return rows;
  return `${rows}\n${
    t("{n} older ones: narnat sessions lists them all", { n: all.length - SHOWN })
  }`;
}

/** The sessions, for a command that has not been told which one. */
export async function whichSession(name: string, desk: Desk): Promise<string> {
  const all = await desk.list();
  const list = sessionList(all, desk.t, desk.current().id);
  return all.length === 0
    ? list
    : `${list}\n${desk.t("Choose one: /{name} and its number, name or ID", { name })}`;
}

/** `2026-11-20 12:03`, where the user is; question marks where a file tells no time. */
export function localTime(iso: string): string {
  if (Number.isNaN(Date.parse(iso))) return "????-??-?? ??:??";
  // Swedes write dates as ISO 8601 does.
  return new Date(iso).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}

/** What stands before the title of a session that cannot simply be entered. */
export function sessionMark(
  { id, busy, handedTo }: SessionInfo,
  t: T,
  current?: string,
): string {
  if (busy && id !== current) return t("(in use) ");
  return handedTo === undefined ? "" : t("(archived) ");
}

/** One line per session, below one that names the columns where there is a `head`; `*` marks the current one. */
export function sessionTable(
  all: readonly SessionInfo[],
  t: T,
  current?: string,
  head?: "head",
): string {
  const names = ["number", "id", "updated", "turns", "title"] as const;
  const rows = all.map((info, i) => [
    `${info.id === current ? "*" : " "}${String(i + 1).padStart(3)}`,
    info.id,
    localTime(info.updated),
    String(info.turns).padStart(3),
    sessionMark(info, t, current) +
    (info.name === "" ? info.title : `[${info.name}] ${info.title}`),
  ]);
  const above = head ? [names.map((name) => t(COLUMNS[name]))] : [];
  return table([...above, ...rows], [0, 3]).join("\n");
}
