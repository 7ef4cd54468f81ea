/** `narnat sessions`. */
import { join } from "node:path";
import type { Flags } from "./flags.ts";
import { sessionTable } from "../commands/show.ts";
import { ConfigError } from "../config.ts";
import { SessionStore } from "../core/session.ts";
import { langFrom, say } from "../text.ts";
import type { Message } from "../types.ts";
import { env, put, workspaceFrom } from "./host.ts";

/** Lists, shows or deletes stored sessions. */
export function sessions(flags: Flags, words: string[]): Promise<number> {
  const lang = flags.lang ?? langFrom(env);
  const workspace = workspaceFrom(flags.cwd, lang);
  const store = new SessionStore({
    dir: join(workspace, ".narnat", "sessions"),
    workspace,
    lang,
    now: () => new Date(),
    random: Math.random,
  });
  const print = (text: string) => put(text + "\n");
  const [verb = "list", which] = words;
  if (verb === "list" && which === undefined) {
    const all = store.list();
    print(all.length === 0 ? say(lang, "command.no_sessions") : sessionTable(all, lang));
    return Promise.resolve(0);
  }
  if ((verb !== "show" && verb !== "delete") || which === undefined) {
    throw new ConfigError(say(lang, "cli.sessions_usage"));
  }
  const info = store.find(which);
  if (!info) throw new ConfigError(say(lang, "session.not_found", { which }));
  if (verb === "delete") {
    store.remove(info.id);
    print(say(lang, "command.deleted", { id: info.id, title: info.name || info.title }));
  } else {
    for (const message of store.read(info.id).messages) print(shown(message));
  }
  return Promise.resolve(0);
}

/** A message as JSON, its images named by their type. */
function shown(message: Message): string {
  if (message.role !== "tool" || !message.images) return JSON.stringify(message);
  return JSON.stringify({ ...message, images: message.images.map((image) => image.mediaType) });
}
