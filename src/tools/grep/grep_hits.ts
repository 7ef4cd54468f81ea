/** Where in the lines that Grep found the matches stand. */
import { regexSource, type Unicode } from "../../search/regex/mod.ts";
import { TimeLimit } from "../../search/time_limit.ts";
import type { GrepLine, GrepQuery } from "../../search/types.ts";
import type { Hit } from "../../base/types.ts";

export const HITS_AT_MOST = 200;
const MATCH_CHARS = 200;
/** What V8 compiles in no time. */
const SOURCE_CHARS = 50_000;
/** Where V8 has done the search itself, it may take as long once more. */
const TIME_MS = 50;

/** Lists the matches of the lines, up to 200 and as far as they are quickly found; of a cut line those that are shown. */
export function hitsIn(
  found: readonly GrepLine[],
  query: GrepQuery,
  name: (path: string) => string,
  unicode: Unicode,
): Hit[] {
  const hits: Hit[] = [];
  if (found.length === 0) return hits;
  const { source, regular } = regexSource(query, unicode);
  if (source.length > SOURCE_CHARS) return hits;
  const list = () => {
    const regex = new RegExp(source, "gu");
    for (const lines of stretches(found.filter(({ match }) => match), query.multiline)) {
      for (const hit of hitsOf(lines, regex)) {
        if (hits.length >= HITS_AT_MOST) return;
        hits.push({ ...hit, path: name(hit.path) });
      }
    }
  };
  try {
    // lines that are shown are short: only what may take exponential time needs a limit
    if (regular) list();
    else new TimeLimit().run(TIME_MS, list);
  } catch { /* V8 finds the expression too large */ }
  return hits;
}

/** Lines that a match may span. */
function stretches(lines: readonly GrepLine[], multiline: boolean): GrepLine[][] {
  const all: GrepLine[][] = [];
  for (const line of lines) {
    const before = all.at(-1)?.at(-1);
    const follows = before?.path === line.path && before.line + 1 === line.line;
    if (multiline && follows) all.at(-1)!.push(line);
    else all.push([line]);
  }
  return all;
}

function* hitsOf(lines: readonly GrepLine[], regex: RegExp): Generator<Hit> {
  const texts = lines.map(shownText);
  const matches = [...texts.join("\n").matchAll(regex)];
  const some = matches.some(([match]) => match !== "");
  for (const { 0: match, index } of matches) {
    // between the matches of `a*` there are empty ones
    if (some && match === "") continue;
    let at = 0;
    let start = 0;
    while (start + texts[at]!.length < index) start += texts[at++]!.length + 1;
    const { path, line, skipped } = lines[at]!;
    if (skipped === undefined) continue;
    const col = skipped + index - start + 1;
    yield { path, line, col, match: match.slice(0, MATCH_CHARS).toWellFormed() };
    if (!some) return;
  }
}

/** Without the marks of what was cut off. */
function shownText({ text, skipped }: GrepLine): string {
  const rest = skipped === 0 ? text : text.slice(1);
  return text.length > MATCH_CHARS ? rest.replace(/…$/, "") : rest;
}
