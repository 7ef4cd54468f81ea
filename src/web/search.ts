/** Web search through a chain of engines: the first that answers wins. */
import { say } from "../text.ts";
import type { Lang } from "../types.ts";
import { baidu } from "./baidu.ts";
import { bing } from "./bing.ts";
import { TtlCache } from "./cache.ts";
import { decodePage } from "./charset.ts";
import { duckduckgo } from "./duckduckgo.ts";
import type { Engine, SearchResult } from "./engine.ts";
import { WebError } from "./error.ts";
import { portOf } from "./guard.ts";
import { type WebOptions, webRequest } from "./request.ts";
import { searxng } from "./searxng.ts";

export interface SearchOptions extends Omit<WebOptions, "signal" | "lang"> {
  /** A SearXNG instance, asked first; it need not be public. */
  readonly searxngUrl?: string;
  /** Where the engines are, for tests and mirrors (`https://cn.bing.com`). */
  readonly bases?: { readonly [engine in "baidu" | "bing" | "duckduckgo"]?: string };
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
  search(query: SearchQuery, lang: Lang, signal: AbortSignal): Promise<SearchAnswer>;
}

const MINUTE = 60_000;
const REST_MS = 5 * MINUTE;

/** Makes the chain SearXNG (if configured) → Baidu → Bing → DuckDuckGo, with its rests and its cache. */
export function createSearch(options: SearchOptions = {}): Search {
  const { bases = {}, now = Date.now } = options;
  const engines = [baidu(bases.baidu), bing(bases.bing), duckduckgo(bases.duckduckgo)];
  const allow = [...options.allow ?? []];
  if (options.searxngUrl) {
    const own = new URL(options.searxngUrl);
    engines.unshift(searxng(own));
    allow.push(`${own.hostname}:${portOf(own)}`);
  }
  const resting = new Map<string, number>();
  const cache = new TtlCache<SearchAnswer>(15 * MINUTE, 100, now);

  async function askAll(query: SearchQuery, web: WebOptions): Promise<SearchAnswer> {
    const { lang } = web;
    const notes: string[] = [];
    let answered = false;
    for (const engine of engines) {
      const rest = (resting.get(engine.name) ?? 0) - now();
      if (rest > 0) {
        const seconds = Math.ceil(rest / 1000);
        notes.push(say(lang, "web.engine_resting", { engine: engine.name, seconds }));
        continue;
      }
      try {
        const parsed = await ask(engine, query, web);
        if ("blocked" in parsed) {
          resting.set(engine.name, now() + REST_MS);
          const values = { engine: engine.name, why: parsed.blocked };
          notes.push(say(lang, "web.engine_blocked", values));
          continue;
        }
        const results = distinct(parsed.results).slice(0, query.num);
        if (results.length > 0) return { engine: engine.name, results, notes };
        answered = true;
        notes.push(say(lang, "web.engine_empty", { engine: engine.name }));
      } catch (error) {
        if (web.signal.aborted) throw error;
        const why = error instanceof Error ? error.message : String(error);
        notes.push(say(lang, "web.engine_failed", { engine: engine.name, why }));
      }
    }
    if (answered) return { engine: undefined, results: [], notes };
    const values = { query: query.query, notes: notes.join("; ") };
    throw new WebError("blocked", say(lang, "web.search_failed", values));
  }

  return {
    async search(query, lang, signal) {
      const key = JSON.stringify([query.query, query.num, query.locale]);
      const cached = cache.get(key);
      if (cached) return cached;
      const answer = await askAll(query, { ...options, allow, lang, signal });
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

function distinct(results: readonly SearchResult[]): readonly SearchResult[] {
  const seen = new Map<string, SearchResult>();
  for (const result of results) {
    if (/^https?:/.test(result.url) && !seen.has(result.url)) seen.set(result.url, result);
  }
  return [...seen.values()];
}
