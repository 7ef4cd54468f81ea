/**
 * The tools of servers as they were when they could be called: one that is described otherwise asks
 * again, and the first request need not wait for a server.
 */
import { isRecord } from "../../base/is_record.ts";
import { truncate } from "../../base/strings.ts";
import { under } from "../../base/path.ts";
import { unifiedDiff } from "../../files/edit/diff.ts";
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

export interface KnownTools {
  /** Takes in a server's list: a tool that was never there before is known from now on. */
  meet(hash: string, tools: readonly ServerTool[]): void;
  /** How a tool was that is another now; undefined where it is as it was. */
  otherwise(hash: string, tool: ServerTool): ServerTool | undefined;
  /** From now on the tools are as they are here. */
  accept(hash: string, tools: readonly ServerTool[]): void;
}

/** Keeps them in a folder; without one as long as narnat runs. */
export function knownTools(dir: string | undefined): KnownTools {
  const known = new Map<string, Map<string, ServerTool>>();
  const byName = (tools: readonly ServerTool[]) => new Map(tools.map((tool) => [tool.name, tool]));
  const stored = (hash: string) => dir === undefined ? undefined : rememberedTools(dir, hash);
  const of = (hash: string) => {
    const found = known.get(hash) ?? byName(stored(hash) ?? []);
    known.set(hash, found);
    return found;
  };
  const keep = (hash: string, tools: readonly ServerTool[]) => {
    // another narnat may have taken some in meanwhile
    const all = new Map([...of(hash), ...byName(stored(hash) ?? []), ...byName(tools)]);
    known.set(hash, all);
    if (dir !== undefined) rememberTools(dir, hash, [...all.values()]);
  };
  return {
    meet(hash, tools) {
      const there = of(hash);
      const fresh = tools.filter(({ name }) => !there.has(name));
      if (fresh.length > 0) keep(hash, fresh);
    },
    otherwise(hash, tool) {
      const print = JSON.stringify(inOrder(tool));
      const same = (one: ServerTool | undefined) =>
        one === undefined || JSON.stringify(inOrder(one)) === print;
      const old = of(hash).get(tool.name);
      if (same(old)) return undefined;
      // it may have been accepted by another narnat
      const now = stored(hash)?.find(({ name }) => name === tool.name);
      if (now === undefined || !same(now)) return old;
      of(hash).set(tool.name, tool);
      return undefined;
    },
    accept: keep,
  };
}

const ROW_CHARS = 2000;
const ROWS = 60;

/** What is different of a tool, row by row. */
export function changedRows(before: ServerTool, now: ServerTool): string[] {
  const rows = unifiedDiff(asText(before), asText(now)).diff.split("\n")
    .filter((row) => /^[-+]/.test(row))
    .map((row) => truncate(row, ROW_CHARS));
  return rows.length > ROWS ? [...rows.slice(0, ROWS), `… (+${rows.length - ROWS})`] : rows;
}

/** A tool so that a change stands in a row of its own. */
function asText({ title, description, readOnly, input }: ServerTool): string {
  const { properties = {}, ...rest } = input;
  const rows = (prefix: string, value: object) =>
    Object.entries(inOrder(value)).map(([key, one]) => `${prefix}${key}: ${JSON.stringify(one)}`);
  return [
    ...title === "" ? [] : [`title: ${title}`],
    `readOnly: ${readOnly}`,
    description,
    ...rows("input.", rest),
    ...rows("input.properties.", properties as object),
  ].join("\n") + "\n";
}

/** The order of keys means nothing. */
function inOrder<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inOrder) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, one]) => [key, inOrder(one)])) as T;
}
