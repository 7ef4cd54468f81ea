/** How the demo model runs a project's tests and mends a failing one. */
import { posix } from "node:path";
import type { Lang, ToolMessage } from "../../types.ts";
import { say } from "../../text.ts";
import { failedIn, type Failure, failureIn } from "./failure.ts";
import { exitIn, linesIn, outputIn, pathsIn } from "./results.ts";
import { type FailedCall, type Mend, mendsFor, type SourceLine } from "./rules.ts";
import { done, failed, type Script, type Step, use } from "./script.ts";
import { TEST_FILES } from "./wishes.ts";

/** More proposals than this are guesses. */
const MOST_TRIES = 4;

const CONFIGS = ["deno.json", "deno.jsonc", "package.json", "Cargo.toml", "go.mod"];

/** Work that yields steps and returns something other than an outcome. */
type Part<T> = Generator<Step, T, readonly ToolMessage[]>;

/** Runs the tests and tells how they went. */
export function* runTests(lang: Lang): Script {
  const suite = yield* findSuite(lang);
  if (!suite) return { ok: false, text: say(lang, "demo.no_tests") };
  const { command } = suite;
  const run = yield* runOnce(lang, command);
  if (exitIn(run.text) === undefined) return failed(lang, run);
  return exitIn(run.text) === 0
    ? done(lang, "demo.tests_pass", { command })
    : { ok: false, text: say(lang, "demo.tests_fail", { command, output: tail(run, 14) }) };
}

/** Runs the tests; where one fails, proposes changes by rule and keeps what the tests approve. */
export function* mendTests(lang: Lang): Script {
  const suite = yield* findSuite(lang);
  if (!suite) return { ok: false, text: say(lang, "demo.no_tests") };
  const { command } = suite;
  let run = yield* runOnce(lang, command);
  if (exitIn(run.text) === undefined) return failed(lang, run);
  if (exitIn(run.text) === 0) return done(lang, "demo.mend_nothing", { command });

  const kept: string[] = [];
  let tries = 0;
  while (tries < MOST_TRIES) {
    const found = yield* findSuspect(lang, outputIn(run.text), suite.files);
    if (!found) break;
    let better = false;
    for (const mend of found.mends) {
      if (tries++ >= MOST_TRIES) break;
      const why = say(lang, mend.why.key, { ...mend.why.values, place: found.at(mend) });
      const edit = yield* use(why, "Edit", found.edit(mend));
      if (!edit.ok) return failed(lang, edit);
      const next = yield* runOnce(lang, command);
      if (exitIn(next.text) === undefined) return failed(lang, next);
      if (exitIn(next.text) === 0) {
        kept.push(why);
        return done(lang, "demo.mended", {
          command,
          changes: kept.map((k) => `- ${k}`).join("\n"),
        });
      }
      better = count(next) < count(run);
      run = better ? next : run;
      if (better) {
        kept.push(why);
        break;
      }
      const undo = yield* use(say(lang, "demo.mend_undo"), "Edit", found.undo(mend));
      if (!undo.ok) return failed(lang, undo);
    }
    if (!better) break;
  }
  return {
    ok: false,
    text: say(lang, "demo.mend_cannot", {
      output: tail(run, 14),
      setup: say(lang, "demo.setup"),
    }),
  };
}

function count(run: ToolMessage): number {
  return failedIn(outputIn(run.text)) ?? 1;
}

function tail(run: ToolMessage, lines: number): string {
  return outputIn(run.text).split("\n").filter((line) => line.trim() !== "").slice(-lines).join(
    "\n",
  );
}

function runOnce(lang: Lang, command: string): Part<ToolMessage> {
  return use(say(lang, "demo.running", { command }), "Bash", { command });
}

/** Finds the project's own test command and its test files. */
function* findSuite(lang: Lang): Part<{ command: string; files: readonly string[] } | undefined> {
  const [tests, configs] = yield {
    text: say(lang, "demo.mend_look"),
    calls: [
      { name: "Glob", input: { pattern: TEST_FILES } },
      { name: "Glob", input: { pattern: `./{${CONFIGS.join(",")}}` } },
    ],
  };
  const files = pathsIn(tests?.text ?? "");
  const have = pathsIn(configs?.text ?? "");
  const config = CONFIGS.find((name) => have.includes(name));
  if (config === "Cargo.toml") return { command: "cargo test", files };
  if (config === "go.mod") return { command: "go test ./...", files };
  if (config !== undefined) {
    const read = yield* use(say(lang, "demo.mend_config", { file: config }), "Read", {
      file_path: config,
    });
    const tasks = /"(?:tasks|scripts)"\s*:\s*\{(.*)/s.exec(textOf(read));
    if (/"test"\s*:/.test(tasks?.[1] ?? "")) {
      return { command: config === "package.json" ? "npm test" : "deno task test", files };
    }
  }
  if (files.some((file) => file.endsWith(".py"))) return { command: "python3 -m pytest -q", files };
  if (files.some((file) => /\.[mc]?[jt]sx?$/.test(file)) && config !== "package.json") {
    return { command: "deno test -A", files };
  }
  return undefined;
}

interface Suspect {
  readonly mends: readonly Mend[];
  at(mend: Mend): string;
  edit(mend: Mend): { [name: string]: string };
  undo(mend: Mend): { [name: string]: string };
}

/** From a failing assertion to the function it calls and what might be wrong with it. */
function* findSuspect(
  lang: Lang,
  output: string,
  files: readonly string[],
): Part<Suspect | undefined> {
  const failure = failureIn(output);
  if (!failure) return undefined;
  const { actual, expected, line } = failure;
  const path = files.find((file) => `/${failure.path}`.endsWith(`/${file}`)) ?? failure.path;
  const test = yield* use(
    say(lang, "demo.mend_test", { place: `${path}:${line}`, actual, expected }),
    "Read",
    { file_path: path },
  );
  const called = calledIn(textOf(test), failure);
  if (!called) return undefined;
  const file = posix.join(posix.dirname(path), called.module);
  const source = yield* use(say(lang, "demo.mend_source", { name: called.name }), "Read", {
    file_path: file,
  });
  const lines = linesIn(source.text);
  const body = bodyOf(lines, called.name);
  const change = (from: string, to: string, mend: Mend) => ({
    file_path: file,
    ...unique(lines, mend.line, from, to),
  });
  return {
    mends: mendsFor(body, called, lines),
    at: (mend) => `${file}:${mend.line.number}`,
    edit: (mend) => change(mend.line.text, mend.after, mend),
    undo: (mend) => change(mend.after, mend.line.text, mend),
  };
}

function textOf(read: ToolMessage): string {
  return linesIn(read.text).map(({ text }) => text).join("\n");
}

/** The imported function that the failing assertion calls. */
function calledIn(
  test: string,
  failure: Failure,
): FailedCall & { name: string; module: string } | undefined {
  const assertion = test.split("\n").slice(failure.line - 1, failure.line + 3).join("\n");
  for (
    const [, names, module] of test.matchAll(/import\s*\{([^}]*)\}\s*from\s*["'](\.[^"']*)["']/g)
  ) {
    for (
      const name of (names ?? "").split(",").map((part) => part.trim().split(/\s+as\s+/).at(-1)!)
    ) {
      const call = name === "" ? undefined : new RegExp(`\\b${name}\\(([^()]*)\\)`).exec(assertion);
      if (call) {
        const args = (call[1] ?? "").split(",").map((arg) => arg.trim()).filter(Boolean);
        const { actual, expected } = failure;
        return { name, module: module ?? "", args, actual, expected };
      }
    }
  }
  return undefined;
}

/** The lines of the named function, by its braces. */
function bodyOf(lines: readonly SourceLine[], name: string): SourceLine[] {
  const head = new RegExp(`\\b(?:function|const|let)\\s+${name}\\b`);
  const start = lines.findIndex(({ text }) => head.test(text));
  if (start < 0) return [];
  let depth = 0;
  for (let at = start; at < lines.length; at++) {
    const text = lines[at]!.text;
    depth += (text.match(/\{/g)?.length ?? 0) - (text.match(/\}/g)?.length ?? 0);
    const ended = depth <= 0 && (text.includes("}") || text.trimEnd().endsWith(";"));
    if (ended) return lines.slice(start, at + 1);
  }
  return lines.slice(start);
}

/** Takes in lines above until the text to be replaced stands in the file once. */
function unique(lines: readonly SourceLine[], line: SourceLine, from: string, to: string) {
  const index = lines.indexOf(line);
  const all = lines.map(({ text }, at) => at === index ? from : text).join("\n");
  let above = "";
  for (let at = index; all.split(above + from).length > 2 && at > 0; at--) {
    above = `${lines[at - 1]!.text}\n${above}`;
  }
  return { old_string: above + from, new_string: above + to };
}
