import { IgnoreRules } from "./ignore_rules.ts";
import { pathIn } from "./path_text.ts";

/** Two stamps that are equal may hide a change made within this time (file systems with coarse clocks). */
const COARSE_MS = 2100;

/** What tells whether a file or folder is still the one that was read; times in milliseconds since the epoch. */
export interface Stamp {
  readonly dev: number;
  readonly ino: number | null;
  readonly size: number;
  readonly changed: number;
  readonly touched: number;
}

/** Takes the stamp of what `lstat` or `stat` said. */
export function stampOf({ dev, ino, size, mtime, ctime }: Deno.FileInfo): Stamp {
  const changed = mtime?.getTime() ?? 0;
  return { dev, ino, size, changed, touched: ctime?.getTime() ?? changed };
}

/** True when what was read at `readAt` under the stamp `then` must still be so under the stamp `now`. */
export function stillTrue(then: Stamp, readAt: number, now: Stamp): boolean {
  const same = then.touched === now.touched && then.changed === now.changed &&
    then.size === now.size && then.ino === now.ino && then.dev === now.dev;
  return same && Math.max(then.changed, then.touched) < readAt - COARSE_MS;
}

interface Known {
  readonly stamp: Stamp;
  readonly readAt: number;
  readonly text: string;
  /** Parsed on demand, for each way to compare letters. */
  readonly rules: [IgnoreRules | undefined, IgnoreRules | undefined];
}

/** What a folder with this stamp has under a name. */
interface Name {
  readonly stamp: Stamp;
  readonly readAt: number;
  readonly info: Deno.FileInfo | undefined;
}

/** Small files read again only when they changed: one stat a question. Never asks for a permission. */
export class KnownFiles {
  readonly #files = new Map<string, Known>();
  readonly #names = new Map<string, Name>();
  readonly #all = Deno.permissions.querySync({ name: "read" }).state === "granted";

  /** The text of a file; undefined when there is none that may be read. */
  text(path: string): string | undefined {
    return this.#known(path)?.text;
  }

  /** The same object for as long as the file is the same. */
  rules(path: string, fold: boolean): IgnoreRules | undefined {
    const known = this.#known(path);
    if (!known || known.text === "") return undefined;
    return known.rules[fold ? 1 : 0] ??= new IgnoreRules(known.text, fold);
  }

  /** What a folder outside the tree has under a name, links not followed; looked up anew when the folder has changed. */
  info(folder: string, name: string): Deno.FileInfo | undefined {
    const path = pathIn(folder, name);
    if (!this.#mayRead(path)) return undefined;
    const now = this.#mayRead(folder) ? this.#stamp(folder) : undefined;
    const before = this.#names.get(path);
    if (before && now && stillTrue(before.stamp, before.readAt, now)) return before.info;
    const readAt = Date.now();
    const info = infoOf(path);
    if (now) this.#names.set(path, { stamp: now, readAt, info });
    return info;
  }

  #stamp(folder: string): Stamp | undefined {
    try {
      return stampOf(Deno.statSync(folder));
    } catch {
      return undefined;
    }
  }

  #known(path: string): Known | undefined {
    if (!this.#mayRead(path)) return undefined;
    try {
      const info = Deno.statSync(path);
      const before = this.#files.get(path);
      const stamp = stampOf(info);
      if (before && stillTrue(before.stamp, before.readAt, stamp)) return before;
      // anything else could block for ever
      if (!info.isFile) return undefined;
      const readAt = Date.now();
      const text = Deno.readTextFileSync(path);
      const same = before?.text === text;
      const known = { stamp, readAt, text, rules: same ? before.rules : newRules() };
      this.#files.set(path, known);
      return known;
    } catch {
      this.#files.delete(path);
      return undefined;
    }
  }

  /** Above the root reading may not be allowed, and at a terminal Deno would ask. */
  #mayRead(path: string): boolean {
    return this.#all || Deno.permissions.querySync({ name: "read", path }).state === "granted";
  }
}

function newRules(): [IgnoreRules | undefined, IgnoreRules | undefined] {
  return [undefined, undefined];
}

/** What is at `path`, links not followed; undefined when nothing is. */
export function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}
