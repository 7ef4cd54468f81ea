/**
 * `narnat mcp test|accept`: connects to the servers, tells what they have, and takes a server's
 * tools as they are now.
 */
import { serverState } from "../server_text.ts";
import { ConfigError } from "../../../base/errors.ts";
import { complain, listenForSignals, put } from "../../../base/host.ts";
import type { ServerInfo } from "../../../base/types.ts";
import { under } from "../../../base/path.ts";
import type { Environment } from "../../../commands/environment.ts";
import { VERSION } from "../../../commands/flags.ts";
import { demandPerson } from "../../../shell/process/stop_tree.ts";
import { changedRows, knownTools, rememberedTools } from "../known_tools.ts";
import { tokensFile } from "../places.ts";
import { createServers } from "../servers.ts";
import { configuredServers, mayStart } from "../config.ts";
import type { Connection } from "../types.ts";
import { serverNamed, shownPath } from "./cli_named.ts";

/** Shows what has changed, and accepts it. Throws ConfigError. */
export function acceptTools(environment: Environment, name: string): number {
  const { config: { t }, prompt: { userDir }, secrets } = environment;
  if (userDir === undefined) {
    throw new ConfigError(t("There is no home folder for --user to write to"));
  }
  const { hash } = serverNamed(configuredServers(environment).servers, name, t);
  const known = knownTools(under(userDir, "mcp-known"));
  const changed = (rememberedTools(under(userDir, "mcp-cache"), hash) ?? [])
    .flatMap((tool) => {
      const before = known.otherwise(hash, tool);
      return before ? [{ tool, before }] : [];
    });
  if (changed.length === 0) {
    put(t("No tool of {name} has changed, by its last list", { name }) + "\n");
    return 0;
  }
  for (const { tool, before } of changed) {
    put(secrets.redact([`${tool.name}:`, ...changedRows(before, tool), ""].join("\n")));
  }
  demandPerson("narnat mcp accept", t);
  known.accept(hash, changed.map(({ tool }) => tool));
  const names = changed.map(({ tool }) => tool.name).join(", ");
  put(t("Accepted as they are now, of {name}: {names}", { name, names }) + "\n");
  return 0;
}

const LIST_MS = 5000;

/** Connects to one server, or to all that are on; returns 1 when one of them is of no use. */
export async function tryServers(
  environment: Environment,
  name: string | undefined,
): Promise<number> {
  const { config: { t }, workspace, childEnv, secrets, prompt: { userDir } } = environment;
  const print = (text: string) => put(secrets.redact(text));
  const { servers: all, warnings } = configuredServers(environment);
  for (const warning of warnings) complain(secrets.redact(`narnat: ${warning}`));
  // who names a server wants to know of it, on or off
  const wanted = name === undefined
    ? all.filter(({ enabled }) => enabled)
    : [{ ...serverNamed(all, name, t), enabled: true }];
  if (wanted.length === 0) {
    print(
      t("No MCP servers are configured; narnat mcp add NAME -- PROGRAM ARGUMENTS… or narnat mcp add NAME --url URL adds one") +
        "\n",
    );
  }
  const may = mayStart(environment);
  const servers = createServers({
    configs: wanted.filter(may),
    t,
    version: VERSION,
    workspace,
    env: childEnv,
    tokens: tokensFile(userDir),
  });
  const stop = new AbortController();
  let ended = 0;
  listenForSignals((code) => {
    ended = code;
    stop.abort();
  });
  try {
    servers.start(may);
    await servers.settled(stop.signal);
    await Promise.all(
      servers.configs.map(({ name }) => listMore(servers.connection(name), stop.signal)),
    );
    for (const info of servers.list()) {
      print(
        [serverState(info, t), ...tools(info), ...tail(info, servers.stderr(info.name))]
          .map((row) => row + "\n").join(""),
      );
    }
    for (const one of wanted.filter((config) => !may(config))) {
      const file = shownPath(one.file, environment);
      print(
        t(
          "{name} was not tried: {file} is not trusted (narnat trust shows what it starts, narnat trust add trusts it)",
          { name: one.name, file },
        ) + "\n",
      );
    }
    const good = servers.list().every(({ state, why }) => state === "ready" && why === "");
    return ended || (good && wanted.every(may) && warnings.length === 0 ? 0 : 1);
  } finally {
    await servers.shutdown();
  }
}

/** Resources and prompts are listed a moment later than the tools. */
async function listMore(connection: Connection | undefined, stop: AbortSignal): Promise<void> {
  if (connection?.state !== "ready") return;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LIST_MS)]);
  await Promise.allSettled([connection.resources(signal), connection.prompts(signal)]);
}

const tools = (info: ServerInfo) => info.tools.length === 0 ? [] : [`  ${info.tools.join(", ")}`];

/** What a server that failed said last. */
function tail({ state, why }: ServerInfo, stderr: string): string[] {
  if (state === "ready") return [];
  const rows = stderr.trim().split("\n").slice(-5).filter((row) =>
    row !== "" && !why.includes(row)
  );
  return rows.map((row) => `  | ${row}`);
}
