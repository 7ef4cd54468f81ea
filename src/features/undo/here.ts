/** Checkpoints in a narnat's own thread, as long as its folder is small. */
import { type Few, TooMany } from "./scan.ts";
import { openService, type ServiceOptions, type ServiceState } from "./service.ts";
import type { Thread } from "./thread.ts";

/** A look at so much is over before a worker would have started. */
const FEW: Few = { paths: 1000, reads: 300, bytes: 4_000_000 };

/** Opens it; `startThread` starts the worker that takes over where the folder outgrows this one. */
export function keepHere(
  options: ServiceOptions,
  startThread: (state: ServiceState | undefined) => Promise<Thread>,
): Thread {
  const service = openService({ ...options, few: FEW });
  let thread: Promise<Thread> | undefined;
  let state: ServiceState | undefined;
  return {
    async call(name, args, progress) {
      if (!thread) {
        const call = service[name] as (...args: readonly unknown[]) => never;
        try {
          return call(...args);
        } catch (error) {
          if (!(error instanceof TooMany)) throw error;
          state = service.state();
          if (!state) service.close();
          thread = startThread(state);
        }
      }
      return await (await thread).call(name, args, progress);
    },
    close() {
      // the lock of the run has stayed here
      if (state) service.close();
      void thread?.then((started) => started.close()).catch(() => {});
    },
  };
}
