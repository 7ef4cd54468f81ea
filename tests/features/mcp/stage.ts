/** Connections to fake servers of tools, each a process, for tests. */
import { fileURLToPath } from "node:url";
import { english, type T } from "../../../src/base/t.ts";
import type { Filled, Question, Tool } from "../../../src/base/types.ts";
import { type LiveToolbox, liveToolbox } from "../../../src/features/mcp/late.ts";
import { createServers, type ServersOptions } from "../../../src/features/mcp/servers.ts";
import { mcpTool } from "../../../src/features/mcp/tools.ts";
import type {
  AskedCaller,
  ConnectedServers,
  Connection,
  ServerConfig,
} from "../../../src/features/mcp/types.ts";
import { connect } from "../../../src/features/mcp/wire/connection.ts";
import { openLink } from "../../../src/features/mcp/wire/link.ts";
import type { FakeServer } from "./fake_server.ts";

const PROGRAM = fileURLToPath(new URL("./fake_server.ts", import.meta.url));

/** How a fake server is started. */
export function fakeCommand(fake: FakeServer = {}): { command: string; args: string[] } {
  const flags = ["run", "-A", "--quiet", "--no-check", "--no-config", "--no-lock"];
  return { command: Deno.execPath(), args: [...flags, PROGRAM, JSON.stringify(fake)] };
}

export function fakeConfig(
  name: string,
  fake: FakeServer = {},
  more: Partial<ServerConfig> & { readonly env?: { readonly [name: string]: string } } = {},
): ServerConfig {
  const { env = {}, ...rest } = more;
  return {
    name,
    file: "/mcp.json",
    scope: "user",
    enabled: true,
    what: name,
    reach: { type: "stdio", ...fakeCommand(fake), env, cwd: Deno.cwd() },
    fault: "",
    timeoutMs: 60_000,
    startMs: 10_000,
    hash: `hash of ${name}`,
    ...rest,
  };
}

/** Someone who makes calls. */
export class TestCaller implements AskedCaller {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly told: string[] = [];
  readonly questions: Question[] = [];
  /** What every question is answered with. */
  answer: Filled | undefined;

  progress(text: string): void {
    this.told.push(text);
  }

  fill(question: Question): Promise<Filled | undefined> {
    this.questions.push(question);
    return Promise.resolve(this.answer);
  }

  /** What a question of Yes or No is answered with. */
  yes = false;

  ask(question: Question): Promise<boolean> {
    this.questions.push(question);
    return Promise.resolve(this.yes);
  }

  stop(): void {
    this.#controller.abort(new DOMException("stopped", "AbortError"));
  }
}

/** Connects to a fake server; it is ended with the scope. */
export function stage(
  fake: FakeServer = {},
  more: Parameters<typeof fakeConfig>[2] = {},
  t: T = english,
): Connection & AsyncDisposable {
  const connection = connect(fakeConfig("fake", fake, more), {
    redactIn: (value) => value,
    t,
    version: "0",
    workspace: Deno.cwd(),
    open: openLink,
    link: {
      t,
      env: Deno.env.toObject(),
      mark: crypto.randomUUID(),
      began() {},
      ended() {},
    },
    now: () => performance.now(),
    changed() {},
  });
  return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });
}

/** All the servers of these configurations, begun; they are ended with the scope. */
export function stageAll(
  configs: readonly ServerConfig[],
  more: Partial<ServersOptions> = {},
  trusted: (config: ServerConfig) => boolean = () => true,
): ConnectedServers & AsyncDisposable {
  const servers = createServers({
    configs,
    t: english,
    version: "0",
    workspace: Deno.cwd(),
    env: Deno.env.toObject(),
    guard: false,
    ...more,
  });
  servers.start(trusted);
  return Object.assign(servers, { [Symbol.asyncDispose]: () => servers.shutdown() });
}

/** A toolbox of these tools and, behind them, those of the servers. */
export function toolboxOf(fixed: readonly Tool[], servers: ConnectedServers): LiveToolbox {
  const supply = () =>
    Promise.resolve({ tools: [...fixed, ...servers.tools().map(mcpTool)], texts: [] });
  return liveToolbox(fixed, supply, english);
}

/** The pid that the server tells on stderr behind this word. */
export function toldPid(
  server: { stderr(): string },
  word: "started" | "grandchild",
): number {
  const pid = new RegExp(`^${word} (\\d+)$`, "m").exec(server.stderr())?.[1];
  if (pid === undefined) throw new Error(`no pid of ${word} in: ${server.stderr()}`);
  return Number(pid);
}

/** The first text of an answer. */
export function said(answer: { readonly content: readonly { readonly [key: string]: unknown }[] }) {
  return String(answer.content[0]?.["text"]);
}
