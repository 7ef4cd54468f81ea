/** A web page as text a model can read. */
import { say } from "../text.ts";
import type { Lang } from "../types.ts";
import { botWall } from "./bot_wall.ts";
import { decodePage } from "./charset.ts";
import { WebError } from "./error.ts";
import type { Article } from "./markdown.ts";
import { requireWebUrl, type WebOptions, webRequest } from "./request.ts";

export interface Page {
  /** Where the redirects ended. */
  readonly url: string;
  readonly status: number;
  /** Media type without parameters. */
  readonly type: string;
  readonly title: string;
  /** Markdown for HTML, the text itself for other text; at most 50,000 characters. */
  readonly text: string;
  /** Of the body, decompressed. */
  readonly bytes: number;
  /** True when the page was longer than what is kept. */
  readonly cut: boolean;
}

const MAX_CHARS = 50_000;

/**
 * Fetches a public http(s) page and turns it into text. Throws WebError for an address that is not public,
 * a timeout, an error status, a bot wall or a body that is not text; the signal's reason when aborted.
 */
export async function fetchPage(address: string, options: WebOptions): Promise<Page> {
  const { lang } = options;
  const trimmed = address.trim();
  if (!URL.canParse(trimmed)) {
    throw new WebError("url", say(lang, "web.bad_url", { url: JSON.stringify(trimmed) }));
  }
  const start = new URL(trimmed);
  requireWebUrl(start, options);
  const response = await webRequest(start, {
    headers: { "accept-language": lang === "zh" ? "zh-CN,zh;q=0.9,en;q=0.8" : "en,zh-CN;q=0.5" },
    wants: (_status, headers) => mayBeText(mediaType(headers)),
  }, options);
  const { status, headers, body } = response;
  const url = response.url.href;
  const type = mediaType(headers);
  const fail = status < 200 || status > 299;
  if (!fail && (!mayBeText(type) || isBinary(body, headers))) {
    const size = sizeText(lang, body.length, headers);
    const name = type || "application/octet-stream";
    throw new WebError("type", say(lang, "web.not_text", { url, type: name, size }));
  }
  const source = decodePage(body, headers.get("content-type") ?? "");
  const html = isHtml(type, source);
  const read = html ? await readHtml(source, response.url) : undefined;
  const { title = "", markdown: text = source } = read ?? {};
  const who = html || fail ? botWall(status, headers, source, text) : undefined;
  if (who) throw new WebError("blocked", say(lang, "web.blocked", { url, who, status }));
  if (fail) {
    const said = (title || text).replace(/\s+/g, " ").trim().slice(0, 200);
    const values = { url, status, text: said && `: ${said}` };
    throw new WebError("status", say(lang, "web.status", values));
  }
  const kept = text.slice(0, MAX_CHARS).toWellFormed();
  const cut = response.cut || read?.cut === true || kept.length < text.length;
  return { url, status, type, title, text: kept, bytes: body.length, cut };
}

async function readHtml(source: string, url: URL): Promise<Article> {
  const { htmlToMarkdown } = await import("./markdown.ts");
  return await htmlToMarkdown(source, url, MAX_CHARS);
}

function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

function mayBeText(type: string): boolean {
  return /^$|^text\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|toml|sql|x-sh|x-ndjson|graphql|octet-stream)$/
    .test(type);
}

function isHtml(type: string, text: string): boolean {
  if (/^(text\/html|application\/xhtml\+xml)$/.test(type)) return true;
  return type === "" && /^\s*(<!doctype html|<html|<head|<body)/i.test(text.slice(0, 1000));
}

function isBinary(body: Uint8Array, headers: Headers): boolean {
  if (/utf-?16/i.test(headers.get("content-type") ?? "")) return false;
  const bom = (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
  return !bom && body.subarray(0, 8192).includes(0);
}

function sizeText(lang: Lang, read: number, headers: Headers): string {
  const bytes = Number(headers.get("content-length")) || read;
  if (bytes === 0) return say(lang, "web.size_unknown");
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
}
