import type { Command, Lang, Usage } from "../types.ts";
import { say } from "../text.ts";

/** Says what the session has used and cost. */
export const cost: Command = {
  name: "cost",
  usage: { zh: "", en: "" },
  anytime: true,
  help: { zh: "当前对话用了多少 token、花了多少钱", en: "tokens and cost of this session" },
  run(_args, desk) {
    const { usage } = desk.current();
    return [
      `${say(desk.lang, "cost.input")}: ${number(usage.input)}${cachedShare(usage, desk.lang)}`,
      `${say(desk.lang, "cost.output")}: ${number(usage.output)}`,
      `${say(desk.lang, "cost.cost")}: ${dollars(usage, desk.lang)}`,
    ].join("\n");
  },
};

/** ` (68% cached)`; nothing where nothing was sent. */
export function cachedShare({ input, cached }: Usage, lang: Lang): string {
  if (input === 0) return "";
  return say(lang, "cost.cached", { percent: Math.round(100 * cached / input) });
}

/** What it cost, or that it is not known, or that nothing was used. */
export function dollars({ input, output, cost }: Usage, lang: Lang): string {
  if (input + output === 0) return say(lang, "cost.nothing");
  return cost === null ? say(lang, "cost.unknown") : `$${cost.toFixed(4)}`;
}

/** `1,234,567`, in every language. */
export const number = (n: number): string => n.toLocaleString("en-US");
