/** Servers that want a login: with what is kept of one, and nobody there to ask. */
import {
  type AuthProvider,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  OAuthError,
  refreshAuthorization,
} from "@modelcontextprotocol/client";
import { say } from "../text.ts";
import type { Json, Lang } from "../types.ts";
import { boundedFetch, type Fetch } from "./http_fetch.ts";
import { isRecord } from "./listing.ts";
import { readLogin, tokenKey, withTokens, writeLogin } from "./tokens.ts";
import type { Reach } from "./types.ts";

/** Milliseconds of one request to whoever gives the tokens. */
const REQUEST_MS = 15_000;

/** The server wants a login that only the user can give; the message says how. */
export class NeedsLogin extends Error {
  override readonly name = "NeedsLogin";
}

export interface Wanted {
  readonly server: string;
  readonly reach: Extract<Reach, { readonly type: "http" | "sse" }>;
  /** The file of the tokens. */
  readonly tokens: string;
  readonly lang: Lang;
}

/** Uses the tokens that are there and has them renewed; it never asks anybody, and throws NeedsLogin. */
export function quietAuth(wanted: Wanted): AuthProvider {
  const { tokens: path, reach } = wanted;
  const key = tokenKey(reach.url);
  let used: string | undefined;
  let renewing: Promise<void> | undefined;
  return {
    token: () => Promise.resolve(used = readLogin(path, key).tokens?.access_token),
    onUnauthorized({ response }) {
      if (readLogin(path, key).tokens === undefined) return Promise.reject(needsLogin(wanted));
      return renewing ??= withTokens(path, async () => {
        // another narnat may have been faster
        if (readLogin(path, key).tokens?.access_token === used) await renew(wanted, response);
      }).finally(() => renewing = undefined);
    },
  };
}

/** Has the tokens renewed. Throws NeedsLogin where only a new login helps. */
async function renew(wanted: Wanted, response: Response): Promise<void> {
  const { reach, tokens: path } = wanted;
  const key = tokenKey(reach.url);
  const login = readLogin(path, key);
  const { clientId, clientSecret } = oauthSettings(reach.oauth);
  const client = clientId === undefined
    ? login.client
    : { client_id: clientId, ...clientSecret ? { client_secret: clientSecret } : {} };
  const { refresh_token: refreshToken, issuer } = login.tokens ?? {};
  if (refreshToken === undefined || client === undefined) throw needsLogin(wanted);
  const fetchFn = oauthFetch();
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  const found = await discoverOAuthServerInfo(reach.url, {
    fetchFn,
    ...resourceMetadataUrl ? { resourceMetadataUrl } : {},
  });
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  // a server that names another authority is not given what this one gave
  if (issuer !== undefined && metadata && metadata.issuer !== issuer) throw needsLogin(wanted);
  try {
    const tokens = await refreshAuthorization(authorizationServerUrl, {
      clientInformation: client,
      refreshToken,
      fetchFn,
      ...metadata ? { metadata } : {},
      ...resourceMetadata ? { resource: resourceMetadata.resource } : {},
    });
    const stamped = issuer === undefined ? tokens : { ...tokens, issuer };
    writeLogin(path, key, { ...login, tokens: stamped });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { tokens: _, ...rest } = login;
    writeLogin(path, key, rest);
    throw needsLogin(wanted);
  }
}

function needsLogin({ server, lang }: Wanted): NeedsLogin {
  return new NeedsLogin(say(lang, "mcp.http_login", { server }));
}

/** Asks whoever gives the tokens; the server's own headers are not for them. */
export function oauthFetch(signal?: AbortSignal): Fetch {
  return boundedFetch((url, init) => {
    const limits = [AbortSignal.timeout(REQUEST_MS), signal, init?.signal].filter((one) => !!one);
    return fetch(url, { ...init, signal: AbortSignal.any(limits) });
  });
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
    scope: Array.isArray(scopes) ? scopes.join(" ") : text("scopes", "scope"),
    callbackPort: typeof port === "number" ? port : undefined,
  };
}
