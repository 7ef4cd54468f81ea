/**
 * What Bash does so that a delete can be taken back: what a command is about to delete is kept as
 * hard links, which cost nothing and stay when it unlinks.
 */
import { size } from "../../base/figures.ts";
import { whyOf } from "../../base/file_why.ts";
import { basename, dirname, infoOf, isAbsolute, join, realOf, within } from "../../base/path.ts";
import type { T, Text } from "../../base/t.ts";
import type { Deletes, KeptDeletes, ToolContext } from "../../base/types.ts";
import {
  breather,
  type Lost,
  type LostWhy,
  namesIn,
  removeTree,
  settle,
  type TrashMark,
  type TrashRecord,
  writeRecord,
} from "../../files/trash/record.ts";
import { pruneTrash } from "../../files/trash/restore.ts";
import { everyMatch } from "../../shell/policy/target_facts.ts";
import { isOutside, visible } from "../../shell/policy/targets.ts";

interface TrashLimits {
  /** Entries and bytes of one command. */
  readonly entries: number;
  readonly bytes: number;
  /** Largest file that is copied, where a link would not do. */
  readonly copyBytes: number;
}

const LIMITS: TrashLimits = { entries: 50_000, bytes: 1e9, copyBytes: 50e6 };
const MAX_LOST = 20;

class TooMuch extends Error {
  readonly why: LostWhy;
  constructor(why: "many" | "large") {
    super(why);
    this.why = why;
  }
}

/** What is kept, while the command runs. */
interface Kept {
  readonly record: TrashRecord;
  /** The command has ended: forgets what it has left in its place. Undefined when that is all. */
  settle(): Promise<TrashRecord | undefined>;
}

/**
 * Keeps what is at and below `paths` (absolute) in the folder `trash`. Undefined
 * when nothing is there. What cannot be kept is named in the record. Rejects only when the trash
 * itself cannot be written, or with the signal's reason; nothing is left behind then.
 */
export async function keepInTrash(
  trash: string,
  paths: readonly string[],
  mark: TrashMark,
  signal: AbortSignal,
  limits: TrashLimits = LIMITS,
): Promise<Kept | undefined> {
  // a name that is not UTF-8 was read from its folder, but cannot be said
  const there = topsOf(
    paths.filter((path) => isAbsolute(path) && (infoOf(path) || path.includes("\ufffd"))),
  );
  if (there.length === 0) return undefined;
  if (infoOf(trash)?.isSymlink) throw new Error(`${trash} is a symbolic link`);
  const id = newId(trash);
  const folder = join(trash, id);
  const lost: Lost[] = [];
  let lostCount = 0;
  const lose = (path: string, why: LostWhy) => {
    if (++lostCount <= MAX_LOST) lost.push({ path, why });
  };
  const walk: Walk = {
    files: 0,
    bytes: 0,
    entries: 0,
    copies: {},
    breathe: breather(),
    limits,
    signal,
    lose,
  };
  try {
    Deno.mkdirSync(join(folder, "files"), { recursive: true, mode: 0o700 });
    const began: TrashRecord = {
      ...mark,
      id,
      time: new Date().toISOString(),
      targets: there,
      files: 0,
      bytes: 0,
      lost,
      lostCount: 0,
      copies: {},
      open: true,
    };
    // a narnat that is killed amid the work leaves what can be told
    writeRecord(folder, began);
    const goes = there.some((path) => within(trash, path));
    for (const [n, path] of there.entries()) {
      const place = join(folder, "files", String(n));
      const { files, bytes, entries } = walk;
      try {
        if (goes || within(path, trash)) lose(path, "own");
        else await link(path, place, `${n}`, walk);
      } catch (error) {
        if (!(error instanceof TooMuch)) throw error;
        lose(path, error.why);
        Object.assign(walk, { files, bytes, entries });
        await removeTree(place);
      }
    }
    const { files, bytes, copies } = walk;
    const record = { ...began, files, bytes, copies, lostCount };
    writeRecord(folder, record);
    return { record, settle: () => settle(folder, record) };
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}

/** Where they really are, each once, none below another. */
function topsOf(paths: readonly string[]): string[] {
  const folders = new Map<string, string>();
  const realFolder = (folder: string) => {
    const known = folders.get(folder) ?? realOf(folder);
    folders.set(folder, known);
    return known;
  };
  const real = new Set(paths.map((path) => join(realFolder(dirname(path)), basename(path))));
  return [...real].filter((path) => {
    for (let at = dirname(path); at !== path; path = at, at = dirname(at)) {
      if (real.has(at)) return false;
    }
    return true;
  });
}

interface Walk {
  files: number;
  bytes: number;
  entries: number;
  readonly copies: { [place: string]: number };
  readonly breathe: ReturnType<typeof breather>;
  readonly limits: TrashLimits;
  readonly signal: AbortSignal;
  readonly lose: (path: string, why: LostWhy) => void;
}

async function link(path: string, place: string, key: string, walk: Walk): Promise<void> {
  await walk.breathe();
  walk.signal.throwIfAborted();
  const info = infoOf(path);
  if (!info) return walk.lose(path, "failed");
  if (++walk.entries > walk.limits.entries) throw new TooMuch("many");
  try {
    if (info.isDirectory) return await linkFolder(path, place, key, info, walk);
    if (info.isSymlink) Deno.symlinkSync(Deno.readLinkSync(path), place);
    else if (!info.isFile) return walk.lose(path, "kind");
    else {
      if (walk.bytes + info.size > walk.limits.bytes) throw new TooMuch("large");
      if ((info.nlink ?? 1) === 1) Deno.linkSync(path, place);
      // what has another name can be changed through it
      else if (info.size > walk.limits.copyBytes) return walk.lose(path, "large");
      else {
        Deno.copyFileSync(path, place);
        sameTimes(place, info);
        walk.copies[key] = info.ino ?? 0;
      }
      walk.bytes += info.size;
    }
    walk.files++;
  } catch (error) {
    if (error instanceof TooMuch || walk.signal.aborted) throw error;
    walk.lose(path, (error as { code?: string }).code === "EXDEV" ? "device" : "failed");
  }
}

async function linkFolder(
  path: string,
  place: string,
  key: string,
  info: Deno.FileInfo,
  walk: Walk,
): Promise<void> {
  Deno.mkdirSync(place, { mode: 0o700 });
  for (const name of namesIn(path)) {
    await link(join(path, name), join(place, name), `${key}/${name}`, walk);
  }
  if (info.mode !== null) Deno.chmodSync(place, info.mode & 0o7777);
  sameTimes(place, info);
  const own = infoOf(place);
  if (own && (own.uid !== info.uid || own.gid !== info.gid)) {
    try {
      Deno.chownSync(place, info.uid, info.gid);
    } catch { /* only root gives folders away */ }
  }
}

function sameTimes(place: string, { atime, mtime }: Deno.FileInfo): void {
  if (mtime) Deno.utimeSync(place, atime ?? mtime, mtime);
}

function newId(trash: string): string {
  for (;;) {
    const id = crypto.randomUUID().slice(0, 6);
    if (!infoOf(join(trash, id))) return id;
  }
}

/** Programs that empty no file before its name is taken away. */
const GENTLE = /^(?:rm|unlink|rmdir|find|git)$/;
/** Paths that one wildcard is followed to. */
const MAX_MATCHES = 50_000;
const SHOWN = 5;
const WHY: { readonly [why in LostWhy]: Text } = {
  device: "on another file system",
  kind: "neither file, folder nor link",
  many: "more than 50,000 entries",
  large: "too large",
  own: "the trash itself goes with it",
  mixed: "the command deletes in another way too",
  outside: "outside of the workspace",
  unknown: "what it names was not known before",
  failed: "the system did not let it",
};

/** Keeps what `rm` in a command is about to take away, as far as that can be; never rejects but on a stop. */
export async function keepDeleted(
  { unlinked, values }: Deletes,
  command: string,
  context: ToolContext,
): Promise<KeptDeletes | undefined> {
  const { trash, workspace, t, signal } = context;
  if (!trash) return undefined;
  const lost: Lost[] = [];
  const inside = new Set<string>();
  const gentle = (values.names ?? "").split(", ").every((name) => GENTLE.test(name));
  for (const target of unlinked) {
    const { paths, more } = everyMatch(target, MAX_MATCHES);
    if (!target.startsWith("/")) lost.push({ path: target, why: "unknown" });
    else if (!gentle) lost.push({ path: target, why: "mixed" });
    else if (more) lost.push({ path: target, why: "many" });
    else {
      for (const path of paths) {
        if (!isOutside(path, workspace)) inside.add(path);
        else if (isThere(path)) lost.push({ path, why: "outside" });
      }
    }
  }
  try {
    await pruneTrash(trash.dir, Date.now());
    const hidden = context.redact?.(command) ?? command;
    const mark = { session: trash.session, turn: trash.turn, command: hidden };
    const kept = await keepInTrash(trash.dir, [...inside], mark, signal);
    return {
      begun: () => told(kept?.record, lost, kept?.record.lost ?? [], t),
      async ended() {
        const gone = [...lost, ...kept?.record.lost ?? []]
          .filter(({ path, why }) => why === "own" || !isThere(path));
        try {
          return told(await kept?.settle(), gone, [], t);
        } catch {
          // it stays as it is, which may be more than was deleted
          return told(kept?.record, gone, [], t);
        }
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    const why = whyOf(t, error);
    const text = t("[trash] What was deleted could not be kept ({why}); it was deleted as asked", {
      why,
    });
    return { begun: () => text, ended: () => Promise.resolve(text) };
  }
}

function told(
  record: TrashRecord | undefined,
  lost: readonly Lost[],
  more: readonly Lost[],
  t: T,
): string | undefined {
  const lines: string[] = [];
  if (record) {
    const { id, files, bytes } = record;
    lines.push(
      t(
        "[trash] Restore with: narnat trash restore {id} ({files} {files:file|files}, {size}; /trash lists it)",
        { id, files, size: size(bytes) },
      ),
    );
  }
  const all = [...lost, ...more];
  if (all.length > 0) {
    const shown = all.slice(0, SHOWN)
      .map(({ path, why }) => `${visible(path)} (${t(WHY[why])})`);
    if (all.length > SHOWN) shown.push("…");
    lines.push(
      t("[trash] Not kept, and not to be brought back from it: {paths}", {
        paths: shown.join(t(", ")),
      }),
    );
  }
  return lines.length === 0 ? undefined : lines.join("\n");
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
