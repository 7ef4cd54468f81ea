/** What a delete would take, counted in the time a person does not notice. */
import { basename, dirname, isAbsolute, join } from "../../base/path.ts";
import { infoOf, within } from "../../base/paths.ts";
import type { Stakes } from "../../base/types.ts";
import { filesOfPart, type GitAsked, gitFacts } from "./git_facts.ts";
import type { Part } from "./rules/rule.ts";
import { isOutside, type Matches, matches, thereFirst } from "./targets.ts";

const MAX_ENTRIES = 10_000;
const MAX_MS = 200;
/** Entries of a folder among which a wildcard's matches are looked for. */
const MAX_LISTED = 100_000;
/** Targets whose way is followed for links. */
const MAX_LOOKED_UP = 100;
/** How long the walk may keep the screen from being drawn. */
const SLICE_MS = 10;

export interface FactsOptions extends GitAsked {
  /** Absolute. */
  readonly workspace: string;
  /** Which files below the targets go; all of them when left out. */
  readonly part?: Part | undefined;
  /** Milliseconds on any clock that does not jump; the real one when left out. */
  readonly now?: () => number;
}

/** What was found below the targets. */
interface Count {
  files: string[];
  folders: number;
  bytes: number;
  more: boolean;
}

/**
 * Counts what stands at and below `targets` (absolute paths, wildcards among them), links not
 * followed, for at most 200 ms and 10,000 entries; asks git for 500 ms at most. Undefined when there
 * is nothing there. Never throws.
 */
export async function targetFacts(
  targets: readonly string[],
  options: FactsOptions,
): Promise<Stakes | undefined> {
  const now = options.now ?? (() => performance.now());
  const { part, workspace, env } = options;
  const matched = targets.map((target) => everyMatch(target, MAX_ENTRIES));
  const named = matched.flatMap(({ paths }) => paths);
  const below = standing(named);
  const listed = part === undefined || part === "some"
    ? undefined
    : await filesOfPart(part, below, options);
  const roots = listed === undefined ? below : standing(listed);
  if (roots.length === 0) return undefined;
  const found = await count(roots, now);
  // What is untracked or changed is by that not in git.
  const lost = listed === undefined
    ? await gitFacts(roots, found.files, options, part === "some")
    : { notInGit: found.files.length };
  const whole = part === undefined ? wholeOf(below, targets, workspace, env.HOME) : undefined;
  const own = part === undefined && takesOwn(below, workspace);
  return {
    files: found.files.length,
    folders: found.folders,
    bytes: found.bytes,
    more: found.more || matched.some(({ more }) => more),
    outside: thereFirst(named, workspace).slice(0, MAX_LOOKED_UP)
      .filter((path) => isOutside(path, workspace)).length,
    ...lost,
    ...part === undefined ? {} : { some: true },
    ...whole && { whole },
    ...own && { own },
  };
}

/** The greatest thing of which nothing would be left but what a star passes over. */
function wholeOf(
  below: readonly string[],
  targets: readonly string[],
  workspace: string,
  home: string | undefined,
): Stakes["whole"] {
  const patterns = targets.filter(isAbsolute);
  const taken = [
    ...below,
    ...patterns.map((path) => /^\*+$/.test(basename(path)) ? dirname(path) : path),
  ];
  const takes = (place: string) => taken.some((path) => within(place, path));
  if (takes("/")) return "root";
  if (home !== undefined && takes(home)) return "home";
  return takes(workspace) ? "workspace" : undefined;
}

/** Whether sessions, checkpoints or the trash go. */
function takesOwn(targets: readonly string[], workspace: string): boolean {
  const places = ["sessions", "checkpoints", "trash"]
    .map((name) => join(workspace, ".narnat", name)).filter(infoOf);
  return places.some((place) => targets.some((path) => within(place, path)));
}

/** What a target stands for: a wildcard for what it matches, if anything, at most `limit` paths. */
export function everyMatch(target: string, limit: number): Matches {
  const literal = target.replace(/\[([*?])\]/g, "$1");
  const wild = /[*?[]/.test(target.replace(/\[[*?]\]/g, ""));
  if (!isAbsolute(target) || !wild) return { paths: [literal], more: false };
  const found = matches(target, limit, MAX_LISTED);
  // what matches nothing the shell takes for a name
  return found.paths.length === 0 && infoOf(target) ? { paths: [target], more: false } : found;
}

/** The targets that are there; none that lies below another. */
function standing(targets: readonly string[]): string[] {
  const unique = new Set(
    targets.filter(isAbsolute).map((path) => join(dirname(path), basename(path))),
  );
  const all = [...unique].filter((path) => infoOf(path));
  return all.filter((path) => !above(path).some((folder) => unique.has(folder)));
}

/** The folders a path lies in. */
function above(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== path; path = at, at = dirname(at)) folders.push(at);
  return folders;
}

async function count(roots: readonly string[], now: () => number): Promise<Count> {
  const found: Count = { files: [], folders: 0, bytes: 0, more: false };
  const ends = now() + MAX_MS;
  let pause = now() + SLICE_MS;
  const open = roots.toReversed();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.files.length + found.folders >= MAX_ENTRIES || now() > ends) {
      found.more = true;
      break;
    }
    if (now() > pause) {
      await new Promise((resolve) => setTimeout(resolve));
      pause = now() + SLICE_MS;
    }
    const info = infoOf(path);
    if (!info) continue;
    if (info.isDirectory) {
      found.folders++;
      if (!enter(path, open)) found.more = true;
    } else {
      found.files.push(path);
      found.bytes += info.size;
    }
  }
  return found;
}

/** Adds what a folder holds, no more than will be looked at; false when it cannot be read or was too much. */
function enter(folder: string, open: string[]): boolean {
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (open.length > MAX_ENTRIES) return false;
      open.push(join(folder, name));
    }
    return true;
  } catch {
    return false;
  }
}
