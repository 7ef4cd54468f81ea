/** Lines of the log about requests. */
import type { T } from "../../base/t.ts";
import type { Share, Usage } from "../../base/types.ts";

/** What the log says of an answered request. */
export function responseLine({ input, output, cached, cost }: Usage, ms: number, t: T) {
  const dollars = cost === null ? "unknown" : `$${cost.toFixed(4)}`;
  return t(
    "response done, tokens_out={output}, cost={cost}, tokens_in={input}, cached={cached}, latency={ms}ms",
    { output, cost: dollars, input, cached, ms: Math.round(ms) },
  );
}

/** `base 1200, definitions 1900, user 30, Read 4100`: what the window is filled with. */
export function shareLine(shares: readonly Share[]): string {
  return shares.map(({ kind, name, tokens }) => `${name || kind} ${tokens}`).join(", ");
}
