/** Requests that count. */
import type { Lang, ToolMessage } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { countsIn, notesIn, pathsIn, totalIn } from "./results.ts";
import { done, failed, literally, type Script, type Setting, use } from "./script.ts";
import { at, bullets, shown, within } from "./shape.ts";
import { type Of, TEST_FILES } from "./wishes.ts";

const TEST_LINES =
  "^\\s*(?:Deno\\.test|test|it)(?:\\.\\w+)?\\(|^\\s*(?:async )?def test_|^func Test|^\\s*#\\[(?:\\w+::)?test\\]";
const MOST_FILES = 10;

/** Counts files. */
export function* countFiles({ lang }: Setting, { pattern, path }: Of<"count_files">): Script {
  const result = yield* use(say(lang, "demo.counting"), "Glob", { pattern, ...at(path) });
  if (!result.ok) return failed(lang, result);
  const n = totalIn(result.text, pathsIn(result.text).length);
  return done(lang, "demo.count_files", { n, pattern: shown(pattern, path) });
}

/** Counts lines. */
export function* countLines({ lang }: Setting, { path }: Of<"count_lines">): Script {
  const result = yield* grepCount(lang, { pattern: "^" }, path);
  if (!result.ok) return failed(lang, result);
  return counted(lang, "demo.count_lines", result, path);
}

/** Counts the lines that have a text. */
export function* countText({ lang }: Setting, { text, path }: Of<"count_text">): Script {
  const result = yield* grepCount(lang, literally(text), path);
  if (!result.ok) return failed(lang, result);
  return counted(lang, "demo.count_text", result, path, text);
}

/** Counts tests and test files. */
export function* countTests({ lang }: Setting): Script {
  const [files, lines] = yield {
    text: say(lang, "demo.counting"),
    calls: [
      { name: "Glob", input: { pattern: TEST_FILES } },
      { name: "Grep", input: { pattern: TEST_LINES, output_mode: "count", glob: TEST_FILES } },
    ],
  };
  if (!files?.ok) return failed(lang, files);
  if (!lines?.ok) return failed(lang, lines);
  const counts = countsIn(lines.text);
  return done(lang, "demo.count_tests", {
    n: counts.reduce((sum, { count }) => sum + count, 0),
    files: totalIn(files.text, pathsIn(files.text).length),
    list: bullets(lang, counts.map(({ path, count }) => `\`${path}\`: ${count}`), 0),
  });
}

function grepCount(lang: Lang, pattern: { pattern: string; literal?: true }, path?: string) {
  const input = { ...pattern, output_mode: "count", head_limit: 5000, ...within(path) };
  return use(say(lang, "demo.counting"), "Grep", input);
}

function counted(
  lang: Lang,
  key: "demo.count_lines" | "demo.count_text",
  result: ToolMessage,
  path: string | undefined,
  text = "",
) {
  const counts = countsIn(result.text);
  const n = counts.reduce((sum, { count }) => sum + count, 0);
  const files = counts.slice(0, MOST_FILES).map(({ path, count }) => `\`${path}\`: ${count}`);
  return done(lang, key, {
    n,
    text,
    where: path === undefined ? "" : `(${path})`,
    files: [bullets(lang, files, counts.length - files.length), notesIn(result.text)]
      .filter(Boolean).join("\n"),
  });
}
