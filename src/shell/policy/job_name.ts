/** Names for jobs. */
import { basename } from "../../base/path.ts";
import { readCommand } from "./reader/read_command.ts";

const MAX_NAME = 32;
/** Programs that only start another one, or set its stage. */
const STAGE =
  /^(cd|pushd|popd|export|unset|set|shopt|ulimit|umask|source|\.|env|nohup|exec|time|nice|setsid|sudo|timeout|sleep|wait|echo|printf|true|false|:|test|\[|\[\[|trap|disown|jobs|kill|exit|mkdir|bash|sh|zsh)$/;
/** Those of them that take time. */
const RUNS = /^(sleep|timeout|bash|sh|zsh)$/;

/** A short name for a command that none of `taken` is: its first telling program with its first words. */
export function jobName(command: string, taken: readonly string[]): string {
  const base = slug(words(command)) || "job";
  let name = base;
  for (let n = 2; taken.includes(name); n++) name = `${base}-${n}`;
  return name;
}

function words(command: string): string {
  try {
    const calls = readCommand(command, { cwd: "/", guesses: new Set() }).invocations
      .filter(({ name }) => name !== "");
    const call = calls.find(({ name }) => !STAGE.test(name)) ??
      calls.findLast(({ name }) => RUNS.test(name)) ?? calls[0];
    if (call) {
      const args = call.args.map((arg) => arg.source).filter((arg) => !arg.startsWith("-"));
      return [call.name, ...args.slice(0, 2).map((arg) => basename(arg))].join(" ");
    }
  } catch { /* not a command, then its letters */ }
  return command;
}

function slug(text: string): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  const short = [...plain].slice(0, MAX_NAME + 1).join("");
  if (short === plain && [...plain].length <= MAX_NAME) return plain;
  // Whole words only: half a number would be another number.
  const words = short.replace(/-[^-]*$/, "");
  return [...words].slice(0, MAX_NAME).join("");
}
