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
