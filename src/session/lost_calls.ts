/** Calls amid which narnat has ended: what is known of them, for the model and for the person who resumes. */
import { isAbsolute, join } from "../base/path.ts";
import type { Toolbox, ToolCall } from "../base/types.ts";
import type { T } from "../base/t.ts";
import { displayPath } from "../files/paths.ts";
import { hasVersion } from "../files/open_regular.ts";
import type { Happened } from "./entries.ts";
import type { SessionFile } from "./file.ts";

export interface LostCallsParts {
  readonly toolbox: Toolbox;
  readonly workspace: string;
  /** Of the session, with full copies of output. */
  readonly outputDir: string;
  readonly t: T;
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
  return [
    parts.t("narnat was ended amid tools last time (the model is told): {calls}", {
      calls: told.slice(0, CALLS_TOLD).join("; ") + more,
    }),
  ];
}

async function resultOf(
  call: ToolCall,
  session: SessionFile,
  parts: LostCallsParts,
): Promise<{ text: string; told?: string }> {
  const { t, toolbox } = parts;
  const events = session.entries.flatMap((one) => one.type === "event" ? [one] : []);
  const began = events.findLastIndex(({ event }) =>
    event.type === "tool_start" && event.id === call.id
  );
  if (began < 0) {
    const what = toolbox.prepare(call.name, call.input, t);
    if (typeof what !== "string" && what.tool.readOnly) {
      return {
        text: t(
          "interrupted: narnat was ended before its result came. It only reads, so nothing was changed: call it again if you need it.",
        ),
      };
    }
    // an older narnat has not kept when a call began
    const kept = session.entries.some((one) => one.type === "message" && one.run !== undefined);
    return {
      text: t(
        kept
          ? "interrupted: narnat was ended before this call began. Nothing was run."
          : "interrupted: narnat was ended before its result came. Whether it has run, and how far, is not known.",
      ),
    };
  }
  const since = new Date(events[began]!.time);
  const about = `${call.name} ${gist(call.input)}`.trim();
  if (isAsking(events.slice(began).map(({ event }) => event))) {
    const text = t(
      "interrupted: narnat was ended while the user was being asked about this call. Nothing was run.",
    );
    return { text, told: `${about} · ${text}` };
  }
  const left = await traces(call, since, session, parts);
  const text = [
    t(
      "interrupted: narnat was ended while this call ran (begun {time}). What came of it is not known.",
      { time: clock(since) },
    ),
    ...left,
  ].join("\n");
  return { text, told: `${about} (${clock(since)})` };
}

/** Whether a question has had no answer. */
function isAsking(events: readonly Happened[]): boolean {
  const ask = events.findLast(({ type }) => type === "ask");
  if (ask?.type !== "ask") return false;
  return !events.some((event) => event.type === "answer" && event.id === ask.id);
}

const UNKEPT =
  "Its output was not kept. It may have done a part of its work: look at what it has changed before you run it again.";

/** What a call has left on disk. */
async function traces(
  call: ToolCall,
  since: Date,
  session: SessionFile,
  { workspace, outputDir, t }: LostCallsParts,
): Promise<string[]> {
  const given = fieldOf(call.input, "file_path") ?? fieldOf(call.input, "notebook_path");
  if (given !== undefined) {
    const path = isAbsolute(given) ? given : join(workspace, given);
    const shown = displayPath(path, workspace);
    return [await fileTrace(path, shown, session, t)];
  }
  const files = outputsSince(outputDir, since.getTime() - TICK_MS);
  if (files.length === 0) {
    return [
      t(UNKEPT),
    ];
  }
  const names = files.map(({ path, bytes }) => `${displayPath(path, workspace)} (${bytes} B)`);
  return [t("Its output until then: {files}.", { files: names.join(", ") })];
}

async function fileTrace(
  path: string,
  shown: string,
  session: SessionFile,
  t: T,
): Promise<string> {
  try {
    const real = Deno.realPathSync(path);
    const { mtime, isFile } = Deno.statSync(real);
    // a pipe would not end
    if (!isFile) {
      return t(
        UNKEPT,
      );
    }
    const seen = session.seen.get(real);
    if (seen && await hasVersion(real, seen.hash)) {
      return t("{path} is what it was when it was read last: nothing was written.", {
        path: shown,
      });
    }
    return t(
      "{path} is not what was read last (written {time}): the call has probably written it, whole and not in part. Read it before you go on.",
      { path: shown, time: mtime ? clock(mtime) : "?" },
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return t("{path} does not exist: nothing was written.", { path: shown });
    }
    return t(
      UNKEPT,
    );
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
