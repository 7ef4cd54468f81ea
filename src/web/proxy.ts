/** The way out through an HTTP proxy the user's environment names. */
import type { Socket } from "node:net";

// Where a URL leads.

/** The URL's host without IPv6 brackets and without the root's trailing dots. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
}

/** The URL's port, the scheme's own when none is written. */
export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === "https:" ? 443 : 80);
}

/** Says which HTTP proxy a URL goes through; undefined: none. */
export type ProxyFor = (url: URL) => URL | undefined;

/** Reads `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, lower case first; only `http://` proxies are used. */
export function proxyFromEnv(env: (name: string) => string | undefined): ProxyFor {
  const get = (name: string) => env(name) || env(name.toUpperCase()) || "";
  const exceptions = get("no_proxy").split(",").map((entry) => entry.trim().toLowerCase());
  return (url) => {
    if (exceptions.some((entry) => matchesException(bareHost(url), portOf(url), entry))) return;
    const value = get(url.protocol === "https:" ? "https_proxy" : "http_proxy") || get("all_proxy");
    const text = /^[\w+.-]+:\/\//.test(value) ? value : `http://${value}`;
    const proxy = value && URL.canParse(text) ? new URL(text) : undefined;
    return proxy?.protocol === "http:" ? proxy : undefined;
  };
}

/** The header that signs in to the proxy; empty when its URL has no user. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  if (!proxy.username) return {};
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${btoa(user)}` };
}

/** Opens a TLS connection to the URL's host through the proxy. */
export async function tunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const [http, tls] = await Promise.all([import("node:http"), import("node:tls")]);
  const target = `${url.hostname}:${portOf(url)}`;
  const socket = await new Promise<Socket>((resolve, reject) => {
    const request = http.request({
      host: bareHost(proxy),
      port: portOf(proxy),
      method: "CONNECT",
      path: target,
      headers: { host: target, ...proxyHeaders(proxy) },
      agent: false,
      signal,
    });
    request.on("error", reject);
    request.on("connect", (response, socket) => {
      if (response.statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} answered ${response.statusCode}`));
    });
    request.end();
  });
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop);
  try {
    return await new Promise<Socket>((resolve, reject) => {
      // Over a given socket Deno leaves NODE_EXTRA_CA_CERTS out unless told.
      const ca = tls.getCACertificates("default");
      const names = { servername: bareHost(url), ca };
      const secure = tls.connect({ socket, ...names }, () => resolve(secure));
      secure.on("error", reject);
      socket.on("close", () => reject(new Error(`the proxy ${proxy.host} closed the connection`)));
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function matchesException(host: string, port: number, entry: string): boolean {
  const [, name = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entry === "*") return true;
  if (!name || (only && Number(only) !== port)) return false;
  return host === name || host.endsWith(`.${name}`);
}
