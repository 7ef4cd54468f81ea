import { type CodePoints, intersection } from "./code_points.ts";
import type { Node } from "./syntax.ts";

/**
 * The expression without atomic groups that change nothing about which text matches: those nothing
 * comes after, and repeated sets before something that begins outside the set (`\w++\(`).
 */
export function loosened(node: Node): Node {
  return loosen(node, "end");
}

/** `after` is what has to come next: the set it begins with, the end, or something not known. */
function loosen(node: Node, after: CodePoints | "end" | undefined): Node {
  switch (node.kind) {
    case "sequence": {
      const items: Node[] = [];
      let next = after;
      for (const item of node.items.toReversed()) {
        items.unshift(loosen(item, next));
        next = beginning(item);
      }
      return { ...node, items };
    }
    case "choice":
      return { ...node, items: node.items.map((item) => loosen(item, after)) };
    case "capture":
      return { ...node, item: loosen(node.item, after) };
    case "repeat":
    case "look":
      return { ...node, item: loosen(node.item, undefined) };
    case "atomic": {
      const { item } = node;
      const harmless = after === "end" ||
        (after && item.kind === "repeat" && item.item.kind === "set" &&
          intersection(item.item.set, after).length === 0);
      return harmless ? loosen(item, after) : { ...node, item: loosen(item, undefined) };
    }
    default:
      return node;
  }
}

function beginning(node: Node): CodePoints | undefined {
  switch (node.kind) {
    case "set":
      return node.set;
    case "capture":
    case "atomic":
      return beginning(node.item);
    case "repeat":
      return node.min > 0 ? beginning(node.item) : undefined;
    case "sequence":
      return node.items[0] && beginning(node.items[0]);
    default:
      return undefined;
  }
}
