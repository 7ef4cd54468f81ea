/** Reads the output of a test run: where a test failed, what it wanted and what it got. */

export interface Failure {
  /** As in the output; absolute or relative. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly actual: string;
  readonly expected: string;
}

/** The first failure whose place and values the output of Deno, Node, Jest, pytest or unittest tells. */
export function failureIn(output: string): Failure | undefined {
  const values = valuesIn(output);
  const place = values && placeIn(output, values.at);
  if (!values || !place) return undefined;
  return { ...place, actual: values.actual, expected: values.expected };
}

/** How many tests failed; undefined when the output does not say. */
export function failedIn(output: string): number | undefined {
  const unittest = /^FAILED \(([a-z]+=\d+.*)\)$/m.exec(output);
  if (unittest) {
    return [...unittest[1]!.matchAll(/(?:failures|errors)=(\d+)/g)]
      .reduce((sum, [, n]) => sum + Number(n), 0);
  }
  const said = /(\d+) (?:tests? )?failed\b|^\D*\bfail (\d+)$/m.exec(output);
  return said ? Number(said[1] ?? said[2]) : undefined;
}

/** Whether a run went well for want of anything to run. */
export function ranNothing(output: string): boolean {
  return /^Ran 0 tests|^NO TESTS RAN|^no tests ran|^\S+ tests 0$/m.test(output);
}

interface Values {
  readonly actual: string;
  readonly expected: string;
  /** Where in the output they stand. */
  readonly at: number;
}

function valuesIn(output: string): Values | undefined {
  const shapes = [
    // node --test
    /^\s*expected: (?<expected>[^\s|{[].*)\n\s*actual: (?<actual>[^\s|{[].*)$/m,
    /Expected:\s*(?<expected>.+)\n\s*Received:\s*(?<actual>.+)/,
    /\+ actual - expected[^+]*?\n\s*\+ +(?<actual>.+)\n\s*- +(?<expected>.+)$/m,
    /^\s*- {2,}(?<actual>.+)\n\s*\+ {2,}(?<expected>.+)$/m,
    // pytest
    /^E\s+(?:AssertionError: )?(?:assert )?(?<actual>\S.*?) (?:==|!=|is) (?<expected>\S.*)$/m,
    /^E\s+assert (?<negated>not )?(?<actual>True|False)$/m,
    // unittest
    /^AssertionError: (?<actual>True|False) is not (?:true|false)\b/m,
    /^(?:AssertionError: )?\s*(?<actual>\S.*?) (?:!==|!=|==) (?<expected>\S.*)$/m,
  ];
  for (const shape of shapes) {
    const found = shape.exec(output);
    if (!found) continue;
    const actual = found.groups!.actual!.trim();
    const expected = found.groups!.expected?.trim() ?? (actual === "True" ? "False" : "True");
    return { actual, expected, at: found.index };
  }
  return undefined;
}

/** The place that goes with the values at `at`: unittest tells it before them, the others after them. */
function placeIn(output: string, at: number): { path: string; line: number } | undefined {
  const before = [...output.slice(0, at).matchAll(/File "([^"]+)", line (\d+), in test/gi)].at(-1);
  if (before) return { path: before[1]!, line: Number(before[2]) };
  const places = [
    /^\s*at (?:.*\()?(?:file:\/\/)?([^\s():]+):(\d+):\d+\)?/m,
    /^\s*stack: \|-\n\s*(?:.*\()?(?:file:\/\/)?([^\s():]+):(\d+):\d+\)?$/m,
    /^([^\s:]+\.py):(\d+): \w*Error/m,
    /=> ([^\s:]+):(\d+):\d+/,
  ];
  for (const text of [output.slice(at), output]) {
    for (const place of places) {
      const found = place.exec(text);
      if (found) return { path: decodeURI(found[1]!.replace(/^\.\//, "")), line: Number(found[2]) };
    }
  }
  return undefined;
}
