/** Puts files, links and folders back, each at once or not at all. */
import { codeOf } from "../files.ts";
import { infoOf } from "../../../search/walk/known_files.ts";
import { under } from "../../../base/path.ts";
import type { Objects } from "../store/objects.ts";
import type { PresentOf, Step } from "../checkpoint_plan.ts";
import { isSparse, ownerOf } from "../scan.ts";
import { sameState, type State } from "../types.ts";
import { errorMessage } from "../../../base/errors.ts";

/** Why a path is not as it was to be: a word of ours, or the system's. */
export interface Failed {
  readonly path: string;
  readonly why: "changed" | "not_empty" | "blocked" | "gone" | "unkept" | "owner" | string;
}

const ALL_OF_USER = 0o700;
const BLOCK_BYTES = 4096;

/** What a path holds; nothing where a link is on the way to it. Files above `most` bytes have no hash. */
export function presentIn(root: string, most: number, objects: Objects): PresentOf {
  return (path, twins = []) => {
    if (!isWithin(root, path)) return null;
    const absolute = under(root, path);
    const info = infoOf(absolute);
    if (!info) return null;
    const mode = (info.mode ?? 0) & 0o7777;
    if (info.isSymlink) return { kind: "link", target: Deno.readLinkSync(absolute) };
    if (info.isDirectory) return { kind: "folder", mode };
    const { size } = info;
    if (!info.isFile || size > most) return { kind: "file", hash: "", size, mode };
    const twin = (info.nlink ?? 1) < 2
      ? undefined
      : twins.find((one) => isWithin(root, one) && isSameFile(infoOf(under(root, one)), info));
    const more = {
      owner: ownerOf(info),
      ...twin === undefined ? {} : { twin },
      ...isSparse(info) ? { sparse: true } as const : {},
    };
    try {
      const hash = objects.hashOf(Deno.readFileSync(absolute));
      return { kind: "file", hash, size, mode, ...more };
    } catch {
      return { kind: "file", hash: "", size, mode, ...more };
    }
  };
}

const isSameFile = (a: Deno.FileInfo | undefined, b: Deno.FileInfo): boolean =>
  a?.ino === b.ino && a?.dev === b.dev;

/** Whether all above the path are folders of the workspace's own. */
function isWithin(root: string, path: string): boolean {
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    if (!infoOf(under(root, path.slice(0, at)))?.isDirectory) return false;
  }
  return true;
}

/** Keeps what the steps will replace. Returns those that are still as they were seen. */
export function keepPresent(
  steps: readonly Step[],
  root: string,
  objects: Objects,
  failed: Failed[],
): Step[] {
  return steps.filter(({ path, present }) => {
    if (present?.kind !== "file") return true;
    try {
      if (objects.put(Deno.readFileSync(under(root, path))) === present.hash) return true;
      failed.push({ path, why: "changed" });
    } catch (error) {
      failed.push({ path, why: codeOf(error) || String(error) });
    }
    return false;
  });
}

/** Carries the steps out; `mark` is in the names of the temporary files. Returns what was done. */
export function restoreFiles(
  steps: readonly Step[],
  root: string,
  objects: Objects,
  mark: string,
  presentOf: PresentOf,
  failed: Failed[],
): Step[] {
  const done: Step[] = [];
  const bad = new Set<string>();
  const attempt = (step: Step, work: () => void) => {
    if (bad.has(step.path)) return;
    try {
      work();
    } catch (error) {
      bad.add(step.path);
      failed.push({ path: step.path, why: wordOf(error) });
    }
  };
  const absolute = (path: string) => under(root, path);
  const now = ({ path, present, target }: Step) => presentOf(path, twinsOf(present, target));
  const deepest = [...steps].sort((a, b) => a.path < b.path ? 1 : -1);
  const shallowest = [...deepest].reverse();
  // what cannot be written in now could not be changed below
  for (const step of shallowest) {
    const { path, present } = step;
    if (present?.kind !== "folder" || (present.mode & ALL_OF_USER) === ALL_OF_USER) continue;
    attempt(step, () => Deno.chmodSync(absolute(path), present.mode | ALL_OF_USER));
  }
  for (const step of deepest) {
    const { path, present, target } = step;
    if (present === null || target !== null && present.kind === target.kind) continue;
    // a file gives way to a link, and the other way round, in one go
    if (present.kind !== "folder" && target !== null && target.kind !== "folder") continue;
    attempt(step, () => {
      if (present.kind !== "folder" && !isSeen(now(step), present)) throw new Said("changed");
      Deno.removeSync(absolute(path));
    });
  }
  // a name of a file comes after the file
  const isTwin = ({ target }: Step) => target?.kind === "file" && target.twin !== undefined;
  for (const step of [...shallowest.filter((one) => !isTwin(one)), ...shallowest.filter(isTwin)]) {
    const { path, present, target } = step;
    if (target === null) continue;
    attempt(step, () => {
      // another name of the file has brought it back
      if (isTwin(step) && sameState(now(step), target)) return;
      if (target.kind === "folder") {
        if (present?.kind !== "folder") makeFolder(root, path);
        return;
      }
      if (
        present?.kind !== "folder" && !isSeen(now(step), present) && infoOf(absolute(path))
      ) {
        throw new Said("changed");
      }
      makeParents(root, path);
      if (target.kind === "file" && target.twin !== undefined) {
        const twin = presentOf(target.twin, []);
        const same = twin?.kind === "file" && twin.hash === target.hash &&
          twin.mode === target.mode;
        if (same) return linkTo(absolute(target.twin), absolute(path), mark);
      }
      const own = present?.kind === "file" && target.kind === "file" && present.twin === undefined;
      if (own && present.hash === target.hash) {
        setOwnerAndMode(absolute(path), target);
      } else if (own && (infoOf(absolute(path))?.nlink ?? 1) > 1) {
        // its other names are to show the same
        write(absolute(path), target, objects);
      } else replace(absolute(path), target, objects, mark);
    });
  }
  for (const step of deepest) {
    const { path, target } = step;
    if (target?.kind === "folder") attempt(step, () => Deno.chmodSync(absolute(path), target.mode));
  }
  for (const step of steps) {
    const { path, target } = step;
    if (bad.has(path)) continue;
    if (target?.kind !== "file" || isOwnedBy(absolute(path), target.owner)) done.push(step);
    else {
      failed.push({ path, why: "owner" });
      // what the record tells is what is there: nobody else has changed it
      done.push({ ...step, target: now(step) });
    }
  }
  return done;
}

const twinsOf = (...states: readonly State[]): string[] =>
  states.flatMap((state) => state?.kind === "file" && state.twin ? [state.twin] : []);

class Said extends Error {}

/** Whether it is still what was seen, or has been made way for already. */
const isSeen = (now: State, seen: State) => now === null || sameState(alone(now), alone(seen));

/** Its other names go and come by steps of their own. */
const alone = (state: State): State =>
  state?.kind === "file" ? { ...state, twin: undefined } as FileState : state;

function wordOf(error: unknown): string {
  if (error instanceof Said) return error.message;
  const code = codeOf(error);
  if (code === "ENOTEMPTY" || code === "EEXIST") return "not_empty";
  return code || errorMessage(error);
}

function makeParents(root: string, path: string): void {
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at);
    const info = infoOf(under(root, folder));
    if (!info) Deno.mkdirSync(under(root, folder));
    else if (!info.isDirectory) throw new Said("blocked");
  }
}

function makeFolder(root: string, path: string): void {
  makeParents(root, path);
  const info = infoOf(under(root, path));
  if (!info) Deno.mkdirSync(under(root, path), { mode: ALL_OF_USER });
  else if (!info.isDirectory) throw new Said("blocked");
}

type FileState = Extract<State, { kind: "file" }>;

/** Writes a kept content into a file, with the owner, the mode and the holes that it had. */
function write(absolute: string, target: FileState, objects: Objects, createNew = false): void {
  let bytes: Uint8Array;
  try {
    bytes = objects.get(target.hash);
  } catch {
    throw new Said("gone");
  }
  if (!target.sparse) {
    Deno.writeFileSync(absolute, bytes, createNew ? { createNew, mode: 0o600 } : {});
  } else writeSparse(absolute, bytes, createNew);
  setOwnerAndMode(absolute, target);
}

function writeSparse(absolute: string, bytes: Uint8Array, createNew: boolean): void {
  const how = createNew ? { createNew, mode: 0o600 } : { truncate: true };
  using file = Deno.openSync(absolute, { write: true, ...how });
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const block = bytes.subarray(at, at + BLOCK_BYTES);
    if (block.every((byte) => byte === 0)) continue;
    file.seekSync(at, Deno.SeekMode.Start);
    for (let done = 0; done < block.length;) done += file.writeSync(block.subarray(done));
  }
  file.truncateSync(bytes.length);
}

/** Gives a file an owner and a mode. Only root may give it away: else no program runs as another than before. */
function setOwnerAndMode(absolute: string, { owner, mode }: FileState): void {
  if (!isOwnedBy(absolute, owner)) {
    const [uid, gid] = owner!.split(":").map(Number);
    try {
      Deno.chownSync(absolute, uid!, gid!);
    } catch { /* its owner is looked at when all is done */ }
  }
  Deno.chmodSync(absolute, isOwnedBy(absolute, owner) ? mode : mode & 0o1777);
}

function isOwnedBy(absolute: string, owner: string | undefined): boolean {
  if (owner === undefined) return true;
  const info = infoOf(absolute);
  return info !== undefined && ownerOf(info) === owner;
}

const temporaryOf = (absolute: string, mark: string): string => {
  const slash = absolute.lastIndexOf("/");
  const name = Array.from(absolute.slice(slash + 1)).slice(0, 40).join("");
  return `${absolute.slice(0, slash)}/.${name}.${Deno.pid}-${mark}.tmp`;
};

/** Makes a path another name of a file, in one go. */
function linkTo(file: string, absolute: string, mark: string): void {
  const temporary = temporaryOf(absolute, mark);
  Deno.linkSync(file, temporary);
  Deno.renameSync(temporary, absolute);
}

function replace(
  absolute: string,
  target: Exclude<State, null | { kind: "folder" }>,
  objects: Objects,
  mark: string,
): void {
  const temporary = temporaryOf(absolute, mark);
  try {
    if (target.kind === "link") Deno.symlinkSync(target.target, temporary);
    else {
      const old = infoOf(absolute);
      const owner = target.owner ?? (old && ownerOf(old));
      write(temporary, owner === undefined ? target : { ...target, owner }, objects, true);
    }
    Deno.renameSync(temporary, absolute);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch { /* it is in its place, or was never made */ }
    throw error;
  }
}
