/** Where the browser comes back to after a login: an address of this machine, for one answer. */
import { say } from "../text.ts";
import type { Lang } from "../types.ts";

/** How long the user may take. */
const LOGIN_MS = 5 * 60_000;

export interface CodeWanted {
  /** To be had again, if it is free; anything else for any. */
  readonly port: number;
  /** No other port will do. */
  readonly fixed: boolean;
  /** What an answer of ours has with it. */
  readonly state: string;
  readonly lang: Lang;
}

export interface Code {
  readonly code: string;
  /** Who says that they gave it. */
  readonly iss?: string;
}

export interface Callback extends AsyncDisposable {
  readonly url: string;
  /** Rejects in words for the user, or with the signal's reason. */
  code(signal: AbortSignal): Promise<Code>;
}

/** Begins to listen on 127.0.0.1. Throws when a fixed port is taken. */
export function listenForCode({ port, fixed, state, lang }: CodeWanted): Callback {
  const { promise, resolve, reject } = Promise.withResolvers<Code>();
  promise.catch(() => {});
  const page = (status: number, text: string) =>
    new Response(
      `<!doctype html><meta charset="utf-8"><title>narnat</title><p>${escaped(text)}</p>`,
      { status, headers: { "content-type": "text/html; charset=utf-8" } },
    );
  const answer = (request: Request) => {
    const { pathname, searchParams: told } = new URL(request.url);
    if (pathname !== "/callback") return page(404, "narnat");
    // whoever does not know what we have asked for was not sent by us
    if (told.get("state") !== state) return page(400, say(lang, "mcp.login_not_ours"));
    const code = told.get("code");
    if (code === null) {
      const why = [told.get("error"), told.get("error_description")].filter(Boolean).join(": ");
      reject(new Error(say(lang, "mcp.login_refused", { why: why.slice(0, 300) })));
      return page(400, say(lang, "mcp.login_refused", { why: why.slice(0, 300) }));
    }
    const iss = told.get("iss");
    resolve({ code, ...iss === null ? {} : { iss } });
    return page(200, say(lang, "mcp.login_page"));
  };
  const listen = (port: number) =>
    Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, answer);
  const server = open(listen, port, fixed);
  return {
    url: `http://127.0.0.1:${server.addr.port}/callback`,
    async code(signal) {
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const stop = () => reject(signal.reason);
      const timer = setTimeout(() => reject(new Error(say(lang, "mcp.login_late"))), LOGIN_MS);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      try {
        return await Promise.race([promise, stopped]);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
      }
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function open(
  listen: (port: number) => Deno.HttpServer<Deno.NetAddr>,
  port: number,
  fixed: boolean,
) {
  if (!(port > 0)) return listen(0);
  try {
    return listen(port);
  } catch (error) {
    if (fixed) throw error;
    return listen(0);
  }
}

const escaped = (text: string) => text.replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`);
