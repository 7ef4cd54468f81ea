/** Files that a command makes: nothing is lost where it writes one empty. */
import { isAbsolute } from "../../../base/path.ts";
import type { Invocation } from "../reader/invocation.ts";
import { targetsOf } from "../targets.ts";
import { type Arg, hasMarks } from "../reader/words.ts";

/** Those of an invocation's targets that may hold something; undefined where none does. */
export type Fresh = (call: Invocation, hits: readonly Arg[]) => readonly Arg[] | undefined;

/** They write no file but through a redirection. */
const HARMLESS =
  /^(?::|true|false|cd|pushd|popd|pwd|mkdir|touch|echo|printf|set|export|declare|local|test|\[|sleep|date|ls|cat|head|tail|wc|which|umask|shopt)$/;
/** They run what their words say, which is a call too. */
const STARTERS = /^(?:sudo|env|command|nice|nohup|time)$/;
/** Behind these what is written later may run earlier. */
const REORDERS =
  /\b(?:for|while|until|select|trap|function|coproc)\b|\(\s*\)|(?<![&><])&(?![&><\d])/;
/** A person's command has no more; each target is held against all of them. */
const MAX_CALLS = 100;
/** Targets that are looked up. */
const MAX_LOOKED_UP = 100;

/** Finds the targets in the calls of `command` that are not there, and that it has not written before. */
export function freshIn(
  command: string,
  calls: readonly Invocation[],
  home: string | undefined,
): Fresh {
  let left = MAX_LOOKED_UP;
  const reorders = REORDERS.test(command);
  return (call, hits) => {
    if (calls.length > MAX_CALLS) return hits;
    const at = calls.indexOf(call);
    const others = reorders ? calls.filter((one) => one !== call) : calls.slice(0, at);
    const harmless = at >= 0 && !call.guessed && others.every(isHarmless);
    if (!harmless) return hits;
    const written = new Set(
      others.flatMap((one) => one.truncates.map((arg) => pathOf(arg, one.cwd, home))),
    );
    const kept = hits.filter((arg) => {
      const path = pathOf(arg, call.cwd, home);
      return path === undefined || written.has(path) || written.has(undefined) ||
        isAppended(command, arg.text) || left-- <= 0 || !isMissing(path, call.cwd!);
    });
    return kept.length > 0 || hits.length === 0 ? kept : undefined;
  };
}

/** Whether all that it writes stands in calls of its own, or in its redirections. */
function isHarmless({ name, args }: Invocation): boolean {
  if (HARMLESS.test(name)) return true;
  const told = args.every(({ text }) => !hasMarks(text));
  return told && (STARTERS.test(name) || /^(?:ba|da)?sh$/.test(name) && args[0]?.text === "-c");
}

/** The one path that a target surely is. */
function pathOf(arg: Arg, cwd: string | undefined, home: string | undefined): string | undefined {
  if (cwd === undefined || hasMarks(arg.text) || /[*?[\]{}$`\\]/.test(arg.text)) return undefined;
  const [path] = targetsOf(arg, cwd, home, false);
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** Whether the command adds to it by `>>`, which no call tells of. */
function isAppended(command: string, text: string): boolean {
  const name = text.slice(text.lastIndexOf("/") + 1);
  const found = command.indexOf(name);
  return found < 0 || />>[^\n;|&]*$/.test(command.slice(0, found));
}

function isMissing(path: string, cwd: string): boolean {
  try {
    // a folder that is not there is one that the command has yet to make, and may fill
    if (!Deno.statSync(cwd).isDirectory) return false;
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound && isFolder(cwd);
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
