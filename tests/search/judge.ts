import fc from "fast-check";
import { join } from "node:path";
import { createFileSearch } from "../../src/search/file_search.ts";
import { type MergedFound, mergeParts } from "../../src/search/found.ts";
import type { GrepQuery } from "../../src/search/types.ts";

/** A query over a folder; content of everything unless told otherwise. */
export function grepQuery(
  root: string,
  patterns: string | readonly string[],
  more: Partial<GrepQuery> = {},
): GrepQuery {
  return {
    root,
    folder: true,
    patterns: typeof patterns === "string" ? [patterns] : patterns,
    literal: false,
    ignoreCase: false,
    word: false,
    multiline: false,
    mode: "content",
    globs: [],
    types: [],
    before: 0,
    after: 0,
    limit: 100_000,
    offset: 0,
    deadlineMs: 30_000,
    ...more,
  };
}

/** Searches files, dealt out to several searches in turn, and puts the parts together. */
export function search(
  query: GrepQuery,
  paths: readonly string[],
  options: { readonly pieceBytes?: number; readonly parts?: number } = {},
): MergedFound {
  const searches = Array.from(
    { length: options.parts ?? 1 },
    () => createFileSearch(query, () => false, options),
  );
  paths.forEach((path, index) => {
    searches[index % searches.length]!.file(join(query.root, path), path);
  });
  return mergeParts(query, searches.map((each) => each.result()));
}

/** What was found, as ripgrep would print it with `--null`. */
export function asRipgrep(query: GrepQuery, found: MergedFound): string[] {
  if (query.mode === "files") return found.files.map((file) => file.path);
  if (query.mode === "count") return found.files.map((file) => `${file.path}\0${file.count}`);
  return found.lines.map(({ path, line, text, match }) =>
    `${path}\0${line}${match ? ":" : "-"}${text}`
  );
}

/** Ripgrep's answer, line by line; undefined where there is no ripgrep. */
export async function ripgrep(query: GrepQuery): Promise<string[] | undefined> {
  const flags = {
    content: ["-n", `-B${query.before}`, `-A${query.after}`],
    files: ["-l"],
    count: ["-c"],
  }[query.mode];
  if (query.literal) flags.push("-F");
  if (query.ignoreCase) flags.push("-i");
  if (query.word) flags.push("-w");
  const common = ["--no-config", "--no-ignore", "--hidden", "--crlf", "--no-heading", "-H"];
  const patterns = query.patterns.flatMap((pattern) => ["-e", pattern]);
  try {
    const { code, stdout, stderr } = await new Deno.Command("rg", {
      args: [...common, "--null", "--sort=path", ...flags, ...patterns],
      cwd: query.root,
      stdin: "null",
    }).output();
    if (code > 1) throw new Error(new TextDecoder().decode(stderr));
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(stdout);
    const lines = text.split(query.mode === "files" ? "\0" : "\n").slice(0, -1);
    return lines.map((line) => line.replace(/\r$/, "")).filter((line) => line !== "--");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const word = fc.constantFrom(
  ..."foo Foo FOO bar foobar foo_bar x xx 1 42 é É naïve 中文 中 文件 😀 ſ K _ - . ( ( ) [] \t"
    .split(" "),
);
const line = fc.array(word, { maxLength: 8 }).chain((words) =>
  fc.constantFrom("", " ", " ").map((glue) => words.join(glue))
);
const ending = fc.constantFrom("\n", "\n", "\n", "\r\n");

/** Text of lines that the patterns below like; some end in "\r\n", and the last may not end. */
export const fileText: fc.Arbitrary<string> = fc.tuple(
  fc.array(fc.tuple(line, ending).map(([text, end]) => text + end), { maxLength: 40 }),
  fc.oneof(fc.constant(""), line.filter((text) => text !== "")),
).map(([lines, last]) => lines.join("") + last);

const literal = fc.constantFrom("foo", "bar", "x", "o", "中", "é", "foo_bar", "oob", "文件", "1");
const atom = fc.oneof(
  { weight: 3, arbitrary: literal },
  {
    weight: 2,
    arbitrary: fc.constantFrom("[a-f]", "[^o ]", "\\w", "\\d", "[一-龥]", "\\W", "[xX1]", "\\S"),
  },
);
const piece = fc.oneof(
  { weight: 4, arbitrary: atom },
  {
    weight: 1,
    arbitrary: fc.tuple(atom, fc.constantFrom("+", "*", "?", "{2}", "{1,3}")).map(([a, n]) =>
      a.length > 1 && !/^[\\[]/.test(a) ? `(?:${a})${n}` : a + n
    ),
  },
  { weight: 1, arbitrary: fc.tuple(literal, atom).map(([a, b]) => `(${a}|${b})`) },
  { weight: 1, arbitrary: fc.constantFrom("\\b", "^", "foo$") },
);

/** Regular expressions that mean the same to ripgrep 13. */
export const pattern: fc.Arbitrary<string> = fc.array(piece, { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(""));

/** How to ask. */
export const queryOptions: fc.Arbitrary<Partial<GrepQuery>> = fc.record({
  mode: fc.constantFrom("content", "content", "files", "count"),
  ignoreCase: fc.boolean(),
  word: fc.constantFrom(false, false, false, true),
  before: fc.constantFrom(0, 0, 1, 3),
  after: fc.constantFrom(0, 0, 1, 3),
});

/** False where ripgrep 13 sees the "\r" of "\r\n" as part of the line and so tells otherwise. */
export function comparable(query: GrepQuery): boolean {
  const risky = (pattern: string) => new RegExp(pattern, "u").test("") || pattern.includes("$");
  return !query.word || query.literal || !query.patterns.some(risky);
}
