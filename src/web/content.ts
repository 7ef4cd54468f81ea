/** Finds a page's content: which parts are frame (menus, banners, link lists) and where the content begins. */
import { childrenOf, type Element, isElement, type Node, type Root } from "./parse.ts";

export interface Content {
  /** The content element, or the whole page. */
  readonly node: Node;
  /** True for an element that is not to be shown. */
  isFrame(element: Element): boolean;
}

/** Never shown. */
const SKIPPED = new Set(
  ("title script style noscript template nav footer svg canvas iframe object embed video audio " +
    "button input select textarea dialog").split(" "),
);
/** Line numbers, permalinks and edit links of the usual documentation tools. */
const NOISE_CLASS =
  /(^|\s)(linenos?|lineno|gutter|headerlink|anchor-link|hash-link|header-anchor|mw-editsection|hideme)(\s|$)/;
/** Words in a class or id by which sites name what surrounds their content. */
const FRAME_WORD =
  /(?:^|[\s_-])(?:a11y|ads?|advert\w*|announce\w*|author-box|bottom-bar|breadcrumbs?|catlinks|colophon|consent|cookies?|copyright|download-app|feedback|foot|footer\w*|gdpr|hot-\w+|login|masthead|menus?|nav\w*|newsletter|outline|pager|pagination|popular|promos?|rail|ranking|recommend\w*|related|share\w*|sharing|sidebar\w*|sign-?up|skip|social|sponsors?|subscribe|subscription|ticker|tool-?bar|top-?bar|top-?nav|toc|trending|widget\w*)(?=$|[\s_-])/i;
/** Elements whose name may make them frame. */
const NAMEABLE = /^(div|section|aside|header|ul|ol|dl|p|form|table)$/;

/** A named part with this share of links is frame whatever its size. */
const MOSTLY_LINKS = 0.6;
/** A named part is frame when it holds less than this share of the page's text. */
const SMALL_PART = 0.25;
/** The frame was misjudged when less than this share of the text outside links is left. */
const LEAST_LEFT = 0.4;
/** Of a page with fewer characters outside links anything may be left. */
const SHORT_PAGE = 500;
/** An element is the page's content when it holds this share of the text that is shown. */
const CONTENT_SHARE = 0.5;

interface Size {
  readonly text: number;
  /** Of `text`, what stands in links. */
  readonly links: number;
  /** Holds a first-level heading. */
  readonly heading: boolean;
  /** Is or holds a content element. */
  readonly main: boolean;
}

const NOTHING: Size = { text: 0, links: 0, heading: false, main: false };

/** Judges a page by the names and the link share of its parts; when that would leave too little, by tags alone. */
export function contentOf(root: Root): Content {
  const sizes = new Map<Node, Size>();
  const total = measure(root, false, sizes);
  const frames = new Set<Element>();
  markFrames(root, total.text, sizes, frames);
  const left = shown(root, frames, sizes);
  const words = total.text - total.links;
  const least = words < SHORT_PAGE ? 1 : words * LEAST_LEFT;
  if (left.text - left.links < least) frames.clear();
  const isFrame = (element: Element) => !sizes.has(element) || frames.has(element);
  return { node: contentNode(root, shown(root, frames, sizes).text, sizes), isFrame };
}

function isNoise({ name, attribs }: Element): boolean {
  if (SKIPPED.has(name) || NOISE_CLASS.test(attribs.class ?? "")) return true;
  if ("hidden" in attribs || attribs["aria-hidden"] === "true") return true;
  if (/^(navigation|search)$/.test(attribs.role ?? "")) return true;
  return /display\s*:\s*none/i.test(attribs.style ?? "");
}

function isMain({ name, attribs }: Element): boolean {
  return name === "main" || name === "article" || attribs.role === "main";
}

/** Measures what may be shown; the elements that never are get no size. */
function measure(node: Node, inLink: boolean, sizes: Map<Node, Size>): Size {
  if (node.type === "text") {
    const text = node.data.replace(/\s+/g, " ").trim().length;
    return { text, links: inLink ? text : 0, heading: false, main: false };
  }
  let text = 0, links = 0, main = false, heading = false;
  let within = inLink;
  if (isElement(node)) {
    if (isNoise(node)) return NOTHING;
    within ||= node.name === "a";
    main = isMain(node);
    heading = node.name === "h1";
  }
  for (const child of childrenOf(node)) {
    const size = measure(child, within, sizes);
    text += size.text;
    links += size.links;
    main ||= size.main;
    heading ||= size.heading;
  }
  const size = { text, links, heading, main };
  sizes.set(node, size);
  return size;
}

function markFrames(
  node: Node,
  total: number,
  sizes: ReadonlyMap<Node, Size>,
  frames: Set<Element>,
): void {
  for (const child of childrenOf(node)) {
    const size = sizes.get(child);
    if (!size || !isElement(child)) continue;
    const holdsContent = size.main || size.heading;
    if (size.text > 0 && !holdsContent && isNamedFrame(child, size, total)) frames.add(child);
    else markFrames(child, total, sizes, frames);
  }
}

function isNamedFrame(element: Element, size: Size, total: number): boolean {
  const { name, parent } = element;
  if (!NAMEABLE.test(name)) return false;
  const onTop = parent && "name" in parent && parent.name === "body";
  if (onTop && (name === "header" || name === "aside")) return true;
  const mostlyLinks = size.links > size.text * MOSTLY_LINKS;
  if (mostlyLinks && (name === "header" || name === "aside")) return true;
  const frame = mostlyLinks || size.text < total * SMALL_PART;
  return frame && FRAME_WORD.test(namesOf(element, mostlyLinks));
}

/** The class, and the id where it is a name: a chapter's id is made from its heading, which may be "Cookies". */
function namesOf({ name, attribs, children }: Element, mostlyLinks: boolean): string {
  const names = (attribs.class ?? "").slice(0, 300);
  const chapter = name === "section" || /(^|\s)section(\s|$)/.test(names) ||
    (!mostlyLinks && children.some((child) => isElement(child) && /^h[1-6]$/.test(child.name)));
  const id = chapter ? "" : (attribs.id ?? "").slice(0, 100);
  return `${names} ${id}`.replace(/([a-z])(?=[A-Z])/g, "$1-");
}

/** What is shown of a node, its frames left out. */
function shown(
  node: Node,
  frames: ReadonlySet<Element>,
  sizes: ReadonlyMap<Node, Size>,
): { text: number; links: number } {
  let { text, links } = sizes.get(node)!;
  for (const frame of frames) {
    const size = sizes.get(frame)!;
    text -= size.text;
    links -= size.links;
  }
  return { text, links };
}

/** The smallest content element that holds most of what is shown, and the page's heading if one does. */
function contentNode(root: Root, total: number, sizes: ReadonlyMap<Node, Size>): Node {
  const candidates = [...sizes].filter(([node, { text }]) =>
    isElement(node) && isMain(node) && text >= total * CONTENT_SHARE
  );
  const headed = candidates.filter(([, { heading }]) => heading);
  let best: readonly [Node, { readonly text: number }] = [root, { text: Infinity }];
  for (const candidate of headed.length > 0 ? headed : candidates) {
    if (candidate[1].text < best[1].text) best = candidate;
  }
  return best[0];
}
