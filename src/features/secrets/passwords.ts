/** Passwords, where an address or a command has its place for one. */
import { BEFORE_CHARS, hasLongPiece, mixed, type Shape } from "./shape.ts";

const MOST_CHARS = 400;
const LEAST_CHARS = 6;
/** What people write where a password would stand. */
const NO_PASSWORD =
  /[«$<{*]|&lt;|^(?:your|my|some|the|new|old|db|random)?[-_]?(?:pass(?:w|wor[dt]|wd|code|phrase)?|pw|pwd|secret|user(?:name)?|login|admin|root|postgres|mysql|guest|test|token|key|change[-_]?(?:me|it)|example|placeholder|redacted|foobar(?:ed)?|x+|\.+)_?\d{0,4}$|^(?:your|my|insert)[-_]/i;

const isPassword = (given: string) => given.length >= LEAST_CHARS && !NO_PASSWORD.test(given);

/** The password of an address: `postgres://user:password@host`. */
const inAddress: Shape = {
  kind: "password",
  begin: "://",
  apart: true,
  look(text, at, last) {
    const from = at + 3;
    const bound = Math.min(text.length, from + MOST_CHARS);
    let colon = -1;
    let sign = -1;
    let end = from;
    for (; end < bound; end++) {
      const char = text[end]!;
      if (/[\s"'`<>\\/?#]/.test(char)) break;
      if (char === ":" && colon < 0) colon = end;
      if (char === "@") sign = end;
    }
    if (end === text.length && !last && end < from + MOST_CHARS) return "more";
    // `https://KEY@host`, as Sentry's are
    if (sign > from && (colon < 0 || colon > sign)) {
      const given = text.slice(from, sign);
      return /^[0-9a-f]{32}$/.test(given) || given.length >= 20 && hasLongPiece(given)
        ? { start: from, end: sign }
        : undefined;
    }
    // Redis and its like have no user
    if (colon < from || sign <= colon + 1) return undefined;
    return isPassword(text.slice(colon + 1, sign)) ? { start: colon + 1, end: sign } : undefined;
  },
};

/** Behind a word that only a password follows; `login`: behind the user and a colon. */
function behind(
  begin: string,
  is: (given: string) => boolean,
  { after = /(?:^|\s)$/, login = false, command }: {
    readonly after?: RegExp;
    readonly login?: boolean;
    /** Elsewhere the flag means another thing. */
    readonly command?: RegExp;
  } = {},
): Shape {
  return {
    kind: "password",
    begin,
    apart: true,
    look(text, at, last) {
      if (!after.test(text.slice(Math.max(0, at - 1), at))) return undefined;
      if (command && !command.test(lineBefore(text, at))) return undefined;
      const quote = /["']/.exec(text[at + begin.length] ?? "")?.[0];
      const from = at + begin.length + (quote ? 1 : 0);
      const bound = Math.min(text.length, from + MOST_CHARS);
      const closes = quote ? new RegExp(`[${quote}\n]`) : /[\s"'`;|&<>()\\]/;
      let end = from;
      while (end < bound && !closes.test(text[end]!)) end++;
      if (end === text.length && !last && end < from + MOST_CHARS) return "more";
      const colon = login ? text.indexOf(":", from) : from - 1;
      if (login && (colon < 0 || colon >= end)) return undefined;
      const given = text.slice(colon + 1, end);
      return isPassword(given) && is(given) ? { start: colon + 1, end } : undefined;
    },
  };
}

/** Of the command that a flag stands in, what stands before it. */
function lineBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - BEFORE_CHARS), at).split(/[\n;|&]/).at(-1)!;
}

/** A path and an address have colons too. */
const isLoginsOwn = (given: string) => !/[/\s]/.test(given) && mixed(given);
/** `-p` of more than a word; a port is one of digits. */
const isFlagsOwn = (given: string) => !/\/|^\d+$|^[a-z]+(?:[-_][a-z]+)*$|^-/.test(given);
/** In its own variable a word counts too. */
const isVariablesOwn = (given: string) =>
  !/^(?:%|true$|false$|none$|null$|process\.|os\.)/.test(given);

const LOGINS = ["-u ", "--user ", "--user=", "--proxy-user ", "--proxy-user="];
const VARIABLES = ["PGPASSWORD", "MYSQL_PWD", "SSHPASS", "REDISCLI_AUTH", "RSYNC_PASSWORD"];
const MYSQL = /\b(?:mysql|mariadb)[\w-]*(?:\s|$)/;
const BY_P =
  /\b(?:sshpass|mongo(?:sh|dump|restore|export|import)?|docker(?:\s+--?\S+)*\s+login|podman\s+login|helm\s+registry\s+login|ldap\w+|smbclient|sqlcmd|7z)(?:\s|$)/;

export const PASSWORDS: readonly Shape[] = [
  ...LOGINS.map((begin) => behind(begin, isLoginsOwn, { login: true })),
  ...VARIABLES.flatMap((name) =>
    ["=", ": "].map((sign) => behind(name + sign, isVariablesOwn, { after: /(?:^|\W)$/ }))
  ),
  behind(" -p", isFlagsOwn, { after: /^/, command: MYSQL }),
  behind(" -p ", isFlagsOwn, { after: /^/, command: BY_P }),
  behind(" -p", isFlagsOwn, { after: /^/, command: /\b(?:sshpass|7z\s+[ax])(?:\s|$)/ }),
  behind(" -a ", isFlagsOwn, { after: /^/, command: /\bredis-cli\b/ }),
  ...["--password ", "--password=", "--passphrase ", "--passphrase="].map((begin) =>
    behind(begin, isFlagsOwn)
  ),
  inAddress,
];
