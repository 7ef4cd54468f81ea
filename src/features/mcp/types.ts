/** What the room of the servers of tools speaks in. */
import type { Transport } from "@modelcontextprotocol/client";
import type { T } from "../../base/t.ts";
import type { Json, Servers, ServerState, ToolContext } from "../../base/types.ts";

/** How a server is reached. */
export type Reach =
  | {
    readonly type: "stdio";
    readonly command: string;
    readonly args: readonly string[];
    /** Besides the few variables that every server has. */
    readonly env: { readonly [name: string]: string };
    /** Absolute. */
    readonly cwd: string;
  }
  /** `http`: Streamable HTTP, and where the server does not speak it the older SSE; `sse`: that at once. */
  | {
    readonly type: "http" | "sse";
    readonly url: string;
    readonly headers: { readonly [name: string]: string };
    /** OAuth settings as the file gives them; undefined for what the server tells itself. */
    readonly oauth?: Json;
  };

/** One server as the configuration names it, variables put in. */
export interface ServerConfig {
  readonly name: string;
  /** Absolute path of the file that names it. */
  readonly file: string;
  /** `project`: it starts only once the user has trusted the file. */
  readonly scope: "project" | "user";
  readonly enabled: boolean;
  /** The program with its arguments, or the address, as the file gives it: no variable put in. */
  readonly what: string;
  /** Undefined where the entry is faulty. */
  readonly reach: Reach | undefined;
  /** What is wrong with the entry, in words for the user; empty where nothing is. */
  readonly fault: string;
  /** The server's own names of the only tools that are offered; all of them when left out. */
  readonly tools?: readonly string[];
  /** Those that are not. */
  readonly withoutTools?: readonly string[];
  /** Milliseconds a call may take without a sign of progress. */
  readonly timeoutMs: number;
  /** Milliseconds until it must have answered `initialize`. */
  readonly startMs: number;
  /** Changes with all that decides which tools it has. */
  readonly hash: string;
}

/** What a link is made with. */
export interface LinkHost {
  readonly t: T;
  /** Of child processes, without the provider's key. */
  readonly env: { readonly [name: string]: string };
  /** Watches over a process group until it has ended. */
  began(pid: number): void;
  ended(pid: number): void;
  /** What the processes of this server are found by. */
  readonly mark: string;
  /** File of the logins to servers with an address; without it there are none. */
  readonly tokens?: string | undefined;
}

/** One way to a server, new for each attempt. */
export interface Link {
  readonly transport: Transport;
  /** `legacy` begins with `initialize` at once; `auto` asks first whether it is a newer server. */
  readonly negotiation: "legacy" | "auto";
  /** What to try when connecting failed with this error; undefined for nothing. */
  otherwise?(error: unknown): Promise<Link | undefined>;
  /** The error of connecting or of a call in words for the user; undefined for no better ones. */
  why?(error: unknown): string | undefined;
  /** The end of what the server wrote besides messages. */
  stderr?(): string;
  /** Lines that came where messages should: how many, and the last one. */
  noise?(): Noise;
}

export interface Noise {
  readonly lines: number;
  readonly last: string;
}

/** Makes the way to a server. Rejects in words for the user. */
export type OpenLink = (config: ServerConfig, host: LinkHost) => Promise<Link>;

/** A tool as its server describes it. */
export interface ServerTool {
  /** The server's own name of it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** An object's schema. */
  readonly input: { readonly [key: string]: Json };
  readonly readOnly: boolean;
}

/** What a server's list of tools came to. */
export interface ToolList {
  readonly tools: readonly ServerTool[];
  /** What was left out and why, in words for the user. */
  readonly warnings: readonly string[];
}

export interface Resource {
  /** Of a template it holds `{places}`. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mediaType: string;
  readonly template: boolean;
}

export interface ResourceContent {
  readonly uri: string;
  readonly mediaType: string;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
}

export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

/** A message of a prompt; `content` is one content block as the server gave it. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: { readonly [key: string]: Json };
}

/** What a tool answered, as the server gave it; only the outermost shape is checked. */
export interface CallAnswer {
  readonly content: readonly { readonly [key: string]: Json }[];
  readonly structured?: Json;
  readonly isError: boolean;
}

/** Who makes a call. */
export type Caller = Pick<ToolContext, "signal" | "progress" | "fill">;

/** One who can be asked whether to. */
export type AskedCaller = Caller & Pick<ToolContext, "ask">;

/** A request came to nothing; the message is in words for the user and the model. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly kind: "closed" | "timed out" | "refused" | "broken";

  constructor(kind: ServerError["kind"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** One connection to one server; it is never opened a second time. */
export interface Connection {
  readonly config: ServerConfig;
  readonly state: Extract<ServerState, "connecting" | "ready" | "error" | "closed">;
  /** Why it is in error; empty otherwise. */
  readonly why: string;
  /** Until it was ready. */
  readonly ms: number | undefined;
  /** Of the last listing; empty before the first. */
  readonly list: ToolList;
  /** As listed once it was ready, and again whenever the server says they changed. */
  readonly resourceList: readonly Resource[];
  readonly promptList: readonly Prompt[];
  /** Settles when it is ready or has failed; never rejects. */
  readonly opened: Promise<void>;
  /** The end of what the server wrote on stderr. */
  stderr(): string;
  /** Calls a tool. Rejects with ServerError, or with the signal's reason. */
  call(
    name: string,
    input: { readonly [key: string]: unknown },
    caller: Caller,
  ): Promise<CallAnswer>;
  /** With the templates; empty where the server has none. Rejects as `call` does, like all that follow. */
  resources(signal: AbortSignal): Promise<readonly Resource[]>;
  readResource(uri: string, signal: AbortSignal): Promise<readonly ResourceContent[]>;
  prompts(signal: AbortSignal): Promise<readonly Prompt[]>;
  getPrompt(
    name: string,
    args: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<readonly PromptMessage[]>;
  /** Ends it and its processes; resolves when nothing is left. Never rejects. */
  close(): Promise<void>;
}

/** A tool that the model may be offered. */
export interface OfferedTool {
  /** As the model names it: `mcp_{server}_{tool}`. */
  readonly name: string;
  readonly server: string;
  readonly tool: ServerTool;
  /** What reaching its server takes. */
  readonly needs: "run" | "net";
  /**
   * Waits until the server is ready and calls it; rejects as `Connection.call` does. Where the tool is
   * another than it was, the caller is asked first.
   */
  call(input: { readonly [key: string]: unknown }, caller: AskedCaller): Promise<CallAnswer>;
}

/** All servers of one narnat. */
export interface ConnectedServers extends Servers {
  readonly configs: readonly ServerConfig[];
  /**
   * Begins to connect, beside whatever goes on, to those that are enabled, trusted and not begun yet;
   * called again when more are trusted, or `wanted`: all are when that is left out.
   */
  start(
    trusted: (config: ServerConfig) => boolean,
    wanted?: (config: ServerConfig) => boolean,
  ): void;
  /** Settles when no server is connecting any more, or with the signal; never rejects. */
  settled(signal: AbortSignal): Promise<void>;
  /** The same of the servers whose tools are not known from before; no long wait for one that failed the last time. */
  known(signal: AbortSignal): Promise<void>;
  /** The connection of a server at the moment; undefined where none was begun. */
  connection(name: string): Connection | undefined;
  /** Servers in name order, tools in their server's; of servers that are not ready yet as last known. */
  tools(): readonly OfferedTool[];
  /** Ends all connections and their processes; resolves when nothing is left. */
  shutdown(): Promise<void>;
}
