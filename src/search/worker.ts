import { PatternError } from "./pattern.ts";
import { startSearch } from "./engine.ts";
import type { SearchReply, SearchRequest } from "./types.ts";

const NO_PAUSE = 1e9;

/** Turns this thread into the search worker: answers each SearchRequest with a SearchReply, one at a time. */
export function start(): void {
  const port = globalThis as unknown as {
    onmessage: (event: MessageEvent<SearchRequest>) => void;
    postMessage(reply: SearchReply): void;
  };
  port.onmessage = (event) => port.postMessage(answer(event.data));
  port.postMessage({ ready: true });
}

function answer({ id, job, cancel }: SearchRequest): SearchReply {
  const cell = new Int32Array(cancel);
  try {
    const search = startSearch(job, () => Atomics.load(cell, 0) === 1);
    while (search.step(NO_PAUSE));
    return { id, found: search.result() };
  } catch (error) {
    if (error instanceof PatternError) return { id, pattern: error.message };
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}
