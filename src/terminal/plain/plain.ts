import { SIGNAL_CODES } from "../panels/options.ts";
import { type PlainOptions, PlainSession } from "./plain_session.ts";

/**
 * The session line by line, with no redraw and no escape sequence, for pipes, screen readers,
 * serial lines and TERM=dumb. Each input line is one turn, with a backslash at its end it goes on in
 * the next; a person's line typed meanwhile joins the running turn, a script's waits for its end. A
 * question takes one y/N line of a person's, and is No without one; the end of the input ends the
 * session when the last turn has.
 * Resolves as startTerminal does.
 */
export async function startPlain(options: PlainOptions): Promise<number> {
  const session = new PlainSession(options);
  const handlers = Object.entries(SIGNAL_CODES).map(([name, code]) => {
    const signal = name as Deno.Signal;
    const handler = () => session.signal(code);
    return { signal, handler };
  }).filter(({ signal }) => Deno.build.os !== "windows" || signal === "SIGINT");
  for (const { signal, handler } of handlers) Deno.addSignalListener(signal, handler);
  try {
    return await session.run();
  } finally {
    for (const { signal, handler } of handlers) Deno.removeSignalListener(signal, handler);
  }
}
