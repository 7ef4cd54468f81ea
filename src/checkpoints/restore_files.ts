/** Puts files, links and folders back, each at once or not at all. */
import { codeOf } from "./files.ts";
import { infoOf } from "../search/known_files.ts";
import { under } from "../under.ts";
import { hashOf, type Objects } from "./objects.ts";
import type { Step } from "./plan.ts";
import { sameState, type State } from "./types.ts";

/** Why a path is not as it was to be: a word of ours, or the system's. */
export interface Failed {
  readonly path: string;
  readonly why: "changed" | "not_empty" | "blocked" | "gone" | "unkept" | string;
}

const ALL_OF_USER = 0o700;

/** What a path holds; nothing where a link is on the way to it. Files above `most` bytes have no hash. */
export function presentIn(root: string, most: number): (path: string) => State {
  return (path) => {
    if (!isWithin(root, path)) return null;
    const absolute = under(root, path);
    const info = infoOf(absolute);
    if (!info) return null;
    const mode = (info.mode ?? 0) & 0o7777;
    if (info.isSymlink) return { kind: "link", target: Deno.readLinkSync(absolute) };
    if (info.isDirectory) return { kind: "folder", mode };
    const { size } = info;
    if (!info.isFile || size > most) return { kind: "file", hash: "", size, mode };
    try {
      return { kind: "file", hash: hashOf(Deno.readFileSync(absolute)), size, mode };
    } catch {
      return { kind: "file", hash: "", size, mode };
    }
  };
}

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
  presentOf: (path: string) => State,
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
      if (present.kind !== "folder" && !isSeen(presentOf(path), present)) throw new Said("changed");
      Deno.removeSync(absolute(path));
    });
  }
  for (const step of shallowest) {
    const { path, present, target } = step;
    if (target === null) continue;
    attempt(step, () => {
      if (target.kind === "folder") {
        if (present?.kind !== "folder") makeFolder(root, path);
        return;
      }
      if (
        present?.kind !== "folder" && !isSeen(presentOf(path), present) && infoOf(absolute(path))
      ) {
        throw new Said("changed");
      }
      makeParents(root, path);
      if (present?.kind === "file" && target.kind === "file" && present.hash === target.hash) {
        Deno.chmodSync(absolute(path), target.mode);
      } else replace(absolute(path), target, objects, mark);
    });
  }
  for (const step of deepest) {
    const { path, target } = step;
    if (target?.kind === "folder") attempt(step, () => Deno.chmodSync(absolute(path), target.mode));
  }
  for (const step of steps) if (!bad.has(step.path)) done.push(step);
  return done;
}

class Said extends Error {}

/** Whether it is still what was seen, or has been made way for already. */
const isSeen = (now: State, seen: State) => now === null || sameState(now, seen);

function wordOf(error: unknown): string {
  if (error instanceof Said) return error.message;
  const code = codeOf(error);
  if (code === "ENOTEMPTY" || code === "EEXIST") return "not_empty";
  return code || (error instanceof Error ? error.message : String(error));
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

function replace(
  absolute: string,
  target: Exclude<State, null | { kind: "folder" }>,
  objects: Objects,
  mark: string,
): void {
  const slash = absolute.lastIndexOf("/");
  const name = Array.from(absolute.slice(slash + 1)).slice(0, 40).join("");
  const temporary = `${absolute.slice(0, slash)}/.${name}.${Deno.pid}-${mark}.tmp`;
  try {
    if (target.kind === "link") Deno.symlinkSync(target.target, temporary);
    else {
      let bytes: Uint8Array;
      try {
        bytes = objects.get(target.hash);
      } catch {
        throw new Said("gone");
      }
      const old = infoOf(absolute);
      Deno.writeFileSync(temporary, bytes, { createNew: true, mode: 0o600 });
      const own = infoOf(temporary);
      if (old?.uid != null && (old.uid !== own?.uid || old.gid !== own.gid)) {
        try {
          Deno.chownSync(temporary, old.uid, old.gid);
        } catch { /* only the administrator may give a file away */ }
      }
      Deno.chmodSync(temporary, target.mode);
    }
    Deno.renameSync(temporary, absolute);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch { /* it is in its place, or was never made */ }
    throw error;
  }
}
