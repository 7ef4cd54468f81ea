/**
 * What keys and passwords look like, and where addresses, commands and headers have their place for
 * one.
 */
import { PROVIDERS } from "../../config/registry.ts";
import { ASSIGNED } from "./assigned.ts";
import { MORE_SHAPES } from "./more_shapes.ts";
import {
  ALNUM,
  AZURE,
  BASE64,
  BEARER,
  BEFORE_CHARS,
  canBegin,
  CAPITALS,
  classOf,
  DASHED,
  DIGITS,
  DOTTED,
  endOfRun,
  hasLongPiece,
  HEX,
  LOWER,
  midst,
  mixed,
  named,
  PATH,
  PERCENT,
  type Shape,
  token,
  tokens,
  UNDER,
  UPPER,
  WORD,
} from "./shape.ts";

const LEAST = 16;
const MOST = 4000;

/** `Authorization: Token KEY`; what `Bearer` and `Basic` carry has its own shapes. */
const SCHEME =
  /^["']?\s*[:=,]\s*["'`]?(?!Bearer\b|Basic\b|Digest\b|AWS4)(?:[A-Za-z][\w-]{1,30}[ =]+(?:token=)?["'\\]{0,2})?/i;
/** `X-Api-Key: KEY`, `"X-Api-Key": "KEY"`, `-H X-Api-Key:KEY`. */
const COLON = /^["']?\s*[:,]\s*["'`]?/;

/** Drawn by lot: the number at a name's end is not. */
function isDrawn(body: string): boolean {
  const bare = body.replace(/=+$/, "");
  return mixed(body) && !bare.includes("=") && /\d.*\d/.test(bare.replace(/\d+$/, ""));
}

function header(name: string, before: RegExp, is: Uint8Array): Shape {
  return {
    kind: "header-key",
    begin: name,
    apart: true,
    look(text, at, last) {
      const behind = at + name.length;
      const opening = before.exec(text.slice(behind, behind + 80))?.[0];
      if (opening === undefined) {
        return !last && text.length - behind < 80 && /^["']?\s*$/.test(text.slice(behind))
          ? "more"
          : undefined;
      }
      const from = behind + opening.length;
      const end = endOfRun(text, from, is, MOST + 1);
      if (end === text.length && !last && end - from <= MOST) return "more";
      if (end - from < LEAST || end - from > MOST) return undefined;
      return isDrawn(text.slice(from, end)) ? { start: from, end } : undefined;
    },
  };
}

/** What names of such headers end in. */
const NAMES = [
  "api-key",
  "api-token",
  "access-token",
  "auth-token",
  "auth-key",
  "private-token",
  "gitlab-token",
  "vault-token",
  "figma-token",
  "subscription-key",
  "application-key",
  "rapidapi-key",
];

const written = (name: string) => {
  const title = name.replaceAll(/(?<=-)[a-z]/g, (letter) => letter.toUpperCase());
  // the first letter may be either
  return [...new Set([name, title, name.toUpperCase(), title.replace("Api", "API")])].map((one) =>
    one.slice(1)
  );
};

const HEADERS: readonly Shape[] = [
  ...["uthorization", "UTHORIZATION"].map((name) => header(name, SCHEME, BEARER)),
  ...NAMES.flatMap(written).map((name) => header(name, COLON, DOTTED)),
];

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

const PASSWORDS: readonly Shape[] = [
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

const JWT = /^eyJ[\w-]{8,}\.[\w-]{10,}\.[\w-]{0,}(?:\.[\w-]*){0,2}/;
const JWT_CHARS = 12_000;

/** The header and the claims are JSON, whose base64 begins so. */
const jwt: Shape = {
  kind: "jwt",
  begin: "eyJ",
  look(text, at, last) {
    if (!canBegin(text, at) || text[at - 1] === ".") return undefined;
    const end = endOfRun(text, at, DOTTED, JWT_CHARS);
    if (end === text.length && !last) return "more";
    const whole = JWT.exec(text.slice(at, end))?.[0];
    return whole === undefined
      ? undefined
      : { start: at, end: at + whole.replace(/\.+$/, "").length };
  },
};

const isLogin = (body: string) => {
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]{4,}$/.test(atob(body));
  } catch {
    return false;
  }
};

/** The keys of the providers of models. */
const PROVIDER_KEYS: readonly Shape[] = PROVIDERS.flatMap(({ keys = [] }) => keys).flatMap(
  (key) => {
    const { kind, begins, of, least, most, mixed: isMixed } = key;
    return tokens(kind, begins, {
      of: of === "word" ? WORD : ALNUM,
      least,
      ...most === undefined ? {} : { most },
      ...isMixed ? { is: mixed } : {},
    });
  },
);

/** All but private keys. */
export const SHAPES: readonly Shape[] = [
  ...PROVIDER_KEYS,
  ...tokens("langfuse-key", ["sk-lf-"], { of: WORD, least: 32 }),
  // OpenAI's older ones, DeepSeek, Moonshot, Qwen, SiliconFlow and many others
  token("api-key", "sk-", { of: WORD, least: 20, is: hasLongPiece, common: true }),
  ...tokens(
    "stripe-key",
    ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
    {
      of: ALNUM,
      least: 10,
    },
  ),
  token("stripe-key", "whsec_", { of: BASE64, least: 24 }),
  ...tokens("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], { of: ALNUM, least: 36 }),
  token("github-token", "github_pat_", { of: UNDER, least: 36 }),
  ...tokens("gitlab-token", [
    "glpat-",
    "gldt-",
    "glrt-",
    "glcbt-",
    "glptt-",
    "glsoat-",
    "glft-",
    "glagent-",
    "gloas-",
    "glffct-",
    "glimt-",
    "GR1348941",
  ], { of: DOTTED, least: 20 }),
  token("npm-token", "npm_", { of: ALNUM, least: 36 }),
  token("pypi-token", "pypi-", { of: WORD, least: 50 }),
  token("rubygems-key", "rubygems_", { of: HEX, least: 48 }),
  ...tokens(
    "slack-token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxe.", "xapp-"],
    {
      of: classOf(UPPER + LOWER + DIGITS + "-."),
      least: 20,
    },
  ),
  ...tokens(
    "slack-webhook",
    ["services/", "workflows/", "triggers/"].map((part) => `hooks.slack.com/${part}`),
    { of: PATH, least: 30 },
  ),
  token("google-secret", "GOCSPX-", { of: WORD, least: 24 }),
  token("google-token", "ya29.", { of: WORD, least: 30, most: 4000 }),
  token("google-token", "1//0", { of: WORD, least: 40 }),
  ...tokens("aws-key", ["AKIA", "ASIA", "ABIA", "ACCA"], {
    of: CAPITALS,
    least: 16,
    most: 16,
    common: true,
  }),
  ...named("aws-secret", [
    "ecret_access_key",
    "ecretAccessKey",
    "ECRET_ACCESS_KEY",
    "ecret Access Key",
  ], {
    of: BASE64,
    least: 40,
    most: 40,
  }),
  ...named("aws-token", ["ession_token", "essionToken", "ESSION_TOKEN"], {
    of: BASE64,
    least: 100,
  }),
  ...named("azure-key", ["AccountKey", "SharedAccessKey"], { of: BASE64, least: 43, most: 88 }),
  ...named("azure-signature", ["&sig", "?sig"], { of: PERCENT, least: 43, most: 120 }),
  ...[..."0123456789"].map((digit) =>
    midst("azure-secret", `${digit}Q~`, /[\w~.]{3}$/, { of: AZURE, least: 31, most: 34 })
  ),
  token("huggingface-token", "hf_", { of: ALNUM, least: 34, most: 40 }),
  token("tavily-key", "tvly-", { of: WORD, least: 20, is: mixed }),
  token("alibaba-key", "LTAI", { of: ALNUM, least: 12, most: 26, is: mixed, common: true }),
  token("tencent-key", "AKID", { of: ALNUM, least: 32, most: 36, is: mixed }),
  ...tokens("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], { of: HEX, least: 64 }),
  token("sendgrid-key", "SG.", { of: DOTTED, least: 60, most: 80, is: mixed, common: true }),
  ...tokens("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], { of: ALNUM, least: 32 }),
  ...tokens("linear-key", ["lin_api_", "lin_oauth_"], { of: ALNUM, least: 32 }),
  token("notion-token", "ntn_", { of: ALNUM, least: 40 }),
  ...tokens("docker-token", ["dckr_pat_", "dckr_oat_"], { of: WORD, least: 24 }),
  token("databricks-token", "dapi", { of: HEX, least: 32, most: 34, common: true }),
  ...tokens("vault-token", ["hvs.", "hvb.", "hvr."], {
    of: WORD,
    least: 24,
    is: mixed,
    common: true,
  }),
  token("atlassian-token", "ATATT3", { of: classOf(UPPER + LOWER + DIGITS + "_-="), least: 100 }),
  ...tokens("sentry-token", ["sntrys_", "sntryu_"], {
    of: classOf(UPPER + LOWER + DIGITS + "+/=_"),
    least: 40,
  }),
  ...tokens("grafana-token", ["glsa_", "glc_"], {
    of: classOf(UPPER + LOWER + DIGITS + "+/=_"),
    least: 32,
  }),
  token("postman-key", "PMAK-", { of: DASHED, least: 50 }),
  ...tokens("supabase-key", ["sbp_", "sb_secret_"], { of: UNDER, least: 30 }),
  ...tokens("planetscale-token", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], {
    of: DOTTED,
    least: 30,
  }),
  token("figma-token", "figd_", { of: WORD, least: 36 }),
  ...MORE_SHAPES,
  token("age-key", "AGE-SECRET-KEY-1", { of: CAPITALS, least: 58 }),
  midst("telegram-token", ":AA", /\d{8,10}$/, { of: WORD, least: 32, most: 34 }),
  token("bearer-token", "Bearer ", {
    of: BEARER,
    least: 20,
    most: 4000,
    is: mixed,
    common: true,
    behind: true,
  }),
  token("login", "Basic ", { of: BASE64, least: 12, is: isLogin, common: true, behind: true }),
  ...HEADERS,
  ...PASSWORDS,
  ...ASSIGNED,
  jwt,
];
