/** Base64 as programs break it into lines: a value may stand over a break. */
import type { Stretch } from "./shape.ts";

/** A full line. */
const FULL = 76;
const ALL = /^[\w+/]+$/;

/** The hits of a text, and those that show only once such lines are one. */
export function overBreaks<Hit extends Stretch>(
  text: string,
  find: (text: string) => readonly Hit[],
): readonly Hit[] {
  const hits = find(text);
  let [joined, at, gone] = ["", 0, 0];
  /** Where the breaks were in the joined text, and how much of the text is gone up to there. */
  const joints: { readonly at: number; readonly gone: number }[] = [];
  for (let start = 0, end; (end = text.indexOf("\n", start)) >= 0; start = end + 1) {
    const stop = start + FULL;
    if (end !== (text[stop] === "\r" ? stop + 1 : stop) || !ALL.test(text.slice(start, stop))) {
      continue;
    }
    joined += text.slice(at, stop);
    at = end + 1;
    gone += at - stop;
    joints.push({ at: joined.length, gone });
  }
  if (joints.length === 0) return hits;
  const over: Hit[] = [];
  let next = 0;
  for (const hit of find(joined + text.slice(at))) {
    const start = hit.start + goneBefore(hit.start + 1);
    const end = hit.end + goneBefore(hit.end);
    if (end - start > hit.end - hit.start) over.push({ ...hit, start, end });
  }
  let behind = 0;
  const apart = hits.filter((hit) => {
    while (behind < over.length && over[behind]!.end <= hit.start) behind++;
    return behind === over.length || over[behind]!.start >= hit.end;
  });
  return [...apart, ...over].sort((a, b) => a.start - b.start);

  /** Asked for places further and further on. */
  function goneBefore(place: number): number {
    while (next < joints.length && joints[next]!.at < place) next++;
    return joints[next - 1]?.gone ?? 0;
  }
}
