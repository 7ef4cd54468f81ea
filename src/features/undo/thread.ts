/** The worker that keeps checkpoints, as its narnat sees it. */
import { mayLoad } from "../../search/pool.ts";
import { NothingToDo } from "./types.ts";
import type { ServiceOptions, ServiceState, Thread } from "./service.ts";
import type { Reply, Request } from "./worker.ts";

const START_MS = 10_000;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  progress(files: number): void;
}

/** Starts it, from `state` on; `entry` is the module it begins with. Throws where there can be no worker. */
export function startThread(
  entry: string,
  options: ServiceOptions,
  state?: ServiceState,
): Thread {
  if (!mayLoad(entry)) throw new Error("the program may not be read (--allow-read)");
  const worker = new Worker(entry, { type: "module", name: "checkpoints" });
  const waiting = new Map<number, Waiting>();
  /** What is said to a worker before it listens is lost. */
  let held: Request[] | undefined = [];
  let last = 0;
  let crashed: Error | undefined;
  const crash = (why: string) => {
    crashed = new Error(why);
    for (const { reject } of waiting.values()) reject(crashed);
    waiting.clear();
    clearTimeout(timer);
    worker.terminate();
  };
  const ask = (request: Request, progress: (files: number) => void) => {
    if (crashed) return Promise.reject(crashed);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(request.id, { resolve, reject, progress });
    if (held) held.push(request);
    else worker.postMessage(request);
    return promise;
  };
  const timer = setTimeout(() => crash("its thread did not start"), START_MS);
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    if ("ready" in data) {
      clearTimeout(timer);
      const all = held ?? [];
      held = undefined;
      for (const request of all) worker.postMessage(request);
      return;
    }
    const one = waiting.get(data.id);
    if ("files" in data) return one?.progress(data.files);
    waiting.delete(data.id);
    if ("value" in data) one?.resolve(data.value);
    else if ("nothing" in data) one?.reject(new NothingToDo(data.nothing));
    else one?.reject(new Error(data.failed));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    crash(event.message);
  };
  ask({ id: ++last, open: options, state }, () => {}).catch((error) =>
    crash((error as Error).message)
  );
  return {
    call: (name, args, progress = () => {}) =>
      ask({ id: ++last, call: name, args }, progress) as Promise<never>,
    close() {
      clearTimeout(timer);
      worker.terminate();
    },
  };
}
