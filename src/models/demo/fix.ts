/** How the demo model fixes a failing test: it tries small changes, and the tests judge them. */
import { say } from "../../base/text.ts";
import type { Lang, ToolMessage } from "../../base/types.ts";
import { failed, type Part, quote, type Script, use } from "./script.ts";

/** More attempts than this are guesses. */
const MOST_TRIES = 8;

/** What is easily taken for something else, and for what. */
const SLIPS: { readonly [token: string]: readonly string[] } = {
  ...{ "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], " - 1": [""] },
  ...{ "+": ["-", "*"], "-": ["+"], "*": ["+", "/"], "/": ["*"] },
  ...{ "&&": ["||"], "||": ["&&"], and: ["or"], or: ["and"], min: ["max"], max: ["min"] },
  ...{ "===": ["!=="], "!==": ["==="], "==": ["!="], "!=": ["=="] },
  ...{ true: ["false"], false: ["true"], True: ["False"], False: ["True"] },
};

// -B: bytecode on disk counts as fresh when a file of the same size was changed within its second
const PYTHON = "python3 -B -m";

/** A function in a file; `first` is the number of its first line. */
type Suspect = { readonly file: string; readonly first: number; readonly body: readonly string[] };
const NOWHERE: Suspect = { file: "", first: 0, body: [] };

/** Runs the tests and reports the result. */
export function* runTests(lang: Lang): Script {
  const { command, run } = yield* firstRun(lang);
  if (!run) return { ok: false, text: say(lang, "demo.no_tests") };
  const key = run.ok ? "demo.tests_pass" : "demo.tests_fail";
  return { ok: run.ok, text: say(lang, key, { command, output: quote(run) }) };
}

/** Runs the tests, and tries changes to what fails until they pass. */
export function* fixTests(lang: Lang): Script {
  const { command, files, run } = yield* firstRun(lang);
  if (!run) return { ok: false, text: say(lang, "demo.no_tests") };
  if (run.ok) return { ok: true, text: say(lang, "demo.tests_pass", { command }) };
  const { file, first, body } = yield* findSuspect(lang, run.text, files);
  for (const { at, to } of changesOf(body, valuesIn(run.text)).slice(0, MOST_TRIES)) {
    const words = { place: `${file}:${first + at}`, from: body[at]!.trim(), to: to.trim() };
    const why = say(lang, "demo.fix_try", words);
    const [before, after] = [body.join("\n"), body.with(at, to).join("\n")];
    const change = { file_path: file, old_string: before, new_string: after };
    const edit = yield* use(why, "Edit", change);
    if (!edit.ok) return failed(lang, edit);
    const next = yield* runOnce(lang, command);
    if (next.ok) return { ok: true, text: say(lang, "demo.fixed", { command, why }) };
    const undo = { file_path: file, old_string: after, new_string: before };
    const undone = yield* use(say(lang, "demo.fix_undo"), "Edit", undo);
    if (!undone.ok) return failed(lang, undone);
  }
  const setup = say(lang, "demo.setup");
  return { ok: false, text: say(lang, "demo.fix_cannot", { output: quote(run), setup }) };
}

/** Finds the project's tests and runs them; without `run` there was nothing to run. */
function* firstRun(lang: Lang): Part<{ command: string; files: string[]; run?: ToolMessage }> {
  const [tests, top] = yield {
    text: say(lang, "demo.fix_look"),
    calls: [
      { name: "Glob", input: { pattern: "**/{*[._]test.*,test_*.py}" } },
      { name: "Glob", input: { pattern: "./{deno.json,package.json}" } },
    ],
  };
  const files = tests!.text.split("\n").filter((line) => /\.(?:[mc]?[jt]sx?|py)$/.test(line));
  const [file = ""] = top!.text.split("\n").filter((line) => /^\w+\.json$/.test(line));
  const node = file === "package.json" || /js$/.test(files[0] ?? "");
  let command = node ? "node --test" : "deno test -A";
  if (file !== "") {
    const { text } = yield* use(say(lang, "demo.reading", { file }), "Read", { file_path: file });
    const own = /"test"\s*:(?!.*no test specified)/.test(text);
    if (own) command = node ? "npm test" : "deno task test";
  } else if (files[0]?.endsWith(".py")) command = `${PYTHON} pytest -q`;
  if (files.length === 0) return { command, files };
  let run = yield* runOnce(lang, command);
  if (/No module named '?pytest/.test(run.text)) {
    command = `${PYTHON} unittest`;
    run = yield* runOnce(lang, command);
  }
  const nothing = /^Ran 0 tests|^NO TESTS RAN|^no tests ran|^\S+ tests 0$/m.test(run.text);
  return { command, files, ...!nothing && { run } };
}

function runOnce(lang: Lang, command: string): Part<ToolMessage> {
  return use(say(lang, "demo.running", { command }), "Bash", { command });
}

/** Follows the first failure to the function that the failing line, or one just above it, calls. */
function* findSuspect(lang: Lang, output: string, files: readonly string[]): Part<Suspect> {
  const places = [...output.matchAll(/([^\s"'():]+\.\w+)(?::|", line )(\d+)/g)].flatMap(
    ([, path, line]) => {
      const file = files.find((file) => `/${path}`.endsWith(`/${file}`));
      return file ? [{ file, at: Number(line) - 1 }] : [];
    },
  );
  const file = places[0]?.file;
  if (file === undefined) return NOWHERE;
  const read = yield* use(say(lang, "demo.fix_test", { file }), "Read", { file_path: file });
  const test = linesIn(read);
  const near = places.filter((place) => place.file === file).map(({ at }) => at);
  const names = [...near, ...near.flatMap((at) => [at - 1, at - 2, at - 3])]
    .flatMap((at) => [...(test[at] ?? "").matchAll(/(\w+)\(/g)].map(([, name]) => name!));
  const defines = (...names: string[]) =>
    `\\b(?:function |def |const |exports\\.)(?:${names.join("|")})\\b`;
  const pattern = defines(...new Set(names));
  const found = yield* use(say(lang, "demo.fix_find"), "Grep", { pattern });
  const hits = found.text.split("\n").map((hit) => /^(.+?):(\d+):(.*)$/.exec(hit) ?? [])
    .filter(([, path = "."]) => !/^\.|^node_modules/.test(path) && !files.includes(path));
  const [, path, line] =
    names.flatMap((name) => hits.filter(([hit]) => new RegExp(defines(name)).test(hit!)))[0] ?? [];
  if (path === undefined) return NOWHERE;
  const first = Number(line);
  const source = yield* use(say(lang, "demo.reading", { file: path }), "Read", { file_path: path });
  const lines = linesIn(source).slice(first - 1);
  const depthOf = (line: string) => line.search(/\S|$/);
  const end = lines.findIndex((line, at) =>
    at > 0 && line.trim() !== "" && depthOf(line) <= depthOf(lines[0]!) && !/^\s*\)/.test(line)
  );
  return { file: path, first, body: lines.slice(0, end < 0 ? undefined : end) };
}

/** The lines of a file that was read. */
function linesIn({ text }: ToolMessage): readonly string[] {
  return text.split("\n").flatMap((line) => /^\s*\d+ \| ?(.*)$/.exec(line)?.[1] ?? []);
}

/** The numbers or texts that the first failing assertion got and expected. */
function valuesIn(output: string): readonly string[] {
  const shapes = "(?:^|\\s)V (?:!==|!=|==) V$|^\\s*\\+ +V\\n\\s*- +V$|^\\s*- +V\\n\\s*\\+ +V$";
  const value = `(-?\\d[\\d.]*|'[^']*'|"[^"]*")`;
  const found = new RegExp(shapes.replaceAll("V", value), "m").exec(output);
  return (found ?? []).slice(1).filter((text) => text !== undefined);
}

/** Changes of one line each: first of the very value that came out, then of what is easily mistaken. */
function changesOf(body: readonly string[], values: readonly string[]) {
  const tokens = /"[^"]*"|'[^']*'| - 1(?=\s*[;)\]])|[-+*/<>=!&|]+|\d+\.\d+|\w+/g;
  const bare = (text: string) => text.replaceAll(/^["']|["']$/g, "");
  const [actual, expected] = values.map(bare);
  const changes = body.flatMap((line, at) => {
    // the head of a function of several lines computes nothing
    if ((at === 0 && body.length > 1) || /^\s*(?:\/\/|\/?\*|#|"""|''')/.test(line)) return [];
    return [...line.matchAll(tokens)].flatMap(({ 0: token, index }) => {
      const wrong = bare(token) === actual;
      const others = wrong ? [token.replace(actual, () => expected!)] : SLIPS[token] ?? [];
      return others.map((other) => ({
        at,
        wrong,
        to: line.slice(0, index) + other + line.slice(index + token.length),
      }));
    });
  });
  return changes.toSorted((a, b) => Number(b.wrong) - Number(a.wrong));
}
