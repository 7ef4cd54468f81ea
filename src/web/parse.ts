/** HTML → tree, in bounded time. */
import type { CheerioAPI, load } from "cheerio/slim";

/** A node of the parsed tree. */
export type Node = Exclude<Parameters<typeof load>[0], string | readonly unknown[] | Uint8Array>;
/** A node with a name and attributes. */
export type Element = Extract<Node, { attribs: unknown }>;

export interface ParsedPage {
  readonly $: CheerioAPI;
  /** True when the page had more tags than are read. */
  readonly cut: boolean;
}

/** The parser takes quadratic time on unclosed tags; this many take at most about a second. */
const MAX_TAGS = 25_000;

/** Parses the page's first 25,000 tags. */
export async function parsePage(html: string): Promise<ParsedPage> {
  const { load } = await import("cheerio/slim");
  const source = firstTags(html, MAX_TAGS);
  return { $: load(source), cut: source.length < html.length };
}

/** True when elements nest deeper than `max`, so that recursion over them could overflow the stack. */
export function deeperThan(max: number, top: readonly Node[]): boolean {
  let level = top;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}

/** The node's children; none for text and comments. */
export function childrenOf(node: Node): readonly Node[] {
  return "children" in node ? node.children : [];
}

/** True for an element, whatever its name. */
export function isElement(node: Node): node is Element {
  return "attribs" in node;
}

/** All text in the node, in order, without recursion, blocks on lines of their own; scripts and styles have none. */
export function textOf(node: Node): string {
  const parts: string[] = [];
  const stack: Node[] = [node];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === "text") parts.push(next.data);
    if (next.type === "script" || next.type === "style") continue;
    if (
      isElement(next) && /^(address|br|dd|div|dt|h[1-6]|li|p|section|td|th|tr)$/.test(next.name)
    ) {
      parts.push("\n");
    }
    const children = childrenOf(next);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
  return parts.join("");
}

/** The first element inside `node` that passes `test`, without recursion. */
export function descendant(node: Node, test: (element: Element) => boolean): Element | undefined {
  const stack = [...childrenOf(node)].reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (isElement(next) && test(next)) return next;
    const children = childrenOf(next);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
  return undefined;
}

function firstTags(html: string, max: number): string {
  let tags = 0;
  for (const match of html.matchAll(/<[a-z/]/gi)) {
    if (++tags > max) return html.slice(0, match.index);
  }
  return html;
}
