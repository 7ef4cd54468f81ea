/** How the demo model runs a project's tests and mends a failing one. */
import { posix } from "node:path";
import type { Lang, ToolMessage } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { bodyOf, calledIn } from "./called.ts";
import { failedIn, failureIn } from "./failure.ts";
import { exitIn, linesIn, outputIn, pathsIn } from "./results.ts";
import { type Mend, mendsFor, type SourceLine } from "./rules.ts";
import { done, failed, type Script, use } from "./script.ts";
import { firstRun, type Part, runOnce, textOf } from "./suite.ts";

/** More proposals than this are guesses. */
const MOST_TRIES = 4;

/** Runs the tests and tells how they went. */
export function* runTests(lang: Lang): Script {
  const suite = yield* firstRun(lang);
  if ("ok" in suite) return suite;
  const { command, run } = suite;
  return exitIn(run.text) === 0
    ? done(lang, "demo.tests_pass", { command })
    : { ok: false, text: say(lang, "demo.tests_fail", { command, output: tail(run, 14) }) };
}

/** Runs the tests; where one fails, proposes changes by rule and keeps what the tests approve. */
export function* mendTests(lang: Lang): Script {
  const suite = yield* firstRun(lang);
  if ("ok" in suite) return suite;
  const { command } = suite;
  let { run } = suite;
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
  const file = yield* fileOf(lang, called.module, path);
  if (file === undefined) return undefined;
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

/** The file of a module that the file `from` imports. */
function* fileOf(lang: Lang, module: string, from: string): Part<string | undefined> {
  const folder = posix.dirname(from);
  const python = from.endsWith(".py");
  if (!python && posix.extname(module) !== "") return posix.join(folder, module);
  const [, dots = "", path = ""] = /^(\.*)(.*)$/.exec(python ? module : "") ?? [];
  const stem = path.replaceAll(".", "/");
  const base = python
    ? dots === "" ? `**/${stem}` : posix.join(folder, "../".repeat(dots.length - 1), stem)
    : posix.join(folder, module);
  const pattern = `${base}${python ? "{.py,/__init__.py}" : "{.js,.mjs,.cjs,.ts,/index.js}"}`;
  const look = yield* use(say(lang, "demo.mend_module", { module }), "Glob", { pattern });
  const files = look.ok ? pathsIn(look.text) : [];
  // Python looks beside the test first
  return files.find((file) => posix.dirname(file) === folder) ??
    files.toSorted((a, b) => a.length - b.length)[0];
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
