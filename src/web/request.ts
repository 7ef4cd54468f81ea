/** One HTTP exchange with a checked address, bounded in time, redirects and decompressed size. */
import type { Agent, IncomingMessage, RequestOptions } from "node:http";
import type { Readable } from "node:stream";
import type { T } from "../base/t.ts";
import { errorMessage } from "../base/errors.ts";
import { WebError } from "./error.ts";
import { checkedAddresses, type GuardOptions } from "./guard.ts";
import { bareHost, portOf, type ProxyFor, proxyHeaders, tunnel } from "./proxy.ts";

/** What every web access needs to know. */
export interface WebOptions extends GuardOptions {
  readonly signal: AbortSignal;
  /** Which HTTP proxy a URL goes through; a name behind a proxy is resolved again by the proxy. Default: none. */
  readonly proxy?: ProxyFor;
  /** For the whole exchange with its redirects; 10,000. */
  readonly timeoutMs?: number;
  /** Decompressed; 2 MiB. */
  readonly maxBytes?: number;
}

export interface WebRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
  /** How many redirects are followed; the next one is the answer if it is 0, else an error. Default 5. */
  readonly redirects?: number;
  /** Answers whether the body is worth reading; an unread body is empty. */
  readonly wants?: (status: number, headers: Headers) => boolean;
}

export interface WebResponse {
  /** Where the redirects ended. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** True when the body was longer than `maxBytes`. */
  readonly cut: boolean;
}

const BROWSER_HEADERS = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  "accept": "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.9,*/*;q=0.8",
  // br is read when it comes, not asked for: damage in it can pass unseen.
  "accept-encoding": "gzip, deflate",
};

/** Fetches `url`, each hop checked by the guard. Throws WebError, or the signal's reason when it is aborted. */
export async function webRequest(
  url: URL,
  request: WebRequest,
  options: WebOptions,
): Promise<WebResponse> {
  const { t, signal, timeoutMs = 10_000 } = options;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const either = AbortSignal.any([signal, deadline.signal]);
  try {
    return await unlessAborted(followed(url, request, { ...options, signal: either }), either);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.signal.aborted) {
      const seconds = Number((timeoutMs / 1000).toFixed(1));
      throw new WebError(
        "timeout",
        t("Cannot fetch {url}: not finished within {seconds} s", { url: url.href, seconds }),
      );
    }
    if (error instanceof WebError) throw error;
    const why = errorMessage(error);
    throw new WebError("network", t("Cannot fetch {url}: {why}", { url: url.href, why }));
  } finally {
    clearTimeout(timer);
  }
}

async function followed(
  start: URL,
  request: WebRequest,
  options: WebOptions,
): Promise<WebResponse> {
  const { t } = options;
  const limit = request.redirects ?? 5;
  let url = start;
  let sent = request;
  const jar = new Map<string, Map<string, string>>();
  for (let hop = 0;; hop++) {
    const response = await exchange(url, withCookies(sent, jar.get(url.origin)), {
      ...options,
      sentOn: hop > 0 || options.sentOn === true,
    });
    keepCookies(response, jar);
    const location = response.headers.get("location");
    if (!location || !isRedirect(response.status) || limit === 0) return response;
    if (hop === limit) {
      throw new WebError(
        "network",
        t("Cannot fetch {url}: more than {limit} redirects", { url: start.href, limit }),
      );
    }
    if (!URL.canParse(location, url)) {
      const why = `redirect to ${JSON.stringify(location.slice(0, 200))}`;
      throw new WebError("network", t("Cannot fetch {url}: {why}", { url: url.href, why }));
    }
    url = new URL(location, url);
    requireWebUrl(url, options);
    if (response.status < 307) sent = { headers: sent.headers, wants: sent.wants };
  }
}

/** Sites that set a cookie and redirect to the same page would do so for ever. */
function keepCookies({ url, headers }: WebResponse, jar: Map<string, Map<string, string>>): void {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^\s*([^=;\s]+)\s*=([^;]*)/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const cookies = jar.get(url.origin) ?? new Map<string, string>();
    if (cookies.size < 50) jar.set(url.origin, cookies.set(name, value.trim()));
  }
}

function withCookies(request: WebRequest, cookies?: ReadonlyMap<string, string>): WebRequest {
  if (!cookies) return request;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { ...request, headers: { ...request.headers, cookie } };
}

/** Throws WebError `url` unless the URL is http or https without credentials. */
export function requireWebUrl(url: URL, options: { readonly t: T }): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new WebError(
      "url",
      options.t("Cannot fetch {url}: only http and https are fetched; use Read for local files", {
        url: url.href,
      }),
    );
  }
  if (url.username || url.password) {
    throw new WebError(
      "url",
      options.t("Cannot fetch {host}: the URL carries a user name or password; leave it out", {
        host: url.host,
      }),
    );
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

async function exchange(
  url: URL,
  request: WebRequest,
  options: WebOptions,
): Promise<WebResponse> {
  const message = await send(url, request, options);
  try {
    const status = message.statusCode ?? 0;
    const headers = new Headers();
    for (let i = 0; i + 1 < message.rawHeaders.length; i += 2) {
      headers.append(message.rawHeaders[i]!, message.rawHeaders[i + 1]!);
    }
    const skip = isRedirect(status) || (request.wants && !request.wants(status, headers));
    if (skip) return { url, status, headers, body: new Uint8Array(), cut: false };
    const encoding = headers.get("content-encoding") ?? "";
    const stream = await decompressed(message, encoding);
    const read = await readUpTo(stream, options.maxBytes ?? 2 * 1024 ** 2);
    // node:zlib in Deno ends a damaged brotli body without an error, often with nothing
    if (/br/i.test(encoding) && read.body.length === 0) throw new Error("the body is damaged");
    return { url, status, headers, ...read };
  } finally {
    message.destroy();
  }
}

async function send(
  url: URL,
  request: WebRequest,
  options: WebOptions,
): Promise<IncomingMessage> {
  const { signal } = options;
  const [http, https] = await Promise.all([import("node:http"), import("node:https")]);
  const proxy = options.proxy?.(url);
  const addresses = await checkedAddresses(url, options).catch((error) => {
    // A network behind a proxy may not resolve outside names at all.
    if (proxy && error instanceof WebError && error.kind === "network") return [];
    throw error;
  });
  signal.throwIfAborted();
  const wire: RequestOptions = {
    method: request.method ?? "GET",
    host: bareHost(url),
    port: portOf(url),
    path: url.pathname + url.search,
    headers: { host: url.host, connection: "close", ...BROWSER_HEADERS, ...request.headers },
    agent: false,
    signal,
    lookup: (_host, _options, done) => {
      done(null, addresses.map((a) => ({ address: a, family: a.includes(":") ? 6 : 4 })));
    },
  };
  const secure = url.protocol === "https:";
  if (proxy && secure) {
    const socket = await tunnel(url, proxy, signal);
    const agent: Agent = new http.Agent();
    agent.createConnection = () => socket;
    Object.assign(wire, { agent });
  } else if (proxy) {
    Object.assign(wire, { host: bareHost(proxy), port: portOf(proxy), path: url.href });
    Object.assign(wire.headers!, proxyHeaders(proxy));
    delete wire.lookup;
  }
  return await new Promise((resolve, reject) => {
    const call = (secure && !proxy ? https : http).request(wire, resolve);
    call.on("error", reject);
    call.end(request.body);
  });
}

async function decompressed(message: IncomingMessage, encoding: string): Promise<Readable> {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return message;
  if (!/^(x-)?gzip$|^deflate$|^br$/.test(name)) {
    throw new Error(`content-encoding ${name} is not known`);
  }
  const [zlib, { pipeline, Readable }] = await Promise.all([
    import("node:zlib"),
    import("node:stream"),
  ]);
  if (name === "br") return pipeline(message, zlib.createBrotliDecompress(), () => {});
  const chunks = (message as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const first = await chunks.next();
  const whole = Readable.from(async function* () {
    if (!first.done) yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }());
  // Some servers send "deflate" without the zlib header that begins with 8.
  const bare = name === "deflate" && !first.done && (first.value[0]! & 15) !== 8;
  return pipeline(whole, bare ? zlib.createInflateRaw() : zlib.createUnzip(), () => {});
}

async function readUpTo(
  stream: Readable,
  maxBytes: number,
): Promise<{ body: Uint8Array; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return { body: body.subarray(0, maxBytes), cut: size > maxBytes };
}

/** Resolvers cannot be aborted; their answer is then simply not waited for. */
function unlessAborted<V>(work: Promise<V>, signal: AbortSignal): Promise<V> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
