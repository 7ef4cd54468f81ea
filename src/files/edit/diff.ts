/** Bound on the edit distance looked for; beyond it the differing middle counts as replaced whole. */
const CHANGES_AT_MOST = 1000;
const CONTEXT = 3;
const TEXT_AT_MOST = 64 * 1024;
const BLOCK_CHARS = 4096;
/** Lines of one side beyond which the differing middle counts as replaced whole. */
const LINES_COMPARED = 200_000;
/** Of so many changed lines no more are ever written out. */
const LINES_KEPT = TEXT_AT_MOST / 2;

/** A line kept, removed or added, with its end. */
interface Step {
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

/** A stretch of lines around changes that lie close together. */
export interface Hunk {
  /** The numbers of its first line before and after. */
  readonly oldLine: number;
  readonly newLine: number;
  /** Of a side with more than 32,768 changed lines, the first of them. */
  readonly steps: readonly Step[];
  /** How many lines are the same, removed and added. */
  readonly same: number;
  readonly removed: number;
  readonly added: number;
}

/**
 * Compares line by line. `diff` has unified hunks (context 3, no file headers), cut at 64 KB;
 * `added` and `removed` count all lines. Equal texts give an empty diff.
 */
export function unifiedDiff(
  before: string,
  after: string,
): { diff: string; added: number; removed: number } {
  return renderHunks(hunksOf(before, after));
}

/** The differences of two texts whose first lines have the given numbers. */
export function hunksOf(before: string, after: string, oldFirst = 1, newFirst = 1): Hunk[] {
  const { head, tail } = common(before, after);
  const old = before.slice(head, before.length - tail);
  const now = after.slice(head, after.length - tail);
  const hunks: Hunk[] = [];
  const skipped = countLineEnds(before, head);
  let oldLine = oldFirst + skipped;
  let newLine = newFirst + skipped;
  const most = old === "" || now === "" ? LINES_KEPT : LINES_COMPARED;
  if (linesOn(old, 0, most) < old.length || linesOn(now, 0, most) < now.length) {
    return [{ oldLine, newLine, ...replacedUnseen(old, now) }];
  }
  const steps = compare(toLines(old), toLines(now));
  for (let at = 0; at < steps.length;) {
    const first = nextChange(steps, at);
    const start = Math.max(at, first - CONTEXT);
    oldLine += start - at;
    newLine += start - at;
    if (first === steps.length) break;
    let last = first;
    for (
      let next = nextChange(steps, first + 1);
      next < steps.length && next - last <= 2 * CONTEXT + 1;
      next = nextChange(steps, next + 1)
    ) last = next;
    const hunk = steps.slice(start, last + CONTEXT + 1);
    const [same, removed, added] = [count(hunk, " "), count(hunk, "-"), count(hunk, "+")];
    hunks.push({ oldLine, newLine, steps: hunk, same, removed, added });
    oldLine += same + removed;
    newLine += same + added;
    at = start + hunk.length;
  }
  return hunks;
}

/** Writes hunks as a unified diff, cut at 64 KB, and counts the changed lines. */
export function renderHunks(
  hunks: readonly Hunk[],
): { diff: string; added: number; removed: number } {
  const out: string[] = [];
  let size = 0;
  const put = (line: string) => {
    size += line.length + 1;
    if (size <= TEXT_AT_MOST) out.push(line);
  };
  let added = 0;
  let removed = 0;
  for (const hunk of hunks) {
    added += hunk.added;
    removed += hunk.removed;
    if (size > TEXT_AT_MOST) continue;
    const { oldLine, newLine, same } = hunk;
    put(`@@ -${range(oldLine, same + hunk.removed)} +${range(newLine, same + hunk.added)} @@`);
    for (const { kind, line } of hunk.steps) {
      put(kind + (line.endsWith("\n") ? line.slice(0, -1) : line));
      if (!line.endsWith("\n")) put("\\ No newline at end of file");
    }
  }
  if (size > TEXT_AT_MOST) out.push("…");
  return { diff: out.join("\n"), added, removed };
}

function count(steps: readonly Step[], kind: Step["kind"]): number {
  return steps.reduce((sum, step) => step.kind === kind ? sum + 1 : sum, 0);
}

/** All of the old lines and all of the new ones, but for the context that both begin and end with. */
function replacedUnseen(before: string, after: string): Omit<Hunk, "oldLine" | "newLine"> {
  const ends = (text: string) => ({
    count: countLines(text),
    head: toLines(text.slice(0, linesOn(text, 0, CONTEXT))),
    tail: toLines(text.slice(linesBack(text, text.length, CONTEXT))),
  });
  const [old, now] = [ends(before), ends(after)];
  const most = Math.min(old.count, now.count);
  let first = 0;
  while (first < Math.min(most, CONTEXT) && old.head[first] === now.head[first]) first++;
  let last = 0;
  const fits = Math.min(most - first, CONTEXT);
  while (last < fits && old.tail.at(-1 - last) === now.tail.at(-1 - last)) last++;
  const same = first + last;
  const keep = (line: string): Step => ({ kind: " ", line });
  const changed = (text: string, count: number) => {
    const from = linesOn(text, 0, first);
    const to = linesOn(text, from, Math.min(count - same, LINES_KEPT));
    return toLines(text.slice(from, to));
  };
  const steps = [
    ...old.head.slice(0, first).map(keep),
    ...replacedWhole(changed(before, old.count), changed(after, now.count)),
    ...old.tail.slice(old.tail.length - last).map(keep),
  ];
  return { steps, same, removed: old.count - same, added: now.count - same };
}

function range(line: number, count: number): string {
  return count === 1 ? `${line}` : `${count === 0 ? line - 1 : line},${count}`;
}

function nextChange(steps: readonly Step[], from: number): number {
  let at = from;
  while (at < steps.length && steps[at]!.kind === " ") at++;
  return at;
}

/** How many characters at both ends the comparison may leave out: whole equal lines, less the context. */
function common(before: string, after: string): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before.startsWith(after.slice(same, same + BLOCK_CHARS), same)) {
    same += BLOCK_CHARS;
  }
  same = Math.min(same, most);
  while (same < most && before[same] === after[same]) same++;
  const head = linesBack(before, same, CONTEXT);
  let tail = 0;
  const rest = most - head;
  while (tail + BLOCK_CHARS <= rest) {
    const end = after.length - tail;
    if (!before.endsWith(after.slice(end - BLOCK_CHARS, end), before.length - tail)) break;
    tail += BLOCK_CHARS;
  }
  while (tail < rest && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { head, tail: before.length - linesOn(before, before.length - tail, CONTEXT + 1) };
}

/** The start of the line that is `count` lines before the one around `at`. */
export function linesBack(text: string, at: number, count: number): number {
  let start = at;
  for (let line = 0; line <= count; line++) {
    if (line > 0) start--;
    if (start <= 0) return 0;
    start = text.lastIndexOf("\n", start - 1) + 1;
  }
  return start;
}

/** The place after `count` further line ends. */
export function linesOn(text: string, at: number, count: number): number {
  let end = at;
  for (let line = 0; line < count; line++) {
    const found = text.indexOf("\n", end);
    if (found < 0) return text.length;
    end = found + 1;
  }
  return end;
}

/** For each item of `after`, which item of `before` it is; undefined for one that was added. */
export function alignment(
  before: readonly string[],
  after: readonly string[],
): (number | undefined)[] {
  let at = 0;
  return compare(before, after).flatMap(({ kind }) => {
    if (kind === "+") return [undefined];
    at++;
    return kind === " " ? [at - 1] : [];
  });
}

/** How many lines a text has; a final line end opens no further one. */
export function countLines(text: string): number {
  return countLineEnds(text) + (text === "" || text.endsWith("\n") ? 0 : 1);
}

function countLineEnds(text: string, until = text.length): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < until; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The lines with their ends. */
function toLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop()!;
  const ended = lines.map((line) => line + "\n");
  return last === "" ? ended : [...ended, last];
}

function compare(before: readonly string[], after: readonly string[]): Step[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const keep = (line: string): Step => ({ kind: " ", line });
  return [
    ...before.slice(0, head).map(keep),
    ...myers(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(keep),
  ];
}

/** The shortest edit script (Myers 1986), with the state before each round kept to walk the path back. */
function myers(before: readonly string[], after: readonly string[]): Step[] {
  if (before.length === 0 || after.length === 0) return replacedWhole(before, after);
  const bound = Math.min(before.length + after.length, CHANGES_AT_MOST);
  const zero = bound + 1;
  /** Per diagonal (x - y), the furthest x reached. */
  const furthest = new Int32Array(2 * bound + 3);
  const rounds: Int32Array[] = [];
  for (let d = 0; d <= bound; d++) {
    rounds.push(furthest.slice(zero - d - 1, zero + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest[zero + k - 1]! < furthest[zero + k + 1]!);
      let x = down ? furthest[zero + k + 1]! : furthest[zero + k - 1]! + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      furthest[zero + k] = x;
      if (x >= before.length && x - k >= after.length) return walkBack(before, after, rounds);
    }
  }
  return replacedWhole(before, after);
}

function replacedWhole(before: readonly string[], after: readonly string[]): Step[] {
  return [
    ...before.map((line): Step => ({ kind: "-", line })),
    ...after.map((line): Step => ({ kind: "+", line })),
  ];
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  rounds: readonly Int32Array[],
): Step[] {
  const steps: Step[] = [];
  let x = before.length;
  let y = after.length;
  for (let d = rounds.length - 1; d > 0; d--) {
    const round = rounds[d]!;
    const zero = d + 1;
    const k = x - y;
    const down = k === -d || (k !== d && round[zero + k - 1]! < round[zero + k + 1]!);
    const fromX = round[zero + (down ? k + 1 : k - 1)]!;
    const fromY = fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      steps.push({ kind: " ", line: before[--x]! });
      y--;
    }
    if (down) steps.push({ kind: "+", line: after[--y]! });
    else steps.push({ kind: "-", line: before[--x]! });
  }
  while (x > 0) steps.push({ kind: " ", line: before[--x]! });
  return steps.reverse();
}
