/** The servers of tools: what is connected to which of them. */
import type { Log } from "../../base/log.ts";
import { Guard } from "../../shell/process/stop_tree.ts";
import type { T } from "../../base/t.ts";
import type { ServerInfo, ServerPrompt, ServerResource } from "../../base/types.ts";
import { connect } from "./wire/connection.ts";
import { openLink } from "./wire/link.ts";
import {
  changedRows,
  hasFailed,
  type KnownTools,
  knownTools,
  rememberedTools,
  rememberFailure,
  rememberTools,
} from "./known_tools.ts";
import { createNames } from "./names.ts";
import { promptText, resourceText } from "./listing.ts";
import {
  type AskedCaller,
  type ConnectedServers,
  type Connection,
  type OfferedTool,
  type OpenLink,
  type ServerConfig,
  ServerError,
  type ServerTool,
} from "./types.ts";

export interface ServersOptions {
  /** In name order. */
  readonly configs: readonly ServerConfig[];
  readonly t: T;
  /** narnat's. */
  readonly version: string;
  /** Real, absolute path. */
  readonly workspace: string;
  /** For child processes, without the provider's key. */
  readonly env: { readonly [name: string]: string };
  /** Folder of the lists of tools; without it a server's tools are known once it is ready. */
  readonly cacheDir?: string | undefined;
  /** Folder of the tools as the user knows them; without it they are known while narnat runs. */
  readonly knownDir?: string | undefined;
  /** File of the logins to servers with an address. */
  readonly tokens?: string | undefined;
  /** Names of tools that are there already. */
  readonly taken?: readonly string[];
  readonly log?: Log;
  readonly open?: OpenLink;
  /** Has a process of its own end the servers when narnat ends in whatever way. Default true. */
  readonly guard?: boolean;
  readonly now?: () => number;
  /** What is more urgent than a server whose tools are known: nobody who waits for that one waits for this. */
  readonly first?: Promise<void> | undefined;
  /** Without secrets: what servers say of their tools is kept on disk and shown. */
  redactIn?<V>(value: V): V;
  /** Something about a server has changed. */
  onChange?(): void;
}

/** Makes the servers; none is connected to before `start`. */
export function createServers(options: ServersOptions): ConnectedServers {
  return new AllServers(options);
}

/** What is known of one server. */
interface Server {
  readonly config: ServerConfig;
  enabled: boolean;
  connection: Connection | undefined;
  /** As last known. */
  tools: readonly ServerTool[] | undefined;
  /** It failed the last time, and its tools are not known. */
  failed: boolean;
  /** Somebody waits for it. */
  readonly needed: PromiseWithResolvers<void>;
}

/** How long the first request waits for a server that failed the last time. */
const FAILED_WAIT_MS = 2000;

const isTimeout = (reason: unknown) =>
  reason instanceof DOMException && reason.name === "TimeoutError";

class AllServers implements ConnectedServers {
  readonly configs: readonly ServerConfig[];
  readonly #options: ServersOptions;
  readonly #servers: ReadonlyMap<string, Server>;
  readonly #names;
  readonly #known: KnownTools;
  /** Questions about tools that are others now. */
  readonly #asking = new Map<string, Promise<boolean>>();
  readonly #session = crypto.randomUUID();
  #guard: Guard | undefined;
  #trusted: (config: ServerConfig) => boolean = () => false;
  #begun = 0;
  #shut = false;

  constructor(options: ServersOptions) {
    this.configs = options.configs;
    this.#options = options;
    this.#names = createNames(options.taken);
    this.#known = knownTools(options.knownDir);
    this.#servers = new Map(
      options.configs.map((config) => [config.name, {
        config,
        enabled: config.enabled,
        connection: undefined,
        tools: undefined,
        failed: false,
        needed: Promise.withResolvers<void>(),
      }]),
    );
  }

  start(
    trusted: (config: ServerConfig) => boolean,
    wanted: (config: ServerConfig) => boolean = () => true,
  ): void {
    this.#trusted = trusted;
    for (const server of this.#servers.values()) {
      if (!server.connection && wanted(server.config)) void this.#begin(server);
    }
  }

  settled(signal: AbortSignal): Promise<void> {
    return opened([...this.#servers.values()], signal);
  }

  async known(signal: AbortSignal): Promise<void> {
    const unknown = [...this.#servers.values()].filter(({ tools }) => !tools);
    const short = AbortSignal.any([signal, AbortSignal.timeout(FAILED_WAIT_MS)]);
    await Promise.all([
      opened(unknown.filter(({ failed }) => !failed), signal),
      opened(unknown.filter(({ failed }) => failed), short),
    ]);
    if (!isTimeout(signal.reason)) return;
    for (const server of unknown) {
      if (server.connection?.state === "connecting") this.#failed(server);
    }
  }

  connection(name: string): Connection | undefined {
    return this.#servers.get(name)?.connection;
  }

  list(): readonly ServerInfo[] {
    return [...this.#servers.values()].map((server) => this.#info(server));
  }

  listed(): Promise<void> {
    return Promise.resolve();
  }

  stderr(name: string): string {
    return this.connection(name)?.stderr() ?? "";
  }

  async reconnect(name: string): Promise<ServerInfo> {
    const server = this.#find(name);
    const { t } = this.#options;
    if (!server.enabled) {
      throw new Error(
        t("The MCP server {name} is off; /mcp enable {name} lets it be on", { name }),
      );
    }
    if (!this.#mayStart(server.config)) {
      throw new Error(
        t(
          "The MCP server {name} comes from a file of this project that was not trusted yet; /trust asks again",
          { name },
        ),
      );
    }
    const { connection } = server;
    server.needed.resolve();
    await connection?.close();
    // of several who want it at once one connects it
    if (server.connection === connection) await this.#begin(server);
    else await server.connection?.opened;
    return this.#info(server);
  }

  async enable(name: string, on: boolean): Promise<ServerInfo> {
    const server = this.#find(name);
    server.enabled = on;
    if (!on) {
      const { connection } = server;
      server.connection = undefined;
      await connection?.close();
      this.#options.onChange?.();
    } else if (!server.connection) {
      server.needed.resolve();
      await this.#begin(server);
    }
    return this.#info(server);
  }

  describe(name: string): readonly { readonly name: string; readonly description: string }[] {
    return this.#offered(this.#find(name)).map(({ name, title, description }) => ({
      name,
      description: description || title,
    }));
  }

  resources(): readonly ServerResource[] {
    return this.#ready().flatMap(({ config, resourceList }) =>
      resourceList.map(({ uri, name, template }) => ({ server: config.name, uri, name, template }))
    );
  }

  async read(server: string, uri: string, signal: AbortSignal): Promise<string> {
    const connection = await this.#reached(this.#find(server), signal);
    return resourceText(await connection.readResource(uri, signal), this.#options.t);
  }

  prompts(): readonly ServerPrompt[] {
    return this.#ready().flatMap(({ config, promptList }) =>
      promptList.map((prompt) => ({ server: config.name, ...prompt }))
    );
  }

  async ready(name: string, signal: AbortSignal): Promise<void> {
    const server = this.#servers.get(name);
    if (!server) return;
    await opened([server], signal);
    const { connection } = server;
    if (connection?.state === "ready" && connection.promptList.length === 0) {
      await connection.prompts(signal).catch(() => {});
    }
  }

  async prompt(
    server: string,
    name: string,
    args: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<string> {
    const connection = await this.#reached(this.#find(server), signal);
    return promptText(await connection.getPrompt(name, args, signal), this.#options.t);
  }

  tools(): readonly OfferedTool[] {
    return [...this.#servers.values()].flatMap((server) => {
      const { config, connection } = server;
      if (!connection || connection.state === "error") return [];
      const { name } = config;
      return this.#offered(server)
        .map((tool) => ({
          name: this.#names.nameOf(name, tool.name),
          server: name,
          // until it is accepted, nothing that is new of it is read by the model
          tool: this.#known.otherwise(config.hash, tool) ?? tool,
          needs: config.reach?.type === "stdio" ? "run" : "net",
          call: (input, caller) => this.#call(server, tool.name, input, caller),
        }));
    });
  }

  async shutdown(): Promise<void> {
    this.#shut = true;
    await Promise.all([...this.#servers.values()].map(({ connection }) => connection?.close()));
    await this.#guard?.close();
    this.#guard = undefined;
  }

  #toolsOf(server: Server): readonly ServerTool[] {
    const { connection } = server;
    if (connection && connection.state !== "connecting" && connection.ms !== undefined) {
      return connection.list.tools;
    }
    return server.tools ?? [];
  }

  /** Those that its configuration lets the model have. */
  #offered(server: Server): readonly ServerTool[] {
    const { tools, withoutTools } = server.config;
    return this.#toolsOf(server).filter(({ name }) =>
      (tools?.includes(name) ?? true) && !withoutTools?.includes(name)
    );
  }

  /** What is wrong with a server that is ready, as far as its lists tell. */
  #faults({ config: { file, tools = [], withoutTools = [] }, connection }: Server): string {
    const { tools: listed = [], warnings = [] } = connection?.list ?? {};
    const known = listed.map(({ name }) => name);
    const wrong = [...tools, ...withoutTools].filter((name) => !known.includes(name));
    if (known.length === 0 || wrong.length === 0) return warnings.join("\n");
    const values = { file, names: wrong.join(", "), known: known.join(", ") };
    return [
      ...warnings,
      this.#options.t("{file} lists unknown tools: {names} (there are: {known})", values),
    ].join("\n");
  }

  async #call(
    server: Server,
    tool: string,
    input: { readonly [key: string]: unknown },
    caller: AskedCaller,
  ) {
    const connection = await this.#reached(server, caller.signal);
    await this.#allowed(server.config, connection, tool, caller);
    return await connection.call(tool, input, caller);
  }

  /** Settles where a tool is as it was, or the user takes it as it is now. */
  async #allowed(
    { name: server, hash }: ServerConfig,
    { list }: Connection,
    name: string,
    caller: AskedCaller,
  ): Promise<void> {
    const { t } = this.#options;
    const tool = list.tools.find((one) => one.name === name);
    const before = tool && this.#known.otherwise(hash, tool);
    if (!before) return;
    const rows = changedRows(before, tool).join("\n");
    const key = JSON.stringify([hash, tool]);
    const question = t(
      "The tool {tool} of the MCP server {server} is described otherwise than before. Call it all the same, and take it as it is now?",
      { server, tool: name },
    );
    let asking = this.#asking.get(key);
    if (!asking) {
      asking = caller.ask({ kind: "trust", question, command: rows });
      this.#asking.set(key, asking);
    }
    const yes = await asking.finally(() => this.#asking.delete(key));
    caller.signal.throwIfAborted();
    if (!yes) {
      const values = { server, tool: name, shell: shellWord(server) };
      throw new ServerError(
        "refused",
        t(
          "Not called: the tool {tool} of the MCP server {server} is described otherwise than the user knows it, and the user has not accepted that. It is for the user to look at it and run narnat mcp accept {shell}",
          values,
        ),
      );
    }
    this.#known.accept(hash, [tool]);
  }

  #ready(): readonly Connection[] {
    return [...this.#servers.values()].flatMap(({ connection }) =>
      connection?.state === "ready" ? [connection] : []
    );
  }

  /** Its connection, once it is ready. Rejects with ServerError, or with the signal's reason. */
  async #reached(server: Server, signal: AbortSignal): Promise<Connection> {
    const { connection, config } = server;
    if (connection?.state === "connecting") {
      await opened([server], signal);
      signal.throwIfAborted();
    }
    if (connection?.state === "ready") return connection;
    const text = this.#options.t(
      "The MCP server {server} is disconnected. The user can connect it again with /mcp reconnect {server}",
      { server: config.name },
    );
    const why = connection?.why ?? "";
    throw new ServerError("closed", why === "" ? text : `${text}\n${why}`);
  }

  #find(name: string): Server {
    const server = this.#servers.get(name);
    if (server) return server;
    const { t } = this.#options;
    const names = [...this.#servers.keys()].join(", ") || t("none");
    throw new RangeError(t("There is no MCP server {name}; there are: {names}", { name, names }));
  }

  #mayStart(config: ServerConfig): boolean {
    return config.scope === "user" || this.#trusted(config);
  }

  /** Settles when the server is ready or has failed. */
  async #begin(server: Server): Promise<void> {
    const { config } = server;
    const { t, version, workspace, cacheDir, log, env, tokens, first } = this.#options;
    if (this.#shut || !server.enabled || !this.#mayStart(config)) return;
    if (cacheDir !== undefined) {
      server.tools ??= rememberedTools(cacheDir, config.hash);
      // what an earlier narnat had is what the user knows
      this.#known.meet(config.hash, server.tools ?? []);
      server.failed = !server.tools && hasFailed(cacheDir, config.hash);
    }
    const mark = `${this.#session}.${++this.#begun}`;
    const connection = connect(config, {
      after: first && server.tools && Promise.race([first, server.needed.promise]),
      t,
      version,
      workspace,
      open: this.#options.open ?? openLink,
      link: {
        t,
        env,
        mark,
        tokens,
        began: (pid) => this.#guarded().began(pid),
        ended: (pid) => this.#guarded().ended(pid),
      },
      now: this.#options.now ?? (() => performance.now()),
      redactIn: this.#options.redactIn ?? ((value) => value),
      changed: () => {
        if (server.connection === connection) this.#noted(server);
      },
    });
    server.connection = connection;
    log?.info("mcp", `${config.name}: connecting`);
    await connection.opened;
  }

  #guarded(): Guard {
    if (!this.#guard) {
      this.#guard = new Guard(this.#session);
      if (this.#options.guard !== false) this.#guard.open();
    }
    return this.#guard;
  }

  #noted(server: Server): void {
    const { config, connection } = server;
    const { cacheDir, log } = this.#options;
    if (!connection) return;
    const { state, why, list } = connection;
    if (
      state === "ready" && cacheDir !== undefined &&
      (list.tools.length > 0 || list.warnings.length === 0)
    ) {
      rememberTools(cacheDir, config.hash, list.tools);
    }
    if (state === "ready") this.#known.meet(config.hash, list.tools);
    if (state === "error" && !this.#shut) this.#failed(server);
    const text = [`${config.name}: ${state}`, why, ...list.warnings].filter(Boolean).join("; ");
    if (state === "error" || list.warnings.length > 0) log?.warning("mcp", text);
    else log?.info("mcp", text);
    this.#options.onChange?.();
  }

  #failed({ config, tools }: Server): void {
    const { cacheDir } = this.#options;
    if (cacheDir !== undefined && !tools) rememberFailure(cacheDir, config.hash);
  }

  #info(server: Server): ServerInfo {
    const { config, connection, enabled } = server;
    const changed = this.#offered(server)
      .filter((tool) => this.#known.otherwise(config.hash, tool)).map(({ name }) => name);
    const state = !enabled
      ? "off"
      : connection?.state ?? (this.#mayStart(config) ? "closed" : "untrusted");
    return {
      name: config.name,
      state,
      what: config.what,
      tools: state === "off" || state === "untrusted"
        ? []
        : this.#offered(server).map((tool) => tool.name),
      resources: connection?.resourceList.length ?? 0,
      prompts: connection?.promptList.length ?? 0,
      why: connection?.why || this.#faults(server) || config.fault,
      file: config.file,
      ...changed.length === 0 ? {} : { changed },
      ...connection?.ms === undefined ? {} : { ms: connection.ms },
    };
  }
}

/** As a shell takes it. */
const shellWord = (name: string) =>
  /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

async function opened(servers: readonly Server[], signal: AbortSignal): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  for (const { needed } of servers) needed.resolve();
  await Promise.race([Promise.all(servers.map(({ connection }) => connection?.opened)), stopped]);
  signal.removeEventListener("abort", stop);
}
