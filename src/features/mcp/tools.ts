/** The servers of tools as they are configured here, and their tools as the model may call them. */
import { granted, grantedPermissions } from "../../base/host.ts";
import type { Log } from "../../base/log.ts";
import type { T } from "../../base/t.ts";
import type { JsonSchema, Tool } from "../../base/types.ts";
import { under } from "../../base/path.ts";
import type { Environment } from "../../commands/environment.ts";
import { toolsFor } from "../../tools/mod.ts";
import { lookUpTrust } from "../trust/mod.ts";
import { mayBeOf } from "./names.ts";
import { tokensFile } from "./places.ts";
import { createServers, type ServersOptions } from "./servers.ts";
import { configuredServers, mayStart } from "./config.ts";
import {
  type ConnectedServers,
  type OfferedTool,
  type ServerConfig,
  ServerError,
} from "./types.ts";

/** Makes a Tool of what a server offers; the server checks its input. */
export function mcpTool(offered: OfferedTool): Tool {
  const { name, server, tool, needs } = offered;
  return {
    name,
    description: tool.description || tool.title || tool.name,
    input: tool.input as JsonSchema,
    readOnly: tool.readOnly,
    needs: [needs],
    unchecked: true,
    unlimited: true,
    async run(input, context) {
      try {
        const answer = await offered.call(input, context);
        const { mcpResult } = await import("./result.ts");
        return await mcpResult(answer, server, context);
      } catch (error) {
        if (context.signal.aborted) {
          return { ok: false, text: context.t("interrupted") };
        }
        if (error instanceof ServerError) return { ok: false, text: error.message };
        throw error;
      }
    },
  };
}

export interface OpenServersOptions extends Pick<ServersOptions, "open"> {
  readonly environment: Environment;
  readonly version: string;
  /** Lists of tools may be kept. */
  readonly kept: boolean;
  readonly log?: Log;
}

export interface OpenedServers {
  readonly servers: ConnectedServers;
  /** What is wrong with the files that name them, for the user. */
  readonly warnings: readonly string[];
}

/** Makes the servers; none is connected to yet. */
export function openServers({ environment, kept, ...more }: OpenServersOptions): OpenedServers {
  const { workspace, childEnv, prompt: { userDir }, config: { t } } = environment;
  const { servers: configs, warnings } = configuredServers(environment);
  const mayKeep = kept && userDir !== undefined && granted({ name: "write", path: userDir });
  const servers = createServers({
    ...more,
    configs: configs.map((config) => permitted(config, t)),
    t,
    workspace,
    env: childEnv,
    cacheDir: mayKeep ? under(userDir, "mcp-cache") : undefined,
    knownDir: mayKeep ? under(userDir, "mcp-known") : undefined,
    tokens: tokensFile(userDir),
    taken: environment.tools.map(({ name }) => name),
    redactIn: environment.secrets.redactIn,
  });
  return { servers, warnings };
}

/** A server that cannot be reached with the permissions there are is a faulty one: Deno would ask. */
function permitted(config: ServerConfig, t: T): ServerConfig {
  const { reach, name } = config;
  if (reach === undefined) return config;
  const needs: Deno.PermissionDescriptor = reach.type === "stdio"
    ? { name: "run", command: reach.command }
    : { name: "net", host: new URL(reach.url).host };
  if (granted(needs)) return config;
  const flag = `--allow-${needs.name}`;
  return {
    ...config,
    reach: undefined,
    fault: t("narnat was not given {flag}, so it cannot reach {name}", { name, flag }),
  };
}

/** The tools of servers as they were last, and which are not known; connects to none. */
export async function rememberedServerTools(environment: Environment) {
  const { servers, warnings } = openServers({
    environment,
    version: "",
    kept: true,
    open: () => Promise.reject(new Error("not connected to")),
  });
  const may = mayStart(environment);
  // until it is known that they cannot be connected to, they offer what they had
  servers.start(may);
  const tools = serverTools(environment, servers.tools());
  const { t } = environment.config;
  const left = servers.configs.filter(({ enabled }) => enabled).flatMap((config) => {
    const { name, fault } = config;
    if (!may(config)) return [t("the tools of the MCP server {name} (not trusted)", { name })];
    if (fault !== "") return [`${name}: ${fault}`];
    const { state, tools } = servers.list().find((info) => info.name === name)!;
    return state === "connecting" && tools.length === 0
      ? [t("the tools of the MCP server {name} (never connected to yet)", { name })]
      : [];
  });
  await servers.shutdown();
  return { tools, left: [...warnings, ...left] };
}

/** Connects to the servers; they are ready, or have failed, when it resolves. */
export async function connectedServers(
  environment: Environment,
  version: string,
  signal: AbortSignal,
): Promise<OpenedServers> {
  const opened = await trustedServers(environment, version);
  opened.servers.start(mayStart(environment));
  await opened.servers.settled(signal);
  return opened;
}

/** Makes the servers once it is known which are trusted. */
export async function trustedServers(
  environment: Environment,
  version: string,
): Promise<OpenedServers> {
  await lookUpTrust(environment);
  return openServers({ environment, version, kept: true });
}

/** Connects to those that a tool of this name may be of, to all where it can be of none; returns their names. */
export async function connectFor(
  tool: string,
  servers: ConnectedServers,
  environment: Environment,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const names = servers.configs.map(({ name }) => name);
  const some = names.filter((name) => mayBeOf(tool, name));
  const wanted = new Set(some.length > 0 ? some : names);
  servers.start(mayStart(environment), ({ name }) => wanted.has(name));
  await servers.settled(signal);
  return wanted;
}

/** Those of the offered tools that were chosen and may be used here. */
export function serverTools(environment: Environment, offered: readonly OfferedTool[]): Tool[] {
  const { chosen, workspace } = environment;
  const wanted = offered.filter(({ name }) => !chosen || chosen.some((one) => means(one, name)));
  return toolsFor(grantedPermissions(workspace), wanted.map(mcpTool));
}

/** A name may end in a star. */
const means = (given: string, name: string) =>
  given.endsWith("*")
    ? name.toLowerCase().startsWith(given.slice(0, -1).toLowerCase())
    : given.toLowerCase() === name.toLowerCase();
