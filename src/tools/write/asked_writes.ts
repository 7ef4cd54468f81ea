/** Writes that a person is asked about first: what empties a file, and what decides what programs do. */
import { join } from "../../base/path.ts";
import type { Question, ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import { sizeText } from "../../files/file_kind.ts";
import { realTarget, realTargetSync } from "../../files/paths.ts";
import { named } from "../files.ts";

const QUESTIONS = {
  git: "{path} is the repository's own: git does what it says, and runs the hooks in it. Write it?",
  empty: "This empties {path} ({size}). Empty it?",
  own:
    "{path} is one of narnat's settings or instructions, which decide what it may do, starts and follows. Write it?",
} as const;

const DECLINED = {
  git:
    "Not confirmed (declined, or nobody there to ask); {path} was not written: it is the repository's own. Do not write it in another way; use a git command in Bash, or tell the user what to change in it",
  empty:
    "Not confirmed (declined, or nobody there to ask); {path} is as it was: emptying a file is as deleting it. Do not empty it in another way; write what it is to hold, go on without it, or ask",
  own:
    "Not confirmed (declined, or nobody there to ask); {path} was not written: it is one of narnat's settings or instructions. Do not write it in another way; tell the user what to change in it",
} as const;

/** What of a `.narnat` decides what narnat may do, starts and follows; the folder `rules` too. */
const DECIDING = ["narnat.json", "mcp.json", "trust.json", "narnat.md"];
const OWN = /[/\\]\.narnat[/\\](?:(?:narnat|mcp|trust)\.json|narnat\.md|rules[/\\].+)$/i;
const GIT = /[/\\]\.git(?:[/\\]|$)/i;

type Why = "own" | "git" | "empty";

/** Why the file at a real path is not written unasked, by whatever name it is reached. */
function protects(
  real: string,
  { workspace, env }: ToolContext,
): Exclude<Why, "empty"> | undefined {
  if (OWN.test(real)) return "own";
  if (GIT.test(real)) return "git";
  const homes = [workspace, env["HOME"]].filter((home) => home !== undefined && home !== "")
    .map((home) => join(home!, ".narnat"));
  if (homes.some((home) => isDecidedIn(home, real))) return "own";
  const info = infoOf(real);
  if ((info?.nlink ?? 1) < 2) return undefined;
  const isThat = (path: string) => {
    const other = infoOf(path);
    return other?.ino === info!.ino && other?.dev === info!.dev;
  };
  for (const home of homes) {
    const rules = entriesOf(join(home, "rules")).map(({ name }) => join(home, "rules", name));
    if ([...DECIDING.map((name) => join(home, name)), ...rules].some(isThat)) return "own";
  }
  const git = join(workspace, ".git");
  const hooks = entriesOf(join(git, "hooks")).map(({ name }) => join(git, "hooks", name));
  return [join(git, "config"), ...hooks].some(isThat) ? "git" : undefined;
}

/** Whether what decides in a `.narnat`, or a link to it, leads to the file. */
function isDecidedIn(home: string, real: string): boolean {
  const folder = targetOf(home);
  if (folder === undefined) return false;
  const links = entriesOf(folder).filter(({ isSymlink }) => isSymlink).map(({ name }) => name);
  const leadsTo = (name: string) =>
    links.includes(name) ? targetOf(join(folder, name)) : join(folder, name);
  const rules = leadsTo("rules");
  return DECIDING.some((name) => leadsTo(name) === real) ||
    rules !== undefined && real.startsWith(rules + "/");
}

/** Where it leads; undefined for a link that leads in a circle. */
function targetOf(path: string): string | undefined {
  try {
    return realTargetSync(path);
  } catch {
    return undefined;
  }
}

function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
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
    if (protects(real, context)) return true;
    return isBlank(input["content"]) && Deno.statSync(real).size > 0;
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
  const { t } = context;
  const declined = async (why: Why, kind: Question["kind"], size = "") => {
    const question = t(QUESTIONS[why], { path, size });
    if (await context.ask({ kind, question, targets: [real] })) return undefined;
    if (context.signal.aborted) return { ok: false, text: t("interrupted") };
    const text = t(DECLINED[why], { path });
    return { ok: false, text, detail: { kind: "declined" } } as const;
  };
  const why = protects(real, context);
  if (why) return await declined(why, "danger");
  return emptied === undefined ? undefined : await declined("empty", "delete", sizeText(emptied));
}

/** The bytes of a file whose text goes and leaves nothing but blanks; undefined where something is left. */
export const emptiedBytes = (before: string, after: string, bytes: number): number | undefined =>
  isBlank(after) && !isBlank(before) ? bytes : undefined;
