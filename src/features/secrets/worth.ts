/** Which names and values speak of a secret. */
import { entropy } from "./shape.ts";

const SECRET =
  /^(?:keys?|apikeys?|tokens?|secrets?|passwords?|passwd|passphrase|pass|pwd|credentials?|creds?|dsn|auth|authorization|accesskey|secretkey|privatekey|jwt|pat|cookie|webhook|salt|signature|bearer)$/;
/** What these end in says where it is, or what of it is no secret. */
const PLAIN_END =
  /^(?:id|ids|file|files|path|dir|folder|name|type|kind|url|uri|host|port|ttl|length|size|count|expiry|expires|expiration|timeout|seconds|days|sock|socket|enabled|disabled|required|algorithm|alg|format|version|region|email|domain|endpoint|server|realm|address|label|status|state|providers?|issuer|audience|parallelism|prefix|header|scope|scopes|mode|method|user|username|limit|max|min)$/;
const PUBLIC = /^(?:public|publishable|pub|gpg)$/;

/** Words of `OPENAI_API_KEY`, `apiKey` or `x-api-key`. */
function wordsOf(name: string): string[] {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Whether a variable or a key of this name is likely to hold a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || PLAIN_END.test(last) || words.some((word) => PUBLIC.test(word))) {
    return false;
  }
  return words.some((word) => SECRET.test(word));
}

/** One word, or a few: nothing that was drawn by lot. */
const WORDS = /^(?=.{1,19}$)[A-Za-z]+(?:[-_. ][A-Za-z]+)*$/;

/** Whether the value of a key's own place is one, and not a word that stands there for none. */
export function isKeyValue(value: string): boolean {
  return value.length >= 6 && !WORDS.test(value);
}

const REFERENCE = /^\$[\w{(]|^\{\{|^<.*>$|^%\w+%$/;
const PLACE = /^(?:[a-z]:)?[/\\~]|^\.{1,2}\/|^[a-z][a-z0-9+.-]*:\/\//i;
const DATE_OR_NUMBER = /^[\d\s.,:+/-]{1,20}$/;
const LEAST_CHARS = 8;

/** Whether the value of a name that looks secret is long and random enough to be one. */
export function isSecretValue(value: string): boolean {
  if (value.length < LEAST_CHARS || WORDS.test(value)) return false;
  if (REFERENCE.test(value) || PLACE.test(value) || DATE_OR_NUMBER.test(value)) return false;
  if (/your|change[-_ ]?me|example|placeholder|x{5}/i.test(value) && entropy(value) < 3.6) {
    return false;
  }
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length;
  return new Set(value).size >= 5 && (kinds >= 2 || value.length >= 16);
}

/** The key that an address has in the place of a user, as Sentry's have; undefined where there is none. */
export function keyIn(value: string): string | undefined {
  const given = /^[a-z][a-z0-9+.-]*:\/\/([^\s/?#:@]{20,})@[^\s@]+$/i.exec(value)?.[1];
  return given !== undefined && /\d/.test(given) && isSecretValue(given) ? given : undefined;
}

/** The password of an address, still as it is written there; undefined where there is none. */
export function passwordIn(value: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#:]*:([^\s/]+)@[^\s@]+$/i.exec(value)?.[1];
}
