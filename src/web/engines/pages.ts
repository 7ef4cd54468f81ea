/** The engines whose result pages are read: Baidu, Bing, DuckDuckGo. */
import { type Engine, type Parsed, plain, type SearchResult, withoutTags } from "./engine.ts";
import { parsePage } from "../parse.ts";

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
