/** stricli's own words in the user's language, and what flags of other agents are called here. */
import {
  AliasNotFoundError,
  type ApplicationText,
  ArgumentParseError,
  ArgumentScannerError,
  EnumValidationError,
  FlagNotFoundError,
  InvalidNegatedFlagSyntaxError,
  text_en,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from "@stricli/core";
import type { T } from "../base/t.ts";
import { widthOf } from "../commands/table.ts";

const DELETES = "--permission open --allow-delete";
const STREAM = "--output-format stream-json";
const TOOLS = "--tools A,B,…";
const HERE = "--cwd DIR";
const LAST = "--continue";

/** By their names in kebab-case; empty where nothing is needed. */
const INSTEAD: { readonly [flag: string]: string } = {
  "add-dir": "",
  "allow-all-tools": DELETES,
  "allowed-tools": TOOLS,
  "approval-mode": "--permission open|guarded|ask",
  "ask-for-approval": "--permission open|guarded|ask",
  "api-key": "NARNAT_API_KEY",
  "auto": DELETES,
  "cd": HERE,
  "dangerously-bypass-approvals-and-sandbox": DELETES,
  "dangerously-skip-permissions": DELETES,
  "debug": "NARNAT_LOG=debug",
  "dir": HERE,
  "directory": HERE,
  "disable-slash-commands": "",
  "disallowed-tools": TOOLS,
  "exclude-tools": TOOLS,
  "format": "--output-format text|json|stream-json",
  "full-auto": DELETES,
  "image": "@PATH",
  "include-directories": "",
  "include-partial-messages": STREAM,
  "json": STREAM,
  "last": LAST,
  "max-budget-usd": "--max-cost USD",
  "max-steps": "--max-iterations N",
  "max-turns": "--max-iterations N",
  "mcp-config": "narnat mcp add, .narnat/mcp.json",
  "message": '-p "…"',
  "no-session-persistence": "--no-session",
  "output": "--output-format text|json|stream-json",
  "permission-mode": "--permission open|guarded|ask, --plan",
  "prompt": '-p "…"',
  "provider": "--model PROVIDER/MODEL, --base-url URL",
  "quiet": '-p "…"',
  "sandbox": '--workspace-only, "sandbox" in narnat.json',
  "session-id": "--resume ID",
  "skip-git-repo-check": "",
  "stream": STREAM,
  "system-prompt": "--append-system-prompt TEXT, .narnat/narnat.md",
  "trust-all-tools": DELETES,
  "yes": DELETES,
  "yolo": DELETES,
};

/** What to use in the place of another agent's flag; empty where nothing is needed, undefined for any other flag. */
export function insteadOf(flag: string): string | undefined {
  const kebab = flag.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, "-").toLowerCase();
  return Object.hasOwn(INSTEAD, kebab) ? INSTEAD[kebab] : undefined;
}

/** What stricli's own parser of booleans says. */
const NO_BOOLEAN = /^Cannot convert .* to a boolean$/s;

const orList = (words: readonly string[]) =>
  words.length === 0 ? "" : `，是否想用 ${words.join(" 或 ")}？`;

const inChinese = (t: T): ApplicationText => ({
  ...text_en,
  headers: {
    usage: "用法",
    aliases: "别名",
    commands: "命令",
    flags: "选项",
    arguments: "参数",
  },
  keywords: { default: "默认 =", separator: "分隔符 =" },
  briefs: {
    help: "显示帮助并退出",
    helpAll: "显示帮助（含隐藏的命令和选项）并退出",
    version: "显示版本并退出",
    argumentEscapeSequence: "其后的内容都当作参数",
  },
  noCommandRegisteredForInput: ({ input, corrections }) =>
    `没有命令 ${input}${orList(corrections)}`,
  exceptionWhileParsingArguments: (exc) =>
    unknownFlag(exc, t) ?? (exc instanceof ArgumentScannerError ? wrongArgument(exc) : String(exc)),
});

const inEnglish = (t: T): ApplicationText => ({
  ...text_en,
  exceptionWhileParsingArguments: (exc, ...more) =>
    unknownFlag(exc, t) ??
      (exc instanceof EnumValidationError
        ? `--${exc.externalFlagName} is one of ${exc.values.join("|")}, not "${exc.input}"`
        : text_en.exceptionWhileParsingArguments(exc, ...more)),
});

function unknownFlag(exc: unknown, t: T): string | undefined {
  if (exc instanceof FlagNotFoundError) {
    return otherFlag(exc.input, t) ?? noFlag(`--${exc.input}`, t, exc.corrections);
  }
  return exc instanceof AliasNotFoundError ? noFlag(`-${exc.input}`, t) : undefined;
}

/** What is to be said of a flag that another agent has. */
function otherFlag(flag: string, t: T): string | undefined {
  const use = insteadOf(flag);
  if (use === undefined) return undefined;
  return t(
    use === ""
      ? "There is no flag --{flag}; narnat does without"
      : "There is no flag --{flag}; narnat has {use}",
    { flag, use },
  );
}

function noFlag(flag: string, t: T, corrections: readonly string[] = []): string {
  // stricli names them as the code does
  const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const names = [...new Set(corrections.map((one) => `--${kebab(one)}`))];
  const english = names.length === 0 ? "" : `; did you mean ${names.join(" or ")}?`;
  const near = t.lang === "zh" ? orList(names) : english;
  return t(
    near === ""
      ? "There is no flag {flag}; narnat --help lists them all"
      : "There is no flag {flag}{near} narnat --help lists them all",
    { flag, near },
  );
}

/** By class: stricli's own formatter goes by the classes' names, which minifying changes. */
function wrongArgument(e: ArgumentScannerError): string {
  if (e instanceof ArgumentParseError) {
    const why = e.exception instanceof Error ? e.exception.message : String(e.exception);
    const told = NO_BOOLEAN.test(why) ? "应为 true 或 false" : why;
    return `无法理解 ${e.externalFlagNameOrPlaceholder} 的值 "${e.input}"：${told}`;
  }
  if (e instanceof EnumValidationError) {
    return `--${e.externalFlagName} 的值 "${e.input}" 应为 ${e.values.join("|")} 之一`;
  }
  if (e instanceof UnsatisfiedFlagError) return `--${e.externalFlagName} 需要一个值`;
  if (e instanceof UnexpectedPositionalError) return `多余的参数 "${e.input}"`;
  if (e instanceof UnsatisfiedPositionalError) return `缺少参数 ${e.placeholder}`;
  if (e instanceof InvalidNegatedFlagSyntaxError) return `--${e.externalFlagName} 不能带值`;
  if (e instanceof UnexpectedFlagError) return `--${e.externalFlagName} 不能重复给出`;
  return e.message;
}

const VALUES = /^(.*\S) {2,}(\[[^\]]*\])$/;

/** Help with the values of its flags below each other: stricli counts characters, not columns. */
export function aligned(help: string): string {
  const lines = help.split("\n");
  const ends = lines.map((line) => VALUES.exec(line));
  const column = Math.max(...ends.map((end) => end ? widthOf(end[1]!) : 0));
  return lines.map((line, at) => {
    const [, left, values] = ends[at] ?? [];
    return left === undefined ? line : left + " ".repeat(column + 2 - widthOf(left)) + values;
  }).join("\n");
}

/** stricli's words in the language of `t`. */
export function textFor(t: T): ApplicationText {
  return t.lang === "zh" ? inChinese(t) : inEnglish(t);
}
