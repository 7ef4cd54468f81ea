/** A server of tools that is reached over HTTP: Streamable HTTP, and the older SSE where it speaks only that. */
import {
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { within } from "../../../base/watchdog.ts";
import {
  answeredFetch,
  boundedFetch,
  type Fetch,
  mayReach,
  sessionFetch,
  watchedFetch,
} from "./http_fetch.ts";
import { httpWhy, statusOf, unusable } from "./http_why.ts";
import { hasOwnHeader, type QuietAuth, quietAuth } from "../auth/oauth.ts";
import type { Link, LinkHost, Reach } from "../types.ts";

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
