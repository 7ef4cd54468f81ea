/** Logs in to a server with the user's browser. */
import {
  auth,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import type { T } from "../../../base/t.ts";
import type { Fetch } from "../wire/http_fetch.ts";
import { httpWhy } from "../wire/http.ts";
import {
  allScopes,
  hasOwnHeader,
  type Login,
  oauthFetch,
  oauthSettings,
  readLogin,
  tokenKey,
  type Wanted,
  withTokens,
  writeLogin,
} from "./oauth.ts";

/** How long the user may take. */
const LOGIN_MS = 5 * 60_000;

interface CodeWanted {
  /** To be had again, if it is free; anything else for any. */
  readonly port: number;
  /** No other port will do. */
  readonly fixed: boolean;
  /** What an answer of ours has with it. */
  readonly state: string;
  readonly t: T;
}

interface Code {
  readonly code: string;
  /** Who says that they gave it. */
  readonly iss?: string;
}

interface Callback extends AsyncDisposable {
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
function listenForCode({ port, fixed, state, t }: CodeWanted): Callback {
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

export interface LoginHost {
  readonly signal: AbortSignal;
  /** Shows the user where to log in; `paste` takes where it ended, and returns what is wrong with that, or "". */
  show(url: string, paste: (address: string) => string): void;
}

/** Logs in with the user's browser. Rejects in words for the user, or with the signal's reason. */
export async function logIn(wanted: Wanted, { signal, show }: LoginHost): Promise<void> {
  const { reach, tokens: path, t, server } = wanted;
  const key = tokenKey(reach.url);
  const fetchFn = oauthFetch(t, signal);
  if (hasOwnHeader(reach)) {
    throw new Error(
      t(
        "the configuration of {server} has an Authorization header, and a login would not be used; take it out of headers first",
        { server },
      ),
    );
  }
  const challenge = await challenged(wanted, fetchFn).catch((error) => {
    const why = httpWhy(error, wanted);
    throw why === undefined ? error : new Error(why);
  });
  if (challenge === undefined) throw new Error(t("{server} does not ask for a login", { server }));
  const { callbackPort } = oauthSettings(reach.oauth);
  const earlier = callbackPort ?? Number(new URL(readLogin(path, key).redirect ?? "http://x").port);
  const state = crypto.randomUUID();
  await using callback = listenForCode({
    port: earlier,
    fixed: callbackPort !== undefined,
    state,
    t,
  });
  const provider = new Provider(wanted, {
    redirect: callback.url,
    state,
    show: (url) => show(url, (address) => callback.paste(address, (iss) => provider.mayGive(iss))),
  });
  const { issuer } = oauthSettings(reach.oauth);
  const options = {
    serverUrl: reach.url,
    fetchFn,
    skipIssuerMetadataValidation: issuer !== undefined,
    ...challenge,
  };
  await auth(provider, { ...options, forceReauthorization: true }).catch((error: unknown) => {
    if (error instanceof IssuerMismatchError) {
      throw new Error(otherIssuer(error.expected, error.received, t));
    }
    const own = error instanceof Error && /dynamic client registration/i.test(error.message);
    throw own
      ? new Error(
        `${error.message}\n${
          t('Register an app with the provider yourself (callback address http://127.0.0.1:8765/callback), and put "oauth": {"clientId": "…", "callbackPort": 8765} into the server\'s entry, with "clientSecret" where there is one.')
        }`,
      )
      : error;
  });
  try {
    const { code: authorizationCode, iss } = await callback.code(signal);
    await auth(provider, { ...options, authorizationCode, ...iss === undefined ? {} : { iss } });
  } catch (error) {
    // it may be that we are not known any more: the next time we register anew
    const isUseless = ({ tokens, client } = readLogin(path, key)) => !tokens && provider.is(client);
    if (isUseless()) {
      await withTokens(path, () => isUseless() && writeLogin(path, key, undefined));
    }
    throw error;
  }
}

/** What to do where whoever gives the tokens calls itself something else. */
function otherIssuer(expected: string | undefined, found: string | undefined, t: T): string {
  const issuer = String(found).slice(0, 200).toWellFormed();
  const entry = `"oauth": ${JSON.stringify({ issuer })}`;
  return t(
    "Whoever gives the tokens calls itself {issuer} where it should be {expected}. Have whoever runs the server correct the issuer in its metadata, or, if {issuer} is whom you trust, put {entry} into the server's entry",
    { expected: String(expected), issuer, entry },
  );
}

/** Forgets a login; false when there was none. */
export async function logOut({ reach, tokens: path }: Wanted): Promise<boolean> {
  const key = tokenKey(reach.url);
  return await withTokens(path, () => {
    const had = readLogin(path, key).tokens !== undefined;
    writeLogin(path, key, undefined);
    return had;
  });
}

/** How a login goes on. */
interface Asking {
  /** Where the browser comes back to. */
  readonly redirect: string;
  readonly state: string;
  show(url: string): void;
}

/** What the client library keeps and asks. */
class Provider implements OAuthClientProvider {
  readonly #wanted: Wanted;
  readonly #asking: Asking;
  readonly #key: string;
  #verifier = "";
  /** As which we are registered; it is kept with the tokens, for another login may go on at the same time. */
  #client: Login["client"];
  #discovered: OAuthDiscoveryState | undefined;

  constructor(wanted: Wanted, asking: Asking) {
    this.#wanted = wanted;
    this.#asking = asking;
    this.#key = tokenKey(wanted.reach.url);
  }

  get redirectUrl() {
    return this.#asking.redirect;
  }

  get clientMetadata() {
    const { clientSecret, scope } = oauthSettings(this.#wanted.reach.oauth);
    return {
      client_name: "narnat",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_post",
      ...scope === undefined ? {} : { scope },
    };
  }

  state() {
    return this.#asking.state;
  }

  clientInformation(at?: { readonly issuer: string }) {
    const { clientId, clientSecret } = oauthSettings(this.#wanted.reach.oauth);
    if (clientId !== undefined) {
      return {
        client_id: clientId,
        ...clientSecret ? { client_secret: clientSecret } : {},
        // whose client it is only the user can know, and they say it is this server's
        ...at ? { issuer: at.issuer } : {},
      };
    }
    const { client, redirect } = this.#login;
    return this.#client ??= redirect === this.#asking.redirect ? client : undefined;
  }

  saveClientInformation(client: NonNullable<Login["client"]>) {
    this.#client = client;
  }

  /** Whether we go by the name that was kept. */
  is(client: Login["client"]): boolean {
    return client !== undefined && client.client_id === this.#client?.client_id;
  }

  tokens() {
    return this.#login.tokens;
  }

  saveTokens(tokens: NonNullable<Login["tokens"]>) {
    const { tokens: path } = this.#wanted;
    const client = this.#client ? { client: this.#client } : {};
    const login = { tokens, ...client, redirect: this.redirectUrl };
    return withTokens(path, () => writeLogin(path, this.#key, login));
  }

  redirectToAuthorization(url: URL) {
    if (!isWebAddress(url)) {
      const { server, t } = this.#wanted;
      throw new Error(
        t("the login address of {server} is not https: {url}", {
          server,
          url: url.href.slice(0, 100),
        }),
      );
    }
    this.#asking.show(url.href);
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  codeVerifier() {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState) {
    const { reach, t } = this.#wanted;
    const { issuer } = oauthSettings(reach.oauth);
    const found = state.authorizationServerMetadata?.issuer;
    if (issuer !== undefined && found !== undefined && found !== issuer) {
      throw new Error(otherIssuer(issuer, found, t));
    }
    this.#discovered = state;
  }

  discoveryState() {
    return this.#discovered;
  }

  /** Whether a code may be from whoever is named as its giver. */
  mayGive(iss: string | undefined): boolean {
    const metadata = this.#discovered?.authorizationServerMetadata;
    try {
      validateAuthorizationResponseIssuer({
        iss,
        expectedIssuer: metadata?.issuer,
        issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
      });
      return true;
    } catch {
      return false;
    }
  }

  get #login(): Login {
    return readLogin(this.#wanted.tokens, this.#key);
  }
}

/** What the server says it wants; undefined when it takes us as we are. */
async function challenged({ reach, t, tokens: path }: Wanted, fetchFn: Fetch) {
  const init = reach.type === "sse" ? { method: "GET" } : {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }),
  };
  const headers = {
    ...reach.headers,
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const response = await fetchFn(reach.url, { ...init, headers, redirect: "manual" });
  void response.body?.cancel().catch(() => {});
  const { status } = response;
  const to = status >= 300 && status < 400 && response.headers.get("location");
  if (to) {
    throw new Error(
      t(
        "the server redirects to {to}, which was not followed: headers of the configuration go nowhere else; if that is right, make it the url",
        { to },
      ),
    );
  }
  if (status >= 500) {
    throw new Error(t("the server answered HTTP {status}{text}", { status, text: "" }));
  }
  if (status !== 401 && status !== 403) return undefined;
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  const asked = oauthSettings(reach.oauth).scope ?? scope;
  const { stepUp, tokens } = readLogin(path, tokenKey(reach.url));
  const more = stepUp === undefined ? asked : allScopes(asked, tokens?.scope, stepUp);
  return {
    ...resourceMetadataUrl ? { resourceMetadataUrl } : {},
    ...more === undefined ? {} : { scope: more },
  };
}

/** A browser is sent nowhere else. */
function isWebAddress({ protocol, hostname }: URL): boolean {
  return protocol === "https:" ||
    protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
