/** Requests that only look: search, list, read, and what the project is. */
import { say } from "../../base/text.ts";
import { filesIn, type Hit, hitsIn, linesIn, pathsIn, totalIn } from "./results.ts";
import { done, excerpt, failed, literally, type Script, type Setting, use } from "./script.ts";
import { at, bullets, cut, fence, shown, within } from "./shape.ts";
import type { Of } from "./wishes.ts";

const MOST_HITS = 10;
const MOST_PATHS = 30;

/** Tells what the project is, in the words of its README. */
export function* about({ lang }: Setting): Script {
  const [top, first] = yield {
    text: say(lang, "demo.about_look"),
    calls: [
      { name: "Glob", input: { pattern: "./*" } },
      { name: "Read", input: { file_path: "README.md", limit: 40 } },
    ],
  };
  const paths = pathsIn(top?.text ?? "");
  let file = "README.md";
  let readme = first;
  const other = paths.find((path) => /^readme(?:\.|$)/i.test(path)) ??
    paths.find((path) => /^(?:deno\.jsonc?|package\.json|pyproject\.toml|Cargo\.toml)$/.test(path));
  if (!readme?.ok && other !== undefined) {
    file = other;
    readme = yield* use(say(lang, "demo.reading", { file }), "Read", {
      file_path: file,
      limit: 40,
    });
  }
  const files = paths.slice(0, MOST_PATHS).join(", ");
  if (!readme?.ok) {
    return files === "" ? failed(lang, readme) : done(lang, "demo.about_unknown", { files });
  }
  const lines = linesIn(readme.text);
  const start = lines.findIndex(({ text }) => text.trim() !== "");
  const blank = lines.findIndex(({ text }, at) => at > start + 2 && text.trim() === "");
  const shown = lines.slice(Math.max(start, 0), blank < 0 ? 12 : Math.min(blank, start + 12));
  return done(lang, "demo.about", {
    place: `${file}:${shown[0]?.number ?? 1}`,
    quote: shown.map(({ text }) => `> ${text}`).join("\n"),
    files,
  });
}

/** Lists files. */
export function* list({ lang }: Setting, { pattern, path }: Of<"list">): Script {
  const result = yield* use(say(lang, "demo.listing", { pattern }), "Glob", {
    pattern,
    ...at(path),
  });
  if (!result.ok) return failed(lang, result);
  const paths = pathsIn(result.text);
  if (paths.length === 0) return done(lang, "demo.no_files", { pattern: shown(pattern, path) });
  const rest = totalIn(result.text, paths.length) - Math.min(paths.length, MOST_PATHS);
  return done(lang, "demo.files", {
    n: totalIn(result.text, paths.length),
    pattern: shown(pattern, path),
    files: bullets(lang, paths.slice(0, MOST_PATHS), rest),
  });
}

/** Reads a file and shows its beginning, or the lines asked for. */
export function* read({ lang }: Setting, { file, first, last }: Of<"read">): Script {
  const result = yield* use(say(lang, "demo.reading", { file }), "Read", {
    file_path: file,
    ...(first === undefined ? {} : { offset: first }),
    ...(first === undefined || last === undefined ? {} : { limit: Math.max(1, last - first + 1) }),
  });
  if (!result.ok) return failed(lang, result);
  const lines = linesIn(result.text);
  if (lines.length === 0) {
    return done(lang, "demo.read_plain", { file, text: fence(excerpt(result.text, 20)) });
  }
  const text = excerpt(lines.map((line) => line.text).join("\n"), first === undefined ? 12 : 40);
  return done(lang, "demo.read", {
    file,
    first: lines[0]!.number,
    last: lines.at(-1)!.number,
    text: fence(text),
  });
}

/** Searches for a text and cites where it stands. */
export function* find({ lang }: Setting, { text, quoted, path }: Of<"find">): Script {
  const regex = quoted ? undefined : /^\/(.+)\/$/.exec(text)?.[1];
  let sought = text;
  let result = yield* use(say(lang, "demo.searching", { text }), "Grep", {
    ...(regex === undefined ? literally(text) : { pattern: regex }),
    ...within(path),
  });
  if (!result.ok) return failed(lang, result);
  const word = mainWord(text);
  if (hitsIn(result.text).length === 0 && !quoted && word !== text) {
    sought = word;
    result = yield* use(say(lang, "demo.searching_word", { text, word }), "Grep", {
      ...literally(word),
      ...within(path),
    });
    if (!result.ok) return failed(lang, result);
  }
  const hits = hitsIn(result.text);
  if (hits.length === 0) return done(lang, "demo.not_found", { text });
  const total = totalIn(result.text, hits.length);
  const definition = hits.find((hit) => defines(hit, sought));
  const places = hits.slice(0, MOST_HITS).map((hit) =>
    `\`${hit.path}:${hit.line}\` ${cut(hit.text)}`
  );
  const found = say(lang, "demo.found", {
    text: sought,
    n: total,
    files: filesIn(result.text, new Set(hits.map((hit) => hit.path)).size),
    places: bullets(lang, places, total - places.length),
  });
  const defined = definition &&
    say(lang, "demo.defined", { text: sought, place: `${definition.path}:${definition.line}` });
  return { ok: true, text: defined ? `${defined}\n\n${found}` : found };
}

/** The word of a phrase that looks most like code: with an inner capital, digit, dot or underscore, else the longest. */
function mainWord(text: string): string {
  const words = text.split(/\s+/).filter((word) => word.length > 1);
  const code = words.find((word) => /[a-z][A-Z]|[_.\d]/.test(word));
  return code ?? words.toSorted((a, b) => b.length - a.length)[0] ?? text;
}

function defines({ text }: Hit, name: string): boolean {
  const word = /\b(?:function|class|interface|type|enum|const|let|var|def|func|fn|struct)\b[ *]+/g;
  return [...text.matchAll(word)].some((match) => {
    const rest = text.slice(match.index + match[0].length);
    return rest.startsWith(name) && !/^[\w$]/.test(rest.slice(name.length));
  });
}
