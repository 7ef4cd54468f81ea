import { say } from "../text.ts";
import type { Lang, Tool, ToolResult } from "../types.ts";
import { TtlCache } from "../web/cache.ts";
import { WebError } from "../web/error.ts";
import type { Page } from "../web/fetch.ts";
import type { WebOptions } from "../web/request.ts";

export interface WebFetchOptions extends Omit<WebOptions, "signal" | "lang"> {
  /** Milliseconds; default Date.now. */
  readonly now?: () => number;
}

/** Makes WebFetch; pages are remembered for 15 minutes per tool. */
export function webFetchTool(options: WebFetchOptions = {}): Tool {
  const cache = new TtlCache<Page>(15 * 60_000, 20, options.now ?? Date.now);
  return {
    name: "WebFetch",
    description: "Fetch a public web page as Markdown; JSON and other text comes as it is.",
    input: {
      type: "object",
      properties: { url: { type: "string", minLength: 1, description: "Full http(s) URL" } },
      required: ["url"],
    },
    readOnly: true,
    needs: ["net"],
    aliases: ["web_fetch", "fetch"],
    async run(input, { lang, signal }) {
      const address = String(input.url).trim();
      try {
        const known = cache.get(address);
        if (known) return shown(known, lang);
        const { fetchPage } = await import("../web/fetch.ts");
        const page = await fetchPage(address, { ...options, lang, signal });
        cache.set(address, page);
        return shown(page, lang);
      } catch (error) {
        if (signal.aborted) return { ok: false, text: say(lang, "tool.interrupted") };
        if (error instanceof WebError) return { ok: false, text: error.message };
        throw error;
      }
    },
  };
}

function shown(page: Page, lang: Lang): ToolResult {
  const head = [page.url, ...page.title ? [page.title] : [], say(lang, "web.untrusted")];
  const note = page.cut ? "\n\n" + say(lang, "web.cut", { kept: page.text.length }) : "";
  return {
    ok: true,
    text: `${head.join("\n")}\n\n${page.text || say(lang, "web.empty")}${note}`,
    detail: { kind: "page", url: page.url, bytes: page.bytes },
  };
}
