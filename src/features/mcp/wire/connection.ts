/** One connection to one server of tools. */
import type { Client } from "@modelcontextprotocol/client";
import type { T } from "../../../base/t.ts";
import type { Json } from "../../../base/types.ts";
import { errorMessage } from "../../../base/errors.ts";
import { isRecord } from "../../../base/is_record.ts";
import { truncate } from "../../../base/strings.ts";
import { ANYTHING, Deadline, newClient, type RunningCall } from "./client.ts";
import { type Ask, listPrompts, listResources, listTools } from "../listing.ts";
import {
  type CallAnswer,
  type Caller,
  type Connection,
  type Link,
  type LinkHost,
  type OpenLink,
  type Prompt,
  type PromptMessage,
  type Resource,
  type ResourceContent,
  type ServerConfig,
  ServerError,
  type ToolList,
} from "../types.ts";

export interface ConnectOptions {
  readonly t: T;
  /** narnat's. */
  readonly version: string;
  /** Real, absolute path. */
  readonly workspace: string;
  readonly open: OpenLink;
  readonly link: LinkHost;
  /** Milliseconds on a clock that does not jump. */
  readonly now: () => number;
  /** It is not begun before this. */
  readonly after?: Promise<void> | undefined;
  /** What a list says, without secrets. */
  redactIn<V>(value: V): V;
  /** Its state or one of its lists has changed. */
  changed(): void;
}

/** Begins to connect to a server. */
export function connect(config: ServerConfig, options: ConnectOptions): Connection {
  return new OneConnection(config, options);
}

/** The client's own limit; ours is a signal, which can be put off. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** Of an error. */
const WHY_CHARS = 2000;
/** Of a sign of progress. */
const TOLD_CHARS = 500;

class OneConnection implements Connection {
  readonly config: ServerConfig;
  readonly opened: Promise<void>;
  readonly #options: ConnectOptions;
  readonly #running: RunningCall[] = [];
  readonly #ended = new AbortController();
  #link: Link | undefined;
  #client: Client | undefined;
  #closing: Promise<void> | undefined;
  state: Connection["state"] = "connecting";
  why = "";
  ms: number | undefined;
  list: ToolList = { tools: [], warnings: [] };
  resourceList: readonly Resource[] = [];
  promptList: readonly Prompt[] = [];

  constructor(config: ServerConfig, options: ConnectOptions) {
    this.config = config;
    this.#options = options;
    this.opened = this.#open();
  }

  stderr(): string {
    return this.#link?.stderr?.() ?? "";
  }

  async call(
    name: string,
    input: { readonly [key: string]: unknown },
    caller: Caller,
  ): Promise<CallAnswer> {
    const params = { name, arguments: input };
    const result = await this.#request("tools/call", params, caller);
    const { content, structuredContent, isError, toolResult } = result;
    return {
      content: Array.isArray(content) ? content.filter(isRecord) as CallAnswer["content"] : [],
      ...structuredContent === undefined && toolResult === undefined
        ? {}
        : { structured: (structuredContent ?? toolResult) as Json },
      isError: isError === true,
    };
  }

  async resources(signal: AbortSignal): Promise<readonly Resource[]> {
    if (!this.#client?.getServerCapabilities()?.resources) return [];
    return this.resourceList = await listResources(this.#ask, this.#listing(signal));
  }

  async readResource(uri: string, signal: AbortSignal): Promise<readonly ResourceContent[]> {
    const { contents } = await this.#ask("resources/read", { uri }, signal);
    return (Array.isArray(contents) ? contents : []).filter(isRecord).map((one) => ({
      uri: typeof one["uri"] === "string" ? one["uri"] : uri,
      mediaType: typeof one["mimeType"] === "string" ? one["mimeType"] : "",
      ...typeof one["text"] === "string" ? { text: one["text"] } : {},
      ...typeof one["blob"] === "string" ? { blob: one["blob"] } : {},
    }));
  }

  async prompts(signal: AbortSignal): Promise<readonly Prompt[]> {
    if (!this.#client?.getServerCapabilities()?.prompts) return [];
    return this.promptList = await listPrompts(this.#ask, this.#listing(signal));
  }

  async getPrompt(
    name: string,
    args: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<readonly PromptMessage[]> {
    const { messages } = await this.#ask("prompts/get", { name, arguments: args }, signal);
    return (Array.isArray(messages) ? messages : []).filter(isRecord).flatMap((message) => {
      const content = typeof message["content"] === "string"
        ? { type: "text", text: message["content"] }
        : message["content"];
      const role = message["role"] === "assistant" ? "assistant" : "user";
      return isRecord(content) ? [{ role, content: content as PromptMessage["content"] }] : [];
    });
  }

  close(): Promise<void> {
    this.#become("closed");
    return this.#closing ??= this.#shut();
  }

  async #shut(): Promise<void> {
    this.#ended.abort();
    // The client closes only the transport it has come to know.
    await this.#client?.close().catch(() => {});
    await this.#link?.transport.close().catch(() => {});
  }

  #become(state: Connection["state"], why = ""): void {
    if (this.state === "closed") return;
    this.state = state;
    this.why = why;
    this.#options.changed();
  }

  async #open(): Promise<void> {
    const { config } = this;
    const { open, link, now, t, after } = this.#options;
    if (after) await orAborted(after, this.#ended.signal);
    if (this.#ended.signal.aborted) return;
    const began = now();
    const limit = new Deadline(config.startMs);
    const unanswered = config.reach?.type === "stdio"
      ? "initialize was not answered within {seconds} s, and the server was ended; one that starts slowly needs a larger startupTimeout (milliseconds) in its configuration"
      : "it did not answer initialize within {seconds} s; a larger startupTimeout (milliseconds) in the configuration gives a slow server more";
    try {
      const late = new Promise<never>((_, reject) =>
        limit.signal.addEventListener("abort", () => {
          const seconds = Math.round(config.startMs / 1000);
          const text = t(unanswered, { seconds }) + this.#noiseSince(0);
          reject(new ServerError("timed out", text));
        })
      );
      late.catch(() => {});
      this.#link = await Promise.race([open(config, link), late]);
      await Promise.race([this.#handshake(this.#link), late]);
      limit.stop();
      await this.#listTools();
      this.ms = now() - began;
      this.#become("ready");
      void this.#listMore();
    } catch (error) {
      const why = this.#link?.why?.(error);
      const own = wordsOf(error);
      this.#become("error", error instanceof ServerError ? own : why ?? own);
      await this.#shut();
    } finally {
      limit.stop();
    }
  }

  async #handshake(first: Link): Promise<void> {
    for (let link: Link | undefined = first; link;) {
      this.#ended.signal.throwIfAborted();
      this.#link = link;
      try {
        const client = await this.#newClient(link);
        // closed meanwhile: what is started now nobody would end
        this.#ended.signal.throwIfAborted();
        await client.connect(link.transport, { timeout: NO_LIMIT_MS });
        return;
      } catch (error) {
        if (this.#ended.signal.aborted) throw error;
        const next: Link | undefined = await link.otherwise?.(error);
        if (!next) throw error;
        await link.transport.close().catch(() => {});
        link = next;
      }
    }
  }

  async #newClient(link: Link): Promise<Client> {
    const { version, workspace, t } = this.#options;
    const { signal } = this.#ended;
    const client: Client = await newClient(link, {
      config: this.config,
      t,
      version,
      workspace,
      running: () => this.#running.at(-1),
      relist: (what) => {
        const listed = what === "tools" ? this.#listTools() : this[what](signal);
        void listed.then(() => this.#options.changed()).catch(() => {});
      },
      closed: () => {
        if (this.#client === client && this.state === "ready") this.#lost();
      },
    });
    return this.#client = client;
  }

  #lost(): void {
    this.#become("closed", this.#link?.why?.(undefined) ?? "");
    this.#closing ??= this.#shut();
  }

  /** A list takes no longer than a start may, all its pages together. */
  #listing(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, AbortSignal.timeout(this.config.startMs)]);
  }

  async #listTools(): Promise<void> {
    const { t } = this.#options;
    if (!this.#client?.getServerCapabilities()?.tools) return;
    const before = this.#noise();
    try {
      const list = await listTools(this.#ask, t, this.#listing(this.#ended.signal));
      this.list = this.#options.redactIn(list);
    } catch (error) {
      this.#ended.signal.throwIfAborted();
      const late = error instanceof DOMException && error.name === "TimeoutError";
      const seconds = Math.round(this.config.startMs / 1000);
      const why = late
        ? t("it did not come within {seconds} s", { seconds }) + this.#noiseSince(before)
        : wordsOf(error);
      this.list = {
        ...this.list,
        warnings: [t("The list of tools could not be had, the connection stays: {why}", { why })],
      };
    }
  }

  async #listMore(): Promise<void> {
    const { signal } = this.#ended;
    const lists = [this.resources(signal), this.prompts(signal)];
    await Promise.allSettled(lists);
    if (this.resourceList.length + this.promptList.length > 0) this.#options.changed();
  }

  readonly #ask: Ask = (method, params, signal) =>
    this.#request(method, params, {
      signal,
      progress() {},
      fill: () => Promise.resolve(undefined),
    });

  async #request(
    method: string,
    params: { [key: string]: unknown },
    caller: Caller,
  ): Promise<{ readonly [key: string]: unknown }> {
    caller.signal.throwIfAborted();
    const client = this.#client;
    if (!client || this.state === "closed" || this.state === "error") throw this.#disconnected();
    const deadline = new Deadline(this.config.timeoutMs);
    const before = this.#noise();
    const running = { caller, deadline };
    const isCall = method === "tools/call";
    if (isCall) this.#running.push(running);
    try {
      const result = await client.request({ method, params }, ANYTHING, {
        signal: AbortSignal.any([caller.signal, deadline.signal]),
        timeout: NO_LIMIT_MS,
        ...isCall
          ? {
            onprogress: (progress) => {
              deadline.reset();
              caller.progress(progressText(progress));
            },
          }
          : {},
      });
      return isRecord(result) ? result : {};
    } catch (error) {
      caller.signal.throwIfAborted();
      const what = params["name"] ?? params["uri"] ?? method;
      throw this.#worded(error, what, deadline, before);
    } finally {
      deadline.stop();
      if (isCall) this.#running.splice(this.#running.indexOf(running), 1);
    }
  }

  #disconnected(): ServerError {
    const { t } = this.#options;
    const text = t(
      "The MCP server {server} is disconnected. The user can connect it again with /mcp reconnect {server}",
      { server: this.config.name },
    );
    return new ServerError("closed", this.why === "" ? text : `${text}\n${this.why}`);
  }

  /** How many lines have come that are no messages. */
  #noise(): number {
    return this.#link?.noise?.().lines ?? 0;
  }

  /** What came in the place of an answer since there were so many of them; empty for nothing. */
  #noiseSince(before: number): string {
    const { lines: n, last } = this.#link?.noise?.() ?? { lines: 0, last: "" };
    if (n <= before) return "";
    return `\n${
      this.#options.t(
        "Meanwhile it sent {n} {n:line that is|lines that are} no message (JSON-RPC), the last one: {last}",
        { n: n - before, last },
      )
    }`;
  }

  #worded(error: unknown, what: unknown, deadline: Deadline, before: number): ServerError {
    const { t } = this.#options;
    const values = { server: this.config.name, what: String(what) };
    if (deadline.signal.aborted) {
      const seconds = Math.round(deadline.ms / 1000);
      const text = t(
        "Error: {what} of the MCP server {server} timed out after {seconds} s and was cancelled",
        { ...values, seconds },
      ) + this.#noiseSince(before);
      return new ServerError("timed out", text);
    }
    const code = isRecord(error) ? error["code"] : undefined;
    // A server that has just ended is told of a moment later than the request that failed of it.
    if (code === "CONNECTION_CLOSED" || this.state === "closed" || this.#link?.why?.(undefined)) {
      if (this.state === "ready") this.#lost();
      return this.#disconnected();
    }
    const why = this.#link?.why?.(error) ?? wordsOf(error);
    const kind = typeof code === "number" ? "refused" : "broken";
    return new ServerError(
      kind,
      t("Error: {what} of the MCP server {server} failed: {why}", { ...values, why }),
      error,
    );
  }
}

async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await Promise.race([work, stopped]);
}

/** What went wrong, mostly in the server's words; of many only the first. */
function wordsOf(error: unknown): string {
  return truncate(errorMessage(error), WHY_CHARS);
}

/** `3/10 copying`, as far as it is told. */
function progressText(
  { progress, total, message }: { progress: number; total?: number; message?: string },
): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return truncate(
    message === undefined || message === "" ? count : `${count} ${message}`,
    TOLD_CHARS,
  );
}
