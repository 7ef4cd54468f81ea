import type { Command, SearchHit, SearchHits } from "../../base/types.ts";
import type { T } from "../../base/t.ts";
import { localTime } from "../../commands/sessions.ts";
import { table } from "../../commands/table.ts";

/** Finds words in all stored sessions. */
export const search: Command = {
  name: "search",
  usage: (t) => t("<word…>"),
  anytime: true,
  help: (t) => t("find words in all sessions, the history and the memory"),
  async run(args, controller) {
    return searchTable(await controller.search(args), args, controller.t);
  },
};

/** One row per hit, the newest first, and how to go on at the prompt or in a shell. */
export function searchTable(
  { hits, more }: SearchHits,
  words: string,
  t: T,
  where: "prompt" | "shell" = "prompt",
): string {
  if (hits.length === 0) return t("No session matches: {words}", { words });
  const rows = hits.map((hit) => row(hit, t));
  const inSession = hits.some(({ who }) => who !== "memory");
  return [
    ...table(rows),
    ...more ? [t("there are more: these are the newest, at most 3 of a session")] : [],
    ...inSession
      ? [
        t(
          where === "shell"
            ? "narnat sessions show ID prints a session"
            : "/enter ID opens a session",
        ),
      ]
      : [],
  ].join("\n");
}

const row = ({ session, time, who, snippet }: SearchHit, t: T) => [
  session,
  localTime(time),
  t(who),
  snippet,
];
