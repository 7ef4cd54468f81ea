/** What a search engine is to the chain. */
import type { Json } from "../../base/types.ts";
import { withoutEntities } from "../../base/entity_names.ts";
import type { WebRequest } from "../request.ts";

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** No results is an answer; `blocked` says by what sign the engine refused to, `refused` that it took no such key. */
export type Parsed =
  | { readonly results: readonly SearchResult[] }
  | { readonly blocked: string }
  | { readonly refused: string };

/** One engine: how it is asked and how its answer is read. Pure; the chain does the sending. */
export interface Engine {
  readonly name: string;
  /** It answers programs it does not like with results that have nothing to do with the query. */
  readonly decoys?: true;
  /** `locale` is a language and region such as `zh-CN`. */
  request(query: string, num: number, locale: string): { readonly url: URL } & WebRequest;
  parse(status: number, headers: Headers, body: string): Parsed | Promise<Parsed>;
}

/** The fields of one result as an API names them. */
export interface Fields {
  readonly title: string;
  readonly snippet: readonly string[];
}

/**
 * Reads the rows of an API's JSON answer, the first snippet field that is there; undefined when `rows` is
 * no list.
 */
export function resultsOf(rows: unknown, fields: Fields): SearchResult[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const results: SearchResult[] = [];
  for (const row of rows as (Record<string, unknown> | null)[]) {
    const text = (field: string) => {
      const value = row?.[field];
      return typeof value === "string" ? withoutTags(value) : "";
    };
    const [title, url] = [text(fields.title), text("url")];
    const snippet = fields.snippet.map(text).find(Boolean) ?? "";
    if (url) results.push({ title: title || url, url, snippet });
  }
  return results;
}

/** What a path of keys leads to in a JSON text; undefined when it leads nowhere. */
export function jsonAt(body: string, ...path: readonly string[]): unknown {
  try {
    let value: unknown = JSON.parse(body);
    for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key];
    return value;
  } catch {
    return undefined;
  }
}

/** A JSON question by POST with the key as bearer. */
export function keyedPost(url: URL, key: string, body: Json): { readonly url: URL } & WebRequest {
  return {
    url,
    method: "POST",
    // A redirect would carry the key elsewhere.
    redirects: 0,
    headers: {
      "accept": "application/json",
      "content-type": "application/json",
      "authorization": `Bearer ${key}`,
    },
    body: JSON.stringify(body),
  };
}

/** How an API that answers with an error status words it. */
export function apiFailure(status: number, said: unknown): string {
  return typeof said === "string" && said
    ? `HTTP ${status}: ${plain(said).slice(0, 200)}`
    : `HTTP ${status}`;
}

/** One line of plain text. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Removes tags and the entities engines put into JSON strings. */
export function withoutTags(html: string): string {
  const text = html.replace(/<\/?(?:em|b|strong|font|span|br)\b[^<>]{0,100}>/gi, "");
  return plain(withoutEntities(text));
}
