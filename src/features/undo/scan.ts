/** What the covered files hold, looked at again and again: only what changed is read. */
import type { GitPlaces } from "../../search/walk/git_settings.ts";
import { infoOf } from "../../search/walk/known_files.ts";
import type { Uncovered } from "../../base/types.ts";
import { under } from "../../base/path.ts";
import { codeOf } from "./files.ts";
import { Cover } from "./cover.ts";
import { Entries, type Entry, modeOf, stateOf, type Texture } from "./store/entries.ts";
import type { Objects } from "./store/objects.ts";
import { type Change, type Limits, sameState } from "./types.ts";

const TELL_MS = 200;
const NO_LOG = "no log";

/** What a look in a narnat's own thread may come to. */
export interface Few {
  readonly paths: number;
  /** Files that are read, and their bytes. */
  readonly reads: number;
  readonly bytes: number;
}

/** There is more to be looked at than that. Nothing has been looked at yet. */
export class TooMany extends Error {}

/** What a scanner knows. */
export interface Seen {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly left: ReadonlyMap<string, Left>;
  readonly touched: ReadonlyMap<string, Uncovered["why"]>;
  readonly wereLarge: ReadonlyMap<string, string>;
  readonly scan: number;
}

/** Something left out, and a stamp that changes when it does. */
interface Left {
  readonly why: Uncovered["why"];
  readonly stamp: string;
}

/** A path, and what is there. */
type Found = readonly [path: string, info: Deno.FileInfo | undefined];

export type Progress = (files: number) => void;

/** A folder's covered files. */
export class Scanner {
  readonly #root: string;
  readonly #objects: Objects;
  readonly #limits: Limits;
  readonly #cover: Cover;
  readonly #few: Few | undefined;
  #entries = new Entries();
  #left = new Map<string, Left>();
  #touched = new Map<string, Uncovered["why"]>();
  /** Stamps of the large among them, and of repositories, that are gone. */
  #wereLarge = new Map<string, string>();
  #scan = 0;
  #strict = false;

  constructor(
    root: string,
    objects: Objects,
    { limits, places, few }: {
      readonly limits: Limits;
      readonly places: GitPlaces;
      readonly few?: Few;
    },
  ) {
    this.#root = root;
    this.#objects = objects;
    this.#limits = limits;
    this.#cover = new Cover(root, places, (path) => this.#entries.sameText(path));
    this.#few = few;
  }

  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** What is left out, first what has changed since `begin`. */
  uncovered(): Uncovered[] {
    const touched = [...this.#touched].map(([path, why]) =>
      ({ path, why, touched: true }) as const
    );
    const others = [...this.#left].filter(([path, { why }]) =>
      why !== "git" && !this.#touched.has(path)
    ).map(([path, { why }]) => ({ path, why }));
    return [...touched, ...others];
  }

  /** Whether files have changed since `begin` that are too large to be kept. */
  get losesLarge(): boolean {
    return this.#touched.values().some((why) => why === "large");
  }

  /** What was left out, and is there no more, since `begin`. */
  gone(): string[] {
    return [...this.#touched.keys()].filter((path) => !this.#left.has(path));
  }

  /** What was too large to be kept, also a repository, and is there no more or holds nothing, since `begin`; with its stamp. */
  lostLarge(): (readonly [path: string, stamp: string])[] {
    return [...this.#wereLarge].filter(([path]) =>
      !this.#left.has(path) && !this.#entries.get(path)?.size
    );
  }

  /** From now on `uncovered` tells what changes. */
  begin(): void {
    this.#touched.clear();
    this.#wereLarge.clear();
  }

  /** Takes over what an earlier narnat knew; it is looked at as its own. */
  take(entries: Entries, left: ReadonlyMap<string, Uncovered["why"]>): void {
    this.#entries = entries;
    this.#left = new Map([...left].map(([path, why]) => [path, { why, stamp: "" }]));
    // the next is not the first: what is left out can be compared
    this.#scan = 1;
  }

  get left(): ReadonlyMap<string, Left> {
    return this.#left;
  }

  /** Paths of every `.git`. */
  repositories(): string[] {
    return [...this.#left].flatMap(([path, { why }]) => why === "git" ? [path] : []);
  }

  /** For a scanner that goes on in another thread. */
  get seen(): Seen {
    return {
      entries: new Map(this.#entries),
      left: this.#left,
      touched: this.#touched,
      wereLarge: this.#wereLarge,
      scan: this.#scan,
    };
  }

  goOn({ entries, left, touched, wereLarge, scan }: Seen): void {
    this.#entries = new Entries(entries);
    this.#left = new Map(left);
    this.#touched = new Map(touched);
    this.#wereLarge = new Map(wereLarge);
    this.#scan = scan;
  }

  /**
   * Looks at all of it; returns what has changed since the scan before. A content that cannot be
   * kept is left out; `strict` throws where it is for want of room. Throws TooMany.
   */
  scan(progress?: Progress, strict = false): Change[] {
    return this.#scanAll(this.#few, progress, strict);
  }

  #scanAll(few?: Few, progress?: Progress, strict = false): Change[] {
    this.#strict = strict;
    const scan = ++this.#scan;
    const changes: Change[] = [];
    const before = this.#left;
    this.#left = new Map();
    const all = few ? this.#fewCovered(few, before) : this.#covered(progress);
    const known = (path: string) => {
      for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) {
        if (before.has(path.slice(0, at))) return true;
      }
      return false;
    };
    const linked = new Map<string, [path: string, info: Deno.FileInfo][]>();
    const look = (path: string, info: Deno.FileInfo | undefined) => {
      if (!info?.isFile || (info.nlink ?? 1) < 2) return lookAt(path, info, "");
      const key = `${info.dev} ${info.ino}`;
      const others = linked.get(key);
      if (others) others.push([path, info]);
      else linked.set(key, [[path, info]]);
    };
    const entries = this.#entries;
    const see = (row: number, path: string, info: Deno.FileInfo) => {
      entries.see(row, scan);
      if (entries.isUnkept(row)) this.#leave(path, info, "large");
    };
    const lookAt = (path: string, info: Deno.FileInfo | undefined, twin: string) => {
      if (!info) return;
      const row = entries.rowOf(path);
      if (row !== undefined && entries.isStill(row, info, twin)) return see(row, path, info);
      const old = entries.get(path);
      const entry = this.#read(path, info, old, twin);
      if (!entry) return;
      see(entry === old ? row! : entries.set(path, entry), path, info);
      // the first time nothing is known of what was there
      if (entry === old || scan === 1) return;
      const [was, is] = [stateOf(old), stateOf(entry)];
      // what was there uncovered has not come into being
      if (sameState(was, is) || !old && known(path)) return;
      // what could not be kept cannot be brought back
      if (was?.kind !== "file" || was.hash !== "") changes.push({ path, before: was, after: is });
    };
    for (const [path, info] of all) look(path, info);
    const lookAtLinked = () => {
      for (const names of linked.values()) {
        // the one that was the first of them stays it
        const [head] = names.find(([path]) => entries.get(path)?.twin === "") ?? names[0]!;
        for (const [path, info] of names) lookAt(path, info, path === head ? "" : head);
      }
      linked.clear();
    };
    lookAtLinked();
    for (const [path, row] of entries.unseen(scan)) {
      // what was covered stays so, whatever the rules say by now
      const info = this.#infoWithin(path);
      if (info === "hidden") {
        entries.see(row, scan);
        this.#leave(path, undefined, "unreadable");
        continue;
      }
      lookAt(path, info, "");
      if (entries.isSeen(row, scan)) continue;
      const was = stateOf(entries.get(path));
      entries.delete(path);
      if (was?.kind === "file" && was.hash === "") continue;
      changes.push({ path, before: was, after: null });
    }
    this.#compare(before, scan);
    return changes;
  }

  /** All that is covered, with what is there; takes down what is left out. */
  *#covered(progress?: Progress): Generator<Found> {
    const top = under(this.#root, "");
    let files = 0;
    let told = Date.now();
    for (const [folder, info] of this.#cover.walk((path, why) => this.#leaveNamed(path, why))) {
      if (folder.path !== "") yield [folder.path, info];
      for (const path of folder.files) {
        yield [path, infoOf(top + path)];
        if (++files % 256 === 0 && progress && Date.now() - told > TELL_MS) {
          told = Date.now();
          progress(files);
        }
      }
      for (const [path, why] of folder.left) this.#leaveNamed(path, why);
    }
  }

  /** The same before any of it is read. Throws TooMany, and then all is as it was. */
  #fewCovered(few: Few, left: Map<string, Left>): Found[] {
    const all: Found[] = [];
    let [reads, bytes] = [0, 0];
    for (const one of this.#covered()) {
      const [path, info] = one;
      const row = this.#entries.rowOf(path);
      if (info?.isFile && !(row !== undefined && this.#entries.isStill(row, info))) {
        reads++;
        bytes += info.size > this.#limits.fileBytes ? 0 : info.size;
      }
      all.push(one);
      if (all.length <= few.paths && reads <= few.reads && bytes <= few.bytes) continue;
      this.#left = left;
      this.#scan--;
      throw new TooMany();
    }
    return all;
  }

  /** Looks at some paths only; at all where a folder above one is new. Returns what has changed. */
  lookAt(paths: readonly string[]): Change[] {
    const isKnown = (path: string) => {
      const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      return above === "" || this.#entries.get(above)?.kind === "folder";
    };
    if (!paths.every(isKnown)) return this.#scanAll();
    const infos = paths.map((path) => [path, this.#infoWithin(path)] as const);
    // the names of a file are found by looking at all
    if (infos.some(([, info]) => info && info !== "hidden" && (info.nlink ?? 1) > 1)) {
      return this.#scanAll();
    }
    return infos.flatMap(([path, info]) => {
      const old = this.#entries.get(path);
      if (info === "hidden" || info?.isDirectory) return [];
      const entry = info && this.#read(path, info, old);
      if (entry) this.#entries.see(this.#entries.set(path, entry), this.#scan);
      else this.#entries.delete(path);
      const [before, after] = [stateOf(old), stateOf(entry)];
      return sameState(before, after) ? [] : [{ path, before, after }];
    });
  }

  /** Notes what is left out and has changed, come or gone. */
  #compare(before: ReadonlyMap<string, Left>, scan: number): void {
    if (scan === 1) return;
    for (const [path, { stamp, why }] of this.#left) {
      const was = before.get(path)?.stamp;
      if (was !== "" && was !== stamp) this.#touched.set(path, why);
    }
    for (const [path, { stamp, why }] of before) {
      if (this.#left.has(path)) continue;
      const now = this.#entries.get(path);
      // what is covered by now may be what it was, and a folder is
      const same = now !== undefined && (now.kind === "folder" ? why !== "large" : stamp === "" ||
        stamp === stampText(now.size, now.mtime, now.ino));
      if (same) continue;
      this.#touched.set(path, why);
      if (why === "large" || why === "git" && !this.#isElsewhere(stamp)) {
        this.#wereLarge.set(path, stamp);
      }
    }
  }

  /** Whether a repository with commits stands at another path by now; one without has nothing to lose. */
  #isElsewhere(stamp: string): boolean {
    return stamp === NO_LOG || stamp === "" ||
      [...this.#left.values()].some((one) => one.why === "git" && one.stamp === stamp);
  }

  /** What is at a path that no link leads to; `hidden` where one may not look. */
  #infoWithin(path: string): Deno.FileInfo | "hidden" | undefined {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const above = infoOrHidden(under(this.#root, path.slice(0, at)));
      if (above === "hidden") return above;
      if (!above?.isDirectory) return undefined;
    }
    return infoOrHidden(under(this.#root, path));
  }

  #leaveNamed(path: string, why: Uncovered["why"]): void {
    const at = under(this.#root, path);
    // of a repository one sees by its log that more than its index has changed
    const info = why === "git" ? infoOf(`${at}/logs/HEAD`) : infoOf(at);
    if (info || why === "unnameable") this.#leave(path, info, why);
    else if (why === "git" && infoOf(at)) this.#left.set(path, { why, stamp: NO_LOG });
  }

  #leave(path: string, info: Deno.FileInfo | undefined, why: Uncovered["why"]): void {
    const stamp = info ? stampText(info.size, info.mtime?.getTime() ?? 0, info.ino ?? 0) : "?";
    this.#left.set(path, { why, stamp });
  }

  /** Undefined where it is not, or no longer, covered. */
  #read(
    path: string,
    info: Deno.FileInfo,
    old: Entry | undefined,
    twin = "",
  ): Entry | undefined {
    const readAt = Date.now();
    const absolute = under(this.#root, path);
    try {
      if (info.isDirectory) return entryOf("folder", info, readAt, "", old);
      if (info.isSymlink) {
        const target = Deno.readLinkSync(absolute);
        if (!target.includes("\ufffd")) return entryOf("link", info, readAt, target, old);
        this.#leave(path, info, "unnameable");
        return undefined;
      }
      if (!info.isFile) {
        this.#leave(path, info, "special");
        return undefined;
      }
      const why = this.#tooMuch(info.size, old);
      if (why !== undefined) {
        this.#leave(path, info, why);
        // that it has changed is told all the same
        return old && entryOf("file", info, readAt, "", old, twin);
      }
      const bytes = Deno.readFileSync(absolute);
      const hash = this.#objects.put(bytes);
      const texture = textureOf(bytes);
      const entry = entryOf("file", info, readAt, hash, old, twin);
      return texture ? { ...entry, texture } : entry;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      if (this.#strict && ["ENOSPC", "EDQUOT"].includes(codeOf(error))) throw error;
      const denied = error instanceof Deno.errors.PermissionDenied;
      this.#leave(path, info, denied ? "unreadable" : "disk");
      return old;
    }
  }

  #tooMuch(size: number, old: Entry | undefined): Uncovered["why"] | undefined {
    const { fileBytes, totalBytes, files } = this.#limits;
    if (size > fileBytes) return "large";
    const oldBytes = old?.kind === "file" && old.content !== "" ? old.size : 0;
    if (this.#entries.bytes + size - oldBytes > totalBytes) return "total";
    return !old && this.#entries.size >= files ? "total" : undefined;
  }
}

const stampText = (size: number, mtime: number, ino: number) => `${size}-${mtime}-${ino}`;

export const ownerOf = ({ uid, gid }: Deno.FileInfo): string => `${uid}:${gid}`;

/** Blocks are of 512 bytes; a file in the inode itself has none. */
export const isSparse = ({ blocks, size }: Deno.FileInfo): boolean =>
  size > 4096 && blocks !== null && blocks * 512 < size;

/** Bytes in which a zero tells a binary file, as git looks for it. */
const PROBE_BYTES = 8000;
const BLANKS = [0, 9, 10, 13, 32];

export function textureOf(bytes: Uint8Array): Texture | undefined {
  if (BLANKS.includes(bytes[0]!) && bytes.every((byte) => BLANKS.includes(byte))) return "blank";
  return bytes.subarray(0, PROBE_BYTES).includes(0) ? "binary" : undefined;
}

function infoOrHidden(path: string): Deno.FileInfo | "hidden" | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    return error instanceof Deno.errors.PermissionDenied ? "hidden" : undefined;
  }
}

function entryOf(
  kind: Entry["kind"],
  info: Deno.FileInfo,
  readAt: number,
  content: string,
  old: Entry | undefined,
  twin = "",
): Entry {
  const entry: Entry = {
    kind,
    mode: modeOf(info),
    size: info.size,
    mtime: info.mtime?.getTime() ?? 0,
    ctime: info.ctime?.getTime() ?? 0,
    ino: info.ino ?? 0,
    readAt,
    content,
    owner: ownerOf(info),
    twin,
    sparse: kind === "file" && isSparse(info),
  };
  // of a folder only the mode counts
  return kind === "folder" && old?.kind === kind && old.mode === entry.mode ? old : entry;
}
