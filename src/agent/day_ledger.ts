/** What all narnats of a user spend in a day: a file a day, a line a request. */
import type { DaySpending, SpentToday, Usage } from "../base/types.ts";
import { NO_USAGE } from "../base/figures.ts";
import { under } from "../base/path.ts";
import { tryLock } from "../files/file_lock.ts";

export interface SpentOptions {
  /** Folder of the files; undefined where none may be kept. */
  readonly dir: string | undefined;
  readonly now: () => Date;
}

/** Files of so many days are kept. */
const DAYS = 31;
const DAY_MS = 86_400_000;
const LOCK_TRIES = 100;
const LOCK_POLL_MS = 10;
const NAME = /^\d{4}-\d\d-\d\d\.jsonl$/;
const LINE_END = 10;

/** Opens nothing before it is asked. */
export function daySpending({ dir, now }: SpentOptions): DaySpending {
  let day = "";
  /** So much of the day's file has been summed up. */
  let read = 0;
  let sum = noSum();
  /** What no file took. */
  let unkept = noSum();

  const today = () => {
    const at = now();
    const pad = (n: number) => String(n).padStart(2, "0");
    const name = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
    if (name !== day) {
      day = name;
      read = 0;
      sum = noSum();
      unkept = noSum();
    }
    return dir === undefined ? undefined : under(dir, `${name}.jsonl`);
  };

  return {
    async add(usage, model) {
      const path = today();
      try {
        if (path === undefined || dir === undefined) throw new Error("nothing is kept");
        const { input, output, cached, cost } = usage;
        const line = { at: now().toISOString(), model, input, output, cached, cost };
        if (await appendLine(dir, path, JSON.stringify(line))) forgetOld(dir, now());
      } catch {
        take(unkept, usage);
        unkept.alone = true;
      }
    },
    today() {
      const path = today();
      if (path !== undefined) {
        try {
          const { bytes, begin } = readFrom(path, read);
          if (begin === 0) sum = noSum();
          const end = bytes.lastIndexOf(LINE_END) + 1;
          for (const line of new TextDecoder().decode(bytes.subarray(0, end)).split("\n")) {
            const usage = usageOf(line);
            if (usage) take(sum, usage);
          }
          read = begin + end;
        } catch (error) {
          read = 0;
          sum = noSum();
          sum.alone = !(error instanceof Deno.errors.NotFound);
        }
      }
      return Promise.resolve(both(sum, unkept));
    },
  };
}

interface Sum {
  input: number;
  output: number;
  cached: number;
  cost: number;
  unpriced: boolean;
  alone: boolean;
}

const noSum = (): Sum => ({ ...NO_USAGE, cost: 0, unpriced: false, alone: false });

function take(sum: Sum, usage: Usage): void {
  sum.input += usage.input;
  sum.output += usage.output;
  sum.cached += usage.cached;
  sum.cost += usage.cost ?? 0;
  sum.unpriced ||= usage.cost === null;
}

function both(a: Sum, b: Sum): SpentToday {
  const usage = {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    cost: a.cost + b.cost,
  };
  return { usage, unpriced: a.unpriced || b.unpriced, alone: a.alone || b.alone };
}

/** Nothing of a line that is none: a narnat was killed while it wrote it, or somebody has edited the file. */
function usageOf(line: string): Usage | undefined {
  try {
    const { input, output, cached, cost } = JSON.parse(line);
    const counts = [input, output, cached].every((n) => Number.isFinite(n) && n >= 0);
    if (!counts || !(cost === null || Number.isFinite(cost) && cost >= 0)) return undefined;
    return { input, output, cached, cost };
  } catch {
    return undefined;
  }
}

/** The bytes from a place on; all of them where the file has become shorter. */
function readFrom(path: string, place: number): { bytes: Uint8Array; begin: number } {
  using file = Deno.openSync(path, { read: true });
  const { size } = file.statSync();
  const begin = size < place ? 0 : place;
  const bytes = new Uint8Array(size - begin);
  file.seekSync(begin, Deno.SeekMode.Start);
  let got = 0;
  while (got < bytes.length) {
    const n = file.readSync(bytes.subarray(got));
    if (n === null) break;
    got += n;
  }
  return { bytes: bytes.subarray(0, got), begin };
}

function openOrMake(dir: string, path: string): Deno.FsFile {
  const open = () => Deno.openSync(path, { read: true, append: true, create: true, mode: 0o600 });
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
    return open();
  }
}

/** Writes a line behind the others, one narnat at a time; true when it is the first one. */
async function appendLine(dir: string, path: string, line: string): Promise<boolean> {
  using file = openOrMake(dir, path);
  for (let tries = 0; !tryLock(file) && tries < LOCK_TRIES; tries++) {
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
  const { size } = file.statSync();
  let torn = false;
  if (size > 0) {
    const last = new Uint8Array(1);
    file.seekSync(size - 1, Deno.SeekMode.Start);
    torn = file.readSync(last) === 1 && last[0] !== LINE_END;
  }
  const bytes = new TextEncoder().encode(`${torn ? "\n" : ""}${line}\n`);
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  return size === 0;
}

function forgetOld(dir: string, now: Date): void {
  const oldest = new Date(now.getTime() - DAYS * DAY_MS).toISOString().slice(0, 10);
  try {
    for (const { name } of Deno.readDirSync(dir)) {
      if (NAME.test(name) && name.slice(0, 10) < oldest) Deno.removeSync(under(dir, name));
    }
  } catch { /* it is old all the same, and counts for no day */ }
}
