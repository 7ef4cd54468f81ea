/** Lines of a byte stream, as a person or a script gives them to plain mode. */

/** Splits at line ends, CRLF among them; a last line without one counts too. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open = "";
  for await (const chunk of chunks) {
    const parts = (open + decoder.decode(chunk, { stream: true })).split("\n");
    open = parts.pop()!;
    for (const part of parts) yield part.replace(/\r$/, "");
  }
  open += decoder.decode();
  if (open !== "") yield open;
}

/** Puts together what a backslash at the end of a line holds open; two backslashes are one of the text's own. */
export class OpenLine {
  #parts: string[] = [];

  get begun(): boolean {
    return this.#parts.length > 0;
  }

  /** Returns the whole input, or undefined while there is more to come. */
  push(line: string): string | undefined {
    const slashes = /\\*$/.exec(line)![0].length;
    const goesOn = slashes % 2 === 1;
    this.#parts.push(slashes > 0 ? line.slice(0, -Math.ceil(slashes / 2)) : line);
    return goesOn ? undefined : this.end();
  }

  /** What has been held open so far; undefined when nothing was. */
  end(): string | undefined {
    if (!this.begun) return undefined;
    const whole = this.#parts.join("\n");
    this.#parts = [];
    return whole;
  }
}
