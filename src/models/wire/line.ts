/** The way to a provider. */
import type { Watchdog } from "../../base/watchdog.ts";
import type { Endpoint } from "../errors.ts";

/** What a request needs from outside. */
export interface Line {
  readonly endpoint: Endpoint;
  readonly fetch: typeof fetch;
  /** Milliseconds a provider may take to begin its answer. */
  readonly headerMs: number;
  /** Milliseconds without a byte before the answer counts as stalled. */
  readonly stallMs: number;
  readonly watchdog: Watchdog;
  /** Milliseconds since the epoch. */
  now(): number;
}
