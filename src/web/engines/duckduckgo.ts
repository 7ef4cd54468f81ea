import { type Engine, plain, type SearchResult } from "./engine.ts";
import { parsePage } from "../parse.ts";

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
        const url = unwrapped(link.attr("href") ?? "");
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
function unwrapped(href: string): string | undefined {
  if (!URL.canParse(href, "https://duckduckgo.com")) return undefined;
  const url = new URL(href, "https://duckduckgo.com");
  return url.searchParams.get("uddg") ?? url.href;
}
