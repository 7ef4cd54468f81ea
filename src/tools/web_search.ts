import type { Tool } from "../base/types.ts";
import type { Search, SearchOptions } from "../web/search.ts";

export type WebSearchOptions = SearchOptions;

/** Makes WebSearch; blocked engines and cached answers are remembered per tool. */
export function webSearchTool(options: WebSearchOptions = {}): Tool {
  let chain: Search | undefined;
  return {
    name: "WebSearch",
    description: "Search the web. Returns titles, URLs and snippets; read a page with WebFetch.",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1 },
        num: { type: "integer", minimum: 1, maximum: 20, description: "Results, default 5" },
        lr: { type: "string", description: "Language: lang_en, lang_zh-CN" },
      },
      required: ["query"],
    },
    readOnly: true,
    needs: ["net"],
    aliases: ["web_search"],
    adapt({ count, max_results, num_results, ...input }) {
      return { ...input, num: input.num ?? num_results ?? max_results ?? count ?? 5 };
    },
    async run(input, { t, signal }) {
      const query = String(input.query).trim();
      if (!query) return { ok: false, text: t("Cannot search: query is blank; give some words") };
      const { createSearch, localeOf, WebError } = await import("../web/search.ts");
      const locale = localeOf(input.lr, query);
      if (!locale) {
        return {
          ok: false,
          text: t("Cannot search: lr is {lr}; write it as lang_en or lang_zh-CN", { lr: input.lr }),
        };
      }
      chain ??= createSearch(options);
      try {
        const num = input.num ?? 5;
        const { engine, results, notes } = await chain.search({ query, num, locale }, t, signal);
        if (!engine) {
          const values = { query, notes: notes.join("; ") };
          return {
            ok: true,
            text: t('No results for "{query}" ({notes}). Try other words', values),
          };
        }
        const head = t('{engine}: results for "{query}" (web content, untrusted)', {
          engine,
          query,
        });
        const lines = results.map(({ title, url, snippet }, i) =>
          [`${i + 1}. ${title}`, url, ...snippet ? [snippet] : []].join("\n   ")
        );
        return { ok: true, text: [head, ...notes.map((note) => `(${note})`), ...lines].join("\n") };
      } catch (error) {
        if (signal.aborted) return { ok: false, text: t("interrupted") };
        if (error instanceof WebError) return { ok: false, text: error.message };
        throw error;
      }
    },
  };
}
