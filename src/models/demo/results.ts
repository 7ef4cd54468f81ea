/** Reads the texts of tool results, as a model would, in either language. */
import type { ToolMessage } from "../../base/types.ts";
import { say } from "../../base/text.ts";

/** One line that Grep found. */
export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The `path:line:text` lines of a Grep result. */
export function hitsIn(text: string): Hit[] {
  return rows(text, /^(.+?):(\d+):(.*)$/).map(([, path, line, text]) => ({
    path: path ?? "",
    line: Number(line),
    text: text ?? "",
  }));
}

/** The `path:count` lines of a Grep result in count mode. */
export function countsIn(text: string): { path: string; count: number }[] {
  return rows(text, /^(\S.*?):\s*(\d+)$/).map(([, path, count]) => ({
    path: path ?? "",
    count: Number(count),
  }));
}

/** The `N | text` lines of a Read result. */
export function linesIn(text: string): { number: number; text: string }[] {
  return rows(text, /^\s*(\d+) \| ?(.*)$/).map(([, number, text]) => ({
    number: Number(number),
    text: text ?? "",
  }));
}

/** The paths of a Glob result. */
export function pathsIn(text: string): string[] {
  if (isNothing(text)) return [];
  return text.split("\n").filter((line) => line !== "" && !isNote(line));
}

/** What a search adds in brackets below its results. */
export function notesIn(text: string): string {
  return text.split("\n").filter(isNote).join("\n");
}

/** How many there are in all, where a search says that it shows only `shown`. */
export function totalIn(text: string, shown: number): number {
  const said = /\bof (\d+)|共 (\d+) /.exec(notesIn(text));
  return said ? Number(said[1] ?? said[2]) : shown;
}

/** In how many files the matches lie, where a search shows only those of `shown`. */
export function filesIn(text: string, shown: number): number {
  const said = / in (\d+) files?;|在 (\d+) 个文件中/.exec(notesIn(text));
  return said ? Number(said[1] ?? said[2]) : shown;
}

/** A search that found nothing repeats the pattern, which may look like anything. */
function isNothing(text: string): boolean {
  return /^No (?:files|matches) in .* (?:match|for) |^\S.* (?:下没有文件|中没有)匹配 |^Stopped at the time limit with nothing|^搜索超时已停止，还没有找完/
    .test(text);
}

function isNote(line: string): boolean {
  return line.startsWith("(") && line.endsWith(")");
}

/** The exit code a Bash result ends with; undefined when the command was not run to its end. */
export function exitIn(text: string): number | undefined {
  const code = endings(text).at(-1)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** The output in a Bash result, without colours and what the tool adds at its end. */
export function outputIn(text: string): string {
  const end = endings(text).at(-1)?.index ?? text.length;
  // deno-lint-ignore no-control-regex -- escape sequences are control characters
  return text.slice(0, end).replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, "").trimEnd();
}

function endings(text: string): RegExpMatchArray[] {
  return [...text.matchAll(/^\[(?:exit code|退出码) (-?\d+)/gm)];
}

/** True when the user stopped the call. */
export function wasStopped(result: ToolMessage): boolean {
  if (result.ok) return false;
  const marks = [say("zh", "tool.interrupted"), say("en", "tool.interrupted")];
  return result.text.split("\n").some((line) => marks.some((mark) => line.startsWith(mark)));
}

function rows(text: string, pattern: RegExp): RegExpExecArray[] {
  if (isNothing(text)) return [];
  return text.split("\n").map((line) => pattern.exec(line)).filter((match) => match !== null);
}
