import { say } from "../../base/text.ts";
import type {
  AgentKind,
  Agents,
  AgentTask,
  Lang,
  Tool,
  ToolInput,
  ToolResult,
} from "../../base/types.ts";
import { excerpt } from "../../tools/excerpt.ts";
import { type AgentToolOptions, kindList, kindNamed } from "./spawn_tool.ts";

const FEWEST = 2;
const MOST = 4;
const NAME = /^[\p{L}\p{N}_-]{1,32}$/u;
const ROLE_CHARS = 60;

const DESCRIPTION =
  "Lead a team of 2 to 4 agents that stay: they remember what they did, answer to their names, and can write to one another. For work in several rounds with different parts; for one task use Spawn.\n" +
  "create: members with name and role, the last one reviews. send: text to one (to); the answer comes to you as a message. broadcast: text to all but the last; when all have answered, the last one reviews and the review comes to you. disband: ends the team. Members know nothing of this conversation: put all they need into text. Never wait or poll for answers.";

/** Makes Team, for the lane that leads it. */
export function teamTool({ agents, kinds }: AgentToolOptions): Tool {
  return {
    name: "Team",
    description: [DESCRIPTION, ...kindList(kinds)].join("\n"),
    input: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["create", "send", "broadcast", "disband"] },
        members: {
          type: "array",
          description: "For create; the last one reviews",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              role: { type: "string", description: "What it is there for" },
              ...kinds.length > 0 ? { type: { type: "string" as const } } : {},
            },
            required: ["name", "role"],
          },
        },
        to: { type: "string", description: "For send: the member's name" },
        text: { type: "string", description: "For send and broadcast" },
      },
      required: ["action"],
    },
    readOnly: false,
    needs: [],
    run: (input, { lang, lane }) => Promise.resolve(act(input, agents(), kinds, lane, lang)),
  };
}

const refuse = (text: string): ToolResult => ({ ok: false, text });

function act(
  input: ToolInput,
  agents: Agents,
  kinds: readonly AgentKind[],
  lane: string,
  lang: Lang,
): ToolResult {
  const names = membersOf(agents, lane);
  if (input["action"] === "create") return create(input, names, agents, kinds, lane, lang);
  if (names.length === 0) return refuse(say(lang, "team.none"));
  if (input["action"] === "disband") {
    for (const name of names) agents.stop(name);
    return { ok: true, text: say(lang, "team.disbanded", { names: names.join(", ") }) };
  }
  const text = String(input["text"] ?? "");
  if (text.trim() === "") return refuse(say(lang, "team.no_text"));
  const comes = say(lang, "spawn.comes");
  const [others, last] = [names.slice(0, -1), names.at(-1)!];
  if (input["action"] === "broadcast" && others.length > 0) {
    agents.post(others, text, lane, last);
    const to = others.join(", ");
    return { ok: true, text: say(lang, "team.reviewed_by", { to, last, comes }) };
  }
  const to = input["action"] === "broadcast" ? last : String(input["to"] ?? "").trim();
  if (!names.includes(to) || !agents.post([to], text, lane)) return noMember(to, names, lang);
  return { ok: true, text: say(lang, "team.sent", { to, comes }) };
}

function create(
  input: ToolInput,
  there: readonly string[],
  agents: Agents,
  kinds: readonly AgentKind[],
  lane: string,
  lang: Lang,
): ToolResult {
  if (there.length > 0) return refuse(say(lang, "team.there", { names: there.join(", ") }));
  const given: readonly ToolInput[] = input["members"] ?? [];
  if (given.length < FEWEST || given.length > MOST) {
    return refuse(say(lang, "team.size", { n: given.length }));
  }
  const all = given.map((member) => ({
    name: String(member["name"]).trim(),
    role: String(member["role"]).replaceAll(/\s+/g, " ").trim(),
  }));
  const taken = new Set([...agents.list().map(({ id }) => id), "lead"]);
  const tasks: [name: string, task: AgentTask][] = [];
  for (const [at, { name, role }] of all.entries()) {
    if (!NAME.test(name) || taken.has(name)) {
      return refuse(say(lang, "team.bad_name", { name: excerpt(name) }));
    }
    taken.add(name);
    const kind = kindNamed(given[at]!, kinds, lang);
    if (typeof kind === "string") return refuse(kind);
    const others = all.filter((one) => one.name !== name)
      .map((one) => `${one.name} (${one.role})`).join(", ");
    const label = [...role].slice(0, ROLE_CHARS).join("");
    const text = say(lang, "team.member", { name, role, others });
    tasks.push([name, { text, label, ...kind ? { kind } : {} }]);
  }
  for (const [name, task] of tasks) agents.keep(name, task, lane);
  const names = all.map(({ name, role }) => `${name} (${role})`).join(", ");
  return { ok: true, text: say(lang, "team.created", { names, last: all.at(-1)!.name }) };
}

const membersOf = (agents: Agents, lane: string) =>
  agents.list(lane).filter(({ member }) => member).map(({ id }) => id);

function noMember(name: string, names: readonly string[], lang: Lang): ToolResult {
  return refuse(
    say(lang, "team.no_member", { name: excerpt(name) || "?", names: names.join(", ") }),
  );
}

/** Two that write to each other without end would never answer. */
const MOST_LETTERS = 20;

export interface SendToolOptions {
  agents(): Agents;
  /** Whose tool it is. */
  readonly name: string;
  /** Key of the lane that leads the team. */
  readonly lead: string;
}

/** Makes Send, for a member of a team: a text to another one. */
export function sendTool({ agents, name, lead }: SendToolOptions): Tool {
  let sent = 0;
  return {
    name: "Send",
    description:
      "Write to another member of your team. The answer comes to you as a message: end your turn when you cannot go on without it. Only for what you need of them; your answer to the lead goes by itself.",
    input: {
      type: "object",
      properties: {
        to: { type: "string", description: "The member's name" },
        text: { type: "string" },
      },
      required: ["to", "text"],
    },
    readOnly: false,
    needs: [],
    run(input, { lang, lane }) {
      const to = String(input["to"]).trim();
      const text = String(input["text"]);
      const result = (): ToolResult => {
        const others = membersOf(agents(), lead).filter((one) => one !== name);
        if (to === name) return refuse(say(lang, "team.self"));
        if (text.trim() === "") return refuse(say(lang, "team.no_text"));
        if (sent >= MOST_LETTERS) return refuse(say(lang, "team.too_many", { n: sent }));
        if (!others.includes(to) || !agents().post([to], text, lane)) {
          return noMember(to, others, lang);
        }
        sent++;
        return { ok: true, text: say(lang, "team.sent", { to, comes: say(lang, "spawn.comes") }) };
      };
      return Promise.resolve(result());
    },
  };
}
