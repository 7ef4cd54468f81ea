/** HTML → Markdown, bounded whatever the page holds. */
import type { CheerioAPI, load } from "cheerio/slim";

export interface Article {
  /** Empty when the page has none. */
  readonly title: string;
  readonly markdown: string;
  /** True when the page had more tags than are read. */
  readonly cut: boolean;
}

type Node = Exclude<Parameters<typeof load>[0], string | readonly unknown[] | Uint8Array>;

/** The parser takes quadratic time on unclosed tags; this many take at most about a second. */
const MAX_TAGS = 25_000;
/** Beyond this nesting the converters would overflow the stack. */
const MAX_DEPTH = 512;
/** Longer runs of blanks are shortened to this; the converter's patterns are quadratic in them. */
const MAX_BLANKS = 200;
/** An element is the page's content when it holds this share of the text. */
const CONTENT_SHARE = 0.6;

const NOISE =
  "script, style, noscript, template, nav, footer, svg, canvas, iframe, object, embed, " +
  "button, input, select, dialog, body > header, body > aside, [hidden], [aria-hidden=true], " +
  "[role=navigation], [role=search], .linenos, .lineno, td.gutter, " +
  "a.headerlink, a.anchor-link, a.hash-link";

/** Converts a page; `base` resolves its links. A page nested too deeply comes back as bare text. */
export async function htmlToMarkdown(html: string, base: URL): Promise<Article> {
  const { load } = await import("cheerio/slim");
  const source = firstTags(html, MAX_TAGS);
  const cut = source.length < html.length;
  const $ = load(source);
  const top: readonly Node[] = $.root().toArray().flatMap((root) => root.children);
  if (isDeep(top)) return { title: "", markdown: tidy(bareText(top)), cut };
  const title = oneLine($("title").first().text()) || oneLine($("h1").first().text());
  strip($);
  flattenCode($);
  plainBlanks($.root().toArray());
  resolveLinks($, base);
  const { toMarkdown } = await import("./turndown.ts");
  return { title, markdown: tidy(toMarkdown(content($))), cut };
}

function firstTags(html: string, max: number): string {
  let tags = 0;
  for (const match of html.matchAll(/<[a-z/]/gi)) {
    if (++tags > max) return html.slice(0, match.index);
  }
  return html;
}

function isDeep(top: readonly Node[]): boolean {
  let level = top;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => "children" in node ? node.children : []);
  }
  return false;
}

function bareText(top: readonly Node[]): string {
  const parts: string[] = [];
  const stack = [...top].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === "text") parts.push(node.data);
    else if ("children" in node && node.type !== "script" && node.type !== "style") {
      if (node.type === "tag" && !/^(a|b|i|em|strong|span|code)$/.test(node.name)) parts.push("\n");
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
    }
  }
  return parts.join("");
}

function strip($: CheerioAPI): void {
  $(NOISE).remove();
  $("a").filter((_, a) => /^[¶#§]?$/.test($(a).text().trim()) && $(a).find("img").length === 0)
    .remove();
}

/** Highlighters' markup inside code blocks goes; the language they name stays as the block's class. */
function flattenCode($: CheerioAPI): void {
  $("pre br").replaceWith("\n");
  $("pre").each((_, pre) => {
    const code = $(pre).text().replace(/\s{200,}/g, (run) => run.slice(0, MAX_BLANKS));
    const near = [$(pre).children().first(), $(pre), $(pre).parent(), $(pre).parent().parent()];
    const language = near.map((element) => languageIn(element.attr("class") ?? "")).find(Boolean);
    $(pre).text(code).attr("class", language ?? null);
  });
}

function languageIn(names: string): string | undefined {
  const found = /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\s*)([\w+#-]+)/.exec(names);
  return found?.[1] && !/^(default|none|text|notranslate)$/.test(found[1]) ? found[1] : undefined;
}

/** No-break and other wide spaces become plain ones, which the converter then collapses. */
function plainBlanks(top: readonly Node[]): void {
  const stack = [...top];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === "text") node.data = node.data.replace(/[^\S\r\n\t ]/g, " ");
    else if ("children" in node && !("name" in node && node.name === "pre")) {
      for (const child of node.children) stack.push(child);
    }
  }
}

function resolveLinks($: CheerioAPI, base: URL): void {
  $("a").each((_, a) => {
    const href = $(a).attr("href") ?? "";
    const target = /^\s*(#|javascript:|data:)/i.test(href) ? undefined : absolute(href, base);
    if (target) $(a).attr("href", target);
    else $(a).removeAttr("href");
  });
  $("img").each((_, img) => {
    const target = absolute($(img).attr("src") ?? "", base);
    const useful = oneLine($(img).attr("alt") ?? "") && target && !target.startsWith("data:");
    if (useful) $(img).attr("src", target);
    else $(img).remove();
  });
}

function absolute(href: string, base: URL): string | undefined {
  return href && URL.canParse(href, base) ? new URL(href, base).href : undefined;
}

/** The smallest of the first content elements that still holds most of the text, else the whole page. */
function content($: CheerioAPI): string {
  const whole = $("body").get(0) ?? $.root().get(0)!;
  const least = textSize($, whole) * CONTENT_SHARE;
  let best = { size: Infinity, html: "" };
  for (const element of $("main, article, [role=main]").toArray().slice(0, 20)) {
    const size = textSize($, element);
    if (size >= least && size < best.size) best = { size, html: $.html(element) };
  }
  return best.html || $.html(whole);
}

function textSize($: CheerioAPI, node: Node): number {
  return $(node).text().replace(/\s+/g, "").length;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function tidy(markdown: string): string {
  const lines = markdown.split("\n").map((line) => line.trimEnd());
  return lines.join("\n").replace(/\n{3,}/g, "\n\n").replace(/[^\P{Cc}\n\t]/gu, "").trim();
}
