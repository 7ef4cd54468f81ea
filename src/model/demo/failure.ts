/** Reads the output of a test run: where a test failed, what it wanted and what it got. */

export interface Failure {
  /** As in the output; absolute or relative. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly actual: string;
  readonly expected: string;
}

/** The first failure whose place and values the output of Deno, Node, Jest or pytest tells. */
export function failureIn(output: string): Failure | undefined {
  const values = valuesIn(output);
  const place = placeIn(output);
  return values && place ? { ...place, ...values } : undefined;
}

/** How many tests failed; undefined when the output does not say. */
export function failedIn(output: string): number | undefined {
  const said = /(\d+) (?:tests? )?failed\b|^\D*\bfail (\d+)$/m.exec(output);
  return said ? Number(said[1] ?? said[2]) : undefined;
}

function valuesIn(output: string): { actual: string; expected: string } | undefined {
  const both = /^\s*(?:E\s+assert\s+)?(\S[^\n]*?) (?:!==|!=|==) (\S[^\n]*)$/m.exec(output);
  const jest = /Expected:\s*(.+)\n\s*Received:\s*(.+)/.exec(output);
  const plus = /^\s*\+ {2,}?(.+)$/m.exec(output)?.[1]?.trim();
  const minus = /^\s*- {2,}?(.+)$/m.exec(output)?.[1]?.trim();
  if (jest) return { actual: jest[2]!.trim(), expected: jest[1]!.trim() };
  if (plus !== undefined && minus !== undefined) {
    return /\+ actual - expected/.test(output)
      ? { actual: plus, expected: minus }
      : { actual: minus, expected: plus };
  }
  if (both) return { actual: both[1]!.trim(), expected: both[2]!.trim() };
  return undefined;
}

function placeIn(output: string): { path: string; line: number } | undefined {
  const places = [
    /^\s*at (?:.*\()?(?:file:\/\/)?([^\s():]+):(\d+):\d+\)?/m,
    /^([^\s:]+\.py):(\d+): \w*Error/m,
    /=> ([^\s:]+):(\d+):\d+/,
  ];
  for (const place of places) {
    const found = place.exec(output);
    if (found) return { path: decodeURI(found[1]!.replace(/^\.\//, "")), line: Number(found[2]) };
  }
  return undefined;
}
