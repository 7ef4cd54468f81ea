/** What keys of many services look like, one row each. */
import {
  ALNUM,
  BASE64,
  BEARER,
  CAPITALS,
  classOf,
  DASHED,
  DIGITS,
  DOTTED,
  entropy,
  hasLongPiece,
  HEX,
  midst,
  mixed,
  named,
  type Shape,
  token,
  tokens,
  UNDER,
  UPPER,
  WORD,
} from "./shape.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The number of a Discord bot, its first digits in base64. */
const BOT = ["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"]
  .flatMap((begin) => [..."AEIMQUYcgk"].map((next) => begin + next));
/** Base64 of what stands behind `-----BEGIN ` of a private key of any kind. */
const PEM_BEGINS = [
  "QUklWQVRFIEtFWS",
  "SU0EgUFJJVkFURSBLRVkt",
  "FQyBQUklWQVRFIEtFWS",
  "EU0EgUFJJVkFURSBLRVkt",
  "PUEVOU1NIIFBSSVZBVEUgS0VZ",
  "FTkNSWVBURUQgUFJJVkFURSBL",
];
const LOWER_ALNUM = classOf(UPPER.toLowerCase() + DIGITS);
const ANY_HEX = DIGITS + "abcdefABCDEF";
const WORD_SIGNS = classOf(UPPER + UPPER.toLowerCase() + DIGITS + "_-=");
const KEY_NAMES = ["pi_key", "piKey", "PI_KEY", "pi-key", "pikey", "PIKEY"];

const pairs = (chars: string) => [...chars].flatMap((one) => [...chars].map((two) => one + two));

/** Told by their names, as `SOME_API_KEY`, `some_api_key` and `someApiKey`. */
function byName(kind: string, name: string, body: Parameters<typeof named>[2]): Shape[] {
  const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  // the first letter may be either
  return named(kind, [name.toUpperCase(), name, camel].map((one) => one.slice(1)), body);
}

/** Hexadecimal, or longer than a name would be. */
const isLong = (body: string) =>
  mixed(body) && (/^[0-9a-f]+$/.test(body) || body.length >= 40 && /(?:\d\D*){5}/.test(body));

const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g;

/** Capitals and digits come as they like: in a name they begin its words. */
const isDrawn = (body: string) =>
  hasLongPiece(body) && entropy(body) >= 3.4 &&
  (/[a-z]/.test(body) && /[A-Z]/.test(body)
    ? body.match(CHANGE)!.length >= 0.45 * body.length && /\d\D+\d/.test(body)
    : body.replace(/\D/g, "").length >= 5 && /(?:\d+\D+){3}\d/.test(body));

const matches = (pattern: RegExp) => (body: string) => pattern.test(body) && mixed(body);

export const MORE_SHAPES: readonly Shape[] = [
  ...named("npm-token", ["_authToken"], { of: BEARER, least: 16 }),
  ...named("zhipu-key", KEY_NAMES, {
    of: DOTTED,
    least: 49,
    most: 49,
    is: matches(/^[0-9a-f]{32}\.[A-Za-z0-9]{16}$/),
  }),
  ...named("api-key", KEY_NAMES, {
    of: WORD,
    least: 20,
    most: 128,
    is: (body) => UUID.test(body) || isLong(body) || body.length < 40 && isDrawn(body),
  }),
  ...byName("facebook-secret", "app_secret", { of: HEX, least: 32, most: 32 }),
  ...byName("twilio-token", "twilio_auth_token", { of: HEX, least: 32, most: 32 }),
  ...tokens("twilio-key", [...ANY_HEX].map((digit) => `SK${digit}`), {
    of: classOf(ANY_HEX),
    least: 31,
    most: 31,
    is: mixed,
    common: true,
  }),
  ...["heroku_api_key", "heroku_api_token"].flatMap((name) =>
    byName("heroku-key", name, { of: DASHED, least: 36, most: 36, is: matches(UUID) })
  ),
  token("heroku-key", "HRKU-", { of: WORD, least: 36 }),
  ...byName("ark-key", "ark_api_key", { of: DASHED, least: 36, most: 36, is: matches(UUID) }),
  ...tokens("discord-token", BOT, {
    of: DOTTED,
    least: 48,
    most: 80,
    is: matches(/^[\w-]{17,25}\.[\w-]{6}\.[\w-]{25,40}$/),
    common: true,
  }),
  ...tokens(
    "discord-webhook",
    ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    { of: classOf(UPPER + UPPER.toLowerCase() + DIGITS + "/_-"), least: 60 },
  ),
  ...tokens("doppler-token", ["pt", "st", "ct", "sa", "scim", "audit"].map((of) => `dp.${of}.`), {
    of: DOTTED,
    least: 40,
    is: mixed,
  }),
  token("mailgun-key", "key-", { of: HEX, least: 32, most: 32, is: mixed, common: true }),
  ...byName("mailgun-key", "mailgun_api_key", {
    of: DASHED,
    least: 50,
    most: 50,
    is: matches(/^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/),
  }),
  token("airtable-token", "pat", {
    of: DOTTED,
    least: 79,
    most: 79,
    is: matches(/^[A-Za-z0-9]{14}\.[0-9a-f]{64}$/),
    common: true,
  }),
  ...byName("airtable-key", "airtable_api_key", {
    of: ALNUM,
    least: 17,
    most: 17,
    is: (body) => body.startsWith("key"),
  }),
  token("square-token", "EAAA", { of: WORD, least: 56, most: 64, is: mixed, common: true }),
  ...tokens("square-token", ["sq0atp-", "sq0csp-"], { of: WORD, least: 22 }),
  ...tokens("newrelic-key", ["NRAK-", "NRIQ-", "NRII-", "NRSP-", "NRAA-", "NRRA-"], {
    of: WORD,
    least: 24,
  }),
  token("onepassword-token", "ops_eyJ", { of: BASE64, least: 200 }),
  token("onepassword-key", "A3-", {
    of: classOf(UPPER + DIGITS + "-"),
    least: 31,
    most: 37,
    is: matches(/^[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}$/),
    common: true,
  }),
  token("adobe-secret", "p8e-", { of: DASHED, least: 32, most: 32, is: mixed, common: true }),
  token("artifactory-key", "AKCp", { of: ALNUM, least: 69, most: 69, common: true }),
  token("artifactory-token", "cmVmd", { of: ALNUM, least: 59, most: 59, common: true }),
  token("aws-bedrock-key", "ABSK", { of: BASE64, least: 109, most: 280, common: true }),
  token("aws-bedrock-key", "bedrock-api-key-", { of: BASE64, least: 28 }),
  token("clickhouse-key", "4b1d", { of: ALNUM, least: 38, most: 38, is: mixed, common: true }),
  token("clojars-token", "CLOJARS_", { of: ALNUM, least: 60 }),
  token("cloudflare-key", "v1.0-", {
    of: classOf(DIGITS + "abcdef-"),
    least: 171,
    most: 171,
    common: true,
  }),
  ...tokens("duffel-token", ["duffel_test_", "duffel_live_"], { of: BEARER, least: 40 }),
  token("dynatrace-token", "dt0c01.", { of: DOTTED, least: 80 }),
  ...tokens("easypost-key", ["EZAK", "EZTK"], { of: ALNUM, least: 54, common: true }),
  ...tokens("facebook-token", ["EAAC", "EAAG", "EAAM", "EAAB", "EAAE"], {
    of: ALNUM,
    least: 100,
    is: mixed,
    common: true,
  }),
  ...tokens("flutterwave-key", ["FLWSECK-", "FLWSECK_TEST-"], { of: DASHED, least: 12 }),
  token("fly-token", "fo1_", { of: WORD, least: 43 }),
  ...tokens("fly-token", ["fm1a_", "fm1r_", "fm2_"], { of: BASE64, least: 100, most: 4000 }),
  token("frameio-token", "fio-u-", { of: WORD_SIGNS, least: 60 }),
  ...named("gitlab-session", ["_gitlab_session"], { of: ALNUM, least: 32, most: 32 }),
  token("grafana-key", "eyJrIjoi", { of: BASE64, least: 70, most: 400, common: true }),
  ...tokens("harness-key", ["pat.", "sat."], {
    of: DOTTED,
    least: 68,
    most: 68,
    is: matches(/^[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}$/),
    common: true,
  }),
  midst("terraform-token", ".atlasv1.", /[A-Za-z0-9]{14}$/, { of: WORD_SIGNS, least: 60 }),
  token("huggingface-token", "api_org_", { of: ALNUM, least: 34, most: 40 }),
  token("infracost-token", "ico-", { of: ALNUM, least: 32, most: 32, is: mixed, common: true }),
  ...tokens("intra42-secret", ["s-s4t2ud-", "s-s4t2af-"], { of: HEX, least: 64 }),
  token("teams-webhook", "webhook.office.com/webhookb2/", {
    of: classOf(UPPER + UPPER.toLowerCase() + DIGITS + "-@/"),
    least: 100,
  }),
  token("octopus-key", "API-", { of: CAPITALS, least: 26, most: 26, is: mixed, common: true }),
  token("openshift-token", "sha256~", { of: WORD, least: 43, most: 43 }),
  ...tokens("prefect-key", ["pnu_", "pnb_"], { of: ALNUM, least: 36, most: 36 }),
  token("pulumi-token", "pul-", { of: HEX, least: 40, most: 40 }),
  token("readme-key", "rdme_", { of: ALNUM, least: 70 }),
  token("scalingo-token", "tk-us-", { of: WORD, least: 48, is: mixed }),
  token("brevo-key", "xkeysib-", { of: DASHED, least: 80 }),
  ...tokens("settlemint-token", ["sm_aat_", "sm_pat_", "sm_sat_"], { of: ALNUM, least: 16 }),
  ...tokens("shippo-token", ["shippo_live_", "shippo_test_"], { of: ALNUM, least: 40 }),
  token("sourcegraph-token", "sgp_", { of: WORD, least: 40, is: mixed }),
  token("contentful-token", "CFPAT-", { of: WORD, least: 43 }),
  token("typeform-token", "tfp_", { of: DOTTED, least: 40, is: mixed }),
  token("netlify-token", "nfp_", { of: ALNUM, least: 36 }),
  token("tailscale-key", "tskey-", { of: DASHED, least: 30 }),
  token("resend-key", "re_", {
    of: WORD,
    least: 33,
    most: 33,
    is: matches(/^[A-Za-z0-9]{8}_[A-Za-z0-9]{24}$/),
    common: true,
  }),
  token("posthog-key", "phx_", { of: ALNUM, least: 40 }),
  token("render-key", "rnd_", { of: ALNUM, least: 28, is: mixed, common: true }),
  token("bitbucket-token", "ATCTT3", {
    of: classOf(UPPER + UPPER.toLowerCase() + DIGITS + "_-="),
    least: 100,
  }),
  token("bitbucket-password", "ATBB", { of: ALNUM, least: 32, most: 32, is: mixed, common: true }),
  token("apify-token", "apify_api_", { of: ALNUM, least: 30 }),
  token("pinecone-key", "pcsk_", { of: WORD, least: 50 }),
  ...tokens("langsmith-key", ["lsv2_pt_", "lsv2_sk_"], { of: WORD, least: 40 }),
  token("jina-key", "jina_", { of: WORD, least: 50, is: mixed }),
  token("together-key", "tgp_v1_", { of: WORD, least: 40 }),
  token("qianfan-key", "bce-v3/ALTAK-", {
    of: classOf(UPPER + UPPER.toLowerCase() + DIGITS + "/"),
    least: 40,
  }),
  token("brave-key", "BSA", { of: WORD, least: 27, most: 29, is: mixed, common: true }),
  token("e2b-key", "e2b_", { of: HEX, least: 40, most: 40 }),
  ...tokens("private-key", PEM_BEGINS.map((begin) => "LS0tLS1CRUdJTiB" + begin), {
    of: BASE64,
    least: 60,
    most: 20_000,
    is: () => true,
  }),
  ...pairs(DIGITS).map((end) =>
    midst("facebook-token", `${end}|`, /\d{11,15}$/, { of: WORD, least: 27, most: 40 })
  ),
  ...[...DIGITS].slice(1).map((digit) =>
    midst("mailchimp-key", `-us${digit}`, /[0-9a-f]{32}$/, {
      of: classOf(DIGITS),
      least: 0,
      most: 1,
    })
  ),
  midst("azure-key", "JQQJ9", /[A-Za-z0-9]{52}$/, { of: ALNUM, least: 27, most: 27 }),
  midst("newrelic-key", "NRAL", /[a-f0-9x]{36}$/, { of: ALNUM, least: 0, most: 0 }),
  midst("maxmind-key", "_mmk", /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/, { of: WORD, least: 0, most: 0 }),
  token("adafruit-key", "aio_", { of: ALNUM, least: 28, most: 28, is: mixed, common: true }),
  token("buildkite-token", "bkua_", { of: ALNUM, least: 40, is: mixed }),
  ...tokens("circleci-token", ["CCIPAT_", "CCIPRJ_"], { of: UNDER, least: 40, is: mixed }),
  token("crates-token", "cio", { of: ALNUM, least: 32, most: 32, is: mixed, common: true }),
  token("dependencytrack-key", "odt_", { of: ALNUM, least: 32, common: true }),
  token("flexport-key", "shltm_", { of: WORD, least: 40, is: mixed, common: true }),
  ...tokens("hubspot-token", ["pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"], {
    of: DASHED,
    least: 36,
    most: 36,
    is: matches(UUID),
  }),
  ...tokens("launchdarkly-key", ["sdk-", "mob-"], {
    of: DASHED,
    least: 36,
    most: 36,
    is: matches(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    common: true,
  }),
  ...tokens("newrelic-key", ["px-api-", "px-dep-"], {
    of: DASHED,
    least: 36,
    most: 36,
    is: matches(UUID),
  }),
  token("teams-webhook", "outlook.office.com/webhook/", {
    of: classOf(UPPER + UPPER.toLowerCase() + DIGITS + "-@/"),
    least: 100,
  }),
  token("mongodb-secret", "mdb_sa_sk_", { of: WORD, least: 40, is: mixed }),
  token("nuget-key", "oy2", { of: LOWER_ALNUM, least: 43, most: 43, is: mixed, common: true }),
  ...tokens("pagarme-key", ["ak_live_", "ak_test_"], { of: ALNUM, least: 24, is: mixed }),
  token("stackhawk-key", "hawk.", {
    of: DOTTED,
    least: 41,
    most: 41,
    is: matches(/^[\w-]{20}\.[\w-]{20}$/),
    common: true,
  }),
  token("sourcegraph-license", "slk_", { of: HEX, least: 64, most: 64 }),
  ...tokens("sonar-token", ["sqp_", "squ_", "sqa_"], {
    of: HEX,
    least: 40,
    most: 40,
    common: true,
  }),
  token("salesforce-token", "00D", {
    of: classOf(UPPER + UPPER.toLowerCase() + DIGITS + "_.!"),
    least: 90,
    is: matches(/^[A-Za-z0-9]{12,15}![\w.]{80,}$/),
    common: true,
  }),
  token("ubidots-token", "BBFF-", { of: ALNUM, least: 30, most: 30, is: mixed, common: true }),
  ...tokens("voiceflow-key", ["VF.DM.", "VF.WS."], { of: DOTTED, least: 41, is: mixed }),
  token("zoho-token", "1000.", {
    of: DOTTED,
    least: 65,
    most: 65,
    is: matches(/^[0-9a-f]{32}\.[0-9a-f]{32}$/),
    common: true,
  }),
  token("appsync-key", "da2-", { of: LOWER_ALNUM, least: 26, most: 26, is: mixed, common: true }),
  token("dropbox-token", "sl.", { of: WORD, least: 130, is: mixed, common: true }),
  token("dropbox-token", "sl.u.", { of: WORD, least: 130, is: mixed, common: true }),
  ...tokens("twitch-key", ["live_"], {
    of: UNDER,
    least: 36,
    most: 44,
    is: matches(/^\d{7,10}_[A-Za-z0-9]{28,32}$/),
    common: true,
  }),
  token("elevenlabs-key", "sk_", { of: HEX, least: 48, most: 48, is: mixed, common: true }),
  token("firecrawl-key", "fc-", { of: HEX, least: 32, most: 32, is: mixed, common: true }),
];
