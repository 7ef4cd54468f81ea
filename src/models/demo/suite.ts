/** How a project's tests are run. */
import { posix } from "node:path";
import type { Lang, ToolMessage } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { ranNothing } from "./failure.ts";
import { exitIn, linesIn, outputIn, pathsIn } from "./results.ts";
import { failed, type Outcome, type Step, use } from "./script.ts";
import { TEST_FILES } from "./wishes.ts";

/** Work that yields steps and returns something other than an outcome. */
export type Part<T> = Generator<Step, T, readonly ToolMessage[]>;

/** The tests of a project, run once. */
export interface Suite {
  readonly command: string;
  /** The test files, relative to the workspace. */
  readonly files: readonly string[];
  readonly run: ToolMessage;
}

interface Found {
  readonly command: string;
  readonly files: readonly string[];
}

const CONFIGS = ["deno.json", "deno.jsonc", "package.json", "Cargo.toml", "go.mod"];

// -B: bytecode on disk counts as fresh when a file of the same size was changed within its second
const PYTEST = "python3 -B -m pytest -q";

/** Finds the tests and runs them; an outcome where that could not be done. */
export function* firstRun(lang: Lang): Part<Suite | Outcome> {
  const found = yield* findSuite(lang);
  if (!found) return { ok: false, text: say(lang, "demo.no_tests") };
  let { command } = found;
  let run = yield* runOnce(lang, command);
  if (command === PYTEST && /No module named '?pytest/.test(outputIn(run.text))) {
    command = unittestOf(found.files);
    run = yield* runOnce(lang, command, say(lang, "demo.no_pytest", { command }));
  }
  if (exitIn(run.text) === undefined) return failed(lang, run);
  if (ranNothing(outputIn(run.text))) {
    return { ok: false, text: say(lang, "demo.ran_nothing", { command }) };
  }
  return { command, files: found.files, run };
}

/** Runs the test command. */
export function runOnce(
  lang: Lang,
  command: string,
  text: string = say(lang, "demo.running", { command }),
): Part<ToolMessage> {
  return use(text, "Bash", { command });
}

/** The text of a file that was read. */
export function textOf(read: ToolMessage): string {
  return linesIn(read.text).map(({ text }) => text).join("\n");
}

/** Finds the project's own test command and its test files. */
function* findSuite(lang: Lang): Part<Found | undefined> {
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
    const test = /"test"\s*:(?!\s*"echo \\"Error: no test specified)/.test(tasks?.[1] ?? "");
    if (test) {
      return { command: config === "package.json" ? "npm test" : "deno task test", files };
    }
  }
  if (files.some((file) => file.endsWith(".py"))) return { command: PYTEST, files };
  const script = files.find((file) => /\.[mc]?js$/.test(file));
  if (config === "package.json") return script ? { command: "node --test", files } : undefined;
  if (config === undefined && script !== undefined) {
    const read = yield* use(say(lang, "demo.reading", { file: script }), "Read", {
      file_path: script,
    });
    if (/["']node:test["']/.test(textOf(read))) return { command: "node --test", files };
  }
  const any = files.some((file) => /\.[mc]?[jt]sx?$/.test(file));
  return any ? { command: "deno test -A", files } : undefined;
}

/** unittest looks into a folder without `__init__.py` only when it is told to. */
function unittestOf(files: readonly string[]): string {
  const folders = files.filter((file) => file.endsWith(".py")).map((file) => posix.dirname(file));
  const folder = folders.includes(".") ? undefined : folders[0];
  const plain = folder !== undefined && /^[\w./-]+$/.test(folder);
  return `python3 -B -m unittest discover${plain ? ` -s ${folder}` : ""}`;
}
