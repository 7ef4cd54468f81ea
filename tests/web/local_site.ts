/** A real HTTP server on loopback, with what the guard needs to let a test reach it. */
export interface Site {
  /** Without a trailing slash. */
  readonly base: string;
  readonly port: number;
  /** `address:port`, for the guard's `allow`. */
  readonly here: string;
  /** Every request: method and path. */
  readonly hits: string[];
}

/** Serves `handler` on a free loopback port while `use` runs. */
export async function withSite<T>(
  handler: (request: Request) => Response | Promise<Response>,
  use: (site: Site) => Promise<T>,
): Promise<T> {
  const hits: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    hits.push(`${request.method} ${pathname}${search}`);
    return handler(request);
  });
  const { port } = server.addr;
  try {
    return await use({ base: `http://127.0.0.1:${port}`, port, here: `127.0.0.1:${port}`, hits });
  } finally {
    await server.shutdown();
  }
}

export function html(body: string, init: ResponseInit = {}): Response {
  return new Response(body, {
    ...init,
    headers: { "content-type": "text/html; charset=utf-8", ...init.headers },
  });
}
