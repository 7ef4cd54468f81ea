import type { T } from "../../base/t.ts";
import type {
  AgentKind,
  Agents,
  AgentTask,
  Tool,
  ToolInput,
  ToolResult,
} from "../../base/types.ts";
import { excerpt } from "../../base/strings.ts";
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
    run: (input, { t, lane }) => Promise.resolve(act(input, agents(), kinds, lane, t)),
  };
}

const refuse = (text: string): ToolResult => ({ ok: false, text });

function act(
  input: ToolInput,
  agents: Agents,
  kinds: readonly AgentKind[],
  lane: string,
  t: T,
): ToolResult {
  const names = membersOf(agents, lane);
  if (input["action"] === "create") return create(input, names, agents, kinds, lane, t);
  if (names.length === 0) return refuse(t("Error: there is no team yet; create one first"));
  if (input["action"] === "disband") {
    for (const name of names) agents.stop(name);
    return { ok: true, text: t("The team is disbanded: {names}", { names: names.join(", ") }) };
  }
  const text = String(input["text"] ?? "");
  if (text.trim() === "") return refuse(t("Error: text is empty; say what is to be done"));
  const comes = t(
    "Its answer will come to you by itself, as a message. Go on with other work; with none left, end your answer: never wait or poll for it.",
  );
  const [others, last] = [names.slice(0, -1), names.at(-1)!];
  if (input["action"] === "broadcast" && others.length > 0) {
    agents.post(others, text, lane, last);
    const to = others.join(", ");
    return {
      ok: true,
      text: t("Sent to {to}; when all have answered, {last} reviews. {comes}", { to, last, comes }),
    };
  }
  const to = input["action"] === "broadcast" ? last : String(input["to"] ?? "").trim();
  if (!names.includes(to) || !agents.post([to], text, lane)) return noMember(to, names, t);
  return { ok: true, text: t("Sent to {to}. {comes}", { to, comes }) };
}

function create(
  input: ToolInput,
  there: readonly string[],
  agents: Agents,
  kinds: readonly AgentKind[],
  lane: string,
  t: T,
): ToolResult {
  if (there.length > 0) {
    return refuse(
      t("Error: there is a team already ({names}); disband it first, or give it the work", {
        names: there.join(", "),
      }),
    );
  }
  const given: readonly ToolInput[] = input["members"] ?? [];
  if (given.length < FEWEST || given.length > MOST) {
    return refuse(
      t("Error: a team has 2 to 4 members, got {n}; the last one reviews", { n: given.length }),
    );
  }
  const all = given.map((member) => ({
    name: String(member["name"]).trim(),
    role: String(member["role"]).replaceAll(/\s+/g, " ").trim(),
  }));
  const taken = new Set([...agents.list().map(({ id }) => id), "lead"]);
  const tasks: [name: string, task: AgentTask][] = [];
  for (const [at, { name, role }] of all.entries()) {
    if (!NAME.test(name) || taken.has(name)) {
      return refuse(
        t(
          "Error: a member cannot be named {name}: 1 to 32 letters, digits, _ or -, no two alike, and not lead",
          { name: excerpt(name) },
        ),
      );
    }
    taken.add(name);
    const kind = kindNamed(given[at]!, kinds, t);
    if (typeof kind === "string") return refuse(kind);
    const others = all.filter((one) => one.name !== name)
      .map((one) => `${one.name} (${one.role})`).join(", ");
    const label = [...role].slice(0, ROLE_CHARS).join("");
    const text = t(
      "You are {name} of a team; your part: {role}.\nThe others: {others}.\nThe lead gives you work, and what you say last in a turn goes by itself to whoever gave it to you. When you need something of the others, ask with Send and end your turn: the answer comes as a message, and you go on. You remember all of your earlier turns.",
      { name, role, others },
    );
    tasks.push([name, { text, label, ...kind ? { kind } : {} }]);
  }
  for (const [name, task] of tasks) agents.keep(name, task, lane);
  const names = all.map(({ name, role }) => `${name} (${role})`).join(", ");
  return {
    ok: true,
    text: t(
      "The team is there: {names}. {last} reviews. Give work to one with send, to all with broadcast.",
      { names, last: all.at(-1)!.name },
    ),
  };
}

const membersOf = (agents: Agents, lane: string) =>
  agents.list(lane).filter(({ member }) => member).map(({ id }) => id);

function noMember(name: string, names: readonly string[], t: T): ToolResult {
  return refuse(
    t("Error: {name} is not in the team; there are: {names}", {
      name: excerpt(name) || "?",
      names: names.join(", "),
    }),
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
    run(input, { t, lane }) {
      const to = String(input["to"]).trim();
      const text = String(input["text"]);
      const result = (): ToolResult => {
        const others = membersOf(agents(), lead).filter((one) => one !== name);
        if (to === name) return refuse(t("Error: that is you; send it to somebody else"));
        if (text.trim() === "") return refuse(t("Error: text is empty; say what is to be done"));
        if (sent >= MOST_LETTERS) {
          return refuse(
            t(
              "Error: you have sent {n} messages to the others and cannot send more; finish with what you have, and say what is missing",
              { n: sent },
            ),
          );
        }
        if (!others.includes(to) || !agents().post([to], text, lane)) {
          return noMember(to, others, t);
        }
        sent++;
        return {
          ok: true,
          text: t("Sent to {to}. {comes}", {
            to,
            comes: t(
              "Its answer will come to you by itself, as a message. Go on with other work; with none left, end your answer: never wait or poll for it.",
            ),
          }),
        };
      };
      return Promise.resolve(result());
    },
  };
}
