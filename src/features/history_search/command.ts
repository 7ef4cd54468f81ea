import type { Command, Lang, SearchHit, SearchHits } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { localTime } from "../../commands/show.ts";
import { table } from "../../commands/table.ts";

/** Finds words in all stored sessions. */
export const search: Command = {
  name: "search",
  usage: { zh: "<词…>", en: "<word…>" },
  anytime: true,
  help: {
    zh: "在所有会话、历史和记忆中查找同时含有这些词的内容",
    en: "find words in all sessions, the history and the memory",
  },
  async run(args, desk) {
    return searchTable(await desk.search(args), args, desk.lang);
  },
};

/** One row per hit, the newest first, and how to go on at the prompt or in a shell. */
export function searchTable(
  { hits, more }: SearchHits,
  words: string,
  lang: Lang,
  where: "prompt" | "shell" = "prompt",
): string {
  if (hits.length === 0) return say(lang, "search.none", { words });
  const rows = hits.map((hit) => row(hit, lang));
  const inSession = hits.some(({ who }) => who !== "memory");
  return [
    ...table(rows),
    ...more ? [say(lang, "search.more")] : [],
    ...inSession ? [say(lang, where === "shell" ? "search.show" : "search.enter")] : [],
  ].join("\n");
}

const row = ({ session, time, who, snippet }: SearchHit, lang: Lang) => [
  session,
  localTime(time),
  say(lang, `search.${who}`),
  snippet,
];
