/** Reads values with their names out of configuration, `.env` files and key files. */
import { stripJsonComments } from "../../config/json_text.ts";
import { keyLines } from "./private_key.ts";
import { isKeyValue, isSecretName, isSecretValue, keyIn, passwordIn } from "./worth.ts";

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
