/** The folders in which a script may stand, followed through `cd` and its kin. */
import { resolve } from "../../../base/path.ts";
import { type Arg, hasMarks, type Names, UNKNOWN } from "./words.ts";

/** An absolute path; undefined where it is not known, or not on this machine. */
export type Folder = string | undefined;

/** Where a script may stand behind a command. */
export interface Place {
  /** Where the command has succeeded. */
  readonly yes: readonly Folder[];
  /** Where it has failed. */
  readonly no: readonly Folder[];
  /** Where `cd -` leads. */
  readonly old: readonly Folder[];
  /** Where `popd` leads, the last folder first. */
  readonly stack: readonly (readonly Folder[])[];
}

/** Folders that are followed at once; after them one is unknown. */
const MAX_FOLDERS = 4;
/** Folders that `popd` comes back to. */
const MAX_STACK = 16;
/** Longest path that a system takes; a folder beyond it cannot be entered. */
const MAX_PATH = 4096;

/** A place in which it is not known whether anything has failed. */
export function standing(yes: readonly Folder[], from?: Place): Place {
  return { yes, no: yes, old: from?.old ?? [], stack: from?.stack ?? [] };
}

/** The place of whoever does not ask how the last command ended. */
export function settled(place: Place): Place {
  return place.yes === place.no ? place : standing(union(place.yes, place.no), place);
}

/** A place that is one of two. */
export function either(a: Place, b: Place): Place {
  if (a === b) return a;
  return {
    yes: union(a.yes, b.yes),
    no: union(a.no, b.no),
    old: union(a.old, b.old),
    stack: a.stack.length < b.stack.length ? b.stack : a.stack,
  };
}

/** Each folder once, no more than can be followed. */
export function union(a: readonly Folder[], b: readonly Folder[]): readonly Folder[] {
  if (a === b || b.every((one) => a.includes(one))) return a;
  const all = [...new Set([...a, ...b])];
  if (all.length <= MAX_FOLDERS) return all;
  // the higher one is, the more lies below it
  const known = all.filter((one) => one !== undefined).sort((x, y) => x.length - y.length);
  return [...known.slice(0, MAX_FOLDERS - 1), undefined];
}

/** What `cd`, `pushd` and `popd` lead to. `isThere`: whether a folder is there for certain by then. */
export function enter(
  name: string,
  args: readonly Arg[],
  from: Place,
  names: Names,
  isThere: (folder: string) => boolean,
): Place {
  const dashes = args.findIndex(({ text }) => text === "--");
  const option = name === "cd" ? /^-[LPe@]+$/ : /^-n$|^[-+]\d+$/;
  const [target] = dashes >= 0
    ? args.slice(dashes + 1)
    : args.filter(({ text }) => !option.test(text));
  const here = from.yes;
  const turns = name !== "cd" && args.some(({ text }) => option.test(text));
  if (turns) return { ...from, yes: union(here, [undefined]), no: here };
  if (name === "popd" || name === "pushd" && !target) {
    const [top, ...rest] = from.stack;
    if (!top) return { ...from, yes: here, no: here };
    return { yes: top, no: [], old: here, stack: name === "popd" ? rest : [here, ...rest] };
  }
  const back = target?.text === "-";
  const [, tilde, below = ""] = /^~([-+])(\/.*)?$/.exec(target?.source ?? "") ?? [];
  const yes = back
    ? from.old
    : tilde && !hasMarks(below)
    ? goTo(`.${below}`, tilde === "-" ? from.old : here)
    : reached(target, here, names, isThere);
  const certain = yes.length > 0 &&
    yes.every((one) => one !== undefined && (back || !target || isThere(one)));
  return {
    yes: yes.length > 0 ? yes : here,
    no: certain ? [] : here,
    old: here,
    stack: name === "pushd" ? [here, ...from.stack].slice(0, MAX_STACK) : from.stack,
  };
}

/** The folders that an argument of `cd` may lead to; without one it leads home. */
function reached(
  arg: Arg | undefined,
  here: readonly Folder[],
  names: Names,
  isThere: (folder: string) => boolean,
): readonly Folder[] {
  const [home] = (names.variables.get("HOME") ?? []).flat();
  const ways = home === undefined ? [] : [home];
  if (!arg) return ways;
  const { text, source } = arg;
  if (text === "") return here;
  if (/^~/.test(text) && source.startsWith("~")) return [undefined];
  if (hasMarks(text)) {
    // what is not known may be nothing: then the rest of it is the way, or there is none to go
    const rest = text.includes(UNKNOWN) && mayBeEmpty(source)
      ? text.replaceAll(UNKNOWN, "")
      : undefined;
    if (rest === "") return union([undefined], /^["']/.test(source) ? here : ways);
    const other = rest === undefined || hasMarks(rest) ? [] : goTo(rest, here);
    return union([undefined], other.filter((one) => one !== undefined && isThere(one)));
  }
  const searched = /^\.{0,2}\//.test(text) || /^\.{1,2}$/.test(text)
    ? []
    : (names.variables.get("CDPATH") ?? []).flat().flatMap((list) => list.split(":"))
      .flatMap((folder) => hasMarks(folder) ? [undefined] : goTo(folder || ".", here))
      .map((folder) => folder && resolve(folder, text))
      .filter((folder) => folder === undefined || isThere(folder));
  return union(searched, goTo(text, here));
}

function goTo(text: string, here: readonly Folder[]): readonly Folder[] {
  const folders = text.startsWith("/")
    ? [resolve(text)]
    : here.map((at) => at && resolve(at, text));
  return union([], folders.map((one) => one && one.length > MAX_PATH ? undefined : one));
}

/** Whether what is not known of a word may be nothing at all: `${x:?}` never is. */
export function mayBeEmpty(source: string): boolean {
  return !/\$\{\w+:?\?/.test(source);
}
