/** `narnat agents`: the kinds of agents that there are; those at work belong to a session, and to its `/agents`. */
import { table } from "../../commands/table.ts";
import { ConfigError } from "../../base/errors.ts";
import { findAgentKinds } from "./agent_kinds.ts";
import { nearest } from "../../base/nearest.ts";
import type { T } from "../../base/t.ts";
import type { AgentKind } from "../../base/types.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import { complain, put, putData, translatorFor } from "../../base/host.ts";
import { readPlace } from "../../config/place.ts";

/** Lists the kinds, or prints one as its agents are told it. */
export async function agents(flags: Flags, words: string[]): Promise<number> {
  const asked = translatorFor(flags);
  const { config: { t }, workspace, userDir } = readPlace(
    flags.cwd,
    choicesFrom(flags).settings,
    asked,
    true,
  );
  const { kinds, problems } = await findAgentKinds({ workspace, userDir, t });
  for (const problem of problems) complain(`narnat: ${problem}`);
  const [verb = "list", name, ...more] = words;
  if (verb === "show" && name !== undefined && more.length === 0) {
    putData(`${kindNamed(name, kinds, t).prompt}\n`);
  } else if (verb === "list" && name === undefined) {
    put(
      `${
        kinds.length === 0
          ? t("There are no kinds of agents of your own; write one into .narnat/agents/NAME.md")
          : rowsOf(kinds, t).join("\n")
      }\n`,
    );
  } else {throw new ConfigError(
      t("Usage: narnat agents [list | show NAME]; those at work are listed by /agents in their session"),
    );}
  return 0;
}

function rowsOf(kinds: readonly AgentKind[], t: T): string[] {
  const head = (["name", "tools", "model", "description"] as const)
    .map((column) => t(column));
  return table([
    head,
    ...kinds.map(({ name, tools, model, description }) => [
      name,
      tools?.join(", ") ?? t("all"),
      model ?? t("the session's"),
      description,
    ]),
  ]);
}

function kindNamed(name: string, kinds: readonly AgentKind[], t: T): AgentKind {
  const found = kinds.find((kind) => kind.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = kinds.map((kind) => kind.name);
  const near = nearest(name, names)[0] ?? names.join(", ");
  throw new ConfigError(
    t("There is no kind of agent {name}; there are: {names}", { name, names: near || t("none") }),
  );
}
