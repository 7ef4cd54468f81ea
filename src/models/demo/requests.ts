/** The requests that the demo model understands, and what it does for each. */
import { say, type TextKey } from "../../base/text.ts";
import type { Lang } from "../../base/types.ts";
import { fixTests, runTests } from "./fix.ts";
import { failed, type Input, quote, type Script, use } from "./script.ts";

/** The named groups of a match, without their quotes; empty where a group took no part. */
type Words = { readonly [name: string]: string };

interface Row {
  /** A space is white space, W a word, T a text; an expression with Chinese words is Chinese. */
  readonly says: readonly string[];
  readonly script: (lang: Lang, words: Words) => Script;
}

const QUOTED = "\"[^\"]*\"|'[^']*'|`[^`]*`|“[^”]*”|「[^」]*」";
const STEPS = ["plan[:：](?<steps>[^]+)", "(?:分步|计划)[:：](?<steps>[^]+)"];

const ROWS: readonly Row[] = [
  {
    says: [
      "(?:hello|hi|hey|help|who are you|what are you|what can you do)(?: narnat)?",
      "你好|您好|帮助|你是谁|你(?:会|能|可以)做?什么",
    ],
    script: (lang) => answer(true, helpIn(lang)),
  },
  { says: STEPS, script: (lang, { steps = "" }) => plan(lang, stepsIn(steps)) },
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
    script: (lang, { what, path }) => {
      const pattern = what ? /[*.]/.test(what) ? `**/${what}` : `${what}/**` : "**/*";
      const input = { pattern, ...path && { path } };
      return look(lang, "Glob", input, { pattern }, ["demo.listing", "demo.files"]);
    },
  },
  {
    says: [
      "(?:read|show|open|view|cat)(?: me)?(?: the)?(?: file)? (?<file>W)",
      "(?:读取?|查看|打开|显示) (?:文件)? (?<file>W)(?: 的内容)?",
    ],
    script: (lang, { file = "" }) =>
      look(lang, "Read", { file_path: file }, { file }, ["demo.reading", "demo.read"]),
  },
  {
    says: [
      "(?:find|search(?: for)?|grep|look for|where (?:is|are)) (?<text>T)(?: (?:defined|used))?(?: in (?<path>W))?",
      "(?:在 (?<path>W) (?:里面|里|中) )?(?:查找|搜索|找一下) (?<text>T)",
      "(?<text>T) 在哪里?(?:定义|使用)?",
    ],
    script: (lang, { text = "", path }) => {
      const input = { pattern: text, literal: true, ...path && { path } };
      return look(lang, "Grep", input, { text }, ["demo.searching", "demo.found"]);
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
    script: (lang, { file = "" }) => run(lang, `rm '${file.replaceAll("'", `'\\''`)}'`),
  },
  {
    says: ["(?:run|execute) (?<command>.+)", "(?:运行|执行)(?:命令)? [:：]? (?<command>.+)"],
    script: (lang, { command = "" }) => run(lang, command),
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
      if (words) return script(langOf(form), words);
    }
  }
  const lang = langOf(text);
  return answer(false, `${say(lang, "demo.unknown")}\n\n${helpIn(lang)}`);
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

function helpIn(lang: Lang): string {
  return say(lang, "demo.help", { setup: say(lang, "demo.setup") });
}

// deno-lint-ignore require-yield -- an answer that needs no tool
function* answer(ok: boolean, text: string): Script {
  return { ok, text };
}

/** Makes one call, and says one sentence before it and one about its result. */
function* look(lang: Lang, tool: string, input: Input, words: Words, said: TextKey[]): Script {
  const result = yield* use(say(lang, said[0]!, words), tool, input);
  if (!result.ok) return failed(lang, result);
  return { ok: true, text: say(lang, said[1]!, { ...words, said: quote(result) }) };
}

function run(lang: Lang, command: string): Script {
  return look(lang, "Bash", { command }, { command }, ["demo.running", "demo.ran"]);
}

function* replace(lang: Lang, { file = "", before = "", after = "" }: Words): Script {
  const read = yield* use(say(lang, "demo.reading", { file }), "Read", { file_path: file });
  if (!read.ok) return failed(lang, read);
  const input = { file_path: file, old_string: before, new_string: after, replace_all: true };
  return yield* look(lang, "Edit", input, { file }, ["demo.editing", "demo.done"]);
}

/** Works through several requests with a todo list; stops at the first that fails. */
function* plan(lang: Lang, steps: readonly string[]): Script {
  const todos = (current: number) => ({
    todos: steps.map((step, at) => ({
      content: step,
      activeForm: say(lang, "demo.doing", { step }),
      status: at < current ? "completed" : at === current ? "in_progress" : "pending",
    })),
  });
  let text = say(lang, "demo.plan", { n: steps.length });
  for (const [at, step] of steps.entries()) {
    yield* use(text, "TodoWrite", todos(at));
    const outcome = yield* scriptFor(step);
    if (!outcome.ok) {
      return { ok: false, text: say(lang, "demo.plan_stopped", { n: at + 1, text: outcome.text }) };
    }
    text = outcome.text;
  }
  yield* use(text, "TodoWrite", todos(steps.length));
  return { ok: true, text: say(lang, "demo.plan_done", { n: steps.length }) };
}
