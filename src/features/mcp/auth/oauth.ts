/**
 * Servers that want a login: with what is kept of one, and nobody there to ask. What they gave us
 * is in a file that is the user's alone.
 */
import {
  type AuthProvider,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { errorMessage } from "../../../base/errors.ts";
import { isRecord } from "../../../base/is_record.ts";
import type { T } from "../../../base/t.ts";
import type { Json } from "../../../base/types.ts";
import { lockFile } from "../../../files/file_lock.ts";
import type { Reach } from "../types.ts";
import { boundedFetch, type Fetch, mayReach } from "../wire/http_fetch.ts";

/** What is kept of one server. */
export interface Login {
  readonly tokens?: StoredOAuthTokens;
  /** As which narnat was registered. */
  readonly client?: StoredOAuthClientInformation;
  /** The address that was registered with it. */
  readonly redirect?: string;
  /** What the server has wanted besides: the next login asks for it. */
  readonly stepUp?: string;
}

/** A refresh goes over the network while others wait. */
const LOCK_WAIT_MS = 30_000;

/** Under which address a server's login is kept. */
export function tokenKey(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

/** What is kept of a server; empty for nothing, and where the file cannot be read. */
export function readLogin(path: string, key: string): Login {
  const login = read(path)[key];
  return isRecord(login) ? login as Login : {};
}

/** Keeps something else of a server; undefined for nothing any more. Throws the platform's error. */
export function writeLogin(path: string, key: string, login: Login | undefined): void {
  const { [key]: _, ...others } = read(path);
  const all = login === undefined ? others : { ...others, [key]: login };
  const temporary = `${path}.${Deno.pid}.tmp`;
  Deno.mkdirSync(path.replace(/[/\\][^/\\]+$/, ""), { recursive: true, mode: 0o700 });
  try {
    Deno.writeTextFileSync(temporary, JSON.stringify(all, null, 2) + "\n", { mode: 0o600 });
    Deno.renameSync(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch { /* it was never made */ }
    throw error;
  }
}

/** Works while no other narnat does so. Rejects as `work` does, or with FileError when they never end. */
export async function withTokens<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  Deno.mkdirSync(path.replace(/[/\\][^/\\]+$/, ""), { recursive: true, mode: 0o700 });
  using _lock = await lockFile(`${path}.lock`, LOCK_WAIT_MS);
  return await work();
}

function read(path: string): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(Deno.readTextFileSync(path));
    return isRecord(value) ? value : {};
  } catch {
    return {}; // none yet, not readable, or not ours
  }
}

/** Milliseconds of one request to whoever gives the tokens. */
const REQUEST_MS = 15_000;

const WHY_CHARS = 200;
/** What an authority says that is out of order for a while. */
const PASSING: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
];

/** What it says that does not know us. */
const STRANGER: readonly string[] = [
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
];

/** The login that is kept does not do; the message says what the user can do. */
export class LoginError extends Error {
  override readonly name = "LoginError";
}

export interface Wanted {
  readonly server: string;
  readonly reach: Extract<Reach, { readonly type: "http" | "sse" }>;
  /** The file of the tokens. */
  readonly tokens: string;
  readonly t: T;
}

/** Shows tokens to a server, which is asked through `watched`. */
export interface QuietAuth extends AuthProvider {
  watched(base: Fetch): Fetch;
}

/** Uses the tokens that are there and has them renewed; it never asks anybody, and throws LoginError. */
export function quietAuth(wanted: Wanted): QuietAuth {
  const { tokens: path, reach } = wanted;
  const key = tokenKey(reach.url);
  const shown = new WeakMap<Response, string | null>();
  let renewing: Promise<void> | undefined;
  const token = () => readLogin(path, key).tokens?.access_token;
  return {
    token: () => Promise.resolve(token()),
    watched: (base) => async (url, init) => {
      const response = await base(url, init);
      shown.set(response, new Headers(init?.headers).get("authorization"));
      if (response.status === 403) await stepUp(wanted, response);
      return response;
    },
    onUnauthorized({ response }) {
      if (token() === undefined) return Promise.reject(needsLogin(wanted));
      return renewing ??= withTokens(path, async () => {
        // another request, or another narnat, may have been faster
        if (shown.get(response) === `Bearer ${token()}`) await renew(wanted, response);
      }).finally(() => renewing = undefined);
    },
  };
}

/** Keeps what a server wants besides what the login that is kept has given. Throws LoginError. */
async function stepUp({ reach, tokens: path, server, t }: Wanted, response: Response) {
  const { error, scope } = extractWWWAuthenticateParams(response);
  const key = tokenKey(reach.url);
  if (error !== "insufficient_scope" || !readLogin(path, key).tokens) return;
  if (scope !== undefined) {
    await withTokens(path, () => {
      const login = readLogin(path, key);
      writeLogin(path, key, { ...login, stepUp: allScopes(login.stepUp, scope) });
    });
  }
  throw new LoginError(
    t(
      "the server wants rights that the login did not give (scope {scope}): narnat mcp login {server}",
      { server, scope: scope ?? "?" },
    ),
  );
}

/** Each of them once. */
export const allScopes = (...scopes: readonly (string | undefined)[]): string =>
  [...new Set(scopes.flatMap((scope) => scope?.split(/\s+/) ?? []))].filter((one) => one !== "")
    .join(" ");

/** Has the tokens renewed. Throws LoginError. */
async function renew(wanted: Wanted, response: Response): Promise<void> {
  const { reach, tokens: path, server, t } = wanted;
  const key = tokenKey(reach.url);
  const login = readLogin(path, key);
  const { clientId, clientSecret, issuer: ours } = oauthSettings(reach.oauth);
  const client = clientId === undefined
    ? login.client
    : { client_id: clientId, ...clientSecret ? { client_secret: clientSecret } : {} };
  const { refresh_token: refreshToken, issuer } = login.tokens ?? {};
  if (refreshToken === undefined || client === undefined) throw needsLogin(wanted);
  const fetchFn = oauthFetch(t);
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  try {
    const found = await discoverOAuthServerInfo(reach.url, {
      fetchFn,
      skipIssuerMetadataValidation: ours !== undefined,
      ...resourceMetadataUrl ? { resourceMetadataUrl } : {},
    });
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = found;
    const resource = found.resourceMetadata?.resource;
    // a server that names another authority is not given what this one gave
    const other = issuer !== undefined && (metadata?.issuer ?? authorizationServerUrl) !== issuer;
    // nor one that names another server what is that server's
    const foreign = resource !== undefined &&
      !checkResourceAllowed({ requestedResource: reach.url, configuredResource: resource });
    if (other || foreign) throw needsLogin(wanted);
    const tokens = await refreshAuthorization(authorizationServerUrl, {
      clientInformation: client,
      refreshToken,
      fetchFn,
      ...metadata ? { metadata } : {},
      ...resource === undefined ? {} : { resource },
    });
    const stamped = issuer === undefined ? tokens : { ...tokens, issuer };
    writeLogin(path, key, { ...login, tokens: stamped });
  } catch (error) {
    if (error instanceof LoginError) throw error;
    if (!(error instanceof OAuthError) || PASSING.includes(error.code)) {
      const told = errorMessage(error);
      const why = /^HTTP \d+/.exec(told)?.[0] ?? told.slice(0, WHY_CHARS).toWellFormed();
      throw new LoginError(
        t(
          "the login to {server} could not be renewed: {why}; try /mcp reconnect {server} later, or narnat mcp login {server}",
          { server, why },
        ),
      );
    }
    const { tokens: _, ...rest } = login;
    // as a client that is not known any more no login succeeds
    writeLogin(path, key, STRANGER.includes(error.code) ? undefined : rest);
    throw needsLogin(wanted);
  }
}

function needsLogin({ server, t }: Wanted): LoginError {
  return new LoginError(
    t(
      "the server wants a login (HTTP 401); run narnat mcp login {server}, then /mcp reconnect {server}",
      { server },
    ),
  );
}

/** Asks whoever gives the tokens; the server's own headers are not for them. */
export function oauthFetch(t: T, signal?: AbortSignal): Fetch {
  return boundedFetch((url, init) => {
    const { host } = new URL(url);
    if (!mayReach(host)) {
      throw new Error(t("no permission to reach {url} (Deno's --allow-net)", { url: host }));
    }
    const limits = [AbortSignal.timeout(REQUEST_MS), signal, init?.signal].filter((one) => !!one);
    return fetch(url, { ...init, signal: AbortSignal.any(limits) });
  });
}

/** Whether the configuration gives a header that stands for a login. */
export function hasOwnHeader({ headers }: Wanted["reach"]): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

/** What the configuration says of the login. */
export function oauthSettings(oauth: Json | undefined) {
  const given = isRecord(oauth) ? oauth : {};
  const text = (...keys: string[]) =>
    keys.map((key) => given[key]).find((value) => typeof value === "string" && value !== "") as
      | string
      | undefined;
  const scopes = given["scopes"];
  const port = given["callbackPort"] ?? given["redirectPort"];
  return {
    clientId: text("clientId", "client_id"),
    clientSecret: text("clientSecret", "client_secret"),
    /** Who may give the tokens, whatever address it was found at. */
    issuer: text("issuer"),
    scope: Array.isArray(scopes) ? scopes.join(" ") : text("scopes", "scope"),
    callbackPort: typeof port === "number" ? port : undefined,
  };
}
