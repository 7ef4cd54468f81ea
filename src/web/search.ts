/** Web search through a chain of engines: the first that answers wins. */
import type { T } from "../base/t.ts";
import { errorMessage } from "../base/errors.ts";
import {
  baidu,
  bing,
  bocha,
  brave,
  duckduckgo,
  type Engine,
  type Parsed,
  type SearchResult,
  searxng,
  tavily,
} from "./engines.ts";
import { TtlCache } from "./cache.ts";
import { decodePage } from "./charset.ts";
import { WebError } from "./error.ts";
import { portOf } from "./proxy.ts";
import { type WebOptions, webRequest } from "./request.ts";

export { WebError } from "./error.ts";

/** Engines that want a key, in the order they are asked. */
export type KeyedEngine = "brave" | "tavily" | "bocha";

export interface SearchOptions extends Omit<WebOptions, "signal" | "t"> {
  /** A SearXNG instance, asked first; it need not be public. */
  readonly searxngUrl?: string;
  /** The user's keys; an engine with a key is asked before those that need none. */
  readonly searchKeys?: { readonly [engine in KeyedEngine]?: string | undefined };
  /** Where the engines are, for tests and mirrors (`https://cn.bing.com`). */
  readonly bases?: { readonly [engine in "baidu" | "bing" | "duckduckgo" | KeyedEngine]?: string };
  /** Milliseconds; default Date.now. */
  readonly now?: () => number;
}

export interface SearchAnswer {
  /** Who answered; undefined when every engine that answered found nothing. */
  readonly engine: string | undefined;
  readonly results: readonly SearchResult[];
  /** What each engine before said, one entry each. */
  readonly notes: readonly string[];
}

export interface SearchQuery {
  readonly query: string;
  readonly num: number;
  /** A language and region such as `zh-CN`. */
  readonly locale: string;
}

export interface Search {
  /** Throws WebError `blocked` when no engine answered, or the signal's reason when aborted. */
  search(query: SearchQuery, t: T, signal: AbortSignal): Promise<SearchAnswer>;
}

const MINUTE = 60_000;
const REST_MS = 5 * MINUTE;

/** A snippet is a hint, not the page. */
const SNIPPET_CHARS = 500;

/**
 * Makes the chain SearXNG → Brave → Tavily → Bocha (those that are configured) → Baidu → Bing → DuckDuckGo,
 * with its rests and its cache.
 */
export function createSearch(options: SearchOptions = {}): Search {
  const { bases = {}, now = Date.now } = options;
  const { searchKeys: keys = {} } = options;
  const engines = [
    ...keys.brave ? [brave(keys.brave, bases.brave)] : [],
    ...keys.tavily ? [tavily(keys.tavily, bases.tavily)] : [],
    ...keys.bocha ? [bocha(keys.bocha, bases.bocha)] : [],
    baidu(bases.baidu),
    bing(bases.bing),
    duckduckgo(bases.duckduckgo),
  ];
  const allow = [...options.allow ?? []];
  if (options.searxngUrl) {
    const own = new URL(options.searxngUrl);
    engines.unshift(searxng(own));
    allow.push(`${own.hostname}:${portOf(own)}`);
  }
  const resting = new Map<string, number>();
  const cache = new TtlCache<SearchAnswer>(15 * MINUTE, 100, now);

  async function askAll(query: SearchQuery, web: WebOptions): Promise<SearchAnswer> {
    const { t } = web;
    const notes: string[] = [];
    let answered = false;
    for (const engine of engines) {
      const rest = (resting.get(engine.name) ?? 0) - now();
      if (rest > 0) {
        const seconds = Math.ceil(rest / 1000);
        notes.push(
          t("{engine} did not answer lately and rests {seconds} s more", {
            engine: engine.name,
            seconds,
          }),
        );
        continue;
      }
      try {
        const parsed = withoutDecoys(engine, query.query, await ask(engine, query, web));
        if (!("results" in parsed)) {
          resting.set(engine.name, now() + REST_MS);
          const [key, why] = "refused" in parsed
            ? ["{engine} does not accept the configured key: {why}", parsed.refused] as const
            : ["{engine} blocked it: {why}", parsed.blocked] as const;
          notes.push(t(key, { engine: engine.name, why }));
          continue;
        }
        const results = distinct(parsed.results).slice(0, query.num);
        if (results.length > 0) return { engine: engine.name, results, notes };
        answered = true;
        notes.push(t("{engine} found nothing", { engine: engine.name }));
      } catch (error) {
        if (web.signal.aborted) throw error;
        // ten seconds lost once are enough; a refused connection costs nothing
        if (error instanceof WebError && error.kind === "timeout") {
          resting.set(engine.name, now() + REST_MS);
        }
        const why = errorMessage(error);
        notes.push(t("{engine} failed: {why}", { engine: engine.name, why }));
      }
    }
    if (answered) return { engine: undefined, results: [], notes };
    const values = { query: query.query, notes: notes.join("; ") };
    throw new WebError(
      "blocked",
      t(
        'Cannot search "{query}": no engine answered ({notes}). This does not mean there are no results. Try later, WebFetch a known URL, or configure one of searxng_url, brave_api_key, tavily_api_key, bocha_api_key',
        values,
      ),
    );
  }

  return {
    async search(query, t, signal) {
      const key = JSON.stringify([query.query, query.num, query.locale]);
      const cached = cache.get(key);
      if (cached) return cached;
      const answer = await askAll(query, { ...options, allow, t, signal });
      if (answer.engine) cache.set(key, answer);
      return answer;
    },
  };
}

/**
 * Turns `lang_zh-CN`, `lang_en` or a bare `en` into a locale with a region; undefined when it is neither.
 * Without `lr` the query's own script decides.
 */
export function localeOf(lr: string | undefined, query: string): string | undefined {
  if (!lr) return /\p{Script=Han}/u.test(query) ? "zh-CN" : "en-US";
  const [, language = "", region] = /^(?:lang_)?([a-z]{2})(?:[-_]([a-z]{2}))?$/i.exec(lr.trim()) ??
    [];
  if (!language) return undefined;
  const usual: Record<string, string> = { en: "US", zh: "CN", ja: "JP", ko: "KR" };
  const code = language.toLowerCase();
  return `${code}-${(region ?? usual[code] ?? code).toUpperCase()}`;
}

async function ask(engine: Engine, query: SearchQuery, web: WebOptions) {
  const request = engine.request(query.query, query.num, query.locale);
  const { status, headers, body } = await webRequest(request.url, request, web);
  return await engine.parse(
    status,
    headers,
    decodePage(body, headers.get("content-type") ?? ""),
  );
}

function withoutDecoys(engine: Engine, query: string, parsed: Parsed): Parsed {
  if (!engine.decoys || !("results" in parsed) || parsed.results.length < 3) return parsed;
  const terms = termsOf(query);
  const text = parsed.results.flatMap(({ title, url, snippet }) => [title, url, snippet]).join(" ")
    .toLowerCase();
  const related = terms.length === 0 || terms.some((term) => text.includes(term));
  return related ? parsed : { blocked: "results unrelated to the query" };
}

/** The words of a query, Han text in pairs of characters. */
function termsOf(query: string): string[] {
  const words = query.toLowerCase().match(/\p{Script=Han}+|[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.flatMap((word) =>
    /^\p{Script=Han}/u.test(word) && word.length > 2
      ? Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2))
      : [word]
  );
}

function distinct(results: readonly SearchResult[]): readonly SearchResult[] {
  const seen = new Map<string, SearchResult>();
  for (const result of results) {
    if (!/^https?:/.test(result.url) || seen.has(result.url)) continue;
    seen.set(result.url, {
      ...result,
      snippet: result.snippet.slice(0, SNIPPET_CHARS).toWellFormed(),
    });
  }
  return [...seen.values()];
}
