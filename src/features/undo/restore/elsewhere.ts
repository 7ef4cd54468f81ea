/** Finds what is gone from its path and is held somewhere else. */
import { infoOf } from "../../../search/walk/known_files.ts";
import type { RunCommand } from "../../../base/types.ts";
import { under } from "../../../base/path.ts";
import { contentOf, type Objects } from "../store/objects.ts";
import type { Entry } from "../store/entries.ts";
import type { Gone, State } from "../types.ts";

/** Files that are new since, among which one that was renamed and edited is looked for. */
const MOST_NEW = 200;
const MOST_BYTES = 1_000_000;
/** Words of a command that may say where it moves something to. */
const MOST_WORDS = 1000;
/** Endings of what packs a file and takes it away. */
const PACKED = [".gz", ".bz2", ".xz", ".zst", ".lz4", ".lzma", ".br", ".Z"];

/** Those of `gone` that nothing else holds; `created` are files that are new, `young` those that hold no other file's content, `moved` hears where a command has put one. */
export function elsewhere(
  gone: readonly Gone[],
  held: ReadonlyMap<string, Entry>,
  { created, young }: { readonly created: readonly Gone[]; readonly young: readonly Gone[] },
  ran: readonly RunCommand[],
  workspace: string,
  objects: Objects,
  moved: (one: Gone, place: string) => void,
): readonly Gone[] {
  if (gone.length === 0) return gone;
  const wanted = new Set(gone.map(({ before }) => keyOf(before)));
  const contents = new Map<string, string>();
  for (const [path, { kind, content }] of held) {
    const key = `${kind} ${content}`;
    if (wanted.has(key)) contents.set(key, path);
  }
  const isHeld = (one: Gone) => {
    const path = contents.get(keyOf(one.before));
    if (path !== undefined) moved(one, under(workspace, path));
    return path !== undefined;
  };
  const packed = (path: string) =>
    PACKED.some((end) => created.some((one) => one.path === path + end));
  const left = gone.filter((one) =>
    !isHeld(one) && !packed(one.path) && !isRenamed(one, young, ran)
  );
  if (left.length === 0) return left;
  const places = placesNamed(ran, workspace);
  const nowhere = left.filter((one) => {
    const place = placeOf(one, places, objects);
    if (place !== undefined) moved(one, place);
    return place === undefined;
  });
  return withoutEdited(nowhere, created, objects);
}

const keyOf = (state: State) =>
  state?.kind === "file"
    ? `file ${state.hash}`
    : state?.kind === "link"
    ? `link ${state.target}`
    : "";

/** Whether a command says that it moves the one to the other, which it may have edited at once. */
function isRenamed(
  { path }: Gone,
  created: readonly Gone[],
  ran: readonly RunCommand[],
): boolean {
  return ran.some(({ command }) => {
    const words = wordsOf(command);
    const at = words.indexOf(path);
    return words.includes("mv") && at >= 0 && created.some((one) => one.path === words[at + 1]);
  });
}

export const wordsOf = (command: string) => command.split(/[\s;|&<>()'"`=]+/).slice(0, MOST_WORDS);

/** Files and folders that stand at words of the commands. */
function placesNamed(ran: readonly RunCommand[], workspace: string) {
  const home = Deno.env.get("HOME") ?? "";
  const places = new Map<string, Deno.FileInfo>();
  for (const { command, cwd } of ran) {
    for (const word of wordsOf(command)) {
      if (word === "" || word.startsWith("-")) continue;
      const path = word.replace(/^~(?=\/|$)|^\$\{?HOME\}?(?=\/|$)/, home);
      const all = path.startsWith("/") ? [path] : [under(cwd, path), under(workspace, path)];
      for (const one of all) {
        const info = infoOf(one);
        if (info) places.set(one.replace(/\/+$/, ""), info);
      }
    }
  }
  return places;
}

/** Whether a file of that stamp stands where a command may have moved it, or it is packed beside it. */
export function isNamedAt(
  path: string,
  stamp: string,
  ran: readonly RunCommand[],
  workspace: string,
): boolean {
  if (PACKED.some((end) => infoOf(under(workspace, path + end)))) return true;
  // on another disk it has another inode
  const [size, mtime] = stamp.split("-");
  const isSame = (info: Deno.FileInfo | undefined) =>
    info?.isFile === true && `${info.size}-${info.mtime?.getTime()}` === `${size}-${mtime}`;
  return [...placesNamed(ran, workspace)].some(([place, info]) =>
    info.isDirectory
      ? ["", ...endsOf(path)].some((end) => {
        const at = end === "" ? place : under(place, end);
        // a repository has the stamp of its log
        return isSame(infoOf(at)) || isSame(infoOf(under(at, "logs", "HEAD")));
      })
      : isSame(info)
  );
}

function endsOf(path: string): string[] {
  const ends: string[] = [];
  for (let at = path.length; at > 0;) {
    at = path.lastIndexOf("/", at - 1);
    ends.push(path.slice(at + 1));
  }
  return ends;
}

/** Which of the places holds the content: itself, or below it under an end of the old path. */
function placeOf(
  { path, before }: Gone,
  places: ReadonlyMap<string, Deno.FileInfo>,
  objects: Objects,
): string | undefined {
  const ends = endsOf(path);
  for (const [place, info] of places) {
    const all = info.isDirectory ? ends.map((end) => under(place, end)) : [place];
    const found = all.find((one) => isSame(one, before, objects));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSame(absolute: string, before: State, objects: Objects): boolean {
  const info = infoOf(absolute);
  if (before?.kind === "link") {
    return info?.isSymlink === true && Deno.readLinkSync(absolute) === before.target;
  }
  if (before?.kind !== "file" || !info?.isFile || info.size !== before.size) return false;
  try {
    return objects.hashOf(Deno.readFileSync(absolute)) === before.hash;
  } catch {
    return false;
  }
}

/** Without those of which most lines are in a file that is new: they have been renamed and edited. */
function withoutEdited(
  gone: readonly Gone[],
  created: readonly Gone[],
  objects: Objects,
): readonly Gone[] {
  if (gone.length === 0) return gone;
  const young = created.slice(0, MOST_NEW).map(({ after }) => linesOf(after, objects));
  return gone.filter(({ before }) => {
    const lines = linesOf(before, objects);
    return lines.size === 0 ||
      !young.some((other) => 2 * [...lines].filter((line) => other.has(line)).length > lines.size);
  });
}

/** Whether most lines of a content are new in the other file. */
export function newLines(was: State, { before, after }: Gone, objects: Objects): boolean {
  const [lines, old, now] = [was, before, after].map((state) => linesOf(state, objects));
  return 2 * [...lines!].filter((line) => now!.has(line) && !old!.has(line)).length > lines!.size;
}

/** Whether most lines of a content are in the other one, too. */
export function sharesLines(was: State, is: State, objects: Objects): boolean {
  const [lines, now] = [linesOf(was, objects), linesOf(is, objects)];
  return 2 * [...lines].filter((line) => now.has(line)).length > lines.size;
}

/** Its lines that are not blank; none where it is large. */
function linesOf(state: State, objects: Objects): ReadonlySet<string> {
  if (state?.kind !== "file" || state.size > MOST_BYTES) return new Set();
  const text = new TextDecoder().decode(contentOf(state.hash, objects));
  return new Set(text.split("\n").map((line) => line.trim()).filter((line) => line !== ""));
}
