/** What stands between the client library and the network. */

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Bytes of one message. */
const MESSAGE_BYTES = 64 * 1024 * 1024;
/** Bytes that are read of an answer that is an error. */
const ERROR_BYTES = 64 * 1024;
const SESSION = "mcp-session-id";
const LINE_FEED = 10;

/** An answer went beyond all bounds. */
export class TooLong extends Error {
  override readonly name = "TooLong";
}

/** Whether Deno lets us: trying would put Deno's own question on the screen. */
export function mayReach(host: string): boolean {
  return Deno.permissions.querySync({ name: "net", host }).state === "granted";
}

/** Bounds what is read: of a stream each event, of anything else the whole. */
export function boundedFetch(base: Fetch): Fetch {
  return async (url, init) => {
    const response = await base(url, init);
    if (!response.body) return response;
    const stream = response.headers.get("content-type")?.startsWith("text/event-stream");
    const limit = !response.ok ? cutting(ERROR_BYTES) : bounding(MESSAGE_BYTES, stream === true);
    return withBody(response, response.body.pipeThrough(limit));
  };
}

/** Tells when the body of an answer has ended, in whatever way. */
export function watchedFetch(base: Fetch, ended: () => void): Fetch {
  return async (url, init) => {
    const response = await base(url, init);
    if (!response.ok || !response.body) return response;
    const [out, put] = [new TransformStream<Uint8Array, Uint8Array>(), response.body];
    void put.pipeTo(out.writable).catch(() => {}).finally(ended);
    return withBody(response, out.readable);
  };
}

/** A question for newer servers that was only accepted is a refused one: no answer is coming. */
export function answeredFetch(base: Fetch): Fetch {
  return async (url, init) => {
    const response = await base(url, init);
    const question = typeof init?.body === "string" &&
      init.body.includes('"method":"server/discover"');
    if (!question || response.status !== 202) return response;
    await response.body?.cancel();
    return new Response(null, { status: 400 });
  };
}

/**
 * Begins a new session, once for each request, where the server has forgotten the one it is asked
 * in; the client library goes on under the old name.
 */
export function sessionFetch(base: Fetch): Fetch {
  let opening: string | undefined;
  let current: string | null = null;
  let renewing: Promise<void> | undefined;

  const renew = async (url: string | URL, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.delete(SESSION);
    headers.delete("last-event-id");
    headers.set("content-type", "application/json");
    headers.set("accept", "application/json, text/event-stream");
    const post = { ...init, method: "POST" };
    const opened = await base(url, { ...post, headers, body: opening! });
    const session = opened.headers.get(SESSION);
    await opened.text();
    if (!opened.ok || session === null) return;
    headers.set(SESSION, session);
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    await (await base(url, { ...post, headers, body })).text();
    current = session;
  };

  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    const body = typeof init.body === "string" ? init.body : "";
    if (!headers.has(SESSION) || current === null) {
      const response = await base(url, init);
      if (response.ok && body.includes('"method":"initialize"')) {
        opening = body;
        current = response.headers.get(SESSION);
      }
      return response;
    }
    const used = current;
    headers.set(SESSION, used);
    const response = await base(url, { ...init, headers });
    if (init.method === "DELETE") return response;
    const [answer, forgotten] = await forgets(response);
    if (!forgotten) return answer;
    if (current === used) {
      renewing ??= renew(url, init).finally(() => renewing = undefined);
      await renewing;
    }
    if (current === used) return answer;
    headers.set(SESSION, current);
    return await base(url, { ...init, headers });
  };
}

/** Whether it says that there is no such session: 404 as agreed, 400 by some. */
async function forgets(response: Response): Promise<readonly [Response, boolean]> {
  if (response.status !== 404 && response.status !== 400) return [response, false];
  const text = await response.text();
  const again = new Response(text, response);
  return [again, response.status === 404 || /session/i.test(text)];
}

const withBody = (response: Response, body: ReadableStream<Uint8Array>) =>
  new Response(body as BodyInit, response);

function bounding(most: number, events: boolean): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let before = 0;
  return new TransformStream({
    transform(chunk, controller) {
      count += chunk.length;
      // an event ends with an empty line
      for (let at = events ? chunk.indexOf(LINE_FEED) : -1; at >= 0;) {
        const last = at === 0 ? before : chunk[at - 1];
        if (last === LINE_FEED || last === 13) count = chunk.length - at - 1;
        at = chunk.indexOf(LINE_FEED, at + 1);
      }
      before = chunk.at(-1) ?? before;
      if (count > most) controller.error(new TooLong(`more than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

function cutting(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
