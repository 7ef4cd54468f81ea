/** Lines of the log about requests. */
import { say } from "../../base/text.ts";
import type { Lang, Share, Usage } from "../../base/types.ts";

/** What the log says of an answered request. */
export function responseLine({ input, output, cached, cost }: Usage, ms: number, lang: Lang) {
  const dollars = cost === null ? "unknown" : `$${cost.toFixed(4)}`;
  return say(lang, "log.response", { output, cost: dollars, input, cached, ms: Math.round(ms) });
}

/** `base 1200, definitions 1900, user 30, Read 4100`: what the window is filled with. */
export function shareLine(shares: readonly Share[]): string {
  return shares.map(({ kind, name, tokens }) => `${name || kind} ${tokens}`).join(", ");
}
