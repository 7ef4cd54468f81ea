import { SIGNAL_CODES } from "./options.ts";

/** Leaves sync, Kitty keys, modified keys and paste mode; shows the cursor; clears what was live. */
const RESET = "\r\x1b[J\x1b[?2026l\x1b[<u\x1b[>4;0m\x1b[?2004l\x1b[?25h\x1b[0m";

/**
 * Gives the terminal back as it was, however the process ends: by an error, a rejection, an exit
 * or a signal. `close` ends the screen in good order where that is still possible. A signal is
 * handed to `onSignal` as an exit code; a second one exits at once. Returns the way to stop
 * guarding, to be called when the screen has been closed.
 */
export function guardTerminal(close: () => void, onSignal: (code: number) => void): () => void {
  let restored = false;
  const restore = () => {
    if (restored) return;
    restored = true;
    attempt(close);
    attempt(() => Deno.stdin.setRaw(false));
    attempt(() => void Deno.stdout.writeSync(new TextEncoder().encode(RESET)));
  };
  const events = ["error", "unhandledrejection", "unload"] as const;
  for (const event of events) globalThis.addEventListener(event, restore);
  let signalled = false;
  const handlers = Object.entries(SIGNAL_CODES).map(([signal, code]) => {
    const handler = () => {
      restore();
      if (signalled) Deno.exit(code);
      signalled = true;
      onSignal(code);
    };
    // Windows knows SIGINT only.
    const known = attempt(() => Deno.addSignalListener(signal as Deno.Signal, handler));
    return { signal: signal as Deno.Signal, handler, known };
  });
  return () => {
    restored = true;
    for (const event of events) globalThis.removeEventListener(event, restore);
    for (const { signal, handler, known } of handlers) {
      if (known) Deno.removeSignalListener(signal, handler);
    }
  };
}

/** The terminal may be gone; then there is nothing to restore. */
function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
