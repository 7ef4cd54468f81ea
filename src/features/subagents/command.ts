import type { AgentInfo, AgentState, Choice, SessionController } from "../../base/types.ts";
import type { T } from "../../base/t.ts";
import { spent } from "../../base/figures.ts";
import { WHERE } from "../../commands/flags.ts";
import type { SharedCommand } from "../../commands/shell_command.ts";
import { table } from "../../commands/table.ts";

const ACTIVE: readonly AgentState[] = ["queued", "running"];

/** Lists the agents, shows what one said, and stops them. */
export const agents: SharedCommand = {
  name: "agents",
  usage: () => "[id | stop id|all]",
  anytime: true,
  help: (t) => t("list subagents and members of teams, see what one said, or stop them"),
  run(args, controller) {
    const [first, ...rest] = args.split(/\s+/).filter((word) => word !== "");
    const all = controller.agents.list();
    if (first === undefined) return overview(all, controller.t);
    const which = [...first === "stop" ? [] : [first], ...rest].join(" ");
    // only a label has several words
    if (which === "" || which.includes(" ") && !all.some(({ label }) => label === which)) {
      throw new Error(
        controller.t(
          "/agents lists them; /agents <id or label> shows what one said; /agents stop <id or label>|all stops",
        ),
      );
    }
    return first === "stop"
      ? stop(which, all, controller)
      : shown(named(which, all, controller.t), controller);
  },
  complete: (controller) => Promise.resolve(choices(controller)),
  shell: {
    brief: "the kinds of agents that can be started",
    flags: WHERE,
    words: { brief: "list | show NAME", placeholder: "list|show" },
    load: async () => (await import("./cli.ts")).agents,
  },
};

function overview(all: readonly AgentInfo[], t: T): string {
  if (all.length === 0) return t("There are no agents");
  return table(all.map((info) => row(info, t)), [5]).join("\n");
}

function row(info: AgentInfo, t: T): string[] {
  const { id, label, kind, state, steps, doing, usage, ms } = info;
  const busy = state === "running" ? doing || t("thinking") : "";
  return [
    id,
    kind === "" ? label : `${label} (${kind})`,
    stateOf(info, t),
    busy,
    t("{n} {n:step|steps}", { n: steps }),
    `${(ms / 1000).toFixed(1)}s`,
    // what a request that was cut has used nobody knows
    steps === 0 ? "–" : spent(usage, t),
  ];
}

/** A member that has answered waits for more. */
function stateOf({ state, member }: AgentInfo, t: T): string {
  return t(member && state === "done" ? "ready" : state);
}

function shown(info: AgentInfo, controller: SessionController): string {
  const { t } = controller;
  const said = controller.agents.said(info.id) || t("has said nothing yet");
  return `${table([row(info, t)]).join("")}\n\n${said}`;
}

function stop(which: string, all: readonly AgentInfo[], controller: SessionController): string {
  const { t } = controller;
  const those = which === "all"
    ? all.filter(({ state, member }) => member || ACTIVE.includes(state))
    : [named(which, all, t)];
  if (those.length === 0) return t("There are no agents");
  const stopped = those.filter(({ id }) => controller.agents.stop(id)).map(({ id }) => id);
  if (stopped.length === 0) throw new Error(t("{id} does not run", { id: which }));
  return t("stopped {ids}", { ids: stopped.join(", ") });
}

/** By its id, an unambiguous beginning of it, or its label. Throws in words for the user. */
function named(which: string, all: readonly AgentInfo[], t: T): AgentInfo {
  const ways: ((info: AgentInfo) => boolean)[] = [
    ({ id }) => id === which,
    ({ id }) => id.startsWith(which),
    ({ label }) => label === which,
  ];
  const found = ways.map((way) => all.filter(way)).find(({ length }) => length === 1);
  if (found) return found[0]!;
  const ids = all.map(({ id }) => id).join(", ") || t("none");
  throw new Error(t("No agent {id}; there are: {ids}", { id: which, ids }));
}

function choices({ agents, t }: SessionController): readonly Choice[] {
  const all = agents.list().toReversed();
  const help = (info: AgentInfo) => `${info.label} · ${stateOf(info, t)}`;
  const active = all.filter(({ state, member }) => member || ACTIVE.includes(state));
  return [
    ...all.map((info) => ({ value: info.id, help: help(info) })),
    ...active.map((info) => ({ value: `stop ${info.id}`, help: help(info) })),
    ...active.length > 1 ? [{ value: "stop all", help: "" }] : [],
  ];
}
