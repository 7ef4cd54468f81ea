/**
 * Gives the replacement the indentation of the place, when one rule explains all of its lines, else
 * returns undefined. `firstLine` tells whether the place begins with its line.
 */
export function reindent(
  place: string,
  wanted: string,
  replacement: string,
  firstLine: boolean,
): string | undefined {
  const indents = (text: string) =>
    text.split("\n").map((line) => line.trim() === "" ? undefined : /^[ \t]*/.exec(line)![0]);
  const theirs = indents(place);
  const ours = indents(wanted);
  const pairs: [ours: string, theirs: string][] = [];
  for (let line = firstLine ? 0 : 1; line < ours.length; line++) {
    const [from, to] = [ours[line], theirs[line]];
    if (from !== undefined && to !== undefined) pairs.push([from, to]);
  }
  const rule = indentRule(pairs);
  if (!rule) return undefined;
  if (firstLine && hasIndentOf(replacement, pairs)) return replacement;
  return replacement.split("\n").map((line, index) => {
    if (line.trim() === "" || (index === 0 && !firstLine)) return line;
    const indent = /^[ \t]*/.exec(line)![0];
    return rule(indent) + line.slice(indent.length);
  }).join("\n");
}

/** Whether the new lines have the place's indentation already, which the text that was looked for has not. */
function hasIndentOf(replacement: string, pairs: readonly [string, string][]): boolean {
  const { 0: ours, 1: theirs } = pairs[0]!;
  if (ours !== "" || theirs === "") return false;
  const lines = replacement.split("\n").filter((line) => line.trim() !== "");
  return lines[0] !== undefined && /^[ \t]*/.exec(lines[0])![0] === theirs &&
    lines.every((line) => line.startsWith(theirs));
}

function indentRule(
  pairs: readonly [string, string][],
): ((indent: string) => string) | undefined {
  const first = pairs[0];
  if (!first) return undefined;
  const [ours, theirs] = first;
  const rules: ((indent: string) => string)[] = [];
  if (theirs.endsWith(ours)) {
    const more = theirs.slice(0, theirs.length - ours.length);
    rules.push((indent) => more + indent);
  }
  if (ours.endsWith(theirs)) {
    const less = ours.slice(0, ours.length - theirs.length);
    rules.push((indent) => indent.startsWith(less) ? indent.slice(less.length) : "");
  }
  for (const width of [4, 2, 8, 3]) {
    const spaces = " ".repeat(width);
    rules.push((indent) => indent.replaceAll(spaces, "\t"));
    rules.push((indent) => indent.replaceAll("\t", spaces));
    for (const other of [4, 2, 8, 3]) {
      rules.push((indent) => indent.replaceAll(spaces, "\v").replaceAll("\v", " ".repeat(other)));
    }
  }
  return rules.find((rule) => pairs.every(([from, to]) => rule(from) === to));
}
