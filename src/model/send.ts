/** One guarded request to a provider. */
import { ModelError } from "../types.ts";
import { type Endpoint, fault, networkError, statusError } from "./errors.ts";
import { readBody, readText, within } from "./sse.ts";

const errorBodyLimit = 64_000;

/** What a request needs from outside. */
export interface Line {
  readonly endpoint: Endpoint;
  readonly fetch: typeof fetch;
  /** Milliseconds a provider may take to begin its answer. */
  readonly headerMs: number;
  /** Milliseconds without a byte before the answer counts as stalled. */
  readonly stallMs: number;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * POSTs `body`, or GETs without one. Resolves with a 2xx response, its body unread; throws
 * ModelError or the reason of `signal`.
 * The connection is released when `signal` aborts; a redirect is an error, for it would carry the key elsewhere.
 */
export async function send(
  line: Line,
  url: string,
  headers: HeadersInit,
  body: BodyInit | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const { endpoint } = line;
  try {
    const response = await within(
      line.fetch(url, {
        ...body === undefined ? { method: "GET" } : { method: "POST", body },
        headers,
        signal,
        redirect: "manual",
      }),
      line.headerMs,
      () => fault("network", endpoint, "model.no_headers", { seconds: line.headerMs / 1000 }),
      signal,
    );
    if (response.ok) return response;
    const late = () => stalled(line);
    const text = await within(
      readText(readBody(response.body, line.stallMs, late, signal), errorBodyLimit),
      line.stallMs,
      late,
      signal,
    ).catch((error) => {
      // the status alone tells enough
      if (signal.aborted) throw error;
      return "";
    });
    throw statusError(endpoint, response.status, response.headers, text, line.now());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof ModelError ? error : networkError(endpoint, error);
  }
}

/** The error for a body that went silent. */
export function stalled(line: Line): ModelError {
  return fault("network", line.endpoint, "model.stalled", { seconds: line.stallMs / 1000 });
}
