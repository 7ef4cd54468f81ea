/** A server of tools in words. */
import type { T } from "../../base/t.ts";
import type { ServerInfo } from "../../base/types.ts";

/** A server in one row: its name, how it is, what it has, why it has not. */
export function serverState(info: ServerInfo, t: T): string {
  const colon = t(": ");
  const state = [stateOf(info, t), ...facts(info, t)].join(comma(t));
  return [info.name, state, info.why].filter((text) => text !== "").join(colon);
}

export const comma = (t: T) => t.lang === "zh" ? "，" : ", ";
/** Its state in a word or two. */
export const stateOf = ({ state }: ServerInfo, t: T) =>
  t(state === "untrusted" ? "not trusted" : state);

/** How much it has, and how long it took to come. */
export function facts({ tools, resources, prompts, ms, state }: ServerInfo, t: T): string[] {
  if (state === "off" || state === "untrusted" || state === "error") return [];
  return [
    t("{n} {n:tool|tools}", { n: tools.length }),
    ...resources > 0 ? [t("{n} {n:resource|resources}", { n: resources })] : [],
    ...prompts > 0 ? [t("{n} {n:prompt|prompts}", { n: prompts })] : [],
    ...ms === undefined ? [] : [`${Math.round(ms)} ms`],
  ];
}
