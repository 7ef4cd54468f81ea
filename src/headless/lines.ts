/** Lines of a byte stream. */

/** Calls `use` for each non-blank line, one after the other. */
export async function eachLine(
  stream: AsyncIterable<Uint8Array>,
  use: (line: string, number: number) => Promise<void> | void,
): Promise<void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let number = 0;
  const finish = async (line: string) => {
    number++;
    if (line.trim() !== "") await use(line, number);
  };
  for await (const chunk of stream) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    for (const piece of pieces.slice(0, -1)) {
      await finish(parts.join("") + piece);
      parts = [];
    }
    parts.push(pieces.at(-1)!);
  }
  await finish(parts.join("") + decoder.decode());
}
