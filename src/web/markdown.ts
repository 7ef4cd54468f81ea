/** HTML → Markdown in one walk; time and output are bounded whatever the page holds. */
import { MarkdownWriter } from "./markdown_writer.ts";
import { type Content, contentOf } from "./content.ts";
import {
  childrenOf,
  descendant,
  type Element,
  isElement,
  type Node,
  parseTree,
  textOf,
} from "./parse.ts";

/** A cell; undefined where another cell's colspan reaches. */
type Cell = Element | undefined;

/** The table's rows, without those of tables inside it; undefined when it arranges the page instead of showing data. */
function rowsOf(table: Element): readonly (readonly Cell[])[] | undefined {
  if (descendant(table, ({ name }) => /^(table|pre|ul|ol|blockquote|h[1-6])$/.test(name))) return;
  const groups = table.children.flatMap((child) =>
    isElement(child) && /^(thead|tbody|tfoot)$/.test(child.name) ? child.children : [child]
  ).filter((child) => !(isElement(child) && /^(caption|colgroup)$/.test(child.name)));
  const rows = groups.filter(isRow);
  const outside = groups.filter((child) => !isRow(child)).concat(
    rows.flatMap((row) => row.children.filter((child) => !isCell(child))),
  );
  if (outside.some((node) => textOf(node).trim())) return;
  const cells = rows.map(cellsOf);
  return widthOf(cells) < 2 ? undefined : cells;
}

/** The lines of a Markdown table; stops after the row that passes `maxChars`. */
function tableLines(
  rows: readonly (readonly Cell[])[],
  maxChars: number,
  textOfCell: (cell: Element) => string,
): readonly string[] {
  const width = widthOf(rows);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(Array<string>(width).fill("---"));
  const headed = rows[0]?.some((cell) => cell?.name === "th");
  const lines = headed ? [] : [line(Array<string>(width).fill("")), rule];
  let size = 0;
  for (const row of rows) {
    const cells = row.map((cell) => cell ? textOfCell(cell).replaceAll("|", "\\|") : "");
    const text = line([...cells, ...Array<string>(width - row.length).fill("")]);
    lines.push(text);
    if (headed && lines.length === 1) lines.push(rule);
    size += text.length;
    if (size > maxChars) break;
  }
  return lines;
}

function cellsOf(row: Element): Cell[] {
  return row.children.filter(isElement).filter(({ name }) => /^t[dh]$/.test(name)).flatMap(
    (cell) => {
      const span = Math.min(20, Math.max(1, Number(cell.attribs.colspan) || 1));
      return [cell, ...Array<Cell>(span - 1).fill(undefined)];
    },
  );
}

function isRow(node: Node): node is Element {
  return isElement(node) && node.name === "tr";
}

function isCell(node: Node): node is Element {
  return isElement(node) && /^t[dh]$/.test(node.name);
}

function widthOf(rows: readonly (readonly Cell[])[]): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}

export interface Article {
  /** Empty when the page has none. */
  readonly title: string;
  readonly markdown: string;
  /** True when the page was longer than what was read. */
  readonly cut: boolean;
  /** What the page says of itself in its head. */
  readonly description?: string;
  /** Where the page sends its reader at once. */
  readonly refresh?: URL;
}

interface Walk {
  readonly writer: MarkdownWriter;
  readonly content: Content;
  readonly base: URL;
  readonly maxChars: number;
}

const BLOCKS = new Set(
  ("address article aside blockquote body details dd div dl dt fieldset figcaption figure form h1 h2 " +
    "h3 h4 h5 h6 header hr html li main ol p pre section summary table tbody td th thead tr ul")
    .split(" "),
);
/** Control, direction and tag characters: they can hide text from the user that the model reads. */
const INVISIBLE =
  /[^\P{Cc}\n\t]|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Converts a page to at most about `maxChars` of Markdown; `page` resolves its links unless the page names another base. */
export async function htmlToMarkdown(html: string, page: URL, maxChars: number): Promise<Article> {
  const root = await parseTree(html);
  const { title, base = "", description, refresh } = headOf(root);
  const writer = new MarkdownWriter(maxChars);
  const content = contentOf(root);
  const from = URL.canParse(base, page) ? new URL(base, page) : page;
  children(content.node, { writer, content, base: from, maxChars });
  const to = refresh && absolute(refresh, from);
  return {
    title,
    markdown: tidy(writer.toString()),
    cut: writer.full,
    ...description && { description },
    ...to && { refresh: new URL(to) },
  };
}

interface Head {
  title: string;
  heading?: string;
  base?: string;
  description?: string;
  refresh?: string;
}

/** What the page says of itself; the first of each counts. */
function headOf(root: Node): Head {
  const head: Head = { title: "" };
  const look = (node: Node) => {
    if (isElement(node)) {
      const { name, attribs } = node;
      if (name === "title" && !head.title) head.title = oneLine(textOf(node));
      else if (name === "h1") head.heading ||= oneLine(textOf(node));
      else if (name === "base") head.base ??= attribs.href;
      else if (name === "meta") meta(attribs, head);
    }
    for (const child of childrenOf(node)) if (child.type !== "text") look(child);
  };
  look(root);
  return { ...head, title: head.title || (head.heading ?? "") };
}

function meta(attribs: Element["attribs"], head: Head): void {
  const name = attribs.name ?? attribs.property ?? attribs["http-equiv"] ?? "";
  const content = attribs.content ?? "";
  if (/^(og:)?description$/i.test(name)) head.description ||= oneLine(content);
  if (!/^refresh$/i.test(name)) return;
  head.refresh ??= /^\s*[0-5](?:\.\d*)?\s*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(content)?.[1]
    ?.trim();
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
  else if (!walk.content.isFrame(node)) element(node, walk);
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
      return spaced(textOf(node), writer, (code) => inlineCode(code, writer));
    case "sup":
    case "sub":
      return spaced(textOf(node), writer, (text) => {
        raised(node.name === "sup" ? "^" : "_", text, writer);
      });
    case "math":
      return formula(node, writer);
    case "a":
      return link(node, walk);
    case "img":
      return image(node, walk);
    case "pre":
      return codeBlock(node, walk);
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

/** Writes what is one piece; the blanks at its ends stand around it. */
function spaced(text: string, writer: MarkdownWriter, write: (line: string) => void): void {
  if (/^\s/.test(text)) writer.text(" ");
  write(oneLine(text));
  if (/\s$/.test(text)) writer.text(" ");
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
  if (url && descendant(node, ({ name }) => /^h[1-6]$/.test(name))) {
    children(node, walk);
    return writer.text(` <${url}>`);
  }
  // a link that leads nowhere else is a word or the permalink of a heading
  const [only, more] = node.children;
  const text = url || (only?.type === "text" && !more) ? textOf(node) : "";
  const label = oneLine(text);
  if (/^[¶#§\u200b]$/.test(label)) return;
  if (url && label) spaced(text, writer, (words) => writer.mark(`[${words}](${url})`));
  else children(node, walk);
}

function image({ attribs }: Element, { writer, base }: Walk): void {
  const alt = oneLine(attribs.alt ?? "");
  const url = absolute(attribs.src ?? "", base);
  if (alt && url && /^https?:/.test(url)) writer.mark(`![${alt}](${url})`);
}

function codeBlock(node: Element, { writer, content }: Walk): void {
  const code = codeText(node, content).replace(/^\n/, "").trimEnd();
  if (!code.trim()) return;
  if (writer.flat) return inlineCode(oneLine(code), writer);
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  const lines = [fence + languageOf(node), ...code.split(/\r?\n/), fence];
  block(writer, () => writer.lines(lines));
}

function codeText(node: Node, content: Content): string {
  if (node.type === "text") return node.data;
  if (isElement(node)) {
    if (node.name === "br") return "\n";
    // rustdoc's line numbers
    if (content.isFrame(node) || "data-nosnippet" in node.attribs) return "";
  }
  return childrenOf(node).map((child) => codeText(child, content)).join("");
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
  const { writer, maxChars } = walk;
  const rows = rowsOf(node);
  if (writer.flat || !rows) return block(writer, () => children(node, walk));
  const caption = node.children.find((part) => isElement(part) && part.name === "caption");
  if (caption) block(writer, () => children(caption, walk));
  const lines = tableLines(rows, maxChars, (cell) => {
    const inner = new MarkdownWriter(maxChars, true);
    children(cell, { ...walk, writer: inner });
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

/** No trailing blanks, no control characters, nothing that a reader would not see. */
function tidy(markdown: string): string {
  const lines = markdown.split("\n").map((line) => line.trimEnd());
  return lines.join("\n").replace(INVISIBLE, "").trim();
}
