/** `narnat sessions`. */
import { choicesFrom, type Flags, VERSION } from "../../commands/flags.ts";
import { sessionTable } from "../../commands/sessions.ts";
import { ConfigError } from "../../base/errors.ts";
import { SessionBusy } from "../../session/store.ts";
import type { T } from "../../base/t.ts";
import type { Message } from "../../base/types.ts";
import { openArchive, searchTable } from "../history_search/mod.ts";
import { put, putData, translatorFor, workspaceFrom } from "../../base/host.ts";
import type { CommandHost } from "../../commands/environment.ts";
import { storeIn } from "../../session/source.ts";

/** Lists, shows, searches, exports or deletes stored sessions. */
export async function sessions(
  flags: Flags,
  words: string[],
  host: CommandHost,
): Promise<number> {
  const t = translatorFor(flags);
  const workspace = workspaceFrom(flags.cwd, t);
  const store = storeIn(workspace, t);
  const print = (text: string) => put(text + "\n");
  const [verb = "list", which] = words;
  if (verb === "search") return await findWords(words.slice(1).join(" "), workspace, t);
  if (verb === "export" && which !== undefined) {
    await exportOne(which, workspace, flags, host);
    return 0;
  }
  if (verb === "list" && which === undefined) {
    const all = store.list();
    print(
      all.length === 0 ? t("No stored sessions yet") : sessionTable(all, t, undefined, "head"),
    );
    return 0;
  }
  if ((verb !== "show" && verb !== "delete") || which === undefined) {
    throw new ConfigError(
      t("Usage: narnat sessions [list | show ID | search WORD… | export ID [--redacted] [-o FILE] | delete ID]"),
    );
  }
  const info = store.find(which);
  if (!info) {
    throw new ConfigError(
      t("Cannot find the session {which}: /show or narnat sessions lists what there is", { which }),
    );
  }
  if (verb === "delete") {
    try {
      store.remove(info.id);
    } catch (error) {
      if (error instanceof SessionBusy) throw new ConfigError(error.message);
      throw error;
    }
    print(t("Deleted {id} ({title})", { id: info.id, title: info.name || info.title }));
    return 0;
  }
  const { messages, carried } = store.read(info.id);
  if (!flags.jsonl) {
    if (carried) {
      print(
        `${
          t("Goes on from session {id}, with its summary", { id: carried.parent })
        }\n\n${carried.summary}`,
      );
    }
    const { replay } = await import("../replay/mod.ts");
    return await replay(flags, [info.id], host);
  }
  if (carried) {
    const { parent, summary: text } = carried;
    putData(JSON.stringify({ role: "summary", parent, text }) + "\n");
  }
  for (const message of messages) putData(shown(message) + "\n");
  return 0;
}

/** Writes a session for a bug report. */
async function exportOne(
  which: string,
  workspace: string,
  flags: Flags,
  host: CommandHost,
): Promise<void> {
  const [{ exportSession }, { sessionSource }] = await Promise.all([
    import("./export.ts"),
    import("../../session/source.ts"),
  ]);
  const { output, redacted = false } = flags;
  const environment = await host.open(
    choicesFrom(flags),
    translatorFor(flags),
    "no model",
  );
  const { config: { t }, secrets } = environment;
  try {
    secrets.refresh();
    // an older narnat may have written what was not known for a secret then
    const source = secrets.redactIn(sessionSource(which, workspace, t));
    exportSession(source, {
      version: VERSION,
      t,
      redacted,
      redactAlways: secrets.redactAlways,
      output,
    });
  } finally {
    await environment.close();
  }
}

/** Prints where the words were said; like grep, 1 for nowhere. */
async function findWords(words: string, workspace: string, t: T): Promise<number> {
  const archive = openArchive(workspace, t, true);
  try {
    const found = await archive.search(words, (text) => {
      if (Deno.stderr.isTerminal()) console.error(text);
    });
    put(await searchTable(found, words, t, "shell") + "\n");
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
