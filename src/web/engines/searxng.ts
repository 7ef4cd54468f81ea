import { type Engine, jsonAt, resultsOf } from "./engine.ts";

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
