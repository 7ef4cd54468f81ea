/** A server of tools that is reached over HTTP: Streamable HTTP, and the older SSE where it speaks only that. */
import {
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { isRecord } from "../../../base/is_record.ts";
import { truncate } from "../../../base/strings.ts";
import type { T } from "../../../base/t.ts";
import { within } from "../../../base/watchdog.ts";
import { hasOwnHeader, LoginError, type QuietAuth, quietAuth } from "../auth/oauth.ts";
import type { Link, LinkHost, Reach } from "../types.ts";
import {
  answeredFetch,
  boundedFetch,
  type Fetch,
  mayReach,
  sessionFetch,
  watchedFetch,
} from "./http_fetch.ts";

const TEXT_CHARS = 200;

interface HttpPlace {
  readonly server: string;
  readonly reach: Extract<Reach, { readonly type: "http" | "sse" }>;
  readonly t: T;
}

/** The HTTP status an error tells of, its own or its cause's. */
function statusOf(error: unknown): number | undefined {
  for (const one of chain(error)) {
    const { status, code } = one;
    if (typeof status === "number") return status;
    if (one["name"] === "SseError" && typeof code === "number") return code;
    const told = /\(HTTP (\d{3})\)/.exec(String(one["message"]))?.[1];
    if (told !== undefined) return Number(told);
    const data = one["data"];
    if (isRecord(data) && typeof data["status"] === "number") return data["status"];
  }
}

/** Whether the answer was no message at all. */
function unusable(error: unknown): boolean {
  return chain(error).some(({ code, name }) =>
    code === "CLIENT_HTTP_UNEXPECTED_CONTENT" || name === "SyntaxError" || name === "ZodError" ||
    name === "$ZodError"
  );
}

/** Undefined for an error that says it well enough itself. */
export function httpWhy(error: unknown, { server, reach, t }: HttpPlace): string | undefined {
  if (error === undefined) return undefined;
  const all = chain(error);
  const login = all.find((one) => one instanceof LoginError);
  if (login) return String(login["message"]);
  const url = new URL(reach.url);
  const values = { server, host: url.host, url: `${url.origin}${url.pathname}` };
  const names = all.map(({ name }) => name);
  if (names.includes("TooLong")) return t("the answer is longer than 64 MB and was not read");
  const status = statusOf(error) ?? (names.includes("UnauthorizedError") ? 401 : undefined);
  const redirect = all.map(({ message }) => /Redirect to (\S+) not followed/.exec(String(message)))
    .find((match) => match !== null)?.[1];
  if (redirect !== undefined) {
    return t(
      "the server redirects to {to}, which was not followed: headers of the configuration go nowhere else; if that is right, make it the url",
      { ...values, to: redirect },
    );
  }
  if (status === 401) {
    return t(
      hasOwnHeader(reach)
        ? "the server does not take the Authorization header of its configuration (HTTP 401); check the key in headers"
        : "the server wants a login (HTTP 401); run narnat mcp login {server}, then /mcp reconnect {server}",
      values,
    );
  }
  if (status === 403) {
    return t(
      "the server denies access (HTTP 403): the account or key may not, or log in again with narnat mcp login {server}",
      values,
    );
  }
  if (status === 404 || status === 405) {
    return t(
      "no MCP server answers at {url} (HTTP {status}); check the address, which often ends in /mcp or /sse",
      { ...values, status },
    );
  }
  if (unusable(error)) {
    return t(
      "{url} answered with something that is no MCP message (a web page?); check the address, and whether a proxy or a login page stands between",
      values,
    );
  }
  if (status !== undefined) {
    const text = truncate(textOf(all), TEXT_CHARS);
    return t("the server answered HTTP {status}{text}", {
      ...values,
      status,
      text: text === "" ? "" : `: ${text}`,
    });
  }
  const messages = all.map(({ message }) => String(message));
  if (messages.some((text) => /connection refused|os error 111/i.test(text))) {
    return t("{host} refuses connections: the server does not run, or it is another port", values);
  }
  if (
    messages.some((text) => /reading a body|decoding response|body from connection/i.test(text))
  ) {
    return t("the connection broke in the middle of the answer; try again, or /mcp reconnect");
  }
  const unknown = messages.some((text) => /dns error|failed to lookup/i.test(text));
  const unanswered = messages.some((text) => /timed out|os error 110/i.test(text));
  if (unknown || unanswered) {
    const why = t(
      unknown
        ? "there is no host of that name; check the address and the network"
        : "it does not answer; check the address and the network",
    );
    return t("{host} cannot be reached: {why}", { ...values, why });
  }
  const why = messages.findLast((text) => /error sending request|client error/i.test(text)) ??
    messages.find((text) => /^fetch failed/i.test(text));
  if (why !== undefined) {
    return t("{host} cannot be reached: {why}", {
      ...values,
      why: truncate(lastPart(why), TEXT_CHARS),
    });
  }
  return undefined;
}

type Told = { readonly [key: string]: unknown };

/** An error and its causes, the outermost first. */
function chain(error: unknown): readonly Told[] {
  const all: Told[] = [];
  for (let one = error; one instanceof Error && all.length < 8; one = one.cause) {
    all.push(one as unknown as Told);
  }
  return all;
}

/** What the server said, where that is a message and no page. */
function textOf(all: readonly Told[]): string {
  const told = all.map(({ data }) => isRecord(data) ? data["text"] : undefined)
    .find((text) => typeof text === "string");
  const text = String(told ?? "").trim();
  if (/^<|<html/i.test(text)) return "";
  try {
    const value: unknown = JSON.parse(text);
    const error = isRecord(value) ? value["error"] : undefined;
    const message = isRecord(error) ? error["message"] : isRecord(value) ? value["message"] : error;
    return typeof message === "string" ? message : text;
  } catch {
    return text;
  }
}

/** The end of a chain such as `error sending request for url (…): client error (Connect): dns error`. */
const lastPart = (message: string) => message.replace(/^.*?\): /, "");

type Http = Extract<Reach, { readonly type: "http" | "sse" }>;

/** What a server may take to hear that its session is over. */
const GOODBYE_MS = 1000;

/** The way to a server that has an address. */
export function httpLink(server: string, reach: Http, host: LinkHost): Link {
  const { host: where } = new URL(reach.url);
  if (!mayReach(where)) {
    throw new Error(host.t("no permission to reach {url} (Deno's --allow-net)", { url: where }));
  }
  const place = { server, reach, host, auth: authFor(server, reach, host) };
  return reach.type === "sse" ? sseLink(place) : streamableLink(place, "auto");
}

interface Place {
  readonly server: string;
  readonly reach: Http;
  readonly host: LinkHost;
  readonly auth: QuietAuth | undefined;
}

/** Whoever gives a header of their own wants no other. */
function authFor(
  server: string,
  reach: Http,
  { t, tokens }: LinkHost,
): QuietAuth | undefined {
  return hasOwnHeader(reach) || tokens === undefined
    ? undefined
    : quietAuth({ server, reach, tokens, t });
}

function streamableLink(place: Place, negotiation: "auto" | "legacy"): Link {
  const { server, reach, host, auth } = place;
  const { t } = host;
  const base = sessionFetch(answeredFetch(boundedFetch(fetch)));
  const transport = new OverHttp(new URL(reach.url), {
    requestInit: { headers: { ...reach.headers } },
    fetch: auth?.watched(base) ?? base,
    ...auth ? { authProvider: auth } : {},
  });
  transport.lost = t(
    "the connection broke in the middle of the answer; try again, or /mcp reconnect",
  );
  return {
    transport: transport as Transport,
    negotiation,
    why: (error) => httpWhy(error, { server, reach, t }),
    otherwise(error) {
      const status = statusOf(error);
      // some do not know the question for newer servers, and stumble over it
      if (negotiation === "auto" && ((status ?? 0) >= 500 || unusable(error))) {
        return Promise.resolve(streamableLink(place, "legacy"));
      }
      const older = status === 400 || status === 404 || status === 405;
      return Promise.resolve(older ? sseLink(place, error) : undefined);
    },
  };
}

/** Streamable HTTP that never leaves a request without an end. */
class OverHttp extends StreamableHTTPClientTransport {
  /** What a request is told whose answer was cut off. */
  lost = "";
  #leaving: Promise<void> | undefined;

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = "method" in message && "id" in message ? message.id : undefined;
    // of an answer that has come the client takes no second one
    const onRequestStreamEnd = () => {
      if (id !== undefined) {
        this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32000, message: this.lost } });
      }
    };
    await super.send(message, { onRequestStreamEnd, ...options });
  }

  override close(): Promise<void> {
    return this.#leaving ??= this.#leave();
  }

  async #leave(): Promise<void> {
    if (this.sessionId !== undefined) {
      await within(this.terminateSession().catch(() => {}), GOODBYE_MS);
    }
    await super.close();
  }
}

/** `first` is why Streamable HTTP did not do. */
function sseLink({ server, reach, host: { t }, auth }: Place, first?: unknown): Link {
  const bounded: Fetch = boundedFetch(fetch);
  const base = auth?.watched(bounded) ?? bounded;
  const transport = new SSEClientTransport(new URL(reach.url), {
    requestInit: { headers: { ...reach.headers } },
    fetch: base,
    // a stream that has ended takes the session with it: the server knows no way back
    eventSourceInit: { fetch: watchedFetch(base, () => void transport.close()) },
    ...auth ? { authProvider: auth } : {},
  });
  return {
    transport,
    negotiation: "legacy",
    why: (error) => httpWhy(first === undefined ? error : first, { server, reach, t }),
  };
}
