/** What Dream's first phase answers, line by line. */

import type { T } from "../../base/t.ts";
import type { MemoryFile } from "../../session/memory_files.ts";

const FINDINGS = {
  add: "for {about}: {text}",
  skill: "the skill {about}: {text}",
  remove: "out of {about}: {text}",
} as const;

export interface Finding {
  readonly kind: "add" | "remove" | "skill";
  /** The file it is about; of a skill its name. */
  readonly about: MemoryFile | string;
  readonly text: string;
}

export interface Findings {
  readonly found: readonly Finding[];
  /** The model kept to the form, be it only to say that there is nothing. */
  readonly understood: boolean;
}

const FACT = /^\s*(?:[-*]\s+)?\[(USER|SOUL|MEMORY)(-REMOVE)?\]\s*[:：]?\s*(\S.*)$/;
const SKILL =
  /^\s*(?:[-*]\s+)?\[SKILL\]\s+([a-z0-9]+(?:-[a-z0-9]+)*)\s+\(([^)]*)\)\s*[:：]\s*(\S.*)$/;
const SKIP = /^\s*(?:[-*]\s+)?\[SKIP\]/;

/** The longest name a skill may have. */
const NAME_CHARS = 64;

/**
 * Takes the lines of the known forms and no others. A skill counts only with two entries of the
 * history, among the `cursors` there are, in which its workflow was seen.
 */
export function readFindings(answer: string, cursors: ReadonlySet<number>): Findings {
  const found: Finding[] = [];
  let understood = false;
  for (const line of answer.split("\n")) {
    const fact = FACT.exec(line);
    const skill = SKILL.exec(line);
    if (fact) {
      const kind = fact[2] ? "remove" : "add";
      found.push({ kind, about: `${fact[1]}.md`, text: fact[3]!.trim() });
    } else if (skill && skill[1]!.length <= NAME_CHARS) {
      const seen = new Set((skill[2]!.match(/\d+/g) ?? []).map(Number));
      const times = [...seen].filter((cursor) => cursors.has(cursor)).length;
      if (times >= 2) found.push({ kind: "skill", about: skill[1]!, text: skill[3]!.trim() });
    }
    understood ||= fact !== null || skill !== null || SKIP.test(line);
  }
  return { found, understood };
}

/** The findings as people read them. */
export function findingsTold(found: readonly Finding[], t: T): string {
  return found.map(({ kind, about, text }) => `- ${t(FINDINGS[kind], { about, text })}`).join("\n");
}

/** The findings as the second phase reads them. */
export function findingLines(found: readonly Finding[]): string {
  return found.map(({ kind, about, text }) =>
    kind === "skill"
      ? `[SKILL] ${about}: ${text}`
      : `[${about.slice(0, -3)}${kind === "remove" ? "-REMOVE" : ""}] ${text}`
  ).join("\n");
}
