/** One guarded request to a provider. */
import { ModelError } from "../../base/types.ts";
import { fault, networkError, statusError } from "../errors.ts";
import { Body } from "./body.ts";
import type { Line } from "../provider.ts";

const errorBodyLimit = 64_000;

/**
 * POSTs `body`, or GETs without one. Resolves with a 2xx response, its body unread; throws
 * ModelError or the reason of `signal`.
 * A redirect is an error, for it would carry the key elsewhere.
 */
export async function send(
  line: Line,
  url: string,
  headers: HeadersInit,
  body: BodyInit | undefined,
  signal: AbortSignal,
): Promise<Response> {
  signal.throwIfAborted();
  const { endpoint, watchdog } = line;
  const release = new AbortController();
  const onAbort = () => release.abort(signal.reason);
  signal.addEventListener("abort", onAbort);
  let wait = watchdog.begin(line.headerMs, () => {
    const seconds = line.headerMs / 1000;
    release.abort(fault("network", endpoint, "model.no_headers", { seconds }));
  });
  try {
    const response = await abortable(
      line.fetch(url, {
        ...body === undefined ? { method: "GET" } : { method: "POST", body },
        headers,
        signal: release.signal,
        redirect: "manual",
      }),
      release.signal,
    );
    if (response.ok) return response;
    wait.end();
    wait = watchdog.begin(line.stallMs, () => release.abort());
    const text = await new Body(line, response, release.signal).text(errorBodyLimit).catch(() =>
      ""
    );
    // the status alone tells enough, but to who has stopped it
    signal.throwIfAborted();
    release.abort();
    throw statusError(endpoint, response.status, response.headers, text, line.now());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    release.abort();
    throw error instanceof ModelError ? error : networkError(endpoint, error);
  } finally {
    wait.end();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Settles as `promise` does; rejects with the reason of `signal` at once when that aborts. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
