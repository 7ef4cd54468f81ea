/** A server of tools that runs as a process of ours and talks over its stdin and stdout. */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isRecord } from "../../../base/is_record.ts";
import { within } from "../../../base/watchdog.ts";
import { inOwnGroup, MARK_NAME, stopTree } from "../../../shell/process/stop_tree.ts";
import type { Link, LinkHost, Noise, Reach } from "../types.ts";

/** What is done with them. */
interface LineTaker {
  message(message: { readonly [key: string]: unknown }): void;
  /** A line that is no message, or the beginning of it. */
  garbage(line: string): void;
  /** What answers this request cannot be read: it is longer than allowed, no JSON, or no answer. */
  unreadable(id: string | number, why: "too long" | "not JSON" | "no answer"): void;
}

const NEWLINE = 10;
/** What is kept of a line that is too long: enough to see which request it answers. */
const ENDS = 4096;

/** Bytes in, messages out; never holds more than `most` bytes and one chunk. */
export class MessageLines {
  readonly #taker: LineTaker;
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Beginning and end so far of the line that is too long. */
  #long: { readonly head: Uint8Array; tail: Uint8Array } | undefined;

  constructor(taker: LineTaker, most: number) {
    this.#taker = taker;
    this.#most = most;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      this.#end();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Uint8Array): void {
    if (part.length === 0) return;
    if (this.#long) {
      this.#long.tail = joined([this.#long.tail, part]).slice(-ENDS);
      return;
    }
    this.#chunks.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#most) return;
    const line = joined(this.#chunks);
    this.#long = { head: line.slice(0, ENDS), tail: line.slice(-ENDS) };
    this.#chunks = [];
    this.#bytes = 0;
  }

  #end(): void {
    const long = this.#long;
    this.#long = undefined;
    if (long) {
      const head = decoded(long.head);
      const id = idOf(head, decoded(long.tail));
      if (id !== undefined) this.#taker.unreadable(id, "too long");
      else this.#taker.garbage(head);
      return;
    }
    const line = decoded(joined(this.#chunks)).trim();
    this.#chunks = [];
    this.#bytes = 0;
    if (line !== "") this.#take(line);
  }

  #take(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      const id = line.startsWith("{") ? idOf(line, line) : undefined;
      if (id !== undefined) this.#taker.unreadable(id, "not JSON");
      return this.#taker.garbage(line);
    }
    const all = Array.isArray(value) ? value : [value];
    for (const one of all) if (isMessage(one)) this.#message(one);
    if (!all.every(isMessage)) this.#taker.garbage(line);
  }

  #message(message: Message): void {
    const { id, method } = message;
    const answers = typeof id === "number" || typeof id === "string";
    if (method !== undefined || !answers) return this.#taker.message(message);
    const answer = answerOf(message);
    if (answer) this.#taker.message({ jsonrpc: "2.0", id, ...answer });
    else this.#taker.unreadable(id, "no answer");
  }
}

/** The id of the response that a damaged line is, as far as its ends tell. */
function idOf(head: string, tail: string): number | string | undefined {
  const inHead = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,/;
  const inTail = /,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}?\s*$/;
  const found = inHead.exec(head)?.[1] ?? inTail.exec(tail)?.[1];
  return found === undefined || /"method"\s*:/.test(head.slice(0, 200))
    ? undefined
    : JSON.parse(found);
}

type Message = { readonly [key: string]: unknown };

/** The client passes over an answer with anything odd in it, and the call would wait for it in vain. */
function answerOf({ result, error }: Message): Message | undefined {
  if (error !== undefined && error !== null) {
    const { code, message, data } = isRecord(error) ? error : { message: error };
    const text = typeof message === "string" ? message : JSON.stringify(error);
    return { error: { code: Number.isSafeInteger(code) ? code : -32603, message: text, data } };
  }
  if (!isRecord(result)) return undefined;
  const { _meta, ...rest } = result;
  return { result: _meta === undefined || isRecord(_meta) ? result : rest };
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && value["jsonrpc"] === "2.0";
}

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Bytes of one message. */
const MESSAGE_BYTES = 64 * 1024 * 1024;
/** Characters that are kept of what a server says besides. */
const TAIL_CHARS = 8192;
const GARBAGE_CHARS = 300;
/** How long a server has to end once its stdin is closed; then SIGTERM, and after as long SIGKILL. */
const GRACE_MS = 1000;
/** How long to go on reading once the server has ended. */
const DRAIN_MS = 250;

const UNREADABLE = {
  "too long": "the answer is longer than 64 MB and was not read",
  "not JSON": "the answer cannot be parsed: it is no JSON",
  "no answer": "the answer cannot be parsed: it has neither a result nor an error",
} as const;

type Stdio = Extract<Reach, { readonly type: "stdio" }>;

/** What a server has of our environment: what programs need, and nothing that is only ours. */
const PASSED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|XDG_\w+|DISPLAY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(npm_config|uv|pip)_\w+|DENO_DIR|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|PROGRAM(FILES|DATA)\w*|PROCESSOR_ARCHITECTURE)$/i;

/** The way to a server that is a program. */
export function stdioLink(reach: Stdio, host: LinkHost): Link {
  const transport = new StdioTransport(reach, host);
  return {
    transport,
    negotiation: "legacy",
    why: () => transport.why(),
    stderr: () => transport.stderr,
    noise: () => transport.noise,
  };
}

class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #reach: Stdio;
  readonly #host: LinkHost;
  #child: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #status: Deno.CommandStatus | undefined;
  #notStarted = "";
  #tail = "";
  #order: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #asked = false;
  noise: Noise = { lines: 0, last: "" };

  constructor(reach: Stdio, host: LinkHost) {
    this.#reach = reach;
    this.#host = host;
  }

  /** What it wrote on stderr, and what on stdout was no message; the end of it. */
  get stderr(): string {
    return this.#tail;
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#reach;
    const { t, mark } = this.#host;
    if (Deno.permissions.querySync({ name: "run", command }).state !== "granted") {
      // Trying would put Deno's own question on the screen.
      this.#notStarted = t("no permission to run {command} (Deno's --allow-run)", { command });
      return Promise.reject(new Error(this.#notStarted));
    }
    const passed = Object.entries(this.#host.env).filter(([name]) => PASSED.test(name));
    try {
      this.#child = inOwnGroup(command, {
        args: [...args],
        cwd,
        env: { ...Object.fromEntries(passed), ...env, [MARK_NAME]: mark },
        clearEnv: true,
        // Ctrl-C at the terminal is ours, and all of it can be ended.
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
    } catch (error) {
      const absent = error instanceof Deno.errors.NotFound;
      const why = absent && !isFolder(cwd)
        ? t("there is no folder {cwd} to start it in; check cwd in its configuration", { cwd })
        : absent
        ? t(
          "the program {command} was not found (in the folder {cwd}); install it, or give its full path as command",
          { command, cwd },
        ) + this.#wordsApart()
        : error instanceof Error
        ? error.message
        : String(error);
      this.#notStarted = t("cannot start {command}: {why}", { command, why });
      return Promise.reject(new Error(this.#notStarted));
    }
    this.#host.began(this.#child.pid);
    this.#writer = this.#child.stdin.getWriter();
    this.#writer.closed.catch(() => {});
    void this.#watch(this.#child);
    return Promise.resolve();
  }

  /** The hint for a command that has its arguments in it. */
  #wordsApart(): string {
    const { command, args, cwd } = this.#reach;
    const given = command.startsWith(`${cwd}/`) ? command.slice(cwd.length + 1) : command;
    if (!/^[^\s/\\]+\s/.test(given)) return "";
    const [first, ...more] = given.trim().split(/\s+/);
    const entry = JSON.stringify({ command: first, args: [...more, ...args] }).slice(1, -1);
    return this.#host.t("; command is the program alone, the rest belongs into args: {entry}", {
      entry,
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#writer || this.#closing) throw new Error("the server has ended");
    try {
      await this.#writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
    } catch (error) {
      // that it has ended is known a moment later than that nobody reads
      if (this.#child) await within(this.#child.status, DRAIN_MS);
      throw error;
    }
  }

  close(): Promise<void> {
    // one that had ended before has ended by itself
    this.#asked ||= this.#status === undefined;
    return this.#closing ??= this.#end();
  }

  /** Why it cannot be talked to; undefined while it runs. */
  why(): string | undefined {
    const { t } = this.#host;
    if (this.#notStarted !== "") return this.#notStarted;
    if (!this.#status || this.#asked) return undefined;
    const { code, signal } = this.#status;
    const last = this.#tail.trim().split("\n").slice(-3).join("\n").slice(-500);
    const how = signal ?? `exit ${code}`;
    return t("{command} has ended ({how})", { command: this.#reach.command, how }) +
      (last === "" ? "" : `: ${last}`);
  }

  async #watch(child: Deno.ChildProcess): Promise<void> {
    const words = new TextDecoder();
    const lines = new MessageLines({
      message: (message) => this.#deliver(message as JSONRPCMessage),
      garbage: (line) => {
        const cut = line.slice(0, GARBAGE_CHARS) + (line.length > GARBAGE_CHARS ? "…" : "");
        this.#say(`[stdout] ${cut}\n`);
        this.noise = { lines: this.noise.lines + 1, last: cut };
        this.onerror?.(new Error("a line of the server's is no message"));
      },
      unreadable: (id, why) => {
        const text = this.#host.t(UNREADABLE[why]);
        this.#deliver({ jsonrpc: "2.0", id, error: { code: -32700, message: text } });
      },
    }, MESSAGE_BYTES);
    const stdout = read(child.stdout, (chunk) => {
      const before = this.#order;
      lines.push(chunk);
      // a flood of messages leaves time for the user's keys
      return this.#order === before ? undefined : this.#order.then(aMoment);
    });
    const stderr = read(
      child.stderr,
      (chunk) => this.#say(words.decode(chunk, { stream: true })),
    );
    void child.status.then((status) => this.#status = status);
    // Without a stdout it cannot answer any more, whether it runs or not.
    await Promise.race([child.status, stdout.ended]);
    await within(child.status, DRAIN_MS);
    await within(Promise.all([stdout.ended, stderr.ended]), DRAIN_MS);
    await (this.#closing ??= this.#end());
    await Promise.all([stdout.cancel(), stderr.cancel()]);
  }

  /** The client takes a notification a moment later than an answer: each message has a moment of its own. */
  #deliver(message: JSONRPCMessage): void {
    this.#order = this.#order.then(() => this.onmessage?.(message)).catch((error) =>
      this.onerror?.(error)
    );
  }

  /** Ends whatever is left of it, softly first. */
  async #end(): Promise<void> {
    const child = this.#child;
    if (child) {
      this.#writer?.close().catch(() => {});
      await within(child.status, GRACE_MS);
      await stopTree(child.pid, this.#host.mark, GRACE_MS);
      if (!await within(child.status, DRAIN_MS)) await kill(child);
      this.#host.ended(child.pid);
    }
    this.onclose?.();
  }

  #say(text: string): void {
    this.#tail = (this.#tail + text).slice(-TAIL_CHARS);
  }
}

const aMoment = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Taken for one where Deno does not let us look. */
function isFolder(path: string): boolean {
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return true;
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Reads a stream to its end, or until nobody wants it any more. */
function read(
  stream: ReadableStream<Uint8Array>,
  take: (chunk: Uint8Array) => Promise<void> | void,
) {
  const reader = stream.getReader();
  const ended = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await take(next.value);
    }
  })().catch(() => {});
  return { ended, cancel: () => reader.cancel().catch(() => {}) };
}

/** The last resort, where no shell may be run that ends the whole tree. */
async function kill(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch { /* it has ended meanwhile */ }
  await within(child.status, GRACE_MS);
}
