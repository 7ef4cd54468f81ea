/** `narnat sessions`. */
import { join } from "node:path";
import type { Flags } from "./flags.ts";
import { searchTable } from "../commands/search.ts";
import { sessionTable } from "../commands/show.ts";
import { ConfigError } from "../config.ts";
import { SessionStore } from "../core/session.ts";
import { langFrom, say } from "../text.ts";
import type { Lang, Message } from "../types.ts";
import { openArchive } from "./archive.ts";
import { env, put, workspaceFrom } from "./host.ts";

/** Lists, shows, searches or deletes stored sessions. */
export async function sessions(flags: Flags, words: string[]): Promise<number> {
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
  if (verb === "search") return await findWords(words.slice(1).join(" "), workspace, lang);
  if (verb === "list" && which === undefined) {
    const all = store.list();
    print(all.length === 0 ? say(lang, "command.no_sessions") : sessionTable(all, lang));
    return 0;
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
    const { messages, carried } = store.read(info.id);
    if (carried) {
      const { parent, summary: text } = carried;
      print(JSON.stringify({ role: "summary", parent, text }));
    }
    for (const message of messages) print(shown(message));
  }
  return 0;
}

/** Prints where the words were said; like grep, 1 for nowhere. */
async function findWords(words: string, workspace: string, lang: Lang): Promise<number> {
  const archive = openArchive(workspace, lang, true);
  try {
    const found = await archive.search(words, (text) => {
      if (Deno.stderr.isTerminal()) console.error(text);
    });
    put(searchTable(found, words, lang, "shell") + "\n");
    return found.hits.length > 0 ? 0 : 1;
  } catch (error) {
    throw new ConfigError((error as Error).message);
  } finally {
    archive.close();
  }
}

/** A message as JSON, its images named by their type. */
function shown(message: Message): string {
  if (message.role !== "tool" || !message.images) return JSON.stringify(message);
  return JSON.stringify({ ...message, images: message.images.map((image) => image.mediaType) });
}
