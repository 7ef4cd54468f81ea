/**
 * Reads values with their names out of configuration, `.env` files and key files, and tells which
 * of them speak of a secret.
 */
import { stripJsonComments } from "../../config/json_text.ts";
import { keyLines } from "./private_key.ts";
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
function keyIn(value: string): string | undefined {
  const given = /^[a-z][a-z0-9+.-]*:\/\/([^\s/?#:@]{20,})@[^\s@]+$/i.exec(value)?.[1];
  return given !== undefined && /\d/.test(given) && isSecretValue(given) ? given : undefined;
}

/** The password of an address, still as it is written there; undefined where there is none. */
export function passwordIn(value: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#:]*:([^\s/]+)@[^\s@]+$/i.exec(value)?.[1];
}

/** A value, as it is called where it stands. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** The secret of a variable: its value, or what of it is one. */
export function ofVariable(name: string, value: string): NamedValue[] {
  const given = value.trim();
  const password = passwordIn(given);
  if (password !== undefined) {
    // an address is known as a whole too: the password may be a plain word
    const alone = isSecretValue(password) ? [{ name: `${name}.password`, value: password }] : [];
    return [{ name, value: given }, ...alone];
  }
  if (!isSecretName(name)) return [];
  const key = keyIn(given);
  if (key !== undefined) return [{ name, value: given }, { name: `${name}.key`, value: key }];
  if (given.includes("\n")) return ofLines(name, given);
  return isSecretValue(given) ? [{ name, value: given }] : [];
}

/** A value of many lines: they may be shown one by one. */
function ofLines(name: string, value: string): NamedValue[] {
  return [{ name, value }, ...keyLines(value).map((line) => ({ name, value: line }))];
}

/** No blank before or behind the sign reaches into another line: that one has a variable of its own. */
const ASSIGNED =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\[^])*"|'[^']*'|`[^`]*`|[^\n]*)/gm;

/** The secrets of a `.env` file. */
export function ofEnvFile(text: string): NamedValue[] {
  return [...text.matchAll(ASSIGNED)].flatMap(([, name = "", raw = ""]) => {
    const quote = /^["'`]/.exec(raw)?.[0];
    if (quote === undefined) return ofVariable(name, raw.replace(/\s#.*$/, ""));
    const inner = raw.slice(1, -1);
    const value = quote === '"'
      ? inner.replaceAll("\\n", "\n").replaceAll(/\\(["\\$])/g, "$1")
      : inner;
    // as it stands in the file, and as it is
    return [...ofVariable(name, value), ...value === inner ? [] : ofVariable(name, inner)];
  });
}

const BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----([^-]*)/g;

/** The lines of private keys, which a search may show one by one. */
export function ofKeyFile(name: string, text: string): NamedValue[] {
  return [...text.matchAll(BLOCK)].flatMap(([, body = ""]) => keyLines(body))
    .map((value) => ({ name, value }));
}

const RC_LINE =
  /^[^#;\n]*?((?:_auth(?:[Tt]oken)?|_?[Pp]assword|npmAuth(?:Token|Ident)|[Tt]oken))["']?(?:[ \t]*[=:][ \t]*|[ \t]+)["']?([^\s"']+)/gm;

/** The secrets of what package managers and network programs log in with: `.npmrc`, `.netrc` and their like. */
export function ofRcFile(text: string): NamedValue[] {
  return [...text.matchAll(RC_LINE)]
    .filter(([, , value = ""]) => isKeyValue(value) && !/^\$/.test(value))
    .map(([, name = "", value = ""]) => ({ name, value }));
}

const IN_FLAG = /^--?([A-Za-z][\w-]*)=(.+)$/s;

/** The secrets of a configuration in JSON: of names that look secret, in headers, arguments and addresses. */
export function ofJson(text: string): NamedValue[] {
  let whole: unknown;
  try {
    whole = JSON.parse(stripJsonComments(text.replace(/^\ufeff/, "")));
  } catch {
    return [];
  }
  const found: NamedValue[] = [];
  const add = (name: string, value: string) => {
    found.push(...ofVariable(name, value));
    if (!isSecretName(name)) return;
    const [, scheme, rest] = /^(Bearer|Basic|Token)\s+(.+)$/is.exec(value) ?? [];
    const bare = scheme === undefined ? value : rest!;
    if (isKeyValue(bare) && !/^\$\{/.test(bare)) found.push({ name, value: bare });
  };
  const walk = (name: string, value: unknown): void => {
    if (typeof value === "string") {
      add(name, value);
      for (const [key, given] of URL.parse(value)?.searchParams ?? []) add(key, given);
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) {
        if (typeof item !== "string") walk(name, item);
        else {
          const [, flag, given] = IN_FLAG.exec(item) ?? [];
          const before = at > 0
            ? /^--?([A-Za-z][\w-]*)$/.exec(String(value[at - 1]))?.[1]
            : undefined;
          if (flag !== undefined) add(flag, given!);
          else walk(before ?? name, item);
        }
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) walk(key, item);
    }
  };
  walk("", whole);
  return found;
}
