import { mergeFound } from "./merge.ts";
import { createPart } from "./part.ts";
import { FileLists } from "./run.ts";
import type { GitPlaces } from "./git_settings.ts";
import type { GlobFound, GrepFound, SearchJob, Stopped } from "./types.ts";
import { newWalkReport } from "./walk.ts";

const SLICE_MS = 15;

/** Makes a search in this thread that lets others have a turn every few milliseconds. */
export function searchHere(places: GitPlaces) {
  const lists = new FileLists(places);
  return async (
    job: SearchJob,
    signal: AbortSignal,
    onPaths: (paths: string) => void,
  ): Promise<GlobFound | GrepFound | undefined> => {
    const limit = "deadlineMs" in job.query ? job.query.deadlineMs : Infinity;
    const deadline = performance.now() + limit;
    let stopped: Stopped;
    const stop = () => {
      if (performance.now() > deadline) stopped ??= "deadline";
      return stopped !== undefined || signal.aborted;
    };
    let pause = performance.now() + SLICE_MS;
    const rest = async () => {
      if (performance.now() < pause) return;
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      pause = performance.now() + SLICE_MS;
    };
    const part = createPart(job, stop);
    const report = newWalkReport();
    for (const block of lists.blocks(job, report, stop)) {
      if (job.kind === "walk") onPaths(block);
      else {
        for (const path of block.split("\0")) {
          if (stop()) break;
          part.file(path);
          await rest();
        }
      }
      if (stop()) break;
      await rest();
    }
    signal.throwIfAborted();
    return mergeFound(job, [part.result()], report, stopped);
  };
}
