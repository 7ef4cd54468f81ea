import type { AgentInfo, AgentState, Choice, Command, Desk, Lang } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { spent } from "../../base/usage.ts";
import { table } from "../../commands/table.ts";

const ACTIVE: readonly AgentState[] = ["queued", "running"];

/** Lists the agents, shows what one said, and stops them. */
export const agents: Command = {
  name: "agents",
  usage: { zh: "[id | stop id|all]", en: "[id | stop id|all]" },
  anytime: true,
  help: {
    zh: "查看子代理和团队成员、它们说了什么，或停止它们",
    en: "list subagents and members of teams, see what one said, or stop them",
  },
  run(args, desk) {
    const [first, ...rest] = args.split(/\s+/).filter((word) => word !== "");
    const all = desk.agents.list();
    if (first === undefined) return overview(all, desk.lang);
    const which = [...first === "stop" ? [] : [first], ...rest].join(" ");
    // only a label has several words
    if (which === "" || which.includes(" ") && !all.some(({ label }) => label === which)) {
      throw new Error(say(desk.lang, "agents.usage"));
    }
    return first === "stop" ? stop(which, all, desk) : shown(named(which, all, desk.lang), desk);
  },
  complete: (desk) => Promise.resolve(choices(desk)),
};

function overview(all: readonly AgentInfo[], lang: Lang): string {
  if (all.length === 0) return say(lang, "agents.none");
  return table(all.map((info) => row(info, lang)), [5]).join("\n");
}

function row(info: AgentInfo, lang: Lang): string[] {
  const { id, label, kind, state, steps, doing, usage, ms } = info;
  const busy = state === "running" ? doing || say(lang, "agents.thinking") : "";
  return [
    id,
    kind === "" ? label : `${label} (${kind})`,
    stateOf(info, lang),
    busy,
    say(lang, "agents.steps", { n: steps }),
    `${(ms / 1000).toFixed(1)}s`,
    // what a request that was cut has used nobody knows
    steps === 0 ? "–" : spent(usage, lang),
  ];
}

/** A member that has answered waits for more. */
function stateOf({ state, member }: AgentInfo, lang: Lang): string {
  return say(lang, `agents.state_${member && state === "done" ? "ready" : state}`);
}

function shown(info: AgentInfo, desk: Desk): string {
  const { lang } = desk;
  const said = desk.agents.said(info.id) || say(lang, "agents.silent");
  return `${table([row(info, lang)]).join("")}\n\n${said}`;
}

function stop(which: string, all: readonly AgentInfo[], desk: Desk): string {
  const { lang } = desk;
  const those = which === "all"
    ? all.filter(({ state, member }) => member || ACTIVE.includes(state))
    : [named(which, all, lang)];
  if (those.length === 0) return say(lang, "agents.none");
  const stopped = those.filter(({ id }) => desk.agents.stop(id)).map(({ id }) => id);
  if (stopped.length === 0) throw new Error(say(lang, "agents.not_running", { id: which }));
  return say(lang, "agents.stopping", { ids: stopped.join(", ") });
}

/** By its id, an unambiguous beginning of it, or its label. Throws in words for the user. */
function named(which: string, all: readonly AgentInfo[], lang: Lang): AgentInfo {
  const ways: ((info: AgentInfo) => boolean)[] = [
    ({ id }) => id === which,
    ({ id }) => id.startsWith(which),
    ({ label }) => label === which,
  ];
  const found = ways.map((way) => all.filter(way)).find(({ length }) => length === 1);
  if (found) return found[0]!;
  const ids = all.map(({ id }) => id).join(", ") || say(lang, "names.none");
  throw new Error(say(lang, "agents.unknown", { id: which, ids }));
}

function choices({ agents, lang }: Desk): readonly Choice[] {
  const all = agents.list().toReversed();
  const help = (info: AgentInfo) => `${info.label} · ${stateOf(info, lang)}`;
  const active = all.filter(({ state, member }) => member || ACTIVE.includes(state));
  return [
    ...all.map((info) => ({ value: info.id, help: help(info) })),
    ...active.map((info) => ({ value: `stop ${info.id}`, help: help(info) })),
    ...active.length > 1 ? [{ value: "stop all", help: "" }] : [],
  ];
}
