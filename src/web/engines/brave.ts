import { apiFailure, type Engine, jsonAt, resultsOf } from "./engine.ts";

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
