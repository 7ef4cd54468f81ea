/**
 * What the demo model understands, and the script it follows for each request. A script yields
 * steps (a text and tool calls), is given their results, and returns the outcome; every answer
 * replays it with the results in the messages, so the demo model keeps nothing between two
 * requests.
 */
import { type Lang, type T, type Text, translator } from "../base/t.ts";
import type { Json, ToolMessage } from "../base/types.ts";

type Input = { readonly [name: string]: Json };

export interface Step {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: Input }[];
}

/** A part of a script, with a result of its own. */
type Part<V> = Generator<Step, V, readonly ToolMessage[]>;
type Script = Part<{ readonly ok: boolean; readonly text: string }>;

const MOST_LINES = 20;

/** Makes one call and returns its result. */
function* use(text: string, name: string, input: Input): Part<ToolMessage> {
  const [result] = yield { text, calls: [{ name, input }] };
  return result!;
}

/** The outcome after a call that failed. */
function failed(t: T, result: ToolMessage) {
  return {
    ok: false,
    text: t("That did not work; {tool} says:\n{text}", { tool: result.name, text: quote(result) }),
  };
}

/** A result as a block: the end of a command's output, the beginning of any other text. */
function quote({ name, text }: ToolMessage): string {
  const lines = text.trimEnd().split("\n");
  const shown = name === "Bash" ? lines.slice(-MOST_LINES) : lines.slice(0, MOST_LINES);
  if (shown.length < lines.length) shown.splice(name === "Bash" ? 0 : MOST_LINES, 0, "…");
  return ["````", ...shown, "````"].join("\n");
}

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
function* runTests(t: T): Script {
  const { command, run } = yield* firstRun(t);
  if (!run) return { ok: false, text: t("I found no tests to run.") };
  const key = run.ok
    ? "`{command}` ended with exit code 0: the tests pass."
    : "`{command}` fails:\n{output}";
  return { ok: run.ok, text: t(key, { command, output: quote(run) }) };
}

/** Runs the tests, and tries changes to what fails until they pass. */
function* fixTests(t: T): Script {
  const { command, files, run } = yield* firstRun(t);
  if (!run) return { ok: false, text: t("I found no tests to run.") };
  if (run.ok) {
    return {
      ok: true,
      text: t("`{command}` ended with exit code 0: the tests pass.", { command }),
    };
  }
  const { file, first, body } = yield* findSuspect(t, run.text, files);
  for (const { at, to } of changesOf(body, valuesIn(run.text)).slice(0, MOST_TRIES)) {
    const words = { place: `${file}:${first + at}`, from: body[at]!.trim(), to: to.trim() };
    const why = t("{place}: `{to}` instead of `{from}`", words);
    const [before, after] = [body.join("\n"), body.with(at, to).join("\n")];
    const change = { file_path: file, old_string: before, new_string: after };
    const edit = yield* use(why, "Edit", change);
    if (!edit.ok) return failed(t, edit);
    const next = yield* runOnce(t, command);
    if (next.ok) {
      return { ok: true, text: t("Fixed; `{command}` passes now:\n- {why}", { command, why }) };
    }
    const undo = { file_path: file, old_string: after, new_string: before };
    const undone = yield* use(t("That did not help the tests; I'll undo it."), "Edit", undo);
    if (!undone.ok) return failed(t, undone);
  }
  const setup = t(
    'For a real model, write into ~/.narnat/narnat.json:\n```json\n{ "api_key": "…", "base_url": "https://api.deepseek.com", "model": "deepseek-v4-pro" }\n```\nor set NARNAT_API_KEY, NARNAT_BASE_URL and NARNAT_MODEL, and start narnat again without `--model demo`.',
  );
  return {
    ok: false,
    text: t(
      "This failure is beyond the demo model: I know only a few small changes, and undid those that did not help. The end of the test output:\n{output}\n\n{setup}",
      { output: quote(run), setup },
    ),
  };
}

/** Finds the project's tests and runs them; without `run` there was nothing to run. */
function* firstRun(t: T): Part<{ command: string; files: string[]; run?: ToolMessage }> {
  const [tests, top] = yield {
    text: t("First I'll see what tests there are, and how they are run."),
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
    const { text } = yield* use(t("I'll read {file}.", { file }), "Read", { file_path: file });
    const own = /"test"\s*:(?!.*no test specified)/.test(text);
    if (own) command = node ? "npm test" : "deno task test";
  } else if (files[0]?.endsWith(".py")) command = `${PYTHON} pytest -q`;
  if (files.length === 0) return { command, files };
  let run = yield* runOnce(t, command);
  if (/No module named '?pytest/.test(run.text)) {
    command = `${PYTHON} unittest`;
    run = yield* runOnce(t, command);
  }
  const nothing = /^Ran 0 tests|^NO TESTS RAN|^no tests ran|^\S+ tests 0$/m.test(run.text);
  return { command, files, ...!nothing && { run } };
}

function runOnce(t: T, command: string): Part<ToolMessage> {
  return use(t("I'll run `{command}`.", { command }), "Bash", { command });
}

/** Follows the first failure to the function that the failing line, or one just above it, calls. */
function* findSuspect(t: T, output: string, files: readonly string[]): Part<Suspect> {
  const places = [...output.matchAll(/([^\s"'():]+\.\w+)(?::|", line )(\d+)/g)].flatMap(
    ([, path, line]) => {
      const file = files.find((file) => `/${path}`.endsWith(`/${file}`));
      return file ? [{ file, at: Number(line) - 1 }] : [];
    },
  );
  const file = places[0]?.file;
  if (file === undefined) return NOWHERE;
  const read = yield* use(t("A test in {file} fails; I'll read it.", { file }), "Read", {
    file_path: file,
  });
  const test = linesIn(read);
  const near = places.filter((place) => place.file === file).map(({ at }) => at);
  const names = [...near, ...near.flatMap((at) => [at - 1, at - 2, at - 3])]
    .flatMap((at) => [...(test[at] ?? "").matchAll(/(\w+)\(/g)].map(([, name]) => name!));
  const defines = (...names: string[]) =>
    `\\b(?:function |def |const |exports\\.)(?:${names.join("|")})\\b`;
  const pattern = defines(...new Set(names));
  const found = yield* use(t("I'll look for the function that it calls."), "Grep", { pattern });
  const hits = found.text.split("\n").map((hit) => /^(.+?):(\d+):(.*)$/.exec(hit) ?? [])
    .filter(([, path = "."]) => !/^\.|^node_modules/.test(path) && !files.includes(path));
  const [, path, line] =
    names.flatMap((name) => hits.filter(([hit]) => new RegExp(defines(name)).test(hit!)))[0] ?? [];
  if (path === undefined) return NOWHERE;
  const first = Number(line);
  const source = yield* use(t("I'll read {file}.", { file: path }), "Read", { file_path: path });
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

/** The named groups of a match, without their quotes; empty where a group took no part. */
type Words = { readonly [name: string]: string };

interface Row {
  /** A space is white space, W a word, T a text; an expression with Chinese words is Chinese. */
  readonly says: readonly string[];
  readonly script: (t: T, words: Words) => Script;
}

const QUOTED = "\"[^\"]*\"|'[^']*'|`[^`]*`|“[^”]*”|「[^」]*」";
const STEPS = ["plan[:：](?<steps>[^]+)", "(?:分步|计划)[:：](?<steps>[^]+)"];

const ROWS: readonly Row[] = [
  {
    says: [
      "(?:hello|hi|hey|help|who are you|what are you|what can you do)(?: narnat)?",
      "你好|您好|帮助|你是谁|你(?:会|能|可以)做?什么",
    ],
    script: (t) => answer(true, helpIn(t)),
  },
  { says: STEPS, script: (t, { steps = "" }) => plan(t, stepsIn(steps)) },
  {
    says: [
      "(?:run the tests and )?(?:fix|repair|debug)\\b.*(?:test|bug|fail).*|make the tests? pass",
      "(?:修复|修好|修正).*(?:测试|错误|失败).*|把.*测试(?:修复|修好)",
    ],
    script: fixTests,
  },
  {
    says: ["run (?:all )?(?:the )?tests?", "(?:运行|跑)(?:一下|所有|全部)?测试"],
    script: runTests,
  },
  {
    says: [
      "(?:list|ls)(?: all)?(?: (?<what>W))??(?: files)?(?: in (?<path>W))?",
      "列出(?:所有|全部)? (?<what>W)?? (?:文件)?",
    ],
    script: (t, { what, path }) => {
      const pattern = what ? /[*.]/.test(what) ? `**/${what}` : `${what}/**` : "**/*";
      const input = { pattern, ...path && { path } };
      return look(t, "Glob", input, { pattern }, [
        "I'll list {pattern}.",
        "Files that match `{pattern}`:\n{said}",
      ]);
    },
  },
  {
    says: [
      "(?:read|show|open|view|cat)(?: me)?(?: the)?(?: file)? (?<file>W)",
      "(?:读取?|查看|打开|显示) (?:文件)? (?<file>W)(?: 的内容)?",
    ],
    script: (t, { file = "" }) =>
      look(t, "Read", { file_path: file }, { file }, ["I'll read {file}.", "`{file}`:\n{said}"]),
  },
  {
    says: [
      "(?:find|search(?: for)?|grep|look for|where (?:is|are)) (?<text>T)(?: (?:defined|used))?(?: in (?<path>W))?",
      "(?:在 (?<path>W) (?:里面|里|中) )?(?:查找|搜索|找一下) (?<text>T)",
      "(?<text>T) 在哪里?(?:定义|使用)?",
    ],
    script: (t, { text = "", path }) => {
      const input = { pattern: text, literal: true, ...path && { path } };
      return look(t, "Grep", input, { text }, [
        "I'll search for “{text}”.",
        "The search for “{text}” gives:\n{said}",
      ]);
    },
  },
  {
    says: [
      "(?:replace|change) (?<before>T) (?:with|to|by) (?<after>T) in (?<file>W)",
      "(?:把|将) (?<file>W) (?:里面|里|中)的? (?<before>T) (?:替换|改|换)[成为] (?<after>T)",
    ],
    script: replace,
  },
  {
    says: ["(?:delete|remove|rm) (?<file>W)", "(?:删除|删掉) (?:文件)? (?<file>W)"],
    script: (t, { file = "" }) => run(t, `rm '${file.replaceAll("'", `'\\''`)}'`),
  },
  {
    says: ["(?:run|execute) (?<command>.+)", "(?:运行|执行)(?:命令)? [:：]? (?<command>.+)"],
    script: (t, { command = "" }) => run(t, command),
  },
];

/** The scripts of all requests of a turn, one after the other. */
export function* answersTo(requests: readonly string[]): Script {
  const texts: string[] = [];
  for (const request of requests) texts.push((yield* scriptFor(request)).text);
  return { ok: true, text: texts.join("\n\n") };
}

function scriptFor(text: string): Script {
  for (const { says, script } of ROWS) {
    for (const form of says) {
      const words = wordsOf(form, text);
      if (words) return script(translator(langOf(form)), words);
    }
  }
  const t = translator(langOf(text));
  return answer(
    false,
    `${t("I cannot do that: I understand only fixed forms of request.")}\n\n${helpIn(t)}`,
  );
}

/** The steps of a request: those of a plan, else the request itself as the only one. */
export function stepsOf(text: string): readonly string[] {
  const steps = STEPS.map((form) => wordsOf(form, text)?.["steps"]).find(Boolean);
  return steps ? stepsIn(steps) : [text];
}

/** The language in which a text is written. */
export function langOf(text: string): Lang {
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}

function stepsIn(text: string): readonly string[] {
  return text.split(/[;；\n]/).map((step) => step.trim()).filter(Boolean);
}

function wordsOf(form: string, text: string): Words | undefined {
  // as a step of a plan the request carries its number, as its beginning the command
  const request = text.trim().replace(/^(?:\[Step \d+\/\d+\]|\/plan(?=\s))\s*/, "");
  // the expressions backtrack
  if (request.length > 2000) return undefined;
  const pattern = form.replaceAll(" ", langOf(form) === "zh" ? "\\s*" : "\\s+")
    .replaceAll(">W)", `>${QUOTED}|\\S+?)`).replaceAll(">T)", `>${QUOTED}|\\S.*?)`);
  const whole = new RegExp(`^(?:please |请|帮我)*(?:${pattern})[\\s.?!。？！]*$`, "iu");
  const found = whole.exec(request);
  const quoted = new RegExp(`^(?:${QUOTED})$`, "u");
  const words = Object.entries(found?.groups ?? {})
    .map(([name, word = ""]) => [name, quoted.test(word) ? word.slice(1, -1) : word]);
  return found ? Object.fromEntries(words) : undefined;
}

function helpIn(t: T): string {
  return t(
    'I am narnat\'s built-in demo model: offline, without a key, working with the real tools, but I understand only these requests (in English or Chinese):\n- list files · list *.ts · read F · find "X" · find X in src\n- replace X with Y in F · delete F\n- run C · run the tests · fix the failing test\n- plan: read F; find X; run the tests\n\n{setup}',
    {
      setup: t(
        'For a real model, write into ~/.narnat/narnat.json:\n```json\n{ "api_key": "…", "base_url": "https://api.deepseek.com", "model": "deepseek-v4-pro" }\n```\nor set NARNAT_API_KEY, NARNAT_BASE_URL and NARNAT_MODEL, and start narnat again without `--model demo`.',
      ),
    },
  );
}

// deno-lint-ignore require-yield -- an answer that needs no tool
function* answer(ok: boolean, text: string): Script {
  return { ok, text };
}

/** Makes one call, and says one sentence before it and one about its result. */
function* look(t: T, tool: string, input: Input, words: Words, said: Text[]): Script {
  const result = yield* use(t(said[0]!, words), tool, input);
  if (!result.ok) return failed(t, result);
  return { ok: true, text: t(said[1]!, { ...words, said: quote(result) }) };
}

function run(t: T, command: string): Script {
  return look(t, "Bash", { command }, { command }, [
    "I'll run `{command}`.",
    "The output of `{command}`:\n{said}",
  ]);
}

function* replace(t: T, { file = "", before = "", after = "" }: Words): Script {
  const read = yield* use(t("I'll read {file}.", { file }), "Read", { file_path: file });
  if (!read.ok) return failed(t, read);
  const input = { file_path: file, old_string: before, new_string: after, replace_all: true };
  return yield* look(t, "Edit", input, { file }, ["I'll edit {file}.", "Done:\n{said}"]);
}

/** Works through several requests with a todo list; stops at the first that fails. */
function* plan(t: T, steps: readonly string[]): Script {
  const todos = (current: number) => ({
    todos: steps.map((step, at) => ({
      content: step,
      activeForm: t("Doing: {step}", { step }),
      status: at < current ? "completed" : at === current ? "in_progress" : "pending",
    })),
  });
  let text = t("I'll do this in {n} {n:step|steps}.", { n: steps.length });
  for (const [at, step] of steps.entries()) {
    yield* use(text, "TodoWrite", todos(at));
    const outcome = yield* scriptFor(step);
    if (!outcome.ok) {
      return {
        ok: false,
        text: t("Stopped at step {n}: {text}", { n: at + 1, text: outcome.text }),
      };
    }
    text = outcome.text;
  }
  yield* use(text, "TodoWrite", todos(steps.length));
  return { ok: true, text: t("{n} {n:step is|steps are} done.", { n: steps.length }) };
}
