/** `narnat sessions export`: a session as one file for a bug report. */
import { ConfigError } from "../../base/errors.ts";
import type { Entry } from "../../session/entries.ts";
import type { T } from "../../base/t.ts";
import type { Json } from "../../base/types.ts";
import { redactor, type SessionSource } from "../../session/source.ts";
import { put, putData } from "../../base/host.ts";

export interface ExportOptions {
  readonly version: string;
  readonly t: T;
  /** The user, the machine, the folders, images and whatever looks like a key are hidden. */
  readonly redacted: boolean;
  /** Hides keys of any kind. */
  readonly redactAlways: (text: string) => string;
  /** Path of the file; standard output when left out. */
  readonly output: string | undefined;
}

/** Writes a line about where it comes from, and the session's entries, a line each. Throws ConfigError. */
export function exportSession(source: SessionSource, options: ExportOptions): void {
  const { t, output, redacted, version } = options;
  const report = {
    type: "report",
    version: 1,
    narnat: version,
    deno: Deno.version.deno,
    platform: `${Deno.build.os} ${Deno.build.arch}`,
    session: source.id,
    time: new Date().toISOString(),
    redacted,
    unreadable: source.bad,
  };
  const redact = redacted ? redactor(source.workspace, options.redactAlways) : undefined;
  // a prompt tells of the memory and of other sessions
  const ofSession = source.entries.filter(({ type }) => !redact || type !== "prompt");
  const shown = (entry: Entry) => redact ? mapTexts(withoutImages(entry), redact) : entry;
  const lines = [report, ...ofSession.map(shown)].map((line) => JSON.stringify(line) + "\n");
  if (output === undefined) return putData(lines.join(""));
  try {
    Deno.openSync(output, { write: true, createNew: true, mode: 0o600 }).close();
    writeOrRemove(output, lines.join(""));
  } catch (error) {
    const why = error instanceof Deno.errors.AlreadyExists
      ? t("the file exists and is not overwritten; choose another name")
      : (error as Error).message;
    throw new ConfigError(t("Cannot export to {path}: {why}", { path: output, why }));
  }
  const count = source.entries.filter(({ type }) => type === "message").length;
  put(t("Wrote {count} {count:message|messages} to {path}", { path: output, count }) + "\n");
}

/** A report that breaks off is none. */
function writeOrRemove(path: string, text: string): void {
  try {
    Deno.writeTextFileSync(path, text);
  } catch (error) {
    Deno.removeSync(path);
    throw error;
  }
}

/** All texts of a value changed, those that are names of fields too. */
function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)]),
  );
}

/** What an image shows, nobody can mask. */
function withoutImages(entry: Entry): Json {
  if (entry.type !== "message" || entry.message.role === "assistant") {
    return entry as unknown as Json;
  }
  const { images, ...message } = entry.message;
  if (!images) return entry as unknown as Json;
  const left = images.map(({ mediaType }) => ({ mediaType, data: "" }));
  return { ...entry, message: { ...message, images: left } } as unknown as Json;
}
