/** Front matter: where it stands in a file, and its values where they need no YAML reader. */

const FENCED = /^\ufeff?\s*---[ \t]*\r?\n(?:([^]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
const BEGUN = /^\ufeff?\s*---[ \t]*\r?\n/;

/** What a value may not begin with to be, in YAML, the text it looks like. */
const INDICATORS = "-?:,[]{}#&*!|>'\"%@`+.0123456789";
const WORDS: readonly string[] = ["null", "true", "false", "~"];

/** The values of a front matter of one plain value a line, just as readYaml would give them; undefined where it takes that to tell. */
export function readPlain(text: string): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const colon = trimmed.indexOf(": ");
    const key = trimmed.slice(0, colon);
    // a blank at the beginning goes on with what was before
    if (colon < 0 || line.charCodeAt(0) <= 32 || !/^[A-Za-z][\w-]*$/.test(key)) return undefined;
    const value = valueOf(trimmed.slice(colon + 1).trim());
    if (value === undefined || Object.hasOwn(values, key)) return undefined;
    values[key] = value;
  }
  return values;
}

function valueOf(given: string): unknown {
  if (given === "true" || given === "false") return given === "true";
  if (given.startsWith("'") && given.indexOf("'", 1) === given.length - 1 && given.length > 1) {
    return given.slice(1, -1);
  }
  if (given.startsWith("{") || given.startsWith('"')) {
    try {
      return JSON.parse(given);
    } catch {
      return undefined;
    }
  }
  const plain = given !== "" && !INDICATORS.includes(given[0]!) && !given.endsWith(":") &&
    !given.includes(" #") && !given.includes("\t") && !WORDS.includes(given.toLowerCase());
  return plain ? given : undefined;
}

/** The front matter of a file, empty where there is none; undefined where its end is not there. */
export function frontOf(text: string): string | undefined {
  const fenced = FENCED.exec(text);
  if (fenced) return fenced[1] ?? "";
  return BEGUN.test(text) ? undefined : "";
}

/** A file without its front matter. */
export function bodyOf(text: string): string {
  return text.replace(FENCED, "").replace(/^\ufeff/, "").trim();
}
