/** HTML → Markdown in one walk; time and output are bounded whatever the page holds. */
import { MarkdownWriter } from "./markdown_writer.ts";
import { rowsOf, tableLines } from "./markdown_table.ts";
import {
  childrenOf,
  deeperThan,
  descendant,
  type Element,
  isElement,
  type Node,
  parsePage,
  textOf,
} from "./parse.ts";

export interface Article {
  /** Empty when the page has none. */
  readonly title: string;
  readonly markdown: string;
  /** True when the page was longer than what was read. */
  readonly cut: boolean;
}

interface Walk {
  readonly writer: MarkdownWriter;
  readonly base: URL;
  readonly maxChars: number;
}

/** Beyond this nesting a walk could overflow the stack. */
const MAX_DEPTH = 512;
/** An element is the page's content when it holds this share of the text. */
const CONTENT_SHARE = 0.6;

const SKIPPED = new Set(
  ("head title script style noscript template nav footer svg canvas iframe object embed video audio " +
    "button input select textarea dialog").split(" "),
);
const BLOCKS = new Set(
  ("address article aside blockquote body details dd div dl dt fieldset figcaption figure form h1 h2 " +
    "h3 h4 h5 h6 header hr html li main ol p pre section summary table tbody td th thead tr ul")
    .split(" "),
);
/** Line numbers, permalinks and edit links of the usual documentation tools. */
const NOISE_CLASS =
  /(^|\s)(linenos?|lineno|gutter|headerlink|anchor-link|hash-link|header-anchor|mw-editsection)(\s|$)/;

/**
 * Converts a page to at most about `maxChars` of Markdown; `base` resolves its links.
 * A page nested too deeply comes back as bare text.
 */
export async function htmlToMarkdown(html: string, base: URL, maxChars: number): Promise<Article> {
  const { $, cut } = await parsePage(html);
  const root = $.root().get(0)!;
  if (deeperThan(MAX_DEPTH, [root])) {
    return { title: "", markdown: tidy(textOf(root).replace(/\n\s+/g, "\n")), cut };
  }
  const title = titleOf(root);
  const writer = new MarkdownWriter(maxChars);
  children(mainContent(root), { writer, base, maxChars });
  return { title, markdown: tidy(writer.toString()), cut: cut || writer.full };
}

function titleOf(root: Node): string {
  for (const name of ["title", "h1"]) {
    const found = descendant(root, (element) => element.name === name);
    if (found && textOf(found).trim()) return oneLine(textOf(found));
  }
  return "";
}

/** The smallest content element that still holds most of the visible text, else the whole page. */
function mainContent(root: Node): Node {
  const found: { node: Node; size: number }[] = [];
  const measure = (node: Node): number => {
    if (node.type === "text") return node.data.trim().length;
    if (isElement(node) && isNoise(node)) return 0;
    const size = childrenOf(node).reduce((sum, child) => sum + measure(child), 0);
    if (isElement(node) && (/^(main|article)$/.test(node.name) || node.attribs.role === "main")) {
      found.push({ node, size });
    }
    return size;
  };
  const least = measure(root) * CONTENT_SHARE;
  let best = { node: root, size: Infinity };
  for (const candidate of found) {
    if (candidate.size >= least && candidate.size < best.size) best = candidate;
  }
  return best.node;
}

function isNoise({ name, attribs, parent }: Element): boolean {
  if (SKIPPED.has(name) || NOISE_CLASS.test(attribs.class ?? "")) return true;
  if ("hidden" in attribs || attribs["aria-hidden"] === "true") return true;
  if (/^(navigation|search)$/.test(attribs.role ?? "")) return true;
  if (/display\s*:\s*none/i.test(attribs.style ?? "")) return true;
  const top = parent && "name" in parent && parent.name === "body";
  return Boolean(top) && /^(header|aside)$/.test(name);
}

function children(node: Node, walk: Walk): void {
  for (const next of childrenOf(node)) {
    if (walk.writer.full) return;
    child(next, walk);
  }
}

function child(node: Node, walk: Walk): void {
  if (node.type === "text") walk.writer.text(node.data);
  else if (!isElement(node)) children(node, walk);
  else if (!isNoise(node)) element(node, walk);
}

function element(node: Element, walk: Walk): void {
  const { writer } = walk;
  const inside = () => children(node, walk);
  switch (node.name) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return writer.heading(Number(node.name[1]), inside);
    case "br":
      return writer.break(1);
    case "hr":
      return block(writer, () => writer.mark("---"));
    case "b":
    case "strong":
      return writer.around("**", inside);
    case "i":
    case "em":
      return writer.around("*", inside);
    case "s":
    case "del":
    case "strike":
      return writer.around("~~", inside);
    case "code":
    case "kbd":
    case "samp":
    case "tt":
      return inlineCode(oneLine(textOf(node)), writer);
    case "sup":
    case "sub":
      return raised(node.name === "sup" ? "^" : "_", oneLine(textOf(node)), writer);
    case "math":
      return formula(node, writer);
    case "a":
      return link(node, walk);
    case "img":
      return image(node, walk);
    case "pre":
      return codeBlock(node, writer);
    case "blockquote":
      return block(writer, () => writer.prefixed("> ", "> ", false, inside));
    case "dd":
      return block(writer, () => writer.prefixed("  ", "  ", false, inside));
    case "ul":
    case "ol":
      return list(node, walk);
    case "table":
      return table(node, walk);
    default:
      return BLOCKS.has(node.name) ? block(writer, inside) : inside();
  }
}

function block(writer: MarkdownWriter, inside: () => void): void {
  writer.break(2);
  inside();
  writer.break(2);
}

function inlineCode(code: string, writer: MarkdownWriter): void {
  if (!code) return;
  const fence = "`".repeat(longestRun(code) + 1);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  writer.mark(fence + pad + code + pad + fence);
}

/** Without the mark 10⁶ would read as 106; a footnote's `[1]` needs none. */
function raised(mark: string, text: string, writer: MarkdownWriter): void {
  if (text) writer.mark(text.startsWith("[") ? text : mark + text);
}

function formula(node: Element, writer: MarkdownWriter): void {
  const tex = descendant(node, ({ name }) => name === "annotation");
  writer.text(tex ? `$${textOf(tex).trim()}$` : textOf(node));
}

function link(node: Element, walk: Walk): void {
  const { writer, base } = walk;
  const href = node.attribs.href ?? "";
  const url = /^\s*(#|javascript:|data:)/i.test(href) ? undefined : absolute(href, base);
  const label = oneLine(textOf(node));
  if (/^[¶#§]$/.test(label)) return;
  if (!url || !label) return children(node, walk);
  if (descendant(node, ({ name }) => /^h[1-6]$/.test(name))) {
    children(node, walk);
    writer.text(` <${url}>`);
  } else writer.mark(`[${label}](${url})`);
}

function image({ attribs }: Element, { writer, base }: Walk): void {
  const alt = oneLine(attribs.alt ?? "");
  const url = absolute(attribs.src ?? "", base);
  if (alt && url && /^https?:/.test(url)) writer.mark(`![${alt}](${url})`);
}

function codeBlock(node: Element, writer: MarkdownWriter): void {
  const code = codeText(node).replace(/^\n/, "").trimEnd();
  if (!code.trim()) return;
  if (writer.flat) return inlineCode(oneLine(code), writer);
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  const lines = [fence + languageOf(node), ...code.split(/\r?\n/), fence];
  block(writer, () => writer.lines(lines));
}

function codeText(node: Node): string {
  if (node.type === "text") return node.data;
  if (isElement(node)) {
    if (node.name === "br") return "\n";
    if (isNoise(node)) return "";
  }
  return childrenOf(node).map(codeText).join("");
}

/** The language named by a class of the block, of its `<code>`, or of the wrappers highlighters put around it. */
function languageOf(pre: Element): string {
  const around = pre.parent;
  for (const node of [pre.children.find(isElement), pre, around, around?.parent]) {
    if (!node || !isElement(node)) continue;
    const found = /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\s*)([\w+#-]+)/
      .exec(node.attribs.class ?? "")?.[1];
    if (found && !/^(default|none|text|notranslate)$/.test(found)) return found;
  }
  return "";
}

function list(node: Element, walk: Walk): void {
  const { writer } = walk;
  const nested = hasAncestor(node, "li");
  let number = Number(node.attribs.start ?? 1) || 1;
  let first = true;
  writer.break(nested ? 1 : 2);
  for (const item of node.children) {
    if (writer.full) return;
    if (!isElement(item) || item.name !== "li") {
      child(item, walk);
      continue;
    }
    const mark = node.name === "ol" ? `${number++}. ` : "- ";
    writer.break(1);
    writer.prefixed(mark, " ".repeat(mark.length), !first || nested, () => children(item, walk));
    first = false;
  }
  writer.break(nested ? 1 : 2);
}

function table(node: Element, walk: Walk): void {
  const { writer, base, maxChars } = walk;
  const rows = rowsOf(node);
  if (writer.flat || !rows) return block(writer, () => children(node, walk));
  const caption = node.children.find((part) => isElement(part) && part.name === "caption");
  if (caption) block(writer, () => children(caption, walk));
  const lines = tableLines(rows, maxChars, (cell) => {
    const inner = new MarkdownWriter(maxChars, true);
    children(cell, { writer: inner, base, maxChars });
    return inner.toString();
  });
  block(writer, () => writer.lines(lines));
}

function hasAncestor(node: Element, name: string): boolean {
  for (let up = node.parent; up; up = up.parent) if (isElement(up) && up.name === name) return true;
  return false;
}

function longestRun(code: string): number {
  return (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

function absolute(href: string, base: URL): string | undefined {
  return href.trim() && URL.canParse(href, base) ? new URL(href, base).href : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** No trailing blanks and no control characters. */
function tidy(markdown: string): string {
  const lines = markdown.split("\n").map((line) => line.trimEnd());
  return lines.join("\n").replace(/[^\P{Cc}\n\t]/gu, "").trim();
}
