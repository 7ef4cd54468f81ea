import type { T } from "../../base/t.ts";
import type { FirstFrame } from "../panels/options.ts";
import { ERASE_DOWN, guardTerminal } from "../transcript/restore.ts";
import type { Theme } from "../../base/types.ts";
import { createStyle, styleKind } from "../style.ts";
import { welcomeRows } from "../transcript/rows.ts";

export type { FirstFrame } from "../panels/options.ts";

export interface FirstFrameOptions {
  readonly version: string;
  readonly model: string;
  readonly workspace: string;
  readonly t: T;
  readonly theme: Theme;
  env(name: string): string | undefined;
}

/** Keys typed from now on wait, unseen, for the live screen; a paste arrives marked as one. */
const BEGIN = "\x1b[?2004h\x1b[?25l";
const END = "\x1b[?2004l\x1b[?25h";
const CURSOR = "\x1b[7m \x1b[0m";

/** Draws the first frame on the process's terminal. */
export function showFirstFrame(options: FirstFrameOptions): FirstFrame {
  const { version, model, workspace, t, theme, env } = options;
  const style = createStyle(styleKind(theme, env));
  const welcome = welcomeRows(version, model, { style, t, workspace });
  const rows = ["", ...welcome.map((row) => row.text), "", style.cyan("❯ ") + CURSOR]
    .slice(-Math.max(1, Deno.consoleSize().rows));
  let below = rows.length - 1;
  const erase = () => {
    write((below > 0 ? `\x1b[${below}A` : "") + ERASE_DOWN + END);
    below = 0;
  };
  const guard = guardTerminal({
    close: erase,
    suspend: erase,
    resume: () => write(BEGIN),
    onSignal: (code) => Deno.exit(code),
  });
  Deno.stdin.setRaw(true);
  // Not wrapped, so that each row is one.
  write(`${BEGIN}\x1b[?7l${rows.join("\r\n")}\x1b[?7h`);
  let ours = true;
  return {
    handOver() {
      if (ours) guard.release();
      ours = false;
      const left = below;
      below = 0;
      return left;
    },
    end() {
      if (ours) guard.end();
      ours = false;
    },
  };
}

function write(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
