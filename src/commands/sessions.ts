/**
 * The commands on stored sessions (`/show`, `/clear`, `/new`, `/enter`, `/delete`, `/save`), and
 * how sessions are listed and named.
 */
import type { T } from "../base/t.ts";
import type { Choice, Command, Session, SessionController, SessionInfo } from "../base/types.ts";
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
  async run(_args, controller) {
    return sessionList(await controller.list(), controller.t, controller.current().id);
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
async function whichSession(name: string, controller: SessionController): Promise<string> {
  const all = await controller.list();
  const list = sessionList(all, controller.t, controller.current().id);
  return all.length === 0
    ? list
    : `${list}\n${controller.t("Choose one: /{name} and its number, name or ID", { name })}`;
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

const OFFERED = 50;

/** The stored sessions but the current one, newest first, as values of an argument. */
export async function sessionChoices(controller: SessionController): Promise<readonly Choice[]> {
  const current = controller.current().id;
  const others = (await controller.list()).filter(({ id }) => id !== current);
  return others.slice(0, OFFERED).map((info) => ({
    value: info.id,
    help: [
      localTime(info.updated),
      sessionMark(info, controller.t) + (info.name === "" ? "" : `[${info.name}] `) + info.title,
    ].join("  "),
  }));
}

/** Starts an empty session. */
export const clear: Command = {
  name: "clear",
  aliases: ["reset"],
  help: (t) => t("start a new session (the old one is kept)"),
  async run(_args, controller) {
    const old = controller.current();
    await controller.fresh();
    return cleared(old, controller);
  },
};

/** What is said of the session that was left. */
function cleared({ id, messages }: Session, { t, memory }: SessionController): string {
  if (messages.length === 0) return t("New session");
  const kept = memory.dir !== undefined;
  return t(
    kept
      ? "New session; the old one is stored as {id}"
      : "New session. The old one, {id}, is there until narnat ends: nothing is kept on disk, and there is no memory",
    { id },
  );
}

/** Starts an empty session; the old one is summarised for the memory in the background. */
export const fresh: Command = {
  name: "new",
  help: (t) => t("start a new session; the old one is summarised for the memory"),
  async run(_args, controller) {
    const old = controller.current();
    const archiving = await controller.fresh("archived");
    return archiving
      ? controller.t(
        "A new session. The old one, {id}, stays stored and is being summarised in the background",
        { id: old.id },
      )
      : cleared(old, controller);
  },
};

/** Switches to a stored session. */
export const enter: Command = {
  name: "enter",
  aliases: ["resume", "continue", "load"],
  usage: (t) => t("<id|name|number>"),
  help: (t) => t("switch to a stored session"),
  complete: sessionChoices,
  async run(args, controller) {
    if (args === "") return await whichSession("enter", controller);
    const info = await controller.enter(args);
    return controller.t("Now in {id} ({title}), {turns} {turns:turn|turns}", {
      id: info.id,
      title: info.name || info.title,
      turns: info.turns,
    });
  },
};

/** Deletes a stored session. */
export const remove: Command = {
  name: "delete",
  usage: (t) => t("<id|name|number>"),
  help: (t) => t("delete a stored session"),
  complete: sessionChoices,
  async run(args, controller) {
    if (args === "") return await whichSession("delete", controller);
    const info = await controller.remove(args);
    if (!info) throw new Error(controller.t("Not deleted"));
    return controller.t("Deleted {id} ({title})", { id: info.id, title: info.name || info.title });
  },
};

/** Names the current session, so that it is found again by that name. */
export const save: Command = {
  name: "save",
  aliases: ["rename"],
  usage: (t) => t("[name]"),
  help: (t) => t("name the current session"),
  async run(args, controller) {
    const session = controller.current();
    if (session.messages.length === 0) {
      throw new Error(controller.t("The current session is empty; there is nothing to save"));
    }
    const title = session.messages[0]!.text.trim().split("\n")[0]!.slice(0, 40);
    const name = args.replaceAll(/\s+/g, " ") || session.name || title;
    const taken = name !== session.name &&
      (await controller.list()).some((info) => info.name === name);
    if (taken) {
      throw new Error(
        controller.t('There is already a session named "{name}"; choose another name', { name }),
      );
    }
    const info = await controller.save(name);
    return controller.t('Saved as "{name}" ({id})', { id: info.id, name });
  },
};
