/** RSS and Atom → Markdown: a heading, a date and a text per entry. */
import { type Article, htmlToMarkdown } from "./markdown.ts";
import { childrenOf, descendant, type Element, isElement, parseTree, textOf } from "./parse.ts";

/** How much is shown of an entry's own text. */
const ENTRY_CHARS = 2000;

/** Converts a feed; undefined when the XML is none. */
export async function feedToMarkdown(
  xml: string,
  base: URL,
  maxChars: number,
): Promise<Article | undefined> {
  const root = await parseTree(xml, true);
  const feed = descendant(root, ({ name }) => /^(rss|feed|rdf:RDF)$/.test(name));
  if (!feed) return undefined;
  const channel = child(feed, /^channel$/) ?? feed;
  const title = textIn(channel, /^title$/);
  const parts = title ? [`# ${title}`] : [];
  const entries = [...childrenOf(channel), ...channel === feed ? [] : childrenOf(feed)]
    .filter(isElement).filter(({ name }) => /^(item|entry)$/.test(name));
  let size = 0;
  for (const entry of entries) {
    const text = await entryText(entry, base);
    parts.push(text);
    size += text.length;
    if (size > maxChars) break;
  }
  return { title, markdown: parts.join("\n\n"), cut: size > maxChars };
}

async function entryText(entry: Element, base: URL): Promise<string> {
  const title = textIn(entry, /^title$/) || "-";
  const link = linkOf(entry);
  const url = link && URL.canParse(link, base) ? new URL(link, base).href : "";
  const date = textIn(entry, /^(pubDate|published|updated|dc:date)$/);
  const body = child(entry, /^(description|summary)$/) ?? child(entry, /^content(:encoded)?$/);
  const text = body ? (await htmlToMarkdown(textOf(body), base, ENTRY_CHARS)).markdown : "";
  const lines = [`## ${url ? `[${title}](${url})` : title}`, date, text];
  return lines.filter(Boolean).join("\n\n");
}

function linkOf(entry: Element): string {
  const links = childrenOf(entry).filter(isElement).filter(({ name }) => name === "link");
  const best = links.find(({ attribs }) => attribs.rel === "alternate") ?? links[0];
  return best ? best.attribs.href ?? textOf(best).trim() : "";
}

function child(node: Element, name: RegExp): Element | undefined {
  return childrenOf(node).filter(isElement).find((element) => name.test(element.name));
}

function textIn(node: Element, name: RegExp): string {
  const found = child(node, name);
  return found ? textOf(found).replace(/\s+/g, " ").trim() : "";
}
