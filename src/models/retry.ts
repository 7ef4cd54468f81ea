/** Tries again where waiting may help. */
import { type ModelClient, ModelError, type ModelEvent } from "../base/types.ts";
import type { T } from "../base/t.ts";
import { foundOf, nothingListens } from "./errors.ts";

/** A longer wait than this is not waited for. */
const longestWaitMs = 120_000;

/** So long in all a server is asked that answers nothing. */
const longestSilenceMs = 600_000;

/** Enough for a server on this machine that is just starting. */
const mostRetriesHere = 2;

/** What retrying needs from outside. */
export interface RetryHost {
  /** From 0 to below 1. */
  random(): number;
  /** Resolves after `ms`; rejects with `signal.reason` at once when aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds since the epoch; the clock's where not given. */
  now?(): number;
}

/** Retries errors of kind `rate` and `network` after 1, 2, 4, 8, 16 s ± 25 %, or as long as the server asks; where nothing listens on this machine, at most twice; where nothing comes, for ten minutes in all. */
export function withRetry(
  client: ModelClient,
  host: RetryHost,
  options: { readonly maxRetries: number; readonly t: T },
): ModelClient {
  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const now = () => host.now?.() ?? Date.now();
      let silentMs = 0;
      for (let attempt = 1;; attempt++) {
        let done = false;
        let isSilent = true;
        const began = now();
        try {
          for await (const event of client.stream(request, signal)) {
            isSilent = false;
            done ||= event.type === "done";
            yield event;
          }
          return;
        } catch (error) {
          if (done || signal.aborted || !(error instanceof ModelError)) throw error;
          const waitMs = waitFor(error, attempt, host);
          const { maxRetries } = options;
          const ms = now() - began;
          if (isSilent) silentMs += ms;
          // as many more as long as this one
          const more = isSilent && ms > 0
            ? Math.max(0, Math.round((longestSilenceMs - silentMs) / ms))
            : Infinity;
          const most = Math.min(
            nothingListens(error) ? mostRetriesHere : Infinity,
            maxRetries,
            attempt - 1 + more,
          );
          if (waitMs === undefined || attempt > most) throw error;
          const text = options.t("{found}; next is attempt {n} of {of}", {
            found: foundOf(options.t, error),
            n: attempt + 1,
            of: most + 1,
          });
          yield { type: "retry", attempt, waitMs, kind: error.kind, text };
          await host.sleep(waitMs, signal);
          signal.throwIfAborted();
        }
      }
    },
  };
}

/** Sleeps on the real clock; rejects with `signal.reason` at once when aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Milliseconds to wait before the next attempt; undefined when there should be none. */
function waitFor(error: ModelError, attempt: number, host: RetryHost): number | undefined {
  if (error.kind !== "rate" && error.kind !== "network") return undefined;
  if (error.retryAfterMs !== undefined && error.retryAfterMs > 0) {
    return error.retryAfterMs > longestWaitMs ? undefined : Math.ceil(error.retryAfterMs);
  }
  const base = 1000 * 2 ** (attempt - 1);
  return Math.round(base * (0.75 + host.random() * 0.5));
}
