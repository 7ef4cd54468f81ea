import { nearest } from "../../base/nearest.ts";
import { english, type T } from "../../base/t.ts";
import type { AgentKind, Agents, Tool, ToolInput, ToolResult } from "../../base/types.ts";
import { excerpt, truncate } from "../../base/strings.ts";
import { rename } from "../../tools/toolbox.ts";

/** What agents are made with. */
export interface AgentToolOptions {
  agents(): Agents;
  /** The kinds there are besides the general one. */
  readonly kinds: readonly AgentKind[];
}

const LABEL_CHARS = 40;
/** What the description may take for all kinds, and for what one is for. */
const KINDS_CHARS = 6000;
const PURPOSE_CHARS = 300;
/** Other agents' names for one without a kind. */
const GENERAL = ["", "general", "general-purpose", "default"];

const DESCRIPTION =
  "Start a subagent: an agent of its own that does a task in the background, with a context of its own and all tools but Spawn, Plan and Team. For work that stands alone, is complex, or takes long; start several for independent parts. Rather no subagent where you need the answer's details yourself, or one Read or Grep would do.\n" +
  "It knows nothing of this conversation: put all it needs into the task (paths, what is known, what it is to return). It cannot ask the user, and what it leaves running ends with it. Two agents should not change the same files.\n" +
  "Its answer comes to you by itself as a message; do other work meanwhile, and end your answer when there is none. Never wait or poll for it. With wait: true the answer is the result of this call; several such calls in one answer run side by side.";

/** Makes Spawn: an agent that works for the lane, of one of these kinds. */
export function spawnTool({ agents, kinds }: AgentToolOptions): Tool {
  return {
    name: "Spawn",
    description: [DESCRIPTION, ...kindList(kinds)].join("\n"),
    input: {
      type: "object",
      properties: {
        task: { type: "string", description: "All that is to be done and returned" },
        label: { type: "string", description: "A few words for the user" },
        ...kinds.length > 0 ? { type: { type: "string" as const } } : {},
        wait: { type: "boolean", description: "Return the answer as the result; default false" },
      },
      required: ["task"],
    },
    readOnly: false,
    needs: [],
    parallel: () => Promise.resolve(true),
    unlimited: true,
    aliases: ["spawn_agent", "subagent", "sub_agent", "task", "agent"],
    adapt(input) {
      const out = rename(input, {
        prompt: "task",
        description: "label",
        role: "label",
        subagent_type: "type",
        agent_type: "type",
      });
      const { run_in_background: background, type, ...rest } = out;
      const named = typeof type === "string" && kindNamed(out, kinds, english) ? { type } : {};
      const wait = background === false && !("wait" in rest) ? { wait: true } : {};
      return { ...rest, ...named, ...wait };
    },
    async run(input, { t, lane, signal }) {
      const task = String(input.task);
      if (task.trim() === "") {
        return {
          ok: false,
          text: t(
            "Error: task is empty; say all that is to be done, a subagent does not see this conversation",
          ),
        };
      }
      const kind = kindNamed(input, kinds, t);
      if (typeof kind === "string") return { ok: false, text: kind };
      const label = labelOf(String(input["label"] ?? ""), task);
      const asked = { text: task, label, ...kind ? { kind } : {} };
      if (input["wait"] === true) return await waited(agents(), asked, lane, signal, t);
      const { id, state } = agents().start(asked, lane);
      return {
        ok: true,
        text: [
          t("Subagent [{label}] started (id: {id})", { label, id }),
          ...state === "queued" ? [t("It is queued until another agent has ended.")] : [],
          t("Its answer will come to you by itself, as a message. Go on with other work; with none left, end your answer: never wait or poll for it."),
        ].join("\n"),
      };
    },
  };
}

async function waited(
  agents: Agents,
  task: Parameters<Agents["run"]>[0],
  lane: string,
  signal: AbortSignal,
  t: T,
): Promise<ToolResult> {
  const { info: { id, label, state }, text } = await agents.run(task, lane, signal);
  if (state === "done") return { ok: true, text };
  const head = t(
    state === "stopped"
      ? "[narnat] Subagent [{label}] (id: {id}) was stopped:"
      : "[narnat] Subagent [{label}] (id: {id}) has failed:",
    { id, label },
  );
  return { ok: false, text: `${head}\n${text}` };
}

const isGeneral = (type: string) => GENERAL.includes(type.trim().toLowerCase());

/** The kind that is asked for, none for the general one, or the error for the model. */
export function kindNamed(
  input: ToolInput,
  kinds: readonly AgentKind[],
  t: T,
): AgentKind | string | undefined {
  const wanted = String(input["type"] ?? "").trim().toLowerCase();
  const kind = kinds.find(({ name }) => name.toLowerCase() === wanted);
  if (kind || isGeneral(wanted)) return kind;
  const all = kinds.map(({ name }) => name);
  const near = nearest(wanted, all);
  const names = [...near, ...all.filter((name) => !near.includes(name))].join(", ");
  return t(
    "Error: there is no agent type {type}. There are: {names}; without type it is a general one",
    {
      type: excerpt(wanted),
      names: names || t("(none)"),
    },
  );
}

/** The kinds as the model is told of them; of very many the last ones only by name. */
export function kindList(kinds: readonly AgentKind[]): string[] {
  if (kinds.length === 0) return [];
  let left = KINDS_CHARS;
  const rows = kinds.map(({ name, description }) => {
    const cut = truncate(description, PURPOSE_CHARS);
    const row = `- ${name}: ${cut}`;
    left -= row.length;
    return left >= 0 ? row : `- ${name}`;
  });
  return ["type: one of these, or none for a general one:", ...rows];
}

/** One short line. */
function labelOf(given: string, task: string): string {
  const line = (given.trim() || task.trim()).split("\n", 1)[0]!.replaceAll(/\s+/g, " ").trim();
  const chars = [...line];
  return chars.length > LABEL_CHARS ? `${chars.slice(0, LABEL_CHARS).join("")}…` : line;
}
