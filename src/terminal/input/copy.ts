/** `/copy`: brings a text to the clipboard by the best way there is, and says which it was. */
import { size } from "../../base/figures.ts";
import type { T } from "../../base/t.ts";
import type { AgentEvent } from "../../base/types.ts";

// Ways to the user's clipboard.

/** What terminals take of an OSC 52 sequence at least, in characters of base64. */
const OSC52_CHARS = 74_994;
const PATIENCE_MS = 3000;

type Env = (name: string) => string | undefined;

/** A program that puts its input on the clipboard. */
export interface ClipProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** clip.exe takes UTF-16; everything else UTF-8. */
  readonly utf16?: boolean;
}

/** Largest text that goes by OSC 52, in bytes of UTF-8. */
export const OSC52_BYTES = Math.floor(OSC52_CHARS / 4) * 3;

/** The programs that could reach the clipboard of whoever looks at this terminal, the best first. */
export function clipPrograms(env: Env, os: string = Deno.build.os): ClipProgram[] {
  const set = (name: string) => (env(name) ?? "") !== "";
  const far = set("SSH_CONNECTION") || set("SSH_TTY");
  const found: ClipProgram[] = [];
  // On the far side of ssh these would fill a clipboard that nobody sits at.
  if (!far && os === "darwin") found.push({ command: "pbcopy", args: [] });
  if (!far && (os === "windows" || set("WSL_DISTRO_NAME"))) {
    found.push({ command: "clip.exe", args: [], utf16: true });
  }
  if (!far && set("WAYLAND_DISPLAY")) found.push({ command: "wl-copy", args: [] });
  if (set("DISPLAY")) {
    found.push({ command: "xclip", args: ["-selection", "clipboard"] });
    found.push({ command: "xsel", args: ["--clipboard", "--input"] });
  }
  // tmux hands it on to the terminal it stands in.
  if (set("TMUX")) found.push({ command: "tmux", args: ["load-buffer", "-w", "-"] });
  return found;
}

/** Tries the programs in turn; returns the name of the one that took the text. */
export async function copyByProgram(
  text: string,
  programs: readonly ClipProgram[],
  env?: { readonly [name: string]: string },
): Promise<string | undefined> {
  for (const program of programs) if (await run(text, program, env)) return program.command;
  return undefined;
}

/** The sequence that asks a terminal to put `text` on the clipboard; undefined when it is too long for one. */
export function osc52(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > OSC52_BYTES) return undefined;
  return `\x1b]52;c;${bytes.toBase64()}\x07`;
}

async function run(
  text: string,
  { command, args, utf16 }: ClipProgram,
  env?: { readonly [name: string]: string },
): Promise<boolean> {
  if (Deno.permissions.querySync({ name: "run", command }).state !== "granted") return false;
  try {
    // xclip goes on in the background: nothing of it may be waited for but its first process.
    const child = new Deno.Command(command, {
      args: [...args],
      ...env ? { clearEnv: true, env } : {},
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).spawn();
    const writer = child.stdin.getWriter();
    const written = writer.write(utf16 ? utf16Bytes(text) : new TextEncoder().encode(text))
      .then(() => writer.close()).catch(() => {});
    const [{ success }] = await Promise.all([child.status, written]);
    return success;
  } catch {
    return false;
  }
}

function utf16Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + 2 * i, text.charCodeAt(i), true);
  return bytes;
}

export interface CopyHost {
  readonly t: T;
  env(name: string): string | undefined;
  readonly childEnv?: { readonly [name: string]: string };
  /** Sends a sequence to the terminal; absent where none may be sent. */
  readonly send?: (sequence: string) => void;
}

/** Resolves with what to tell the user; never rejects. */
export async function copyText(
  text: string,
  { t, env, childEnv, send }: CopyHost,
): Promise<Pick<Extract<AgentEvent, { type: "notice" }>, "level" | "text">> {
  const bytes = size(new TextEncoder().encode(text).length);
  const programs = clipPrograms(env);
  const program = await copyByProgram(text, programs, childEnv);
  const done = (how: string) =>
    ({ level: "info", text: t("Copied {size} ({how})", { size: bytes, how }) }) as const;
  if (program !== undefined) return done(program);
  const names = programs.map(({ command }) => command).join(", ") || "wl-copy, xclip, pbcopy";
  if (send === undefined) {
    return {
      level: "warn",
      text: t(
        "Cannot copy: there is no clipboard program ({programs}), and the line-by-line mode sends the terminal no control sequence. /export writes to a file",
        { programs: names },
      ),
    };
  }
  const sequence = osc52(text);
  if (sequence === undefined) {
    const values = { size: bytes, limit: size(OSC52_BYTES), programs: names };
    return {
      level: "warn",
      text: t(
        "Cannot copy: the answer has {size}, more than the {limit} a terminal takes by OSC 52, and there is no clipboard program ({programs}). /export writes to a file",
        values,
      ),
    };
  }
  send(sequence);
  return done(t("by the terminal, OSC 52"));
}
