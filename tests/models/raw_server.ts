/** A provider on a real local socket that answers with the bytes it is given. */

export interface RawReply {
  /** Each goes out in a write of its own. */
  readonly pieces: Iterable<string | Uint8Array>;
  /** Of an event stream when left out. */
  readonly type?: string;
  readonly status?: number;
  /** Milliseconds between the pieces. */
  readonly gapMs?: number;
}

interface RawServer {
  /** Base for the OpenAI protocol. */
  readonly url: string;
  /** Base for the Messages protocol. */
  readonly anthropicUrl: string;
  /** How many requests have come. */
  count(): number;
  close(): Promise<void>;
}

/** Answers each request with `reply`, and closes the connection behind it. */
export function rawServer(reply: (index: number) => RawReply): RawServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const running: Promise<void>[] = [];
  let count = 0;

  async function serve(connection: Deno.Conn): Promise<void> {
    open.add(connection);
    try {
      await readRequest(connection);
      const { pieces, type = "text/event-stream", status = 200, gapMs = 0 } = reply(count++);
      const head = `HTTP/1.1 ${status} Raw\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n`;
      await write(connection, head);
      for (const piece of pieces) {
        await write(connection, piece);
        if (gapMs > 0) await new Promise((wake) => setTimeout(wake, gapMs));
      }
    } catch {
      // the client went away
    } finally {
      open.delete(connection);
      try {
        connection.close();
      } catch { /* closed already */ }
    }
  }

  running.push((async () => {
    for await (const connection of listener) running.push(serve(connection));
  })());
  const base = `http://127.0.0.1:${listener.addr.port}`;
  return {
    url: base + "/v1",
    anthropicUrl: base + "/anthropic",
    count: () => count,
    async close() {
      listener.close();
      for (const connection of open) connection.close();
      await Promise.allSettled(running);
    },
  };
}

async function readRequest(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(65536);
  let text = "";
  for (;;) {
    const end = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (end >= 0 && text.length >= end + 4 + length) return;
    const count = await connection.read(buffer);
    if (count === null) return;
    // one character a byte: only their number matters
    text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
  }
}

async function write(connection: Deno.Conn, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}
