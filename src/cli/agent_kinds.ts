/** `narnat agents`: the kinds of agents that there are; those at work belong to a session, and to its `/agents`. */
import { table } from "../commands/table.ts";
import { ConfigError } from "../base/config_error.ts";
import { findAgentKinds } from "../features/subagents/agent_kinds.ts";
import { nearest } from "../base/nearest.ts";
import { langFrom, say } from "../base/text.ts";
import type { AgentKind, Lang } from "../base/types.ts";
import { choicesFrom, type Flags } from "../commands/flags.ts";
import { complain, env, put, putData } from "../base/host.ts";
import { readPlace } from "../config/place.ts";

/** Lists the kinds, or prints one as its agents are told it. */
export async function agents(flags: Flags, words: string[]): Promise<number> {
  const asked = flags.lang ?? langFrom(env);
  const { config: { lang }, workspace, userDir } = readPlace(
    flags.cwd,
    choicesFrom(flags).settings,
    asked,
    true,
  );
  const { kinds, problems } = await findAgentKinds({ workspace, userDir, lang });
  for (const problem of problems) complain(`narnat: ${problem}`);
  const [verb = "list", name, ...more] = words;
  if (verb === "show" && name !== undefined && more.length === 0) {
    putData(`${kindNamed(name, kinds, lang).prompt}\n`);
  } else if (verb === "list" && name === undefined) {
    put(`${kinds.length === 0 ? say(lang, "kind.none") : rowsOf(kinds, lang).join("\n")}\n`);
  } else throw new ConfigError(say(lang, "cli.agents_usage"));
  return 0;
}

function rowsOf(kinds: readonly AgentKind[], lang: Lang): string[] {
  const head = (["name", "tools", "model", "description"] as const)
    .map((column) => say(lang, `kind.head_${column}`));
  return table([
    head,
    ...kinds.map(({ name, tools, model, description }) => [
      name,
      tools?.join(", ") ?? say(lang, "kind.all_tools"),
      model ?? say(lang, "kind.same_model"),
      description,
    ]),
  ]);
}

function kindNamed(name: string, kinds: readonly AgentKind[], lang: Lang): AgentKind {
  const found = kinds.find((kind) => kind.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = kinds.map((kind) => kind.name);
  const near = nearest(name, names)[0] ?? names.join(", ");
  throw new ConfigError(
    say(lang, "kind.not_found", { name, names: near || say(lang, "names.none") }),
  );
}
