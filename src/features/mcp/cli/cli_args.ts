/** `narnat mcp add` as people write it for other agents. */
import type { T } from "../../../base/t.ts";

const WITH_VALUE = /^(?:--(?:cwd|lang|url|header|env|scope|transport)|-[CeHst])$/;
const ALONE = /^(?:--(?:user|project|help)|-h)$/;

/**
 * The arguments with `--` before a program that has options; a text where it cannot be told whether
 * they are the program's or narnat's.
 */
export function addWords(args: readonly string[], t: T): readonly string[] | string {
  const words: number[] = [];
  for (let at = 1; at < args.length && words.length < 3; at++) {
    const arg = args[at]!;
    if (WITH_VALUE.test(arg)) at++;
    else if (!arg.startsWith("-")) words.push(at);
  }
  const [verb = 0, name = 0, program] = words;
  if (args[verb] !== "add") return args;
  const bare = args.indexOf("--");
  if (bare >= 0) return withHeaders(args, bare);
  if (program === undefined || /^https?:/.test(args[program]!)) {
    return withHeaders(args, args.length);
  }
  const options = args.slice(program + 1).filter((arg) => /^-./.test(arg));
  const ours = options.filter((arg) => [WITH_VALUE, ALONE].some((own) => own.test(nameOf(arg))));
  if (ours.length === options.length) return withHeaders(args, args.length);
  if (ours.length === 0) return [...args.slice(0, program), "--", ...args.slice(program)];
  const values = { option: ours[0]!, name: args[name]!, program: args[program]! };
  return t(
    "It cannot be told whether {option} is narnat's or {program}'s; put narnat's options first and -- before the program: narnat mcp add {name} -- {program} …",
    values,
  );
}

/** `-H` means something else to stricli. */
const withHeaders = (args: readonly string[], end: number) =>
  args.map((arg, at) => arg === "-H" && at < end ? "--header" : arg);

const nameOf = (option: string) => option.split("=")[0]!;
