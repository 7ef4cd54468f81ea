/** Makes texts of two runs equal where nothing but the moment or the place differs. */

import { pathPattern } from "../../base/path_pattern.ts";

/** In this order: a time of day within a date is no other. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "<id>"],
  [/\b\d{8}-\d{6}-[0-9a-z]{4}(?:-\d+)?\b/g, "<session>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?/g, "<time>"],
  [
    /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} (?:\d\d:\d\d(?::\d\d)?(?: \d{4})?| ?\d{4})/g,
    "<time>",
  ],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, "<time>"],
  [/\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|sec|secs|seconds?|min|m)\b/g, "<duration>"],
  [/\b\d+(?:\.\d+)? ?(?:毫秒|秒|分钟)/g, "<duration>"],
  [/\bpid[ =:]+\d+/gi, "pid <id>"],
  // ids of commits hold their time
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g, "<hash>"],
  [/\/(?:tmp|var\/folders)\/[^\s"'`:)\]}>,]+/g, "<temporary>"],
];

/** Replaces each first path by its second; unless it is to be `paths only`, times, ids and temporary paths too. */
export function equalizer(
  paths: readonly (readonly [from: string, to: string])[],
  only?: "paths only",
): (text: string) => string {
  const places = paths.filter(([from, to]) => from.length > 1 && from !== to)
    .map(([from, to]) => [pathPattern(from), to] as const);
  const rules = only ? places : [...places, ...RULES];
  return (text) => rules.reduce((rest, [find, by]) => rest.replace(find, () => by), text);
}
