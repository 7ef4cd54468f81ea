import { PlainStream } from "../../base/control_characters.ts";
import { lineOf, type Row } from "../transcript/rows.ts";
import { isTerminalGone } from "../device/terminal_gone.ts";

/** Who is told of what has been written. */
export interface WriterHost {
  written(): void;
  /** Nobody reads any more. */
  gone(): void;
}

/** Writes lines below one another, and an answer as it comes. */
export class PlainWriter {
  readonly #write: (text: string) => void;
  readonly #host: WriterHost;
  readonly #answer = new PlainStream();
  #atLineStart = true;

  constructor(write: (text: string) => void, host: WriterHost) {
    this.#write = write;
    this.#host = host;
  }

  get atLineStart(): boolean {
    return this.#atLineStart;
  }

  /** A person has ended the line by entering one. */
  entered(): void {
    this.#atLineStart = true;
  }

  answer(delta: string): void {
    this.print(this.#answer.push(delta));
  }

  rows(rows: readonly Row[]): void {
    for (const row of rows) this.line(lineOf(row));
  }

  /** Writes a line of its own. */
  line(text: string): void {
    this.print(this.#answer.end());
    const lead = this.#atLineStart ? "" : "\n";
    this.print(text === "" ? lead : `${lead}${text}\n`);
  }

  /** Ends a line that is open. */
  endLine(): void {
    this.line("");
  }

  print(text: string): void {
    if (text === "") return;
    this.#host.written();
    try {
      this.#write(text);
      this.#atLineStart = text.endsWith("\n");
    } catch (error) {
      this.#host.gone();
      if (!(error instanceof Deno.errors.BrokenPipe || isTerminalGone())) throw error;
    }
  }
}

/** Writes to standard output; throws `Deno.errors.BrokenPipe` when nobody reads any more. */
export function writeStdout(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) {
    try {
      done += Deno.stdout.writeSync(bytes.subarray(done));
    } catch (error) {
      // A serial line that is slow for the moment has not gone away.
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
