import type { Allowance, BudgetState, Command, Lang, Share, Usage } from "../base/types.ts";
import { say, type TextKey, texts } from "../base/text.ts";
import { spent } from "../base/usage.ts";
import { table } from "./table.ts";

/** Says what the session has used and cost. */
export const cost: Command = {
  name: "cost",
  aliases: ["context", "usage", "tokens"],
  usage: { zh: "", en: "" },
  anytime: true,
  help: {
    zh: "当前会话用了多少 token、花了多少钱、上下文由什么组成",
    en: "tokens and cost of this session, and what fills its window",
  },
  async run(_args, desk) {
    const { usage } = desk.current();
    const { besideUsage, lang } = desk;
    const beside = besideUsage.input + besideUsage.output === 0
      ? []
      : [labelled(say(desk.lang, "cost.beside"), spent(besideUsage, desk.lang), desk.lang)];
    return [
      labelled(say(lang, "cost.input"), number(usage.input) + cachedShare(usage, lang), lang),
      labelled(say(lang, "cost.output"), number(usage.output), lang),
      labelled(say(lang, "cost.cost"), dollars(usage, lang), lang),
      ...beside,
      ...budgetLines(await desk.budget(), desk.lang),
      ...shareTable(await desk.shares(), desk.lang),
    ].join("\n");
  },
};

/** What the day has cost, and the limits there are. */
function budgetLines({ today, session, day }: BudgetState, lang: Lang): string[] {
  const key = today.alone ? "cost.today_alone" : "cost.today";
  const unpriced = today.unpriced ? say(lang, "cost.today_unpriced") : "";
  const amounts = ({ cost, tokens }: Allowance) => [
    ...cost === undefined ? [] : [`$${Number(cost.toFixed(4))}`],
    ...tokens === undefined ? [] : [say(lang, "cost.limit_tokens", { n: number(tokens) })],
  ];
  const limits = [
    ...amounts(session).map((limit) => say(lang, "cost.limit_session", { limit })),
    ...amounts(day).map((limit) => say(lang, "cost.limit_day", { limit })),
  ];
  return [
    labelled(say(lang, key), spent(today.usage, lang) + unpriced, lang),
    ...limits.length === 0 ? [] : [labelled(say(lang, "cost.limits"), limits.join(" · "), lang)],
  ];
}

/** What the next request is made of, a row each. */
function shareTable(shares: readonly Share[], lang: Lang): string[] {
  const all = shares.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = shares.map(({ kind, name, tokens }) => [
    `  ${say(lang, `cost.${kind}`, { name: kind === "prompt" ? partName(name, lang) : name })}`,
    number(tokens),
    `${Math.round(100 * tokens / all)}%`,
  ]);
  return [say(lang, "cost.next", { tokens: number(all) }), ...table(rows, [1, 2])];
}

/** A part of the prompt as people call it; a file has its own name. */
export function partName(name: string, lang: Lang): string {
  const key = `part.${name.replaceAll(" ", "_")}`;
  return key in texts ? say(lang, key as TextKey) : name;
}

/** `label: value`, with the colon of the language. */
export const labelled = (label: string, value: string, lang: Lang): string =>
  `${label}${lang === "zh" ? "：" : ": "}${value}`;

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
