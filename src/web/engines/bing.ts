import { type Engine, plain, type SearchResult } from "./engine.ts";
import { parsePage } from "../parse.ts";

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
        const url = unwrapped(link.attr("href") ?? "", base);
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
function unwrapped(href: string, base: string): string | undefined {
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
