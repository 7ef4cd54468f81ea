/**
 * What Dream's first phase answers, line by line, and which findings left no trace in their file:
 * the model that was to put them there may drop one.
 */
import type { T } from "../../base/t.ts";
import type { MemoryFile } from "../../session/memory_files.ts";

type Words = ReadonlySet<string>;

/**
 * The findings of one file that its changes do not show. One is shown when half of the words that it
 * has for itself stand in one changed line, or any of them in one that shows no other finding; or
 * when the file says all of it. In doubt it is missed: to read it again costs less than to lose it.
 */
export function missedIn(before: string, after: string, found: readonly Finding[]): Finding[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const added = now.filter((line) => !old.includes(line)).map(wordsIn);
  const gone = old.filter((line) => !now.includes(line)).map(wordsIn);
  const said = now.map(wordsIn);
  const used = new Set<Words>();
  const isShown = ({ kind, all, own }: Wanted, least: number) => {
    if (kind === "remove") {
      return gone.some((line) => share(own, line) >= 0.5 || share(line, all) > 0.5);
    }
    const best = added.filter((line) => least > 0 || !used.has(line))
      .map((line) => ({ line, part: share(own, line) }))
      .filter(({ part }) => part > 0 && part >= least)
      .sort((a, b) => b.part - a.part)[0];
    if (best) used.add(best.line);
    return best !== undefined || said.some((line) => share(all, line) === 1);
  };
  const wanted = found.map((finding) => wantedOf(finding, found));
  const left = wanted.filter((one) => !isShown(one, 0.5));
  return left.filter((one) => !isShown(one, 0)).map(({ finding }) => finding);
}

interface Wanted {
  readonly finding: Finding;
  readonly kind: Finding["kind"];
  readonly all: Words;
  /** Those that no other finding has. */
  readonly own: Words;
}

function wantedOf(finding: Finding, found: readonly Finding[]): Wanted {
  const { kind, text } = finding;
  const all = wordsIn(text);
  const others = found.filter((one) => one !== finding && one.kind === kind)
    .map((one) => wordsIn(one.text));
  const own = [...all].filter((word) => !others.some((words) => words.has(word)));
  return { finding, kind, all, own: own.length > 0 ? new Set(own) : all };
}

const share = (words: Words, among: Words) =>
  [...words].filter((word) => among.has(word)).length / words.size;

/** Lines that say something: titles do not. */
const linesOf = (text: string) =>
  text.split("\n").map((line) => line.trim()).filter((line) => !/^(?:#.*)?$/.test(line));

const RUN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}])+/gu;

/** Words and numbers, without the shortest words; pairs of characters where no spaces divide them. */
function wordsIn(text: string): Words {
  const runs = text.toLowerCase().match(RUN) ?? [text.trim()];
  const words = runs.flatMap((run) => {
    if (/^[a-z]{1,2}$/.test(run)) return [];
    if (/^[\p{L}\p{N}]*[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(run) && run.length > 2) {
      const chars = Array.from(run);
      return chars.slice(1).map((char, at) => chars[at]! + char);
    }
    return [run];
  });
  return new Set(words.length > 0 ? words : runs);
}

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
