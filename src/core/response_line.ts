import { say } from "../text.ts";
import type { Lang, Usage } from "../types.ts";

/** What the log says of an answered request. */
export function responseLine({ input, output, cached, cost }: Usage, ms: number, lang: Lang) {
  const dollars = cost === null ? "unknown" : `$${cost.toFixed(4)}`;
  return say(lang, "log.response", { output, cost: dollars, input, cached, ms: Math.round(ms) });
}
