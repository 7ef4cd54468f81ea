/** A command on a pseudo-terminal of its own: every byte it writes, and when. */
import { fileURLToPath } from "node:url";

const HELPER = fileURLToPath(new URL("./on_pty.py", import.meta.url));
const PYTHON = "/usr/bin/python3";

export interface PtyOptions {
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  readonly size?: readonly [columns: number, rows: number];
}

/** True when a pseudo-terminal can be had here. */
export async function ptyAvailable(): Promise<boolean> {
  try {
    return (await new Deno.Command(PYTHON, { args: ["-c", "import pty"] }).output()).success;
  } catch {
    return false;
  }
}

export class Pty {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #ended: Promise<void>;
  readonly #decoder = new TextDecoder();
  #wake = Promise.withResolvers<void>();
  /** All that was written so far. */
  written = "";
  /** Milliseconds from the fork to the last that was written. */
  ms = 0;
  /** Process id of the command, once it runs. */
  pid = NaN;
  /** Set once the command has ended; negative for a signal. */
  exit: number | undefined;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#ended = this.#read();
  }

  static open(command: readonly string[], options: PtyOptions): Pty {
    const [columns, rows] = options.size ?? [80, 24];
    return new Pty(
      new Deno.Command(PYTHON, {
        args: ["-S", HELPER, String(columns), String(rows), ...command],
        clearEnv: true,
        env: { TERM: "xterm-256color", ...options.env },
        cwd: options.cwd,
        stdin: "piped",
        stdout: "piped",
      }).spawn(),
    );
  }

  /** Sends keys. */
  async type(text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    await this.#order({ write: String.fromCharCode(...bytes) });
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#order({ resize: [columns, rows] });
  }

  /** Sends a signal to the command. */
  async signal(number: number): Promise<void> {
    await this.#order({ signal: number });
  }

  /** Takes the terminal away, as a window that is closed; what happens then is not told. */
  async hangUp(): Promise<void> {
    this.#child.kill("SIGKILL");
    this.exit = NaN;
    await this.#child.status;
  }

  /** Waits until what was written, from `from` on, matches; returns milliseconds since the fork. */
  async shows(what: string | RegExp, from = 0, seconds = 20): Promise<number> {
    const timeout = AbortSignal.timeout(seconds * 1000);
    const late = new Promise<void>((resolve) => timeout.addEventListener("abort", () => resolve()));
    while (true) {
      const text = this.written.slice(from);
      if (typeof what === "string" ? text.includes(what) : what.test(text)) return this.ms;
      if (timeout.aborted || this.exit !== undefined) {
        throw new Error(`The terminal was never sent ${what}: ${JSON.stringify(text)}`);
      }
      await Promise.race([this.#wake.promise, late]);
    }
  }

  /** Waits for the command's end and returns its exit code. */
  async end(): Promise<number> {
    await this.#ended;
    await this.#writer.close().catch(() => {});
    await this.#child.status;
    return this.exit ?? NaN;
  }

  /** Ends the command where it has not ended by itself. */
  async close(): Promise<void> {
    if (this.exit === undefined) await this.signal(9).catch(() => {});
    await this.end();
  }

  async #order(order: unknown): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify(order) + "\n"));
  }

  async #read(): Promise<void> {
    let open = "";
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (open + chunk).split("\n");
      open = lines.pop()!;
      for (const line of lines) this.#hear(JSON.parse(line));
    }
  }

  #hear(event: { ms: number; pid?: number; data?: string; exit?: number }): void {
    this.pid = event.pid ?? this.pid;
    this.exit = event.exit;
    if (event.data !== undefined) {
      this.ms = event.ms;
      const bytes = Uint8Array.from(event.data, (char) => char.charCodeAt(0));
      this.written += this.#decoder.decode(bytes, { stream: true });
    }
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
