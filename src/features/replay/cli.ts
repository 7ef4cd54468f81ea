/** `narnat replay`: a stored session shown again, or run again. */
import { ConfigError } from "../../base/errors.ts";
import { eventsOf } from "./events.ts";
import type { AgentEvent } from "../../base/types.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import type { CommandHost } from "../../commands/environment.ts";
import { complain, env, translatorFor } from "../../base/host.ts";
import { sessionSource } from "../../session/source.ts";
import { readPlace } from "../../config/place.ts";

/** The longest that anything is waited for, in milliseconds. */
const MOST_WAIT_MS = 3000;
/** Of an answer, while it comes. */
const PIECES = 24;

/** Shows a session as the terminal has shown it, or with --rerun runs it again; 1 when that differs. */
export async function replay(
  flags: Flags,
  words: string[],
  host: CommandHost,
): Promise<number> {
  const t = translatorFor(flags);
  const [which, ...more] = words;
  if (which === undefined || more.length > 0) {
    throw new ConfigError(
      t("Usage: narnat replay <session id, name, number, or an exported .jsonl file> [--speed N] [--rerun]"),
    );
  }
  const { workspace, config } = readPlace(flags.cwd, choicesFrom(flags).settings, t, true);
  const source = sessionSource(which, workspace, config.t);
  if (source.bad > 0) {
    complain(
      `narnat: ${
        config.t(
          "{n} {n:line|lines} of the session file could not be read and {n:was|were} skipped",
          { n: source.bad },
        )
      }`,
    );
  }
  if (flags.rerun) {
    const { rerun } = await import("./rerun.ts");
    return await rerun(source, { flags, workspace, t: config.t, host });
  }
  const screen = Deno.stdout.isTerminal() && env("TERM") !== "dumb";
  const view = await host.printer({
    t: config.t,
    workspace: source.workspace,
    theme: config.theme,
    columns: screen ? Deno.consoleSize().columns : undefined,
  });
  await play(eventsOf(source.entries, source.id), flags.speed, view.hear);
  view.end();
  return 0;
}

/** Tells the events, at so many times the speed at which they came; at once without one. */
async function play(
  events: readonly AgentEvent[],
  speed: number | undefined,
  hear: (event: AgentEvent) => void,
): Promise<void> {
  let before = Date.parse(events[0]?.time ?? "");
  for (const event of events) {
    const at = Date.parse(event.time);
    const wait = speed === undefined ? 0 : Math.min(MOST_WAIT_MS, Math.max(0, at - before) / speed);
    before = at;
    const pieces = event.type === "text" && wait > 0 ? piecesOf(event.delta) : undefined;
    if (event.type !== "text" || !pieces) {
      if (wait > 0) await pause(wait);
      hear(event);
      continue;
    }
    for (const delta of pieces) {
      await pause(wait / pieces.length);
      hear({ ...event, delta });
    }
  }
}

function piecesOf(text: string): string[] {
  const points = [...text];
  const size = Math.ceil(points.length / PIECES);
  return Array.from(
    { length: Math.ceil(points.length / size) },
    (_, at) => points.slice(at * size, (at + 1) * size).join(""),
  );
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
