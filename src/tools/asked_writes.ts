/** Writes that a person is asked about first: what empties a file, and what decides what programs do. */
import { join } from "node:path";
import { say } from "../text.ts";
import type { Question, ToolContext, ToolInput, ToolResult } from "../types.ts";
import { sizeText } from "../workspace/file_kind.ts";
import { realTarget } from "../workspace/paths.ts";
import { named } from "./files.ts";

/** What of a `.narnat` decides what narnat may do, starts and follows; the folder `rules` too. */
const DECIDING = ["narnat.json", "mcp.json", "trust.json", "narnat.md"];
const OWN = /[/\\]\.narnat[/\\](?:(?:narnat|mcp|trust)\.json|narnat\.md|rules[/\\].+)$/i;
const GIT = /[/\\]\.git(?:[/\\]|$)/i;

type Why = "own" | "git" | "empty";

/** Why the file at a real path is not written unasked, by whatever name it is reached. */
async function protects(
  real: string,
  { workspace, env }: ToolContext,
): Promise<Exclude<Why, "empty"> | undefined> {
  if (OWN.test(real)) return "own";
  if (GIT.test(real)) return "git";
  const homes = [workspace, env["HOME"]].filter((home) => home !== undefined && home !== "")
    .map((home) => join(home!, ".narnat"));
  for (const home of homes) {
    for (const name of DECIDING) {
      if (await targetOf(join(home, name)) === real) return "own";
    }
    const rules = await targetOf(join(home, "rules"));
    if (rules !== undefined && real.startsWith(rules + "/")) return "own";
  }
  const info = await Deno.stat(real).catch(() => undefined);
  if ((info?.nlink ?? 1) < 2) return undefined;
  const isThat = async (path: string) => {
    const other = await Deno.stat(path).catch(() => undefined);
    return other?.ino === info!.ino && other?.dev === info!.dev;
  };
  for (const home of homes) {
    const rules = await pathsIn(join(home, "rules"));
    for (const path of [...DECIDING.map((name) => join(home, name)), ...rules]) {
      if (await isThat(path)) return "own";
    }
  }
  const git = join(workspace, ".git");
  for (const path of [join(git, "config"), ...await pathsIn(join(git, "hooks"))]) {
    if (await isThat(path)) return "git";
  }
  return undefined;
}

const targetOf = (path: string) => realTarget(path).catch(() => undefined);

async function pathsIn(folder: string): Promise<string[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder), ({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

const isBlank = (text: unknown) => typeof text === "string" && text.trim() === "";

/** Whether `declinedWrite` will ask about the file that the input names, as far as the input tells. */
export async function asksFirst(input: ToolInput, context: ToolContext): Promise<boolean> {
  try {
    const { path } = named(String(input["file_path"] ?? ""), context);
    const real = await realTarget(path);
    if (await protects(real, context)) return true;
    return isBlank(input["content"]) && (await Deno.stat(real)).size > 0;
  } catch {
    return false;
  }
}

/**
 * Asks a person before such a write; what to tell the model after a No, undefined when it may go
 * on. `emptied`: the bytes of a file of which nothing is left.
 */
export async function declinedWrite(
  real: string,
  path: string,
  emptied: number | undefined,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  const { lang } = context;
  const declined = async (why: Why, kind: Question["kind"], size = "") => {
    const question = say(lang, `write.ask.${why}`, { path, size });
    if (await context.ask({ kind, question, targets: [real] })) return undefined;
    if (context.signal.aborted) return { ok: false, text: say(lang, "tool.interrupted") };
    const text = say(lang, `write.declined.${why}`, { path });
    return { ok: false, text, detail: { kind: "declined" } } as const;
  };
  const why = await protects(real, context);
  if (why) return await declined(why, "danger");
  return emptied === undefined ? undefined : await declined("empty", "delete", sizeText(emptied));
}

/** The bytes of a file whose text goes and leaves nothing but blanks; undefined where something is left. */
export const emptiedBytes = (before: string, after: string, bytes: number): number | undefined =>
  isBlank(after) && !isBlank(before) ? bytes : undefined;
