/** A model provider on a real local socket that speaks both protocols from one script. */
import type { Json } from "../../src/base/types.ts";
import {
  type Frames,
  messagesFrames,
  openaiFrames,
  pairingErrorsOf,
  wholeAnswer,
} from "./fake_wire.ts";

/** A tool call the fake model makes; a string `input` is sent raw, as it stands. */
export interface FakeCall {
  readonly name: string;
  readonly input: Json;
  readonly id?: string;
}

/** Ways real OpenAI-compatible servers bend the deltas of tool calls. */
export type OddDeltas =
  | "no_index"
  | "constant_index"
  | "gapped_index"
  | "no_id"
  | "repeated_id"
  | "repeated_name"
  | "object_arguments"
  | "null_deltas"
  | "empty_arguments"
  | "extra_fields"
  | "same_id";

/** A streamed answer. */
export interface Answer {
  readonly text?: string;
  /** Into how many pieces the text is cut; four when left out. */
  readonly deltas?: number;
  readonly thinking?: string;
  /** Signature of the thinking block; Messages protocol only. */
  readonly signature?: string;
  /** A redacted thinking block; Messages protocol only. */
  readonly redacted?: string;
  readonly calls?: readonly FakeCall[];
  /** `input` includes `cached`; the default is 10, 5, 0. */
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** The wire's own word, sent as it stands; the default follows from `calls`. */
  readonly stop?: string;
  /** Between chunks. */
  readonly delayMs?: number;
  /** One byte at a time, or cut at awkward places. */
  readonly chunk?: "bytes" | "awkward";
  readonly crlf?: boolean;
  /** OpenAI protocol only. */
  readonly odd?: OddDeltas;
}

/** Something a provider should not do; the fields of an Answer are streamed before it where a stream has begun. */
export type Fault =
  | {
    readonly fault: "status";
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }
  | { readonly fault: "html200" }
  /** A whole answer as JSON instead of a stream; with `body`, that text. */
  | (Answer & { readonly fault: "json200"; readonly body?: string })
  | (Answer & { readonly fault: "malformed" })
  /** The connection is closed before any header. */
  | { readonly fault: "reset" }
  /** The connection is closed after the text and half of the calls, in the middle of a chunk. */
  | (Answer & { readonly fault: "cut" })
  | { readonly fault: "stall_before_headers" }
  /** Silence after the text and half of the calls; without either, right after the headers. */
  | (Answer & { readonly fault: "stall" })
  | (Answer & { readonly fault: "error_in_stream"; readonly error: Json })
  /** A clean end without finish reason and without the end mark. */
  | (Answer & { readonly fault: "missing_finish" })
  /** An event stream without any event. */
  | { readonly fault: "empty" };

export type Reply = Answer | Fault;

export interface CapturedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  // deno-lint-ignore no-explicit-any -- tests read into the wire form freely
  readonly json: any;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

export type Script = readonly Reply[] | ((request: CapturedRequest, index: number) => Reply);

export interface FakeProvider {
  /** Base for the OpenAI protocol, `…/v1`. */
  readonly url: string;
  /** Base for the Messages protocol, `…/anthropic`. */
  readonly anthropicUrl: string;
  readonly requests: readonly CapturedRequest[];
  /** What is wrong with the pairing of calls and results in the requests; empty when all is well. */
  readonly pairingErrors: readonly string[];
  /** Connections the client has not let go of. */
  openConnections(): number;
  close(): Promise<void>;
}

/**
 * Starts the server; after the script's end it answers with the text "(script ended)". `models` is
 * what it lists; without it there is no list. Listing is not part of `requests`.
 */
export function startFakeProvider(
  script: Script,
  models?: readonly string[],
): Promise<FakeProvider> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const requests: CapturedRequest[] = [];
  const pairingErrors: string[] = [];
  const connections = new Set<Deno.Conn>();
  const ending = new AbortController();
  const running: Promise<void>[] = [];

  function replyTo(request: CapturedRequest): Reply {
    const index = requests.push(request) - 1;
    for (const error of pairingErrorsOf(request.json)) {
      pairingErrors.push(`request ${index}: ${error}`);
    }
    if (typeof script === "function") return script(request, index);
    return script[index] ?? { text: "(script ended)" };
  }

  async function list(connection: Deno.Conn, { path }: CapturedRequest): Promise<void> {
    const known = models !== undefined && /\/models(?:\?|$)/.test(path);
    const body = known ? { data: models.map((id) => ({ id, object: "model" })) } : {};
    const headers = { "content-type": "application/json" };
    await plain(connection, known ? 200 : 404, headers, JSON.stringify(body));
  }

  async function serve(connection: Deno.Conn): Promise<void> {
    connections.add(connection);
    try {
      const request = await readRequest(connection);
      if (request?.method === "GET") await list(connection, request);
      else if (request) await respond(connection, request, replyTo(request), ending.signal);
    } catch {
      // the client went away, which is what half of the tests want
    } finally {
      connections.delete(connection);
      try {
        connection.close();
      } catch { /* closed already */ }
    }
  }

  running.push((async () => {
    for await (const connection of listener) running.push(serve(connection));
  })());

  const base = `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`;
  return Promise.resolve({
    url: base + "/v1",
    anthropicUrl: base + "/anthropic",
    requests,
    pairingErrors,
    openConnections: () => connections.size,
    async close() {
      ending.abort();
      listener.close();
      for (const connection of connections) connection.close();
      await Promise.allSettled(running);
    },
  });
}

async function readRequest(connection: Deno.Conn): Promise<CapturedRequest | undefined> {
  const buffer = new Uint8Array(65536);
  let received = new Uint8Array();
  const more = async () => {
    const count = await connection.read(buffer);
    if (count === null) return false;
    const joined = new Uint8Array(received.length + count);
    joined.set(received);
    joined.set(buffer.subarray(0, count), received.length);
    received = joined;
    return true;
  };
  let headEnd: number;
  while ((headEnd = latin1(received).indexOf("\r\n\r\n")) < 0) if (!await more()) return undefined;
  const [first = "", ...lines] = latin1(received.subarray(0, headEnd)).split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const length = Number(headers["content-length"] ?? 0);
  while (received.length < headEnd + 4 + length) if (!await more()) return undefined;
  const body = new TextDecoder().decode(received.subarray(headEnd + 4, headEnd + 4 + length));
  let json: unknown = null;
  try {
    json = JSON.parse(body);
  } catch { /* stays null */ }
  return { method, path, headers, body, json, time: Date.now() };
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

async function respond(
  connection: Deno.Conn,
  request: CapturedRequest,
  reply: Reply,
  ending: AbortSignal,
): Promise<void> {
  const messages = request.path.endsWith("/messages");
  if (!messages && !request.path.endsWith("/chat/completions")) {
    return await plain(connection, 404, { "content-type": "application/json" }, "{}");
  }
  if ("fault" in reply) {
    switch (reply.fault) {
      case "status": {
        const headers = { "content-type": "application/json", ...reply.headers };
        return await plain(connection, reply.status, headers, reply.body ?? "");
      }
      case "html200":
        return await plain(
          connection,
          200,
          { "content-type": "text/html" },
          "<!doctype html><title>Sign in</title><p>Please sign in.</p>",
        );
      case "json200":
        return await plain(
          connection,
          200,
          { "content-type": "application/json" },
          reply.body ?? wholeAnswer(messages ? "messages" : "openai", reply),
        );
      case "reset":
        return;
      case "stall_before_headers":
        return await untilGone(connection, ending);
    }
  }
  await stream(connection, messages, reply, ending);
}

async function stream(
  connection: Deno.Conn,
  messages: boolean,
  reply: Exclude<Reply, { fault: "status" | "html200" | "json200" | "reset" }>,
  ending: AbortSignal,
): Promise<void> {
  const fault = "fault" in reply ? reply.fault : undefined;
  const answer: Answer = fault === "empty" || fault === "stall_before_headers"
    ? {}
    : reply as Answer;
  const frames: Frames = messages ? messagesFrames(answer) : openaiFrames(answer);
  const parts = [...frames.begin, ...frames.calls, ...frames.finish];
  const half = frames.begin.length + Math.ceil(frames.calls.length / 2);
  switch (fault) {
    case "empty":
      parts.length = 0;
      break;
    case "missing_finish":
      parts.length = frames.begin.length + frames.calls.length;
      break;
    case "malformed":
      parts.splice(half, parts.length, 'data: {"choices":[{"delta":{"content": oops\n\n');
      break;
    case "error_in_stream": {
      const error = JSON.stringify((reply as { error: Json }).error);
      parts.splice(half, parts.length, (messages ? "event: error\n" : "") + `data: ${error}\n\n`);
      break;
    }
    case "cut":
    case "stall":
      parts.length = half;
  }
  await write(
    connection,
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n" +
      "transfer-encoding: chunked\r\nconnection: close\r\n\r\n",
  );
  const text = (part: string) => answer.crlf ? part.replaceAll("\n", "\r\n") : part;
  const pieces = answer.chunk
    ? cut(new TextEncoder().encode(parts.map(text).join("")), answer.chunk)
    : parts.map((part) => new TextEncoder().encode(text(part)));
  for (const piece of pieces) {
    if (ending.aborted) return;
    await write(connection, piece.length.toString(16) + "\r\n");
    await write(connection, piece);
    await write(connection, "\r\n");
    if (answer.delayMs) await new Promise((wake) => setTimeout(wake, answer.delayMs));
  }
  if (fault === "cut") return await write(connection, "ff\r\ndata: {");
  if (fault === "stall") return await untilGone(connection, ending);
  await write(connection, "0\r\n\r\n");
}

function cut(bytes: Uint8Array, how: "bytes" | "awkward"): Uint8Array[] {
  const sizes = how === "bytes" ? [1] : [1, 3, 2, 7, 5, 11, 4];
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

async function plain(
  connection: Deno.Conn,
  status: number,
  headers: Record<string, string>,
  body: string,
): Promise<void> {
  const bytes = new TextEncoder().encode(body);
  const all = { ...headers, "content-length": String(bytes.length), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await write(connection, `HTTP/1.1 ${status} Fake\r\n${lines}\r\n`);
  await write(connection, bytes);
}

async function write(connection: Deno.Conn, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** Waits until the client closes the connection, or the server ends. */
async function untilGone(connection: Deno.Conn, ending: AbortSignal): Promise<void> {
  const buffer = new Uint8Array(1024);
  while (!ending.aborted && await connection.read(buffer) !== null);
}
