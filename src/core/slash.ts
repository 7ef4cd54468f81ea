/** Slash lines: `/name arguments`. */
import type { Command, Desk, Lang } from "../types.ts";
import { nearest } from "../nearest.ts";
import { say } from "../text.ts";

export interface Slash {
  readonly name: string;
  readonly args: string;
}

/** A slash and one word, so that a pasted path is not taken for one. */
const SLASH = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/;

/** What a slash line says; undefined for any other line. */
export function readSlash(line: string): Slash | undefined {
  const [, name, args = ""] = SLASH.exec(line.trim()) ?? [];
  return name === undefined ? undefined : { name, args: args.trim() };
}

export const commandNamed = (name: string, commands: readonly Command[]) =>
  commands.find((command) => command.name === name);

/** Runs its command. Throws in words for the user. */
export async function runSlash(
  { name, args }: Slash,
  commands: readonly Command[],
  desk: Desk,
): Promise<string> {
  const command = commandNamed(name, commands);
  if (command) return await command.run(args, desk);
  throw new Error(unknown(name, commands, desk.lang));
}

function unknown(name: string, commands: readonly Command[], lang: Lang): string {
  const near = nearest(name, commands.map((command) => command.name))[0];
  return near === undefined
    ? say(lang, "command.unknown", { name })
    : say(lang, "command.unknown_near", { name, near });
}
