/** A call as a person reads it, before it is known what comes of it. */
import { relative } from "node:path";
import type { Json } from "../types.ts";
import { clip } from "./clean.ts";
import type { Look } from "./rows.ts";

/** Input fields that say best what a call is about, in order. */
const TELLING = ["file_path", "path", "command", "pattern", "query", "url", "prompt", "task"];

/** A call as the screen knows it: callText's line, and all of what the call is about. */
export interface ShownCall {
  readonly text: string;
  readonly about: string;
}

/** `Edit src/a.ts`: a call in one line. */
export function callText(name: string, input: Json, look: Look): string {
  const about = clip(aboutCall(input, look.workspace).text);
  return look.style.bold(clip(name, 60)) + (about === "" ? "" : " " + about);
}

/** The field of a call's input that says best what the call is about, as it stands. */
export function aboutCall(input: Json, workspace: string): { key: string; text: string } {
  const nothing = { key: "", text: "" };
  if (typeof input === "string") return { key: "", text: input };
  if (input === null || typeof input !== "object" || Array.isArray(input)) return nothing;
  if (Array.isArray(input.todos)) return nothing;
  if (typeof input.pattern === "string") {
    const where = typeof input.path === "string" ? " " + shortPath(input.path, workspace) : "";
    return { key: "pattern", text: input.pattern + where };
  }
  const key = [...TELLING, ...Object.keys(input)].find((key) => typeof input[key] === "string");
  if (key === undefined) return nothing;
  const text = String(input[key]);
  const isPath = key.endsWith("path") && TELLING.includes(key);
  return { key, text: isPath ? shortPath(text, workspace) : text };
}

function shortPath(path: string, workspace: string): string {
  if (!path.startsWith("/")) return path;
  const inside = relative(workspace, path);
  return inside === "" ? "." : inside.startsWith("..") ? path : inside;
}
