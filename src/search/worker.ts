import { errorMessage } from "../base/errors.ts";
import { createPart, type Kept, newKept } from "./file_search.ts";
import { PatternError } from "./regex/syntax.ts";
import type { PartFound } from "./found.ts";
import { drain, FileLists, fill } from "./run.ts";
import type { SearchRequest, WalkReport } from "./types.ts";
import { newWalkReport } from "./walk/walk.ts";
import { WorkList } from "./work_list.ts";

/** From a worker: that it is up, some paths of a walk, or what came of its share of a job. */
export type WorkerReply =
  | { readonly ready: true }
  | { readonly id: number; readonly paths: string }
  | {
    readonly id: number;
    readonly found: PartFound;
    /** How many entries of the work list are in `found`. */
    readonly taken: number;
    /** From the worker that filled the list. */
    readonly report: WalkReport | undefined;
  }
  | { readonly id: number; readonly bad: Pick<PatternError, "reason" | "pattern" | "at" | "found"> }
  | { readonly id: number; readonly failed: string };

/** Characters of paths in one message of a walk. */
const WALK_CHARS = 50_000;

interface Port {
  onmessage: (event: MessageEvent<SearchRequest>) => void;
  postMessage(reply: WorkerReply): void;
}

/** Turns this thread into a search worker: answers each SearchRequest, one at a time. */
export function start(): void {
  const port = globalThis as unknown as Port;
  let lists: FileLists | undefined;
  let kept: Kept | undefined;
  port.onmessage = ({ data }) => {
    lists ??= new FileLists(data.places);
    port.postMessage(answer(data, lists, () => kept ??= newKept(), port));
  };
  port.postMessage({ ready: true });
}

function answer(
  { id, job, memory, fills }: SearchRequest,
  lists: FileLists,
  kept: () => Kept,
  port: Port,
): WorkerReply {
  const list = new WorkList(memory);
  list.join();
  const deadline = "deadlineMs" in job.query ? performance.now() + job.query.deadlineMs : Infinity;
  const stop = () => {
    if (performance.now() > deadline) list.stop("deadline");
    return list.stopped !== undefined;
  };
  try {
    const part = createPart(job, stop, kept);
    const report = fills ? newWalkReport() : undefined;
    if (report) {
      const blocks = lists.blocks(job, report, stop);
      if (job.kind === "walk") send(id, blocks, list, port);
      else fill(blocks, list, part, stop);
    }
    const taken = drain(list, part, stop);
    // a file search keeps the deadline itself
    stop();
    return { id, taken, found: part.result(), report };
  } catch (error) {
    if (error instanceof PatternError) {
      const { reason, pattern, at, found } = error;
      return { id, bad: { reason, pattern, at, found } };
    }
    return { id, failed: errorMessage(error) };
  } finally {
    if (fills) list.end();
  }
}

/** Posts the paths of a walk as they come. */
function send(id: number, blocks: Iterable<string>, list: WorkList, port: Port): void {
  let paths = "";
  for (const block of blocks) {
    if (list.stopped) return;
    paths = paths === "" ? block : `${paths}\0${block}`;
    if (paths.length < WALK_CHARS) continue;
    port.postMessage({ id, paths });
    paths = "";
  }
  if (paths !== "") port.postMessage({ id, paths });
  list.end();
}
