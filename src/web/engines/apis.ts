/** The engines that are asked through an API: Bocha, Brave, SearXNG, Tavily. */
import { apiFailure, type Engine, jsonAt, keyedPost, resultsOf } from "./engine.ts";

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
