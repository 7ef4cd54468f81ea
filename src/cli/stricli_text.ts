/** stricli's own words in the user's language. */
import {
  type ApplicationText,
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
} from "@stricli/core";
import type { Lang } from "../types.ts";

const orList = (words: readonly string[]) =>
  words.length === 0 ? "" : `，是否想用 ${words.join(" 或 ")}？`;

const zh: ApplicationText = {
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
  exceptionWhileParsingArguments(exc) {
    if (!(exc instanceof ArgumentScannerError)) return String(exc);
    return formatMessageForArgumentScannerError(exc, {
      FlagNotFoundError: (e) =>
        `没有选项 --${e.input}${orList(e.corrections.map((c) => `--${c}`))}`,
      AliasNotFoundError: (e) => `没有选项 -${e.input}`,
      ArgumentParseError: (e) =>
        `无法理解 ${e.externalFlagNameOrPlaceholder} 的值 "${e.input}"：${
          e.exception instanceof Error ? e.exception.message : String(e.exception)
        }`,
      EnumValidationError: (e) =>
        `--${e.externalFlagName} 的值 "${e.input}" 应为 ${e.values.join("|")} 之一`,
      UnsatisfiedFlagError: (e) => `--${e.externalFlagName} 需要一个值`,
      UnexpectedPositionalError: (e) => `多余的参数 "${e.input}"`,
      UnsatisfiedPositionalError: (e) => `缺少参数 ${e.placeholder}`,
      InvalidNegatedFlagSyntaxError: (e) => `--${e.externalFlagName} 不能带值`,
      UnexpectedFlagError: (e) => `--${e.externalFlagName} 不能重复给出`,
    });
  },
};

/** The words of `lang`. */
export function textFor(lang: Lang): ApplicationText {
  return lang === "zh" ? zh : text_en;
}
