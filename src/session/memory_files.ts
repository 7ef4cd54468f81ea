/**
 * The files that people and Dream keep the memory in, and the one that carries a summary from one
 * session to the next.
 */
import { under } from "../base/path.ts";
import type { T } from "../base/t.ts";

/** What the person is like; how narnat should be; what is known of the project. */
export const MEMORY_FILES = ["USER.md", "SOUL.md", "MEMORY.md"] as const;

export type MemoryFile = typeof MEMORY_FILES[number];

/** What of each file stands in the prompt, in bytes. */
export const MEMORY_CAPS: { readonly [name in MemoryFile]: number } = {
  "USER.md": 8 * 1024,
  "SOUL.md": 8 * 1024,
  "MEMORY.md": 16 * 1024,
};

/** Text of a memory file; undefined where there is none. Throws when it is a link or no text file. */
export function memoryText(dir: string, name: string, t: T): string | undefined {
  const path = under(dir, name);
  try {
    // a link that came with a project would have a file elsewhere read and written
    if (!Deno.lstatSync(path).isFile) {
      throw new Error(
        t("{path} is a link or a folder and was not touched; put a regular file in its place", {
          path,
        }),
      );
    }
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Puts a text in a file's place: afterwards it is the old or the new one, whole. */
export function writeMemory(dir: string, name: string, text: string): void {
  writeMemories(dir, [[name, text]]);
}

/** The same for several files: where one cannot be written, none has changed. */
export function writeMemories(
  dir: string,
  files: readonly (readonly [name: string, text: string])[],
): void {
  const written = files.map(([name, text]) => {
    const path = under(dir, name);
    const beside = besideOf(path);
    Deno.writeTextFileSync(beside, text, { mode: 0o600, createNew: true });
    return { path, beside };
  });
  for (const { path, beside } of written) Deno.renameSync(beside, path);
}

/** Where a text is written before it takes a file's place: nothing is there, a link neither. */
export function besideOf(path: string): string {
  const beside = `${path}.new`;
  try {
    Deno.removeSync(beside);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return beside;
}

const NAME = "last_session_summary.md";

/** Where it lies, as people name it. */
export const SUMMARY_FILE = `.narnat/${NAME}`;

/** Writes the summary to the project's narnat folder and returns what can be read there. */
export async function writeSummary(dir: string, summary: string): Promise<string> {
  const { writeAtomic } = await import("../files/atomic.ts");
  // a home may be reached through a link
  const path = under(await Deno.realPath(dir), NAME);
  await writeAtomic(path, new TextEncoder().encode(summary));
  return await Deno.readTextFile(path);
}

/** Empties the file where it holds this summary; another narnat's, and whatever else it holds, stays. */
export function emptySummary(dir: string, summary: string): void {
  const path = under(dir, NAME);
  try {
    if (Deno.lstatSync(path).isFile && Deno.readTextFileSync(path) === summary) {
      Deno.truncateSync(path);
    }
  } catch { /* a file that is not there, or not ours to write, holds up nothing */ }
}
