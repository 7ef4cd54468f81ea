/** The part of a call's input that a person wants to see first. */
import { relative } from "./path.ts";
import { isRecord } from "./is_record.ts";
import type { Json } from "./types.ts";

/** Input fields that say best what a call is about, in order. */
const TELLING = ["file_path", "path", "command", "pattern", "query", "url", "prompt", "task"];

export type JsonObject = { readonly [key: string]: Json };

/** The field of a call's input that says best what the call is about, as it stands. */
export function aboutCall(input: Json, workspace: string): { key: string; text: string } {
  const nothing = { key: "", text: "" };
  if (typeof input === "string") return { key: "", text: input };
  if (!isRecord(input)) return nothing;
  if (Array.isArray(input["todos"])) return nothing;
  if (typeof input["pattern"] === "string") {
    const { path, pattern } = input;
    const where = typeof path === "string" ? " " + shortPath(path, workspace) : "";
    return { key: "pattern", text: pattern + where };
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
