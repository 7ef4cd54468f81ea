import { type Engine, type Parsed, plain, type SearchResult, withoutTags } from "./engine.ts";
import { parsePage } from "./parse.ts";

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
  const { $ } = await parsePage(body);
  const results: SearchResult[] = [];
  $("#content_left .result.c-container").each((_, element) => {
    const link = $(element).find("h3 a").first();
    const url = $(element).attr("mu") || link.attr("href");
    const title = plain(link.text());
    const snippet = plain($(element).find(".c-abstract").first().text());
    if (title && url) results.push({ title, url, snippet });
  });
  const answered = results.length > 0 || /抱歉.{0,20}没有找到/.test($("body").text());
  return answered ? { results } : { blocked: "HTML without results" };
}
