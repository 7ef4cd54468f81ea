/** `last_session_summary.md`: carries a summary from one session to the next, and is empty otherwise. */
import { under } from "../../base/under.ts";

const NAME = "last_session_summary.md";

/** Where it lies, as people name it. */
export const SUMMARY_FILE = `.narnat/${NAME}`;

/** Writes the summary to the project's narnat folder and returns what can be read there. */
export async function writeSummary(dir: string, summary: string): Promise<string> {
  const { writeAtomic } = await import("../../files/atomic.ts");
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
