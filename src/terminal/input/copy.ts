/** `/copy`: brings a text to the clipboard by the best way there is, and says which it was. */
import { size } from "../../base/stakes_text.ts";
import { say } from "../../base/text.ts";
import type { AgentEvent, Lang } from "../../base/types.ts";
import { clipPrograms, copyByProgram, osc52, OSC52_BYTES } from "../device/clipboard.ts";

export interface CopyHost {
  readonly lang: Lang;
  env(name: string): string | undefined;
  readonly childEnv?: { readonly [name: string]: string };
  /** Sends a sequence to the terminal; absent where none may be sent. */
  readonly send?: (sequence: string) => void;
}

/** Resolves with what to tell the user; never rejects. */
export async function copyText(
  text: string,
  { lang, env, childEnv, send }: CopyHost,
): Promise<Pick<Extract<AgentEvent, { type: "notice" }>, "level" | "text">> {
  const bytes = size(new TextEncoder().encode(text).length);
  const programs = clipPrograms(env);
  const program = await copyByProgram(text, programs, childEnv);
  const done = (how: string) =>
    ({ level: "info", text: say(lang, "copy.done", { size: bytes, how }) }) as const;
  if (program !== undefined) return done(program);
  const names = programs.map(({ command }) => command).join(", ") || "wl-copy, xclip, pbcopy";
  if (send === undefined) {
    return { level: "warn", text: say(lang, "copy.no_way", { programs: names }) };
  }
  const sequence = osc52(text);
  if (sequence === undefined) {
    const values = { size: bytes, limit: size(OSC52_BYTES), programs: names };
    return { level: "warn", text: say(lang, "copy.too_long", values) };
  }
  send(sequence);
  return done(say(lang, "copy.osc52"));
}
