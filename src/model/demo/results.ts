/** Reads the texts of tool results, as a model would, in either language. */
import type { ToolMessage } from "../../types.ts";
import { say } from "../../text.ts";

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

/** The paths of a Glob result; sentences around them are left out. */
export function pathsIn(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) =>
    line !== "" && !/[:：。，]|\s\S+\s\S+\s|^[([（]/.test(line)
  );
}

/** The largest number a result's last line speaks of: the true total where a list was cut. */
export function totalIn(text: string, shown: number): number {
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  if (!/[\s（(]/.test(last)) return shown;
  return Math.max(shown, ...(last.match(/\d+/g) ?? []).map(Number));
}

/** The exit code a Bash result ends with; undefined when the command was not run to its end. */
export function exitIn(text: string): number | undefined {
  const found = /(?:exit(?:ed)?(?: with)?(?: code)?|退出码)\s*[:：]?\s*(-?\d+)/i.exec(
    lastLine(text),
  );
  return found ? Number(found[1]) : undefined;
}

/** The output in a Bash result: all but the last line, without colours. */
export function outputIn(text: string): string {
  // deno-lint-ignore no-control-regex -- escape sequences are control characters
  const plain = text.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, "").trimEnd();
  const end = plain.lastIndexOf(lastLine(plain));
  return plain.slice(0, end).trimEnd();
}

/** True when the user stopped the call. */
export function wasStopped(result: ToolMessage): boolean {
  if (result.ok) return false;
  const marks = [say("zh", "tool.interrupted"), say("en", "tool.interrupted")];
  return result.text.split("\n").some((line) => marks.some((mark) => line.startsWith(mark)));
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").findLast((line) =>
    /exit|退出码|timed out|超时|signal|信号/i.test(line)
  ) ?? "";
}

function rows(text: string, pattern: RegExp): RegExpExecArray[] {
  return text.split("\n").map((line) => pattern.exec(line)).filter((match) => match !== null);
}
