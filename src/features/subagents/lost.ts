/** Agents that have ended with the narnat, or the visit to a session, that had started them. */
import type { AgentInfo, Message } from "../../base/types.ts";
import type { LaneHost, Middleware } from "../../agent/middleware.ts";
import { HOST_MARK, spokenIn, type T, type Text } from "../../base/t.ts";

/** What Spawn says of one that it has started. */
const STARTED = /^Subagent (\[[^\n]*\]) started \(id: ([0-9a-f]{8})\)/;

/** Tells a lane of the agents that it still waits for in vain. */
export function subagentsLayer(lane: LaneHost): Middleware {
  return {
    name: "subagents",
    beforeTurn(line, seen) {
      if (line.from !== undefined) return line;
      const known = lane.agents.list(lane.key);
      const lost = [...lostAgents(seen, known, lane.t), ...lostTeam(seen, known, lane.t)];
      return lost.length === 0 ? line : { ...line, behind: [...line.behind ?? [], ...lost] };
    },
  };
}

/**
 * What the model is to be told of those that it still waits for, as far as it sees that it started
 * them: nothing where all have answered, or are among the known ones.
 */
function lostAgents(
  seen: readonly Message[],
  known: readonly AgentInfo[],
  t: T,
): string[] {
  const waited = new Map<string, string>();
  for (const message of seen) {
    const [, label, id] = isSpawn(message) ? STARTED.exec(message.text) ?? [] : [];
    if (label !== undefined && id !== undefined) waited.set(id, label);
    else if (message.role !== "user") continue;
    else for (const id of waited.keys()) if (message.text.includes(`id: ${id}`)) waited.delete(id);
  }
  for (const { id } of known) waited.delete(id);
  if (waited.size === 0) return [];
  const names = [...waited].map(([id, label]) => `${label} (id: ${id})`).join(", ");
  return [
    `${HOST_MARK} ${
      t(
        "These subagents are gone (narnat ended, or the session was left), and their answers will not come: {names}. Start them anew where they are still needed.",
        { names },
      )
    }`,
  ];
}

/** The same of a team: for the model it is there until it has read that it is not. */
function lostTeam(
  seen: readonly Message[],
  known: readonly AgentInfo[],
  t: T,
): string[] {
  const languages = spokenIn(
    seen.filter((one) =>
      one.role === "tool"
        ? one.name === "Team"
        : one.role === "user" && one.text.startsWith(HOST_MARK)
    ).map(({ text }) => text),
    t,
  );
  /** What a text begins with in each language, up to what is filled in. */
  const inEach = (text: Text): string[] =>
    languages.map((t) => t(text, { names: "\n" }).split("\n", 1)[0]!);
  const [made, ended] = [
    inEach(
      "The team is there: {names}. {last} reviews. Give work to one with send, to all with broadcast.",
    ),
    inEach("The team is disbanded: {names}"),
  ];
  const told = inEach(
    TEAM_GONE,
  ).map((text) => `${HOST_MARK} ${text}`);
  const begins = (texts: readonly string[], { text }: Message) =>
    texts.some((one) => text.startsWith(one));
  let there = false;
  for (const message of seen) {
    if (message.role === "tool" && message.name === "Team") {
      there = begins(made, message) || there && !begins(ended, message);
    } else if (message.role === "user" && told.includes(message.text)) there = false;
  }
  if (!there || known.some(({ member }) => member)) return [];
  return [
    `${HOST_MARK} ${t(TEAM_GONE)}`,
  ];
}

const TEAM_GONE =
  "The team is gone (narnat ended, the session was left, or its members were stopped), and what it has not answered will not come. Create it anew where it is still needed.";
const isSpawn = (message: Message) => message.role === "tool" && message.name === "Spawn";
