/** Hands a process all that it may read on its stdin; one that does not read breaks the pipe, or leaves it full. */
export async function feed(
  stdin: WritableStream<Uint8Array>,
  input: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(input);
    await writer.close();
  } catch { /* it did not want to know */ }
}
