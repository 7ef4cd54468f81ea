/** Calls amid which narnat has ended: what is known of them, for the model and for the person who resumes. */
import { isAbsolute, join } from "../base/path.ts";
import type { Lang, Toolbox, ToolCall } from "../base/types.ts";
import { say } from "../base/text.ts";
import { displayPath } from "../files/paths.ts";
import { hasVersion } from "../files/version.ts";
import type { Happened } from "./entries.ts";
import type { SessionFile } from "./file.ts";

export interface LostCallsParts {
  readonly toolbox: Toolbox;
  readonly workspace: string;
  /** Of the session, with full copies of output. */
  readonly outputDir: string;
  readonly lang: Lang;
}

/** The kernel's clock, by which files are stamped, may be so much behind, in milliseconds. */
const TICK_MS = 20;
const CALLS_TOLD = 3;

/** Gives the calls results, and returns what to tell the person; empty where there are none. */
export async function settleLostCalls(
  session: SessionFile,
  parts: LostCallsParts,
): Promise<string[]> {
  const open = session.openCalls;
  if (open.length === 0) return [];
  const found = await Promise.all(open.map((call) => resultOf(call, session, parts)));
  session.settle(found.map(({ text }) => text));
  const told = found.flatMap(({ told }) => told ?? []);
  if (told.length === 0) return [];
  const more = told.length > CALLS_TOLD ? " …" : "";
  return [say(parts.lang, "lost.told", { calls: told.slice(0, CALLS_TOLD).join("; ") + more })];
}

async function resultOf(
  call: ToolCall,
  session: SessionFile,
  parts: LostCallsParts,
): Promise<{ text: string; told?: string }> {
  const { lang, toolbox } = parts;
  const events = session.entries.flatMap((one) => one.type === "event" ? [one] : []);
  const began = events.findLastIndex(({ event }) =>
    event.type === "tool_start" && event.id === call.id
  );
  if (began < 0) {
    const what = toolbox.prepare(call.name, call.input, lang);
    if (typeof what !== "string" && what.tool.readOnly) return { text: say(lang, "lost.reads") };
    // an older narnat has not kept when a call began
    const kept = session.entries.some((one) => one.type === "message" && one.run !== undefined);
    return { text: say(lang, kept ? "lost.not_begun" : "lost.unknown") };
  }
  const since = new Date(events[began]!.time);
  const about = `${call.name} ${gist(call.input)}`.trim();
  if (isAsking(events.slice(began).map(({ event }) => event))) {
    return { text: say(lang, "lost.asking"), told: `${about} · ${say(lang, "lost.asking")}` };
  }
  const left = await traces(call, since, session, parts);
  const text = [say(lang, "lost.running", { time: clock(since) }), ...left].join("\n");
  return { text, told: `${about} (${clock(since)})` };
}

/** Whether a question has had no answer. */
function isAsking(events: readonly Happened[]): boolean {
  const ask = events.findLast(({ type }) => type === "ask");
  if (ask?.type !== "ask") return false;
  return !events.some((event) => event.type === "answer" && event.id === ask.id);
}

/** What a call has left on disk. */
async function traces(
  call: ToolCall,
  since: Date,
  session: SessionFile,
  { workspace, outputDir, lang }: LostCallsParts,
): Promise<string[]> {
  const given = fieldOf(call.input, "file_path") ?? fieldOf(call.input, "notebook_path");
  if (given !== undefined) {
    const path = isAbsolute(given) ? given : join(workspace, given);
    const shown = displayPath(path, workspace);
    return [await fileTrace(path, shown, session, lang)];
  }
  const files = outputsSince(outputDir, since.getTime() - TICK_MS);
  if (files.length === 0) return [say(lang, "lost.no_output")];
  const names = files.map(({ path, bytes }) => `${displayPath(path, workspace)} (${bytes} B)`);
  return [say(lang, "lost.output", { files: names.join(", ") })];
}

async function fileTrace(
  path: string,
  shown: string,
  session: SessionFile,
  lang: Lang,
): Promise<string> {
  try {
    const real = Deno.realPathSync(path);
    const { mtime, isFile } = Deno.statSync(real);
    // a pipe would not end
    if (!isFile) return say(lang, "lost.no_output");
    const seen = session.seen.get(real);
    if (seen && await hasVersion(real, seen.hash)) {
      return say(lang, "lost.file_same", { path: shown });
    }
    return say(lang, "lost.file_changed", { path: shown, time: mtime ? clock(mtime) : "?" });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return say(lang, "lost.file_absent", { path: shown });
    }
    return say(lang, "lost.no_output");
  }
}

function outputsSince(dir: string, ms: number): { path: string; bytes: number }[] {
  try {
    return [...Deno.readDirSync(dir)].flatMap(({ name, isFile }) => {
      const path = join(dir, name);
      if (!isFile) return [];
      const { mtime, size } = Deno.statSync(path);
      return (mtime?.getTime() ?? 0) >= ms ? [{ path, bytes: size }] : [];
    });
  } catch {
    return [];
  }
}

function fieldOf(input: string, name: string): string | undefined {
  try {
    const value = JSON.parse(input)?.[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a call is about, short. */
function gist(input: string): string {
  const text = ["command", "file_path", "path"].map((name) => fieldOf(input, name))
    .find((one) => one !== undefined) ?? "";
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

const pad = (n: number) => String(n).padStart(2, "0");
/** In the local time. */
const clock = (at: Date) =>
  `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${
    [at.getHours(), at.getMinutes(), at.getSeconds()].map(pad).join(":")
  }`;
