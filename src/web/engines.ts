/**
 * Search engines: those that are asked through an API (Bocha, Brave, SearXNG, Tavily), and those
 * whose result pages are read (Baidu, Bing, DuckDuckGo).
 */
import { withoutEntities } from "../base/entity_names.ts";
import type { Json } from "../base/types.ts";
import { parsePage } from "./parse.ts";
import type { WebRequest } from "./request.ts";

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** No results is an answer; `blocked` says by what sign the engine refused to, `refused` that it took no such key. */
export type Parsed =
  | { readonly results: readonly SearchResult[] }
  | { readonly blocked: string }
  | { readonly refused: string };

/** One engine: how it is asked and how its answer is read. Pure; the chain does the sending. */
export interface Engine {
  readonly name: string;
  /** It answers programs it does not like with results that have nothing to do with the query. */
  readonly decoys?: true;
  /** `locale` is a language and region such as `zh-CN`. */
  request(query: string, num: number, locale: string): { readonly url: URL } & WebRequest;
  parse(status: number, headers: Headers, body: string): Parsed | Promise<Parsed>;
}

/** The fields of one result as an API names them. */
interface Fields {
  readonly title: string;
  readonly snippet: readonly string[];
}

/**
 * Reads the rows of an API's JSON answer, the first snippet field that is there; undefined when `rows` is
 * no list.
 */
function resultsOf(rows: unknown, fields: Fields): SearchResult[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const results: SearchResult[] = [];
  for (const row of rows as (Record<string, unknown> | null)[]) {
    const text = (field: string) => {
      const value = row?.[field];
      return typeof value === "string" ? withoutTags(value) : "";
    };
    const [title, url] = [text(fields.title), text("url")];
    const snippet = fields.snippet.map(text).find(Boolean) ?? "";
    if (url) results.push({ title: title || url, url, snippet });
  }
  return results;
}

/** What a path of keys leads to in a JSON text; undefined when it leads nowhere. */
function jsonAt(body: string, ...path: readonly string[]): unknown {
  try {
    let value: unknown = JSON.parse(body);
    for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key];
    return value;
  } catch {
    return undefined;
  }
}

/** A JSON question by POST with the key as bearer. */
function keyedPost(url: URL, key: string, body: Json): { readonly url: URL } & WebRequest {
  return {
    url,
    method: "POST",
    // A redirect would carry the key elsewhere.
    redirects: 0,
    headers: {
      "accept": "application/json",
      "content-type": "application/json",
      "authorization": `Bearer ${key}`,
    },
    body: JSON.stringify(body),
  };
}

/** How an API that answers with an error status words it. */
function apiFailure(status: number, said: unknown): string {
  return typeof said === "string" && said
    ? `HTTP ${status}: ${plain(said).slice(0, 200)}`
    : `HTTP ${status}`;
}

/** One line of plain text. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Removes tags and the entities engines put into JSON strings. */
function withoutTags(html: string): string {
  const text = html.replace(/<\/?(?:em|b|strong|font|span|br)\b[^<>]{0,100}>/gi, "");
  return plain(withoutEntities(text));
}

/** Bocha (博查), through its API; it knows no language. */
export function bocha(key: string, base = "https://api.bochaai.com"): Engine {
  return {
    name: "Bocha",
    request(query, num) {
      const body = { query, count: num, summary: true, freshness: "noLimit" };
      return keyedPost(new URL("/v1/web-search", base), key, body);
    },
    parse(httpStatus, _headers, body) {
      // Its own code is the one that counts: some errors come with HTTP 200.
      const status = Number(jsonAt(body, "code") ?? httpStatus) || httpStatus;
      if (status !== 200) {
        const said = jsonAt(body, "message") ?? jsonAt(body, "msg");
        const why = apiFailure(status, said);
        return status === 401 ? { refused: why } : { blocked: why };
      }
      const rows = jsonAt(body, "data", "webPages", "value");
      const results = resultsOf(rows, { title: "name", snippet: ["summary", "snippet"] });
      return results ? { results } : { blocked: "not Bocha's JSON" };
    },
  };
}

/** Brave's names for languages where they are not the usual ones; a name it does not know is an error. */
const LANGUAGES: { readonly [locale: string]: string } = {
  "zh-CN": "zh-hans",
  "zh-SG": "zh-hans",
  "zh-TW": "zh-hant",
  "zh-HK": "zh-hant",
  ja: "jp",
};
const SAME = /^(en|fr|de|es|it|ko|nl|pl|ru|sv|tr|da|fi|cs|el|hu|uk|vi|th|he|ar)$/;

/** Brave Search, through its API. */
export function brave(key: string, base = "https://api.search.brave.com"): Engine {
  return {
    name: "Brave",
    request(query, num, locale) {
      const url = new URL("/res/v1/web/search", base);
      const language = locale.split("-")[0]!;
      const known = LANGUAGES[locale] ?? LANGUAGES[language] ??
        (SAME.test(language) ? language : "");
      url.search = new URLSearchParams({
        q: query.slice(0, 400),
        count: `${num}`,
        text_decorations: "false",
        ...known && { search_lang: known },
      }).toString();
      // A redirect would carry the key elsewhere.
      return {
        url,
        redirects: 0,
        headers: { accept: "application/json", "x-subscription-token": key },
      };
    },
    parse(status, _headers, body) {
      if (status !== 200) {
        const said = jsonAt(body, "error", "detail");
        const badKey = /^SUBSCRIPTION_TOKEN/.test(String(jsonAt(body, "error", "code")));
        const why = apiFailure(status, said);
        return badKey || status === 401 || status === 403 ? { refused: why } : { blocked: why };
      }
      const answer = jsonAt(body);
      if (typeof answer !== "object" || answer === null) return { blocked: "not Brave's JSON" };
      // Without results the answer has no "web" part.
      const rows = jsonAt(body, "web", "results") ?? [];
      const results = resultsOf(rows, { title: "title", snippet: ["description"] });
      return results ? { results } : { blocked: "not Brave's JSON" };
    },
  };
}

/** A SearXNG instance of the user's own, through its JSON form. */
export function searxng(base: URL): Engine {
  return {
    name: "SearXNG",
    request(query, _num, locale) {
      const url = new URL("search", base.href.endsWith("/") ? base : base.href + "/");
      url.search = new URLSearchParams({ q: query, format: "json", language: locale }).toString();
      return { url, redirects: 0 };
    },
    parse(status, _headers, body) {
      if (status === 403) {
        return { blocked: 'HTTP 403; add "json" to search.formats in its settings' };
      }
      if (status !== 200) return { blocked: `HTTP ${status}` };
      const rows = jsonAt(body, "results");
      const results = resultsOf(rows, { title: "title", snippet: ["content"] });
      return results ? { results } : { blocked: "not SearXNG's JSON" };
    },
  };
}

/** Tavily, through its API; it knows no language. */
export function tavily(key: string, base = "https://api.tavily.com"): Engine {
  return {
    name: "Tavily",
    request(query, num) {
      return keyedPost(new URL("/search", base), key, {
        query: query.slice(0, 400),
        max_results: num,
      });
    },
    parse(status, _headers, body) {
      if (status !== 200) {
        const said = jsonAt(body, "detail", "error") ?? jsonAt(body, "detail");
        const why = apiFailure(status, said);
        return status === 401 || status === 403 ? { refused: why } : { blocked: why };
      }
      const rows = jsonAt(body, "results");
      const results = resultsOf(rows, { title: "title", snippet: ["content"] });
      return results ? { results } : { blocked: "not Tavily's JSON" };
    },
  };
}

/** Where the snippet stands; the class names with a hash change every few months. */
const ABSTRACTS = [
  ".c-abstract",
  '[class*="summary-text"]',
  '[class*="content-right"] span',
  '[class*="content-right"]',
  ".c-span-last .c-color-text",
];

/** Baidu: its JSON form, and its HTML page when that comes instead. */
export function baidu(base = "https://www.baidu.com"): Engine {
  return {
    name: "Baidu",
    request(query, num) {
      const url = new URL("/s", base);
      url.search = new URLSearchParams({ wd: query, rn: `${num}`, pn: "0", tn: "json" }).toString();
      // The captcha shows as a redirect; following it would hide that.
      return { url, redirects: 0, headers: { "accept-language": "zh-CN,zh;q=0.9" } };
    },
    parse(status, headers, body) {
      const location = headers.get("location") ?? "";
      if (/wappass\.baidu\.com|captcha/.test(location)) return { blocked: "captcha" };
      if (status !== 200) return { blocked: `HTTP ${status}` };
      return parseJson(body) ?? parseHtml(body);
    },
  };
}

interface Feed {
  readonly antiFlag?: unknown;
  readonly feed?: { readonly entry?: readonly Entry[] };
}

interface Entry {
  readonly title?: string;
  readonly url?: string;
  readonly abs?: string;
}

function parseJson(body: string): Parsed | undefined {
  let found: Feed | null;
  try {
    found = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (found?.antiFlag) return { blocked: "antiFlag" };
  if (!Array.isArray(found?.feed?.entry)) return { blocked: "JSON without results" };
  const results: SearchResult[] = [];
  for (const { title, url, abs } of found.feed.entry as readonly Entry[]) {
    if (!title || !url) continue;
    results.push({ title: withoutTags(title), url, snippet: withoutTags(abs ?? "") });
  }
  return { results };
}

async function parseHtml(body: string): Promise<Parsed> {
  if (/百度安全验证|wappass\.baidu\.com\/static\/captcha/.test(body)) return { blocked: "captcha" };
  const $ = await parsePage(body);
  const results: SearchResult[] = [];
  $("#content_left .c-container").each((_, element) => {
    const box = $(element);
    const link = box.find("h3 a").first();
    const mu = box.attr("mu") ?? "";
    const own = /^https?:\/\/(?!nourl\.)/.test(mu) ? mu : undefined;
    // Besides plain results there are cards, good when they name their source, and advertisements.
    if (!own && !box.hasClass("result")) return;
    const url = own ?? link.attr("href") ?? "";
    const title = plain(link.text());
    if (!title || /\/\/www\.baidu\.com\/baidu\.php/.test(url)) return;
    const snippet = ABSTRACTS.map((part) => plain(box.find(part).first().text())).find(Boolean);
    results.push({ title, url, snippet: snippet ?? "" });
  });
  const answered = results.length > 0 || /抱歉.{0,20}没有找到/.test($("body").text());
  return answered ? { results } : { blocked: "HTML without results" };
}

/** Bing's HTML page. */
export function bing(base = "https://www.bing.com"): Engine {
  return {
    name: "Bing",
    decoys: true,
    request(query, num, locale) {
      const url = new URL("/search", base);
      url.search = new URLSearchParams({ q: query, count: `${num}`, mkt: locale }).toString();
      return { url, headers: { "accept-language": `${locale},${locale.split("-")[0]};q=0.9` } };
    },
    async parse(status, _headers, body) {
      if (status !== 200) return { blocked: `HTTP ${status}` };
      const $ = await parsePage(body);
      const results: SearchResult[] = [];
      $("#b_results > li.b_algo").each((_, element) => {
        const link = $(element).find("h2 a").first();
        const url = bingTarget(link.attr("href") ?? "", base);
        const caption = $(element).find(".b_caption p, p").first();
        caption.find(".algoSlug_icon").remove();
        const title = plain(link.text());
        if (title && url) results.push({ title, url, snippet: plain(caption.text()) });
      });
      if (results.length > 0 || $("#b_results .b_no").length > 0) return { results };
      const wall = /captcha|challenge|turnstile|验证/i.test(body);
      return { blocked: wall ? "captcha" : "page without results" };
    },
  };
}

/** Bing links through `/ck/a?…&u=a1<base64url of the address>`. */
function bingTarget(href: string, base: string): string | undefined {
  if (!href || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  const packed = url.pathname === "/ck/a" ? url.searchParams.get("u") : null;
  if (!packed?.startsWith("a1")) return url.href;
  try {
    const binary = atob(packed.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
    const target = new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
    return URL.canParse(target) ? target : undefined;
  } catch {
    return undefined;
  }
}

/** DuckDuckGo's page without scripts. */
export function duckduckgo(base = "https://html.duckduckgo.com"): Engine {
  return {
    name: "DuckDuckGo",
    request(query, _num, locale) {
      const [language = "en", region = "US"] = locale.toLowerCase().split("-");
      // It refuses queries of 500 characters and more.
      const form = { q: query.slice(0, 499), b: "", kl: `${region}-${language}` };
      return {
        url: new URL("/html/", base),
        method: "POST",
        body: new URLSearchParams(form).toString(),
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "referer": new URL("/", base).href,
          "accept-language": `${locale},${language};q=0.9`,
          "sec-fetch-dest": "document",
          "sec-fetch-mode": "navigate",
          "sec-fetch-site": "same-origin",
          "sec-fetch-user": "?1",
        },
      };
    },
    async parse(status, _headers, body) {
      if (/id="challenge-form"|anomaly\.js|anomaly-modal/.test(body)) return { blocked: "captcha" };
      if (status !== 200) return { blocked: `HTTP ${status}` };
      const $ = await parsePage(body);
      const results: SearchResult[] = [];
      $("#links .web-result").not(".result--ad").each((_, element) => {
        const link = $(element).find("h2 a").first();
        const url = duckduckgoTarget(link.attr("href") ?? "");
        const title = plain(link.text());
        const snippet = plain($(element).find(".result__snippet").first().text());
        if (title && url) results.push({ title, url, snippet });
      });
      const answered = results.length > 0 || $(".no-results").length > 0;
      return answered ? { results } : { blocked: "page without results" };
    },
  };
}

/** DuckDuckGo links through `//duckduckgo.com/l/?uddg=<address>`. */
function duckduckgoTarget(href: string): string | undefined {
  if (!URL.canParse(href, "https://duckduckgo.com")) return undefined;
  const url = new URL(href, "https://duckduckgo.com");
  return url.searchParams.get("uddg") ?? url.href;
}
