import { SIGNAL_CODES } from "../panels/options.ts";

/** One process of Linux's /proc. */
interface Process {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/**
 * Whether a shell waits for this process to stop, and could start it again. The kernel would not
 * stop one without, but Deno's own default of SIGTSTP is SIGSTOP, from which none would wake it.
 */
function hasShell(): boolean {
  if (Deno.build.os === "windows") return false;
  if (Deno.build.os !== "linux") return Deno.ppid !== 1;
  const own = processOf(Deno.pid);
  for (let at = own; at !== undefined && own !== undefined;) {
    const parent = processOf(at.parent);
    if (parent === undefined || parent.session !== own.session) return false;
    if (parent.group !== own.group) return true;
    at = parent;
  }
  return false;
}

function processOf(pid: number): Process | undefined {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // A program's name may hold blanks and brackets.
    const [, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
    return { parent: parent!, group: group!, session: session! };
  } catch {
    return undefined;
  }
}

/** Ends a frame that was cut off; shows the cursor. */
const CALM = "\x1b[?2026l\x1b[?25h\x1b[0m";
/**
 * Erases from the cursor's row down. An ESC[J at the top left corner would make tmux move the whole
 * screen into its scrollback.
 */
export const ERASE_DOWN = "\r\x1b[2K\x1b7\x1b[B\x1b[J\x1b8";
/** For a holder that could not: clears what was live, leaves Kitty keys, modified keys, paste mode. */
const RESET = ERASE_DOWN + "\x1b[<u\x1b[>4;0m\x1b[?2004l\x1b[?7h";

/** Within this a signal that has come is heard. */
const HEAR_MS = 20;

/** The event of a terminal that can be neither written nor read any more. */
export const HANG_UP = "narnat:hangup";

/** Who draws on the terminal. */
export interface Holder {
  /** Ends in good order, where that is still possible. */
  close(): void;
  /** Is told the exit code of a signal that ends the process; a second one exits at once, SIGHUP aside. */
  onSignal(code: number): void;
  /** Takes what is live off the screen and stops drawing. */
  suspend(): void | Promise<void>;
  /** Draws again, from the cursor's row on, in raw mode. */
  resume(): void;
  /** True while another program has the terminal: Ctrl-C there is meant for it. */
  lent?(): boolean;
}

export interface TerminalGuard {
  /** Stops the process as a shell's Ctrl-Z does; nothing happens where it cannot be stopped. */
  suspend(): void;
  /** Closes the holder, gives the terminal back and stops guarding. */
  end(): void;
  /** Stops guarding: the terminal is in another's hands. */
  release(): void;
}

/**
 * Gives the terminal back as it was, however the process ends (by an error, a rejection, an exit or
 * a signal) and while it is stopped.
 */
export function guardTerminal(holder: Holder): TerminalGuard {
  let restored = false;
  const restore = () => {
    if (restored) return;
    restored = true;
    giveBack(attempt(() => holder.close()));
  };
  const events = ["error", "unhandledrejection", "unload"] as const;
  for (const event of events) globalThis.addEventListener(event, restore);
  let signalled = false;
  const endBy = (signal: keyof typeof SIGNAL_CODES) => {
    if (signal === "SIGINT" && holder.lent?.()) return;
    restore();
    // That the terminal is gone is told again by each write to it.
    if (signalled && signal === "SIGHUP") return;
    if (signalled) Deno.exit(SIGNAL_CODES[signal]);
    signalled = true;
    holder.onSignal(SIGNAL_CODES[signal]);
  };
  const endings = Object.keys(SIGNAL_CODES).map((signal) =>
    listen(signal as Deno.Signal, () => endBy(signal as keyof typeof SIGNAL_CODES))
  );
  const hungUp = () => endBy("SIGHUP");
  globalThis.addEventListener(HANG_UP, hungUp);
  const stops = guardStops(holder, () => restored);
  const release = () => {
    restored = true;
    for (const event of events) globalThis.removeEventListener(event, restore);
    globalThis.removeEventListener(HANG_UP, hungUp);
    for (const stopListening of endings) stopListening();
    stops.release();
  };
  return {
    suspend: stops.suspend,
    end() {
      restore();
      release();
    },
    release,
  };
}

/** SIGTSTP gives the terminal back before the process stops; SIGCONT takes it again. */
function guardStops(holder: Holder, over: () => boolean): { suspend(): void; release(): void } {
  // Deno asks for --allow-run before it lets a process stop itself.
  const mayStop = Deno.build.os !== "windows" &&
    Deno.permissions.querySync({ name: "run" }).state === "granted";
  if (!mayStop) return { suspend() {}, release() {} };
  let stopped = false;
  let stopListening = () => {};
  const onStop = async () => {
    if (over() || stopped || !hasShell()) return;
    stopped = true;
    const orderly = await Promise.try(() => holder.suspend()).then(() => true, () => false);
    if (over()) return;
    giveBack(orderly);
    // Without a listener the signal stops the process.
    stopListening();
    Deno.kill(Deno.pid, "SIGTSTP");
  };
  let continued = 0;
  const onContinue = async () => {
    if (over()) return;
    const mine = ++continued;
    // In the background the process is stopped here, until another SIGCONT.
    attempt(() => Deno.stdin.setRaw(true));
    await new Promise((resolve) => setTimeout(resolve, HEAR_MS));
    if (over() || mine !== continued) return;
    if (stopped) stopListening = listen("SIGTSTP", onStop);
    stopped = false;
    holder.resume();
  };
  stopListening = listen("SIGTSTP", onStop);
  const ignoreContinue = listen("SIGCONT", onContinue);
  return {
    // The whole group, so that a launcher around narnat stops too and the shell sees it.
    suspend() {
      if (hasShell()) Deno.kill(0, "SIGTSTP");
    },
    release() {
      stopListening();
      ignoreContinue();
    },
  };
}

function giveBack(orderly: boolean): void {
  attempt(() => Deno.stdin.setRaw(false));
  const last = orderly ? CALM : RESET + CALM;
  attempt(() => void Deno.stdout.writeSync(new TextEncoder().encode(last)));
}

/** Listens to a signal where there is one of that name; returns how to stop. */
function listen(signal: Deno.Signal, handler: () => void): () => void {
  if (!attempt(() => Deno.addSignalListener(signal, handler))) return () => {};
  return () => Deno.removeSignalListener(signal, handler);
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
