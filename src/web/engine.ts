/** What a search engine is to the chain. */
import type { WebRequest } from "./request.ts";

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** No results is an answer; `blocked` says by what sign the engine refused to answer. */
export type Parsed = { readonly results: readonly SearchResult[] } | { readonly blocked: string };

/** One engine: how it is asked and how its answer is read. Pure; the chain does the sending. */
export interface Engine {
  readonly name: string;
  /** `locale` is a language and region such as `zh-CN`. */
  request(query: string, num: number, locale: string): { readonly url: URL } & WebRequest;
  parse(status: number, headers: Headers, body: string): Parsed | Promise<Parsed>;
}

/** One line of plain text. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Removes tags and the entities engines put into JSON strings. */
export function withoutTags(html: string): string {
  const entities: Record<string, string> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&nbsp;": " ",
    "&amp;": "&",
  };
  const text = html.replace(/<\/?(?:em|b|strong|font|span|br)\b[^<>]{0,100}>/gi, "");
  return plain(text.replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (found) => entities[found] ?? found));
}
