/** What keys look like. */
import { PROVIDERS } from "../../config/registry.ts";
import { ASSIGNED } from "./assigned.ts";
import { HEADERS } from "./headers.ts";
import { MORE_SHAPES } from "./more_shapes.ts";
import { PASSWORDS } from "./passwords.ts";
import {
  ALNUM,
  AZURE,
  BASE64,
  BEARER,
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
