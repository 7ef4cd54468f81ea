/** A web page as text a model can read. */
import { say } from "../base/text.ts";
import type { Lang } from "../base/types.ts";
import { binaryType, isHtml, isXml, laidOut, mayBeText, mediaType } from "./body.ts";
import { botWall, needsScripts } from "./engines/bot_wall.ts";
import { decodePage } from "./charset.ts";
import { WebError } from "./error.ts";
import type { Article } from "./markdown.ts";
import { requireWebUrl, type WebOptions, webRequest, type WebResponse } from "./request.ts";

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
  let url = webUrl(address, options.lang);
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
export function webUrl(address: string, lang: Lang): URL {
  const trimmed = address.trim();
  if (!URL.canParse(trimmed)) {
    throw new WebError("url", say(lang, "web.bad_url", { url: JSON.stringify(trimmed) }));
  }
  const url = new URL(trimmed);
  requireWebUrl(url, { lang });
  return url;
}

async function fetchOnce(start: URL, options: WebOptions): Promise<{ page: Page; refresh?: URL }> {
  const { lang } = options;
  requireWebUrl(start, options);
  const response = await webRequest(start, {
    headers: {
      "accept": "text/markdown,text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8",
      "accept-language": lang === "zh" ? "zh-CN,zh;q=0.9,en;q=0.8" : "en,zh-CN;q=0.5",
    },
    wants: (_status, headers) => mayBeText(mediaType(headers)),
  }, options);
  const { status, headers, body } = response;
  const url = response.url.href;
  const type = mediaType(headers);
  const fail = status < 200 || status > 299;
  const binary = binaryType(body, headers);
  if (binary !== undefined && !fail) throw notText(response, binary, lang);
  const source = binary === undefined ? decodePage(body, headers.get("content-type") ?? "") : "";
  const html = isHtml(type, source);
  const article = await readArticle(type, source, html, response.url);
  const { title, markdown, description } = article;
  const who = html || fail ? botWall(status, headers, source, markdown) : undefined;
  if (who) throw new WebError("blocked", say(lang, "web.blocked", { url, who, status }));
  if (fail) throw statusError(response, article, lang);
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

function notText({ url, headers, body }: WebResponse, type: string, lang: Lang): WebError {
  const values = { url: url.href, type, size: sizeText(lang, body.length, headers) };
  const key = type === "application/pdf"
    ? "web.is_pdf"
    : type.startsWith("image/")
    ? "web.is_image"
    : type.startsWith("text/")
    ? "web.not_text_inside"
    : "web.not_text";
  return new WebError("type", say(lang, key, values));
}

function statusError(
  { url, status, headers }: WebResponse,
  { title, markdown }: Article,
  lang: Lang,
): WebError {
  const text = markdown.replace(/\s+/g, " ").trim();
  const said = (text.includes(title) ? text : `${title} · ${text}`).slice(0, ERROR_CHARS)
    .toWellFormed();
  const wait = headers.get("retry-after")?.slice(0, 40);
  const later = wait ? say(lang, "web.retry_after", { wait }) : "";
  const values = { url: url.href, status, text: (said && `: ${said}`) + later };
  return new WebError("status", say(lang, "web.status", values));
}

function sizeText(lang: Lang, read: number, headers: Headers): string {
  const bytes = Number(headers.get("content-length")) || read;
  if (bytes === 0) return say(lang, "web.size_unknown");
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
}
