/** Which findings left no trace in their file: the model that was to put them there may drop one. */
import type { Finding } from "./dream_findings.ts";

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
