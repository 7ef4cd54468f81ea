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
