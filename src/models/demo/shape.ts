/** How places are passed to tools and lists are shown to people. */
import type { Json, Lang } from "../../base/types.ts";
import { say } from "../../base/text.ts";

/** The `path` of a call, where one is given. */
export function at(path: string | undefined): { path?: Json } {
  return path === undefined ? {} : { path };
}

/** Where Grep is to look: a path, or a pattern of file names. */
export function within(path: string | undefined): { path?: Json; glob?: Json } {
  return path !== undefined && /[*?{]/.test(path) ? { glob: path } : at(path);
}

/** A pattern and the folder it is sought in, for people. */
export function shown(pattern: string, path: string | undefined): string {
  return path === undefined ? pattern : `${path}/${pattern}`;
}

/** A list, and how many more there are. */
export function bullets(lang: Lang, items: readonly string[], more: number): string {
  const lines = items.map((item) => `- ${item}`);
  if (more > 0) lines.push(`- ${say(lang, "demo.more", { n: more })}`);
  return lines.join("\n");
}

/** One line of a file, shortened. */
export function cut(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > 160 ? `${trimmed.slice(0, 160)}…` : trimmed;
}

/** A block of text as it stands. */
export function fence(text: string): string {
  const ticks = text.includes("```") ? "````" : "```";
  return `${ticks}\n${text}\n${ticks}`;
}
