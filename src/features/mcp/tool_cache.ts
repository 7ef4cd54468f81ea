/** Lists of tools as they were last, so that the first request need not wait for a server. */
import { under } from "../../base/under.ts";
import { isRecord } from "../../base/is_record.ts";
import type { ServerTool } from "./types.ts";

/** Files that are kept; of more the oldest go. */
const FILES = 100;
const FAILED = JSON.stringify({ failed: true });

/** The tools that a server of this configuration had last; undefined when that is not known. */
export function rememberedTools(dir: string, hash: string): readonly ServerTool[] | undefined {
  try {
    const value: unknown = JSON.parse(Deno.readTextFileSync(fileOf(dir, hash)));
    const tools = isRecord(value) ? value["tools"] : undefined;
    return Array.isArray(tools) && tools.every(isTool) ? tools : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a server of this configuration, whose tools are not known, failed the last time. */
export function hasFailed(dir: string, hash: string): boolean {
  return readOr(fileOf(dir, hash)) === FAILED;
}

/** Keeps that a server whose tools are not known has failed, until it has tools. Never throws. */
export function rememberFailure(dir: string, hash: string): void {
  write(dir, hash, FAILED);
}

/** Keeps a list of tools. Never throws: without it the next start waits for the server. */
export function rememberTools(dir: string, hash: string, tools: readonly ServerTool[]): void {
  write(dir, hash, JSON.stringify({ tools }));
}

function write(dir: string, hash: string, text: string): void {
  const path = fileOf(dir, hash);
  const temporary = `${path}.${Deno.pid}.tmp`;
  try {
    if (readOr(path) === text) return;
    Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(temporary, text, { mode: 0o600 });
    Deno.renameSync(temporary, path);
    prune(dir);
  } catch { /* read-only, full, or not permitted */ }
}

const fileOf = (dir: string, hash: string) => under(dir, `${hash.slice(0, 32)}.json`);

function readOr(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

function prune(dir: string): void {
  const files = [...Deno.readDirSync(dir)].map(({ name }) => under(dir, name));
  if (files.length <= FILES) return;
  const age = new Map(files.map((file) => [file, Deno.statSync(file).mtime?.getTime() ?? 0]));
  files.sort((a, b) => age.get(b)! - age.get(a)!);
  for (const file of files.slice(FILES)) Deno.removeSync(file);
}

function isTool(value: unknown): value is ServerTool {
  return isRecord(value) && typeof value["name"] === "string" &&
    typeof value["title"] === "string" && typeof value["description"] === "string" &&
    typeof value["readOnly"] === "boolean" && isRecord(value["input"]);
}
