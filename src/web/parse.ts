/** HTML or XML → tree, in bounded time and of bounded depth. */
import type { CheerioAPI, load } from "cheerio/slim";

/** A node of the parsed tree. */
export type Node = Exclude<Parameters<typeof load>[0], string | readonly unknown[] | Uint8Array>;
/** A node with a name and attributes. */
export type Element = Extract<Node, { attribs: unknown }>;
/** The whole page. */
export type Root = Extract<Node, { children: unknown; type: "root" }>;

/** Elements deeper than this hang at this depth, so that recursion over the tree is safe. */
const MAX_DEPTH = 400;
/** The parser's own stack makes every tag dearer the deeper it is; from here on only the text counts. */
const HOPELESS_DEPTH = 1000;
/** How much is parsed before the depth is looked at again. */
const CHUNK = 4096;

/** A comment and an end of nothing, which the parser would take for the beginning of one and for text. */
const EMPTY_TAGS = /<[!/]>/g;
const RAW_END = /<\/(?:script|style|title|textarea|iframe|noembed|noframes|xmp)(?=\/)/gi;

/** Spells what browsers take for the end of a comment or a script, and the parser does not. */
function withPlainEnds(html: string): string {
  const source = html.replace(EMPTY_TAGS, "").replace(RAW_END, "$& ");
  if (!source.includes("--!>")) return source;
  let out = "";
  let at = 0;
  for (;;) {
    const start = source.indexOf("<!--", at);
    // `<!-->` is a whole comment
    const empty = /-?>/y;
    empty.lastIndex = start + 4;
    const end = /--!?>/g;
    end.lastIndex = start + 4;
    const match = start < 0 ? null : empty.exec(source) ?? end.exec(source);
    if (!match) return out + source.slice(at);
    out += source.slice(at, match.index) + match[0].replace("!", "");
    at = match.index + match[0].length;
  }
}

/** Parses a page of any shape; time grows with its length alone. */
export async function parseTree(given: string, xml = false): Promise<Root> {
  const source = xml ? given : withPlainEnds(given);
  const { DomHandler, Parser } = await import("htmlparser2");
  const options = { xmlMode: xml, decodeEntities: true };
  const dom = new DomHandler(undefined, options);
  let depth = 0;
  const parser = new Parser({
    onparserinit: (parser) => dom.onparserinit(parser),
    onopentag: (name, attributes) => {
      if (depth++ < MAX_DEPTH) dom.onopentag(name, attributes);
    },
    onclosetag: () => {
      if (--depth < MAX_DEPTH) dom.onclosetag();
    },
    ontext: (text) => dom.ontext(text),
    oncdatastart: () => dom.oncdatastart(),
    oncdataend: () => dom.oncdataend(),
    onend: () => dom.onend(),
  }, options);
  for (let at = 0; at < source.length; at += CHUNK) {
    if (depth > HOPELESS_DEPTH) {
      parser.write(source.slice(at).replace(/<[^<>]*>/g, " "));
      break;
    }
    parser.write(source.slice(at, at + CHUNK));
  }
  parser.end();
  return dom.root as unknown as Root;
}

/** Parses a page for searching it with selectors. */
export async function parsePage(source: string, xml = false): Promise<CheerioAPI> {
  const [{ load }, root] = await Promise.all([import("cheerio/slim"), parseTree(source, xml)]);
  return load(root, { xml });
}

/** The node's children; none for text and comments. */
export function childrenOf(node: Node): readonly Node[] {
  return "children" in node ? node.children : [];
}

/** True for an element, whatever its name. */
export function isElement(node: Node): node is Element {
  return "attribs" in node;
}

/** All text in the node, in order, blocks on lines of their own; scripts and styles have none. */
export function textOf(node: Node): string {
  const parts: string[] = [];
  const add = (next: Node) => {
    if (next.type === "text") parts.push(next.data);
    if (next.type === "script" || next.type === "style") return;
    if (
      isElement(next) && /^(address|br|dd|div|dt|h[1-6]|li|p|section|td|th|tr)$/.test(next.name)
    ) {
      parts.push("\n");
    }
    for (const child of childrenOf(next)) add(child);
  };
  add(node);
  return parts.join("");
}

/** The first element inside `node` that passes `test`. */
export function descendant(node: Node, test: (element: Element) => boolean): Element | undefined {
  for (const child of childrenOf(node)) {
    if (isElement(child) && test(child)) return child;
    const found = descendant(child, test);
    if (found) return found;
  }
  return undefined;
}
