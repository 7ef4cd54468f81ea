/** What a session has besides the built-in tools: servers of tools, tools that were asked for, hooks; and the trust they need. */
import type {
  Agents,
  Answer,
  HookEvent,
  Hooks,
  Question,
  ServerInfo,
  Tool,
  Toolbox,
} from "../base/types.ts";
import type { Log } from "../base/log.ts";
import { lateServers, liveToolbox } from "../features/mcp/late.ts";
import type { ConnectedServers } from "../features/mcp/types.ts";
import type { RunningHooks } from "../features/hooks/run.ts";
import type { T } from "../base/t.ts";
import { errorMessage } from "../base/errors.ts";
import type { AgentEnvironment } from "./environment.ts";
import { hasServers } from "../features/mcp/places.ts";
import { mayRequest, trustRequests, untrustedRequests } from "../features/trust/mod.ts";
import { SETTINGS } from "../config/place.ts";
import { granted } from "../base/host.ts";
import { shellName } from "../features/mcp/cli/cli_named.ts";
import type { TrustRequest } from "../commands/environment.ts";

export interface Extensions {
  /** Waits for what must be known of trust, as the others do. */
  readonly hooks: Hooks;
  /** The same for lanes that nobody talks to: they hear of calls alone. */
  readonly callHooks: Hooks;
  readonly servers: ConnectedServers;
  readonly toolbox: Toolbox;
  /** Those of the toolbox. */
  tools(): readonly Tool[];
  /** Begins to load and to connect, beside whatever goes on. */
  begin(): void;
  /** Has the toolbox hold, and the servers known, what the first turn would find; what is to be told waits for a turn. */
  gather(signal: AbortSignal): Promise<void>;
  /** Asks once more for the trust in what was refused; returns what is to be said. */
  trust(): Promise<string>;
  /** What the project wants to start may start, or may not; or the signal. Never rejects. */
  settled(signal: AbortSignal): Promise<void>;
  /** Ends the servers, and what hooks have left running. */
  close(): Promise<void>;
}

export interface ExtendOptions {
  readonly environment: AgentEnvironment;
  readonly version: string;
  readonly log: Log;
  /** Lists of tools and the like may be kept. */
  readonly kept: boolean;
  /** Milliseconds that the first request waits for servers whose tools are not known from before. */
  readonly waitMs: number;
  /** Servers whose tools are known from before are connected to after this. */
  readonly first?: Promise<void> | undefined;
  agents(): Agents;
  /** Asks the user; undefined where nobody is there. */
  readonly ask: ((question: Question, signal: AbortSignal) => Promise<Answer>) | undefined;
  /** A person has commands at hand. */
  readonly watched: boolean;
  /** Tells the user outside of a turn. */
  tell(text: string): void;
}

/** What was loaded. */
interface Live {
  /** The last ones count; what the others leave running ends with narnat all the same. */
  readonly hooks: readonly RunningHooks[];
  /** Tools that were asked for. */
  readonly extra: readonly Tool[];
  /** What is to be told of it. */
  readonly texts: readonly string[];
  /** What the user has not trusted, as it was read when narnat began. */
  readonly open: readonly TrustRequest[];
}

const OF_CALLS: readonly HookEvent["event"][] = ["before_tool", "after_tool"];

/** Makes the extensions of a session; nothing is loaded before `begin` or the first turn. */
export function extend(o: ExtendOptions): Extensions {
  const { environment } = o;
  const { config: { t, hooks = [], projectHooks = [] } } = environment;
  const ending = new AbortController();
  const told = new Set<string>();
  const waiting: string[] = [];
  let live: Live = { hooks: [], extra: [], texts: [], open: [] };
  let loading: Promise<void> | undefined;
  let waited = false;
  let loaded = false;
  const put: Put = (part) =>
    void (live = {
      ...live,
      ...part,
      hooks: [...live.hooks, ...part.hooks ?? []],
      texts: [...live.texts, ...part.texts ?? []],
    });
  const servers = lateServers(async () => {
    const { openServers } = await import("../features/mcp/tools.ts");
    const { servers, warnings } = openServers(o);
    put({ texts: warnings });
    return servers;
  }, (signal) => settled(signal));
  const load = () =>
    loading ??= loadAll(o, servers, put, ending.signal)
      .then(() => void (loaded = true));
  const settled = (signal: AbortSignal) => orAborted(load(), signal);
  const toolbox = liveToolbox(environment.tools, async (signal) => {
    await settled(signal);
    if (!waited) await servers.known(AbortSignal.any([signal, AbortSignal.timeout(o.waitMs)]));
    waited = true;
    const texts = [...live.texts, ...troubles(servers.list(), t, o.watched)]
      .filter((text) => !told.has(text));
    for (const text of texts) told.add(text);
    const offered = servers.tools();
    const more = offered.length === 0
      ? []
      : (await import("../features/mcp/tools.ts")).serverTools(environment, offered);
    return {
      tools: [...environment.tools, ...live.extra, ...more],
      texts: [...waiting.splice(0), ...texts],
    };
  }, t);
  const all: Hooks = {
    has: (event) =>
      live.hooks.at(-1)?.has(event) ??
        (!loaded && [...hooks, ...projectHooks].some((one) => one.event === event)),
    async run(event, at, signal, tell) {
      // a question about the hooks themselves is not for them
      if (event.event === "notify" && live.hooks.length === 0) return undefined;
      await settled(signal);
      if (signal.aborted) return undefined;
      return await live.hooks.at(-1)?.run(event, at, signal, tell);
    },
  };
  return {
    toolbox,
    tools: () => toolbox.tools,
    servers,
    hooks: all,
    callHooks: {
      has: (event) => OF_CALLS.includes(event) && all.has(event),
      run: async (event, ...more) =>
        OF_CALLS.includes(event.event) ? await all.run(event, ...more) : undefined,
    },
    begin: () => void load(),
    gather: async (signal) => void waiting.push(...await toolbox.refresh(signal)),
    settled,
    async trust() {
      await load();
      const { open } = live;
      const trusted = [...environment.trusted.keys()].join(", ");
      if (open.length === 0) {
        const path = environment.workspace;
        return t(trusted === "" ? "Nothing in {path} needs trust" : "trusted: {names}", {
          path,
          names: trusted,
        });
      }
      if (!await agreed(o, open, ending.signal)) return "";
      await admit(o, open, servers, put);
      await startHooks(o, put);
      waited = false;
      const names = open.map(({ what }) => what);
      const begun = t(
        "Trusted and started: {names}; tools join with the next turn, skills from git with the next session",
        { names: names.join(", ") },
      );
      return names.includes(SETTINGS)
        ? `${begun}\n${
          t("The model that the project names is used from the next start of narnat on")
        }`
        : begun;
    },
    async close() {
      ending.abort();
      await loading;
      await Promise.all([servers.shutdown(), ...live.hooks.map((hooks) => hooks.close())]);
    },
  };
}

/** Loads what there is, and hands it over part by part. Never rejects. */
async function loadAll(
  o: ExtendOptions,
  servers: ConnectedServers,
  put: Put,
  signal: AbortSignal,
): Promise<void> {
  const { environment, log, tell } = o;
  const { config: { t, hooks = [] } } = environment;
  try {
    if (environment.extraTools.length > 0) {
      const { extraTools } = await import("./extra_tools.ts");
      put(await extraTools(environment, o.agents));
    }
    const some = hasServers(environment);
    if (hooks.length === 0 && !mayRequest(environment)) return;
    const { projectRequests } = await import("../features/trust/requests.ts");
    const open = untrustedRequests(environment, await projectRequests(environment));
    put({ open });
    if (some) servers.start((await import("../features/mcp/config.ts")).mayStart(environment));
    if (unasked(open, o) && await agreed(o, open, signal)) await admit(o, open, servers, put);
    await startHooks(o, put);
  } catch (error) {
    log.error("cli.extend", error instanceof Error ? error.stack ?? error.message : `${error}`);
    tell(
      t(
        "The extensions (MCP servers, hooks) could not be loaded; this session goes without: {why}",
        { why: errorMessage(error) },
      ),
    );
  }
}

/** Of the model that the project names the user has heard already: nothing asks before it. */
const unasked = (open: readonly TrustRequest[], { environment }: ExtendOptions) =>
  !environment.refused && open.some(({ what }) => what !== SETTINGS);

type Put = (part: Partial<Live>) => void;

/** Trusts these, and starts the servers among them. */
async function admit(
  { environment, tell }: ExtendOptions,
  open: readonly TrustRequest[],
  servers: ConnectedServers,
  put: Put,
): Promise<void> {
  await trustRequests(environment, open).catch((error) => {
    tell(
      environment.config.t("The trust holds for this session only, it could not be kept: {why}", {
        why: errorMessage(error),
      }),
    );
  });
  put({ open: [] });
  if (hasServers(environment)) {
    servers.start((await import("../features/mcp/config.ts")).mayStart(environment));
  }
}

/** Has those hooks run that may. */
async function startHooks({ environment, log }: ExtendOptions, put: Put): Promise<void> {
  const { config: { t, hooks = [], projectHooks = [] }, workspace, childEnv: env } = environment;
  const { HOOKS } = await import("../features/hooks/trust.ts");
  const all = [...hooks, ...environment.trusted.has(HOOKS) ? projectHooks : []];
  if (all.length === 0) return;
  if (!granted({ name: "run" })) {
    return put({ texts: [t("narnat may run no programs (--allow-run), so no hook runs")] });
  }
  const { createHooks } = await import("../features/hooks/run.ts");
  put({ hooks: [createHooks({ hooks: all, t, workspace, env, now: () => new Date(), log })] });
}

/** Whether the user says that the project may start these; where nobody can be asked it is told how to. */
async function agreed(
  { environment, ask, tell }: ExtendOptions,
  wants: readonly TrustRequest[],
  signal: AbortSignal,
): Promise<boolean> {
  const { workspace, config: { t } } = environment;
  if (!ask) {
    const names = wants.map(({ what }) => what).filter((what) => what !== SETTINGS);
    tell(
      t(
        "not trusted and not used: this project's {names}; narnat trust shows what it wants, narnat trust add trusts it",
        { names: names.join(", ") },
      ),
    );
    return false;
  }
  const { requestRows } = await import("../features/trust/requests.ts");
  const rows = requestRows(environment, wants);
  const question = t(
    "The configuration in {path} asks to run or use what follows. Trust it? (You are asked again when it changes; narnat trust shows it, narnat trust remove revokes it)",
    { path: workspace },
  );
  const yes = await ask({ kind: "trust", question, command: rows.join("\n") }, signal) !== false;
  if (!yes && !signal.aborted) {
    tell(t("They are not started and not used; /trust or narnat trust add changes that"));
  }
  return yes;
}

/** What the user is to know of servers that are not there when they should be. */
function troubles(servers: readonly ServerInfo[], t: T, watched: boolean): string[] {
  const failed = watched
    ? "The MCP server {name} cannot be used: {why} (/mcp shows and reconnects it)"
    : "The MCP server {name} cannot be used: {why} (narnat mcp test {shell} tries it)";
  const late = watched
    ? "The MCP server {name} is not ready: this turn goes without its tools, which join with a later one"
    : "The MCP server {name} is not ready, so its tools are missing; narnat mcp test {shell} tries it";
  return servers.flatMap(({ name, state, why, tools, changed = [] }) => {
    if (changed.length > 0) {
      const names = changed.slice(0, 8).join(", ") + (changed.length > 8 ? ", …" : "");
      return [
        t(
          "These tools of the MCP server {name} are described otherwise than before, and ask before their next call: {names} (narnat mcp accept {shell} shows and accepts it)",
          { name, names, shell: shellName(name) },
        ),
      ];
    }
    const lost = state === "closed" && why !== "";
    const poor = state === "ready" && why !== "" && tools.length === 0;
    if (state === "error" || lost || poor) {
      return [t(failed, { name, why, shell: shellName(name) })];
    }
    if (state !== "connecting" || tools.length > 0) return [];
    return [t(late, { name, shell: shellName(name) })];
  });
}

async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await Promise.race([work, stopped]);
  signal.removeEventListener("abort", stop);
}
