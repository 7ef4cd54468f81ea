/** A web page as text a model can read. */
import type { T } from "../base/t.ts";
import { decodePage } from "./charset.ts";
import { WebError } from "./error.ts";
import type { Article } from "./markdown.ts";
import { requireWebUrl, type WebOptions, webRequest, type WebResponse } from "./request.ts";

// What a response's bytes are, whatever its header calls them.

/** How binary files begin, their bytes as characters. */
const MAGIC: readonly (readonly [type: string, start: string])[] = [
  ["application/pdf", "%PDF-"],
  ["image/png", "\x89PNG"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
  ["application/zip", "PK\x03\x04"],
  ["application/gzip", "\x1f\x8b"],
  ["application/x-executable", "\x7fELF"],
];

/** Media type of a response without its parameters. */
function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** True for the types that hold text, and for those that say nothing. */
function mayBeText(type: string): boolean {
  return /^$|^text\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|toml|sql|x-sh|x-ndjson|graphql|octet-stream)$/
    .test(type);
}

/** The type of bytes that are no text; undefined when they are. */
function binaryType(body: Uint8Array, headers: Headers): string | undefined {
  const type = mediaType(headers);
  if (!mayBeText(type)) return type;
  const start = String.fromCharCode(...body.subarray(0, 8));
  const magic = MAGIC.find(([, begin]) => start.startsWith(begin));
  if (magic) return magic[0];
  const utf16 = /utf-?16/i.test(headers.get("content-type") ?? "") ||
    (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
  if (utf16 || !body.subarray(0, 8192).includes(0)) return undefined;
  return type || "application/octet-stream";
}

/** True when the text is a web page. */
function isHtml(type: string, text: string): boolean {
  if (/^(text\/html|application\/xhtml\+xml)$/.test(type)) return true;
  const open = type === "" || type === "application/octet-stream";
  return open && /^\s*(<!doctype html|<html|<head|<body)/i.test(text.slice(0, 1000));
}

/** True when the text is XML that may be a feed. */
function isXml(type: string, text: string): boolean {
  return /[/+]xml$/.test(type) || (!type && /^\s*<\?xml/.test(text));
}

/** How many blanks laying out may add: each level of nesting costs every line two. */
const INDENTS_AT_MOST = 16 * 1024 ** 2;

/** JSON that came on one line, laid out; anything else, and JSON nested so deeply that it would burst, as it is. */
function laidOut(type: string, text: string): string {
  if (!/json$/.test(type) || text.trim().includes("\n") || bursts(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function bursts(json: string): boolean {
  let depth = 0, blanks = 0, quoted = false;
  for (let at = 0; at < json.length && blanks <= INDENTS_AT_MOST; at++) {
    const char = json[at];
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "[" || char === "{") blanks += 2 * ++depth;
    else if (char === ",") blanks += 2 * depth;
    else if (char === "]" || char === "}") blanks += 2 * --depth;
  }
  return blanks > INDENTS_AT_MOST;
}

// Recognises the pages that stand in for the page asked for: challenges, captchas, "are you human".

/** A page with less text than this may be a shell that scripts fill. */
const SHELL_CHARS = 250;
const PLEAS_READ = 20;

/** Who sent such a page, by a header it sets. */
const HEADERS: readonly (readonly [header: string, value: RegExp, who: string])[] = [
  ["cf-mitigated", /challenge/i, "Cloudflare challenge"],
  ["x-amzn-waf-action", /captcha|challenge/i, "AWS WAF"],
  ["x-datadome", /protected/i, "DataDome"],
  ["x-dd-b", /./, "DataDome"],
  ["x-vercel-mitigated", /challenge|deny/i, "Vercel checkpoint"],
  ["x-kpsdk-ct", /./, "Kasada"],
];

/** Who sent such a page, by what stands in it. */
const MARKS: readonly (readonly [mark: RegExp, who: string])[] = [
  [
    /challenges\.cloudflare\.com|cdn-cgi\/challenge-platform|cf-browser-verification|<title>(Just a moment|Attention Required! \| Cloudflare)/i,
    "Cloudflare challenge",
  ],
  [/captcha-delivery\.com/i, "DataDome"],
  [/px-captcha|_pxAppId|perimeterx\.net/i, "PerimeterX"],
  [/_Incapsula_Resource/i, "Imperva"],
  [
    /errors\.edgesuite\.net|sec-if-cpt-container|<h1>Access Denied<\/h1>[^]{0,400}Reference.{0,3}#/i,
    "Akamai",
  ],
  [/Making sure you(&#39;|')re not a bot|id="anubis_/i, "Anubis"],
  [/acw_sc__v[23]|aliyun_waf|aliyunCaptcha/i, "Aliyun WAF"],
  [/TencentCaptcha|EdgeOne Bot/i, "Tencent captcha"],
  [/ips\.js\?KPSDK|KPSDK\.scriptStart/i, "Kasada"],
  [/Vercel Security Checkpoint/i, "Vercel checkpoint"],
  [/Sucuri WebSite Firewall/i, "Sucuri"],
  [/awswaf\.com/i, "AWS WAF"],
  [/百度安全验证|请完成(下方|以下|安全)?验证|访问验证|滑动验证|请输入验证码/, "captcha"],
  [
    /unusual traffic from your computer|verify (that )?you are (a )?human|are you a robot|not a robot|g-recaptcha|h-captcha|cf-turnstile|blocked by network security/i,
    "captcha",
  ],
];

/**
 * Names the bot wall a response is; undefined when it is none. `text` is what a reader sees of the page:
 * a page that answers 200 with a real text is a page, whatever it embeds.
 */
function botWall(
  status: number,
  headers: Headers,
  html: string,
  text: string,
): string | undefined {
  for (const [header, value, who] of HEADERS) {
    if (status !== 200 && value.test(headers.get(header) ?? "")) return who;
  }
  const standsIn = [202, 401, 403, 405, 429, 503].includes(status) ||
    (status === 200 && text.length < 800);
  if (!standsIn) return undefined;
  return MARKS.find(([mark]) => mark.test(html))?.[1];
}

/** True for a page whose text only its scripts would bring. */
function needsScripts(html: string, text: string): boolean {
  if (text.length >= SHELL_CHARS || !/<script\b/i.test(html)) return false;
  const plea = pleas(html).some((each) => /javascript|启用\s*JS/i.test(each)) ||
    /(enable|requires?|turn on) javascript|启用 ?javascript|需要 ?javascript/i.test(text);
  return plea ||
    /<(div|main|section) id=["']?(app|root|__next|__nuxt|svelte|main-app)\b/i.test(html);
}

/** What stands in the page's first `<noscript>`s. */
function pleas(html: string): string[] {
  return html.split(/<noscript\b/i, PLEAS_READ + 1).slice(1)
    .map((rest) => rest.slice(rest.indexOf(">") + 1).slice(0, 2000));
}

export { WebError } from "./error.ts";

export interface Page {
  /** Where the redirects ended. */
  readonly url: string;
  readonly status: number;
  /** Media type without parameters. */
  readonly type: string;
  readonly title: string;
  /** Markdown for HTML and feeds, JSON laid out, other text as it is; at most 500,000 characters. */
  readonly text: string;
  /** Of the body, decompressed. */
  readonly bytes: number;
  /** True when the page was longer than what is kept. */
  readonly cut: boolean;
  /** True when only scripts would bring the page's text. */
  readonly needsScripts: boolean;
}

const MAX_CHARS = 500_000;
/** How much of an error page is told. */
const ERROR_CHARS = 600;
/** A page with more text than this is worth reading, wherever it sends its reader. */
const STUB_CHARS = 300;
/** How many times a page may send on by `<meta http-equiv=refresh>`. */
const MAX_REFRESHES = 2;

/**
 * Fetches a public http(s) page and turns it into text. Throws WebError for an address that is not public,
 * a timeout, an error status, a bot wall or a body that is not text; the signal's reason when aborted.
 */
export async function fetchPage(address: string, options: WebOptions): Promise<Page> {
  let url = webUrl(address, options.t);
  const { timeoutMs = 10_000 } = options;
  const began = performance.now();
  for (let refreshes = 0;; refreshes++) {
    const left = Math.max(1, timeoutMs - (performance.now() - began));
    const { page, refresh } = await fetchOnce(url, {
      ...options,
      timeoutMs: left,
      sentOn: refreshes > 0,
    });
    const stub = refresh && page.text.length < STUB_CHARS && refresh.href !== page.url;
    if (!stub || refreshes === MAX_REFRESHES) return page;
    url = refresh;
  }
}

/** The address as a URL that may be fetched. Throws WebError `url`. */
export function webUrl(address: string, t: T): URL {
  const trimmed = address.trim();
  if (!URL.canParse(trimmed)) {
    throw new WebError(
      "url",
      t("Cannot fetch {url}: not a URL. Give a full one, such as https://example.com/page", {
        url: JSON.stringify(trimmed),
      }),
    );
  }
  const url = new URL(trimmed);
  requireWebUrl(url, { t });
  return url;
}

async function fetchOnce(start: URL, options: WebOptions): Promise<{ page: Page; refresh?: URL }> {
  const { t } = options;
  requireWebUrl(start, options);
  const response = await webRequest(start, {
    headers: {
      "accept": "text/markdown,text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8",
      "accept-language": t.lang === "zh" ? "zh-CN,zh;q=0.9,en;q=0.8" : "en,zh-CN;q=0.5",
    },
    wants: (_status, headers) => mayBeText(mediaType(headers)),
  }, options);
  const { status, headers, body } = response;
  const url = response.url.href;
  const type = mediaType(headers);
  const fail = status < 200 || status > 299;
  const binary = binaryType(body, headers);
  if (binary !== undefined && !fail) throw notText(response, binary, t);
  const source = binary === undefined ? decodePage(body, headers.get("content-type") ?? "") : "";
  const html = isHtml(type, source);
  const article = await readArticle(type, source, html, response.url);
  const { title, markdown, description } = article;
  const who = html || fail ? botWall(status, headers, source, markdown) : undefined;
  if (who) {
    throw new WebError(
      "blocked",
      t(
        "Cannot fetch {url}: the site asks for a human ({who}, HTTP {status}). Do not retry; use another source",
        { url, who, status },
      ),
    );
  }
  if (fail) throw statusError(response, article, t);
  const shell = html && needsScripts(source, markdown);
  const whole = shell && description ? `${description}\n\n${markdown}`.trim() : markdown;
  const text = whole.slice(0, MAX_CHARS).toWellFormed();
  const cut = response.cut || article.cut || text.length < whole.length;
  const page = { url, status, type, title, text, bytes: body.length, cut, needsScripts: shell };
  return { page, ...article.refresh && { refresh: article.refresh } };
}

async function readArticle(
  type: string,
  source: string,
  html: boolean,
  url: URL,
): Promise<Article> {
  if (html) {
    const { htmlToMarkdown } = await import("./markdown.ts");
    return await htmlToMarkdown(source, url, MAX_CHARS);
  }
  if (isXml(type, source)) {
    const { feedToMarkdown } = await import("./feed.ts");
    const feed = await feedToMarkdown(source, url, MAX_CHARS);
    if (feed) return feed;
  }
  return { title: "", markdown: laidOut(type, source), cut: false };
}

function notText({ url, headers, body }: WebResponse, type: string, t: T): WebError {
  const values = { url: url.href, type, size: sizeText(t, body.length, headers) };
  const key = type === "application/pdf"
    ? "Cannot fetch {url}: it is a PDF ({type}, {size}), not text. In Bash, download it with curl -o file.pdf and take its text with pdftotext"
    : type.startsWith("image/")
    ? "Cannot fetch {url}: it is an image ({type}, {size}) and has no text. If the file is needed, download it with curl -O in Bash"
    : type.startsWith("text/")
    ? "Cannot fetch {url}: it is called {type} ({size}) but holds binary data. If the file is needed, download it with curl -O in Bash"
    : "Cannot fetch {url}: it is {type} ({size}), not text. If the file is needed, download it with curl -O in Bash";
  return new WebError("type", t(key, values));
}

function statusError(
  { url, status, headers }: WebResponse,
  { title, markdown }: Article,
  t: T,
): WebError {
  const text = markdown.replace(/\s+/g, " ").trim();
  const said = (text.includes(title) ? text : `${title} · ${text}`).slice(0, ERROR_CHARS)
    .toWellFormed();
  const wait = headers.get("retry-after")?.slice(0, 40);
  const later = wait ? t(" (it asks to wait: Retry-After {wait})", { wait }) : "";
  const values = { url: url.href, status, text: (said && `: ${said}`) + later };
  return new WebError(
    "status",
    t("Cannot fetch {url}: the server answered HTTP {status}{text}", values),
  );
}

function sizeText(t: T, read: number, headers: Headers): string {
  const bytes = Number(headers.get("content-length")) || read;
  if (bytes === 0) return t("size unknown");
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
}
