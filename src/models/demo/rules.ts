/**
 * The mends the demo model knows. Each looks at a function and at the call that failed, and
 * proposes a change of one line; the tests then decide.
 */
import type { TextKey } from "../../base/text.ts";

/** A failing call, with its arguments and values as written. */
export interface FailedCall {
  readonly args: readonly string[];
  readonly actual: string;
  readonly expected: string;
}

export interface SourceLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

export interface Mend {
  readonly line: SourceLine;
  readonly after: string;
  readonly why: { readonly key: TextKey; readonly values: { readonly [name: string]: string } };
}

type Rule = (body: readonly SourceLine[], call: FailedCall, whole: readonly SourceLine[]) => Mend[];

/** Proposes mends, the best founded first, without repeats. */
export function mendsFor(
  body: readonly SourceLine[],
  call: FailedCall,
  whole: readonly SourceLine[],
): Mend[] {
  const seen = new Set<string>();
  return [boundary, operator, constant, loopEdge, twin]
    .flatMap((rule: Rule) => rule(body, call, whole))
    .filter(({ line, after }) => {
      const key = `${line.number} ${after}`;
      return line.text !== after && !seen.has(key) && seen.add(key);
    });
}

/** The test stands exactly on the value that a comparison treats as outside. */
function boundary(
  body: readonly SourceLine[],
  call: FailedCall,
  whole: readonly SourceLine[],
): Mend[] {
  const named = new Map<string, number>();
  for (const { text } of whole) {
    const found =
      /\b(?:const|let|var|static)?\s*([A-Za-z_]\w*)(?:\s*:\s*\w+)?\s*=\s*(-?[\d_.]+)\s*;?\s*$/
        .exec(text);
    if (found) named.set(found[1]!, Number(found[2]!.replaceAll("_", "")));
  }
  const valueOf = (word: string) => named.get(word) ?? Number(word.replaceAll("_", ""));
  return everyMatch(body, /([\w.]+)\s*([<>]=?)(?!=)\s*([\w.]+)/g, (line, match) => {
    const edge = [match[1]!, match[3]!].find((word) =>
      call.args.some((arg) => arg.trim() !== "" && Number(arg) === valueOf(word))
    );
    if (edge === undefined) return undefined;
    const to = match[2]!.endsWith("=") ? match[2]![0]! : `${match[2]}=`;
    return mend(line, match, match[0].replace(match[2]!, to), "demo.rule_boundary", {
      value: String(valueOf(edge)),
      from: match[2]!,
      to,
    });
  });
}

/** Of two numbers, another operator gives what the test expects. */
function operator(body: readonly SourceLine[], call: FailedCall): Mend[] {
  const [a, b] = call.args.map(Number);
  const [actual, expected] = [Number(call.actual), Number(call.expected)];
  if (call.args.length !== 2 || a === undefined || b === undefined) return [];
  const results: { readonly [sign: string]: number } = {
    "+": a + b,
    "-": a - b,
    "*": a * b,
    "/": a / b,
    "%": a % b,
    "**": a ** b,
  };
  const wanted = Object.keys(results).find((sign) => results[sign] === expected);
  if (wanted === undefined) return [];
  return everyMatch(
    body,
    /(?<=[\w.)\]]\s*)(?<![*/])(\*\*|[-+*/%])(?=\s*[\w.(])/g,
    (line, match) => {
      if (results[match[0]] !== actual) return undefined;
      return mend(line, match, wanted, "demo.rule_operator", { from: match[0], to: wanted });
    },
  );
}

/** A constant is the very value that came out, or scales the result by the wrong factor. */
function constant(body: readonly SourceLine[], call: FailedCall): Mend[] {
  const [actual, expected] = [Number(call.actual), Number(call.expected)];
  const numbers = everyMatch(body, /(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g, (line, match) => {
    const value = Number(match[0]);
    const factor = /\*\s*$/.test(line.text.slice(0, match.index));
    const scaled = factor ? Number((value * expected / actual).toPrecision(12)) : NaN;
    const to = value === actual ? expected : scaled;
    if (!Number.isFinite(to) || String(to).length > 6) return undefined;
    return mend(line, match, String(to), "demo.rule_constant", { from: match[0], to: String(to) });
  });
  const texts = everyMatch(body, /"[^"]*"|'[^']*'/g, (line, match) => {
    const bare = (text: string) => text.replaceAll(/^["']|["']$/g, "");
    if (bare(match[0]) === "" || bare(match[0]) !== bare(call.actual)) return undefined;
    const quote = match[0][0]!;
    const to = `${quote}${bare(call.expected)}${quote}`;
    return mend(line, match, to, "demo.rule_constant", { from: match[0], to });
  });
  return [...texts, ...numbers];
}

/** A loop or a slice starts or ends one too early or too late. */
function loopEdge(body: readonly SourceLine[]): Mend[] {
  const edges: readonly [RegExp, string][] = [
    [/(?<=\blet \w+ = )1(?=;)/g, "0"],
    [/\.length - 1(?=\s*[;)])/g, ".length"],
    [/<= (?=[\w.]+\.length\b)/g, "< "],
    [/(?<=\w )< (?=[\w.]+)/g, "<= "],
    [/(?<=\.slice\()1(?=[,)])/g, "0"],
    [/(?<=\brange\()1, (?=\S)/g, ""],
    [/(?<=\brange\(.*) - 1(?=\))/g, ""],
    [/(?<=\brange\([\w., ()]*)(?=\)+:\s*$)/g, " + 1"],
  ];
  return edges.flatMap(([pattern, to]) =>
    everyMatch(
      body,
      pattern,
      (line, match) =>
        mend(line, match, to, "demo.rule_edge", { from: match[0].trim(), to: to.trim() }),
    )
  );
}

const PYTHON_TWINS: readonly [RegExp, string][] = [
  [/\band\b/g, "or"],
  [/\bor\b/g, "and"],
  [/==/g, "!="],
  [/!=/g, "=="],
  [/\bmin(?=\()/g, "max"],
  [/\bmax(?=\()/g, "min"],
  [/\bTrue\b/g, "False"],
  [/\bFalse\b/g, "True"],
];

/** Words that are easily taken for each other. */
function twin(body: readonly SourceLine[]): Mend[] {
  const python = /^\s*(?:async\s+)?def\b/.test(body[0]?.text ?? "");
  const twins: readonly [RegExp, string][] = [
    ...(python ? PYTHON_TWINS : []),
    [/&&/g, "||"],
    [/\|\|/g, "&&"],
    [/===/g, "!=="],
    [/!==/g, "==="],
    [/\bMath\.min\b/g, "Math.max"],
    [/\bMath\.max\b/g, "Math.min"],
    [/\bMath\.floor\b/g, "Math.round"],
    [/\bMath\.ceil\b/g, "Math.floor"],
    [/\btrue\b/g, "false"],
    [/\bfalse\b/g, "true"],
    [/(?<=[\w)\]] )\+(?= [\w(])/g, "-"],
    [/(?<=[\w)\]] )-(?= [\w(])/g, "+"],
  ];
  return twins.flatMap(([pattern, to]) =>
    everyMatch(
      body,
      pattern,
      (line, match) => mend(line, match, to, "demo.rule_twin", { from: match[0], to }),
    )
  );
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|"""|''')/;

function everyMatch(
  body: readonly SourceLine[],
  pattern: RegExp,
  propose: (line: SourceLine, match: RegExpExecArray) => Mend | undefined,
): Mend[] {
  return body.filter(({ text }) => !COMMENT.test(text)).flatMap((line) =>
    [...line.text.matchAll(pattern)].flatMap((match) => propose(line, match) ?? [])
  );
}

function mend(
  line: SourceLine,
  match: RegExpExecArray,
  to: string,
  key: TextKey,
  values: { readonly [name: string]: string },
): Mend {
  const after = line.text.slice(0, match.index) + to +
    line.text.slice(match.index + match[0].length);
  return { line, after, why: { key, values } };
}
