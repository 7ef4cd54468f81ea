/** A file of lines, appended to under a lock, whatever befalls the file meanwhile. */
import { unlock } from "../files/file_lock.ts";

/** Why all lines were written anew: the file had gone, or another stood in its place and was left alone. */
export type Befell = "removed" | "replaced" | "taken";

/** Another program holds the file. */
export class JournalBusy extends Error {
  override readonly name = "JournalBusy";
}

export class Journal {
  #path: string;
  #file: Deno.FsFile | undefined;
  #inode: number | null = null;
  /** Nothing of ours stands there yet. */
  #fresh: boolean;
  /** Of what is surely written. */
  #bytes = 0;
  #count = 0;
  /** Bytes of drafts behind them. */
  #drafted = 0;
  /** A damaged tail to be put aside, or what is left of a line that was not taken whole. */
  #litter: Uint8Array | undefined;
  #readOnly = false;
  /** Some of it may be in the system's memory only. */
  #unsynced = false;
  /** Not told yet. */
  #befell: Befell | undefined;
  readonly #encoder = new TextEncoder();

  /** A journal at `path`, which is made with the first line when it is `fresh`. */
  constructor(path: string, fresh: boolean) {
    this.#path = path;
    this.#fresh = fresh;
  }

  get path(): string {
    return this.#path;
  }

  /** Why it cannot be written, after `read`; undefined where it can. */
  refusal: unknown;

  /** Opens and locks the file and returns its bytes. Throws JournalBusy, or why it cannot be read. */
  read(): Uint8Array {
    try {
      this.#hold(Deno.openSync(this.#path, { read: true, write: true }));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof JournalBusy) throw error;
      this.#hold(Deno.openSync(this.#path, { read: true }));
      this.#readOnly = true;
      this.refusal = error;
    }
    return Deno.readFileSync(this.#path);
  }

  /** So much of what was read is good: `count` lines in `bytes` bytes, and `drafted` bytes of drafts; the rest is put aside with the next line. */
  settle(count: number, bytes: number, drafted = 0): void {
    this.#count = count;
    this.#bytes = bytes;
    this.#drafted = drafted;
  }

  /** How many lines of `save` are in the file. */
  get count(): number {
    return this.#count;
  }

  /**
   * Brings the file up to these lines, of which it has the first ones: from there no kill takes them,
   * and with `sync` no power cut does. Throws when the disk does not take them; then what was there
   * before is still there, and a later call makes up for it. Tells when it had to write all anew.
   */
  save(lines: readonly unknown[], sync: boolean): Befell | undefined {
    this.#ready();
    this.#dropDrafts();
    const file = this.#file!;
    const text = lines.slice(this.#count).map((line) => JSON.stringify(line) + "\n").join("");
    let rest = this.#encoder.encode(text);
    const { length } = rest;
    try {
      file.seekSync(this.#bytes, Deno.SeekMode.Start);
      while (rest.length > 0) rest = rest.subarray(file.writeSync(rest));
      this.#unsynced = true;
      if (sync || this.#befell !== undefined) this.sync();
    } catch (error) {
      // a half-written line would swallow the next one
      this.#litter = new Uint8Array();
      try {
        this.#tidy(file);
      } catch { /* the disk has refused once; the error below says so */ }
      throw error;
    }
    this.#bytes += length;
    this.#count = lines.length;
    const befell = this.#befell;
    this.#befell = undefined;
    return befell;
  }

  /**
   * Puts a line behind the others that is dropped with the next one that is saved, or with none
   * given at once. No power cut is to be outlived. Throws when the disk does not take it.
   */
  draft(line?: unknown): void {
    if (line === undefined && this.#drafted === 0) return;
    this.#ready();
    if (line === undefined) return this.#dropDrafts();
    const bytes = this.#encoder.encode(JSON.stringify(line) + "\n");
    const file = this.#file!;
    file.seekSync(this.#bytes + this.#drafted, Deno.SeekMode.Start);
    for (let rest = bytes; rest.length > 0;) {
      const written = file.writeSync(rest);
      this.#drafted += written;
      rest = rest.subarray(written);
    }
  }

  #dropDrafts(): void {
    if (this.#drafted === 0) return;
    this.#file!.truncateSync(this.#bytes);
    this.#drafted = 0;
  }

  /** Has the disk take what was saved. Throws when it does not. */
  sync(): void {
    if (this.#unsynced) this.#file?.syncDataSync();
    this.#unsynced = false;
  }

  close(): void {
    if (this.#file) unlock(this.#file);
    this.#file = undefined;
  }

  /** Has the file open, ours, and clean. */
  #ready(): void {
    const lost = this.#fresh ? undefined : this.#lost();
    if (lost !== undefined) {
      this.#befell = lost;
      this.close();
      this.#fresh = true;
      this.#count = this.#bytes = this.#drafted = 0;
      this.#litter = undefined;
    }
    if (this.#fresh) this.#make();
    else if (this.#readOnly || !this.#file) {
      // until it can be opened, the lock that there is stays
      const file = Deno.openSync(this.#path, { read: true, write: true });
      this.close();
      this.#hold(file);
    }
    this.#readOnly = false;
    this.#tidy(this.#file!);
  }

  /** What has become of the file that was ours. */
  #lost(): Befell | undefined {
    let info: Deno.FileInfo;
    try {
      info = Deno.statSync(this.#path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "removed";
      throw error;
    }
    const other = this.#inode !== null && info.ino !== null && info.ino !== this.#inode;
    if (other || info.size < this.#bytes) return "replaced";
    // a torn tail, or what another program has added
    const known = this.#bytes + this.#drafted;
    if (info.size > known) this.#litter ??= Deno.readFileSync(this.#path).slice(known);
    return undefined;
  }

  /** Makes the file, under another name where one stands already. */
  #make(): void {
    const slash = this.#path.lastIndexOf(Deno.build.os === "windows" ? "\\" : "/");
    Deno.mkdirSync(this.#path.slice(0, slash), { recursive: true, mode: 0o700 });
    const elsewhere = this.#befell === "replaced";
    const { file, path } = createFree(this.#path, elsewhere ? 2 : 1);
    this.#hold(file);
    if (path !== this.#path && !elsewhere) this.#befell = "taken";
    this.#path = path;
    this.#fresh = false;
  }

  #hold(file: Deno.FsFile): void {
    // The lock is freed by any death of this process, and keeps a second narnat from interleaving.
    if (!lock(file)) {
      file.close();
      throw new JournalBusy();
    }
    this.#file = file;
    this.#inode = file.statSync().ino;
  }

  #tidy(file: Deno.FsFile): void {
    if (this.#litter === undefined) return;
    if (this.#litter.length > 0) putAside(`${this.#path}.torn`, this.#litter);
    file.truncateSync(this.#bytes);
    this.#drafted = 0;
    this.#litter = undefined;
  }
}

/** Makes a file of that name, with a number in it from `first` on where another stands there. */
function createFree(name: string, first = 1): { file: Deno.FsFile; path: string } {
  const [, stem = name, end = ""] = /^(.*?)(\.[^./\\]*)$/s.exec(name) ?? [];
  for (let n = first;; n++) {
    const path = n === 1 ? name : `${stem}-${n}${end}`;
    try {
      const options = { read: true, write: true, createNew: true, mode: 0o600 };
      return { file: Deno.openSync(path, options), path };
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}

/** Keeps bytes in a file of their own, whole or not at all. */
function putAside(name: string, bytes: Uint8Array): void {
  const { file, path } = createFree(name);
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
  } catch (error) {
    Deno.removeSync(path);
    throw error;
  } finally {
    file.close();
  }
}

/** Takes the file's lock; false when another holds it. */
export function lock(file: Deno.FsFile): boolean {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      if (file.tryLockSync(true)) return true;
    } catch {
      return true; // a file system without locks
    }
    // A program that another thread is starting inherits what we have just closed, for a moment.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  return false;
}
