/** Where the browser comes back to after a login: an address of this machine, for one answer. */
import type { T } from "../../../base/t.ts";

/** How long the user may take. */
const LOGIN_MS = 5 * 60_000;

export interface CodeWanted {
  /** To be had again, if it is free; anything else for any. */
  readonly port: number;
  /** No other port will do. */
  readonly fixed: boolean;
  /** What an answer of ours has with it. */
  readonly state: string;
  readonly t: T;
}

export interface Code {
  readonly code: string;
  /** Who says that they gave it. */
  readonly iss?: string;
}

export interface Callback extends AsyncDisposable {
  readonly url: string;
  /**
   * Takes the address a browser came to that cannot reach this machine; returns what is wrong with
   * it, or "" where the waiting ends. `isFrom`: whether who says so may have given the code.
   */
  paste(address: string, isFrom: (iss: string | undefined) => boolean): string;
  /** Rejects in words for the user, or with the signal's reason. */
  code(signal: AbortSignal): Promise<Code>;
}

type Reply = readonly [status: number, text: string];

/** Begins to listen on 127.0.0.1. Throws when a fixed port is taken. */
export function listenForCode({ port, fixed, state, t }: CodeWanted): Callback {
  const { promise, resolve, reject } = Promise.withResolvers<Code>();
  promise.catch(() => {});
  const page = (status: number, text: string) =>
    new Response(
      `<!doctype html><meta charset="utf-8"><title>narnat</title><p>${escaped(text)}</p>`,
      { status, headers: { "content-type": "text/html; charset=utf-8" } },
    );
  const answer = (request: Request) => page(...take(new URL(request.url).searchParams));
  const partial: Reply = [
    400,
    t("That is not the whole address it ends at (http://127.0.0.1:…), and it was not used; copy all of it and paste it again."),
  ];
  const take = (told: URLSearchParams): Reply => {
    const code = told.get("code");
    if (!told.has("state") || code === null && !told.has("error")) return partial;
    // whoever does not know what we have asked for was not sent by us
    if (told.get("state") !== state) {
      return [
        400,
        t("This answer does not belong to the login that was asked for, and was not used."),
      ];
    }
    if (code === null) {
      const why = [told.get("error"), told.get("error_description")].filter(Boolean).join(": ");
      const text = t("the login was refused: {why}", { why: why.slice(0, 300) });
      reject(new Error(text));
      return [403, text];
    }
    const iss = told.get("iss");
    resolve({ code, ...iss === null ? {} : { iss } });
    return [200, t("You are logged in. You may close this page and go back to narnat.")];
  };
  const listen = (port: number) =>
    Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, answer);
  const server = open(listen, { port, fixed, t });
  return {
    url: `http://127.0.0.1:${server.addr.port}/callback`,
    paste(address, isFrom) {
      const told = URL.parse(address.trim())?.searchParams ?? new URLSearchParams();
      // what stands behind the code may have been left out
      const cut = told.has("code") && !isFrom(told.get("iss") ?? undefined);
      const [status, text] = cut ? partial : take(told);
      return status === 400 ? text : "";
    },
    async code(signal) {
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const stop = () => reject(signal.reason);
      const timer = setTimeout(
        () => reject(new Error(t("the login was not finished within 5 minutes"))),
        LOGIN_MS,
      );
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
  { port, fixed, t }: Pick<CodeWanted, "port" | "fixed" | "t">,
) {
  if (!(port > 0)) return listen(0);
  try {
    return listen(port);
  } catch (error) {
    if (fixed) {
      throw new Error(
        t(
          "callbackPort {port} cannot be had ({why}); end the program that holds it, or take another registered port",
          { port, why: String(error) },
        ),
      );
    }
    return listen(0);
  }
}

const escaped = (text: string) => text.replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`);
