/** Whether each request's bytes begin the next one's. */
import assert from "node:assert/strict";
import type { CapturedRequest } from "./fake_provider.ts";

/** Where a cache is told to end moves on; it is no part of what is cached. */
export function unmarked(body: string): string {
  return body.replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, "");
}

/** The body up to where the next request may go on. */
function beginning(body: string): string {
  const end = /(?:,"tool_choice":(?:"none"|\{"type":"none"\}))?\}$/;
  return body.replace(end, "}").replace(/[\]}]+$/, "");
}

/** Fails with the place where a request leaves the one before it. */
export function assertPrefixes(requests: readonly CapturedRequest[]): void {
  for (let i = 1; i < requests.length; i++) {
    const before = beginning(unmarked(requests[i - 1]!.body));
    const now = unmarked(requests[i]!.body);
    if (now.startsWith(before)) continue;
    let at = 0;
    while (before[at] === now[at]) at++;
    assert.fail(
      `request ${i} leaves request ${i - 1} at ${at}:\n` +
        `${before.slice(at - 200, at + 200)}\n---\n${now.slice(at - 200, at + 200)}`,
    );
  }
}
