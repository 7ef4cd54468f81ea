import { say } from "../base/text.ts";
import type { Lang, Tool, ToolResult } from "../base/types.ts";
import { TtlCache } from "../web/cache.ts";
import type { Page } from "../web/fetch.ts";
import type { WebOptions } from "../web/request.ts";
import { tooLong } from "./schema.ts";

export interface WebFetchOptions extends Omit<WebOptions, "signal" | "lang"> {
  /** Milliseconds; default Date.now. */
  readonly now?: () => number;
}

/** Characters of a page in one result. */
const PART_CHARS = 30_000;
/** No server takes a longer one. */
const URL_CHARS = 8192;
/** How far before the end of a part a line end is looked for. */
const LINE_CHARS = 3000;

/** Makes WebFetch; pages are remembered for 15 minutes per tool. */
export function webFetchTool(options: WebFetchOptions = {}): Tool {
  const cache = new TtlCache<Page>(15 * 60_000, 20, options.now ?? Date.now);
  return {
    name: "WebFetch",
    description: "Fetch a public web page as Markdown; JSON and other text comes as it is.",
    input: {
      type: "object",
      properties: {
        url: { type: "string", minLength: 1, description: "Full http(s) URL" },
        offset: { type: "integer", minimum: 0, description: "Go on at this character" },
      },
      required: ["url"],
    },
    readOnly: true,
    needs: ["net"],
    aliases: ["web_fetch", "fetch"],
    adapt: ({ start_index, ...input }) =>
      start_index === undefined ? input : { offset: start_index, ...input },
    async run(input, { lang, signal }) {
      const long = tooLong("url", String(input.url), URL_CHARS, lang);
      if (long) return long;
      const { fetchPage, WebError, webUrl } = await import("../web/fetch.ts");
      try {
        const url = webUrl(String(input.url), lang);
        url.hash = "";
        let page = cache.get(url.href);
        if (!page) {
          page = await fetchPage(url.href, { ...options, lang, signal });
          cache.set(page.url, page);
          cache.set(url.href, page);
        }
        return shown(page, input.offset ?? 0, lang);
      } catch (error) {
        if (signal.aborted) return { ok: false, text: say(lang, "tool.interrupted") };
        if (error instanceof WebError) return { ok: false, text: error.message };
        throw error;
      }
    },
  };
}

function shown(page: Page, offset: number, lang: Lang): ToolResult {
  const { url, text, title, bytes } = page;
  const total = text.length;
  if (offset > 0 && offset >= total) {
    return { ok: false, text: say(lang, "web.past_end", { url, offset, total }) };
  }
  const end = partEnd(text, offset);
  const part = text.slice(offset, end).toWellFormed();
  const notes: string[] = [];
  if (page.needsScripts) notes.push(say(lang, "web.needs_scripts"));
  if (end < total) notes.push(say(lang, "web.part", { from: offset, to: end, total, next: end }));
  else if (page.cut) notes.push(say(lang, "web.cut", { kept: total }));
  else if (offset > 0) notes.push(say(lang, "web.last_part", { from: offset, total }));
  const head = [url, ...title ? [title] : [], say(lang, "web.untrusted")];
  const body = part || (page.needsScripts ? "" : say(lang, "web.empty"));
  return {
    ok: true,
    text: [head.join("\n"), body, ...notes].filter(Boolean).join("\n\n"),
    detail: { kind: "page", url, bytes },
  };
}

/** The end of the part that begins at `offset`: after a line where one ends near, never inside a character. */
function partEnd(text: string, offset: number): number {
  const most = offset + PART_CHARS;
  if (text.length <= most) return text.length;
  const line = text.lastIndexOf("\n", most);
  if (line > most - LINE_CHARS) return line + 1;
  const inside = /[\udc00-\udfff]/.test(text[most]!);
  return inside ? most - 1 : most;
}
