import { apiFailure, type Engine, jsonAt, keyedPost, resultsOf } from "./engine.ts";

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
