/** turndown with the rules that documentation pages need. */
import { tables } from "@joplin/turndown-plugin-gfm";
import Turndown from "turndown";

/** What the rules use of a DOM element; turndown brings its own DOM and no types. */
interface Element {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentNode: Element | null;
  readonly nextSibling: Element | null;
  readonly children: ArrayLike<Element>;
  getAttribute(name: string): string | null;
}

/**
 * Converts cleaned HTML: each `<pre>` holds only text and has its language as its class.
 * Load this module lazily, it brings the converter along.
 */
export function toMarkdown(html: string): string {
  const service = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    hr: "---",
  });
  service.use(tables);
  service.addRule("pre", {
    filter: "pre",
    replacement: (_content: string, node: Element) => fenced(node),
  });
  service.addRule("item", {
    filter: "li",
    replacement: (content: string, node: Element) => {
      const list = node.parentNode;
      const number = Number(list?.getAttribute("start") ?? 1) +
        Array.from(list?.children ?? []).indexOf(node);
      const mark = list?.nodeName === "OL" ? `${number}. ` : "- ";
      const body = content.trim().replace(/\n/g, "\n" + " ".repeat(mark.length));
      return `${mark}${body}${node.nextSibling ? "\n" : ""}`;
    },
  });
  // The text is taken before turndown's last step, whose trimming pattern is quadratic.
  let markdown = "";
  service.addRule("page", {
    filter: "x-page",
    replacement: (text: string) => (markdown = text, ""),
  });
  service.turndown(`<x-page>${html}</x-page>`);
  return markdown;
}

/** turndown fences only `<pre><code>` and escapes every other `<pre>`. */
function fenced(pre: Element): string {
  const code = pre.textContent ?? "";
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).map((run: string) => run.length));
  const fence = "`".repeat(longest + 1);
  const language = pre.getAttribute("class") ?? "";
  return `\n\n${fence}${language}\n${code.replace(/^\n/, "").trimEnd()}\n${fence}\n\n`;
}
