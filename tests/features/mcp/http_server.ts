/** A server of tools over HTTP, with the faults and the login that its options ask for; real requests, spoken by hand. */
import { listenAt } from "../../support/processes.ts";

type Any = { [key: string]: unknown };

export interface HttpServer {
  /** Every request is answered with this status, and a text. */
  readonly status?: number;
  /** Every request is answered with a page, told as HTML or as JSON. */
  readonly page?: "html" | "json";
  /** The answer of a call is a stream that is cut before its end. */
  readonly cutsCall?: true;
  /** The answer of a call is JSON that is cut before its end. */
  readonly cutsJson?: true;
  /** Answers of calls never come: comments, or bytes of one line, come instead. */
  readonly endless?: "comments" | "line";
  /** `initialize` is answered by a stream that goes on and on. */
  readonly endlessStart?: true;
  readonly redirectTo?: string;
  /** Answers come as events. */
  readonly events?: true;
  /** It speaks only the older SSE, and answers anything else with this. */
  readonly old?: 400 | 404 | 405;
  /** What a request in a session is answered with that is not known. Default: 404. */
  readonly forgets?: 400;
  /** Questions for newer servers are answered with HTTP 500, with a page, or with HTTP 202 and nothing. */
  readonly stumbles?: "500" | "page" | "202";
  /** Calls are answered with HTTP 400 and this text. */
  readonly refuses?: string;
  /** Only with a login; `refresh`: what becomes of those that are renewed. */
  readonly login?: {
    readonly refresh?: "works" | "refused" | "down";
    /** Calls want this scope, too. */
    readonly calls?: string;
  };
  /** What `status` comes with. */
  readonly text?: string;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly message: Any | undefined;
}

type Hold = (
  asked: { readonly method: string; readonly path: string; readonly body: string },
) => Promise<void> | undefined;

/** Begins to serve, on a port of its own or on one that was served before. */
export function serveTools(options: HttpServer = {}, port?: number) {
  const asked: Asked[] = [];
  let hold: Hold | undefined;
  const sessions = new Set<string>();
  const streams = new Map<string, ReadableStreamDefaultController<Uint8Array>>();
  const oauth = new Authority();
  const bytes = (text: string) => new TextEncoder().encode(text);
  const event = (value: unknown, name = "message") =>
    bytes(`event: ${name}\ndata: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`);
  const json = (value: unknown, init: ResponseInit = {}) => Response.json(value, init);
  const stream = (start: (controller: ReadableStreamDefaultController<Uint8Array>) => void) =>
    new Response(new ReadableStream({ start }), {
      headers: { "content-type": "text/event-stream" },
    });

  const serve = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const text = request.method === "POST" ? await request.text() : "";
    const message: Any | undefined = text.startsWith("{") ? JSON.parse(text) : undefined;
    if (hold) await hold({ method: request.method, path: url.pathname, body: text });
    asked.push({ method: request.method, path: url.pathname, headers: request.headers, message });
    if (options.redirectTo !== undefined) {
      return new Response(null, { status: 307, headers: { location: options.redirectTo } });
    }
    if (options.status !== undefined) {
      return new Response(options.text ?? "out of order", { status: options.status });
    }
    if (options.page) {
      const type = options.page === "html" ? "text/html" : "application/json";
      return new Response("<html><p>Welcome</p></html>", { headers: { "content-type": type } });
    }
    if (options.login) {
      const answer = await oauth.answer(request, url, text, options.login);
      if (answer) return answer;
    }
    return options.old ? oldSse(request, url, message) : tools(request, message);
  };

  /** The older way: a stream that says where to post, and brings the answers. */
  const oldSse = (request: Request, url: URL, message: Any | undefined): Response => {
    if (request.method === "GET") {
      const id = crypto.randomUUID();
      return stream((controller) => {
        streams.set(id, controller);
        controller.enqueue(event(`/messages?session=${id}`, "endpoint"));
      });
    }
    const controller = streams.get(url.searchParams.get("session") ?? "");
    if (url.pathname !== "/messages" || !controller || !message) {
      return new Response("not here", { status: options.old ?? 405 });
    }
    if (message["id"] !== undefined) controller.enqueue(event(answerTo(message)));
    return new Response("Accepted", { status: 202 });
  };

  const tools = (request: Request, message: Any | undefined): Response => {
    if (request.method === "GET") return new Response(null, { status: 405 });
    const session = request.headers.get("mcp-session-id");
    if (request.method === "DELETE") {
      return new Response(null, { status: sessions.delete(session ?? "") ? 204 : 404 });
    }
    if (!message) return new Response("no message", { status: 400 });
    const { method } = message;
    if (method === "server/discover" && options.stumbles === "202") {
      return new Response(null, { status: 202 });
    }
    if (method === "server/discover" && options.stumbles) {
      return options.stumbles === "500"
        ? new Response("Internal Server Error", { status: 500 })
        : new Response("<html>", { headers: { "content-type": "text/html" } });
    }
    if (method === "tools/call" && options.refuses !== undefined) {
      return new Response(options.refuses, { status: 400 });
    }
    if (method === "initialize") {
      if (options.endlessStart) return stream(endless("comments"));
      const id = crypto.randomUUID();
      sessions.add(id);
      return json(answerTo(message), { headers: { "mcp-session-id": id } });
    }
    if (method !== "server/discover" && !sessions.has(session ?? "")) {
      const error = { code: -32001, message: "Session not found" };
      return json({ jsonrpc: "2.0", id: null, error }, { status: options.forgets ?? 404 });
    }
    if (message["id"] === undefined) return new Response(null, { status: 202 });
    if (method === "tools/call" && options.cutsCall) {
      return stream((controller) => {
        controller.enqueue(bytes(": working\n\n"));
        setTimeout(() => controller.error(new Error("cut")), 50);
      });
    }
    if (method === "tools/call" && options.cutsJson) {
      const cut = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes('{"jsonrpc": "2.0", '));
          setTimeout(() => controller.error(new Error("cut")), 50);
        },
      });
      return new Response(cut, { headers: { "content-type": "application/json" } });
    }
    if (method === "tools/call" && options.endless) return stream(endless(options.endless));
    if (options.events) {
      return stream((controller) => {
        controller.enqueue(event(answerTo(message)));
        controller.close();
      });
    }
    return json(answerTo(message));
  };

  const endless = (what: "comments" | "line") =>
  (
    controller: ReadableStreamDefaultController<Uint8Array>,
  ) => {
    const chunk = what === "comments"
      ? bytes(": on and on\n\n")
      : new Uint8Array(1 << 20).fill(120);
    if (what === "line") controller.enqueue(bytes("data: "));
    const timer = setInterval(() => {
      try {
        controller.enqueue(chunk);
      } catch {
        clearInterval(timer);
      }
    }, 5);
  };

  const quiet = { onListen() {}, onError: () => new Response(null, { status: 500 }) };
  const answer = async (request: Request) => {
    try {
      return await serve(request);
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  };
  const server = listenAt(
    (at) => Deno.serve({ hostname: "127.0.0.1", port: at, ...quiet }, answer),
    port,
  );
  const root = `http://127.0.0.1:${server.addr.port}`;
  oauth.root = root;
  return {
    root,
    url: `${root}/mcp`,
    port: server.addr.port,
    asked,
    oauth,
    /** From now on a request is looked at only after this. */
    hold(before: Hold): void {
      hold = before;
    },
    /** Forgets all sessions, as a server does that was started anew. */
    forget: () => sessions.clear(),
    /** How often this was asked. */
    count: (method: string) => asked.filter(({ message }) => message?.["method"] === method).length,
    async [Symbol.asyncDispose]() {
      for (const controller of streams.values()) {
        try {
          controller.close();
        } catch { /* it is closed */ }
      }
      await Promise.race([server.shutdown(), new Promise((resolve) => setTimeout(resolve, 300))]);
    },
  };
}

/** Waits until connections to an address are refused, those too that were kept open. */
export async function refused(url: string): Promise<void> {
  for (;;) {
    const error: unknown = await fetch(url).then((response) => response.text(), (error) => error);
    if (error instanceof Error && /refused/i.test(`${error.message} ${error.cause}`)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function answerTo({ id, method, params }: Any): Any {
  const given = (params ?? {}) as Any;
  const args = (given["arguments"] ?? {}) as Any;
  const results: { [method: string]: unknown } = {
    initialize: {
      protocolVersion: given["protocolVersion"],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: "over http", version: "1" },
    },
    "tools/list": {
      tools: [{
        name: "echo",
        description: "Says it again",
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
      }],
    },
    "tools/call": { content: [{ type: "text", text: `echo: ${args["text"]}` }] },
    "resources/list": { resources: [{ uri: "memo://one", name: "one" }] },
    "resources/read": { contents: [{ uri: "memo://one", text: "the memo" }] },
    "prompts/list": { prompts: [] },
  };
  const result = results[String(method)];
  return result === undefined
    ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
    : { jsonrpc: "2.0", id, result };
}

/** Gives tokens, and says which requests have one. */
class Authority {
  root = "";
  /** How often each was asked for. */
  readonly count = { register: 0, authorize: 0, code: 0, refresh: 0 };
  /** What is wrong with the answer to a login. */
  fault: "denied" | "other state" | "other issuer" | undefined;
  /** The clients that are known besides those that register. */
  readonly clients = new Set<string>();
  /** Whom it calls itself in the answer to a login. */
  issuer: string | undefined;
  /** What is said of the server, in place of what is so. */
  told: { readonly resource?: string; readonly authorization_servers?: readonly string[] } = {};
  /** The same of itself. */
  metadata: Any = {};
  readonly #codes = new Map<
    string,
    { readonly challenge: string; readonly redirect: string; readonly scope: string }
  >();
  /** The scopes that logins asked for. */
  readonly scopes: string[] = [];
  /** With the scope of each. */
  readonly #access = new Map<string, string>();
  readonly #refresh = new Set<string>();

  /** From now on no token holds that was given. */
  withdraw(): void {
    this.#access.clear();
  }

  /** Undefined for a request that has a token. */
  async answer(
    request: Request,
    url: URL,
    body: string,
    { refresh = "works", calls }: NonNullable<HttpServer["login"]>,
  ): Promise<Response | undefined> {
    const { pathname } = url;
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      const so = { resource: `${this.root}/mcp`, authorization_servers: [this.root] };
      return Response.json({ ...so, ...this.told });
    }
    if (pathname.startsWith("/.well-known/oauth-authorization-server")) return this.#metadata();
    if (pathname === "/register") return this.#register(body);
    if (pathname === "/authorize") return this.#authorize(url.searchParams);
    if (pathname === "/token") return await this.#token(new URLSearchParams(body), refresh);
    const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    const scope = this.#access.get(token);
    if (scope !== undefined) {
      const lacks = calls !== undefined && /"method":"tools\/call"/.test(body) &&
        !scope.split(" ").includes(calls);
      const more = `Bearer error="insufficient_scope", scope="${calls}"`;
      return lacks
        ? new Response("more", { status: 403, headers: { "www-authenticate": more } })
        : undefined;
    }
    const metadata = `${this.root}/.well-known/oauth-protected-resource/mcp`;
    return new Response("login, please", {
      status: 401,
      headers: { "www-authenticate": `Bearer resource_metadata="${metadata}", scope="all"` },
    });
  }

  #metadata(): Response {
    return Response.json({
      issuer: this.root,
      authorization_endpoint: `${this.root}/authorize`,
      token_endpoint: `${this.root}/token`,
      registration_endpoint: `${this.root}/register`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    });
  }

  #register(body: string): Response {
    this.count.register++;
    const client_id = crypto.randomUUID();
    this.clients.add(client_id);
    return Response.json({ ...JSON.parse(body), client_id }, { status: 201 });
  }

  #authorize(asked: URLSearchParams): Response {
    this.count.authorize++;
    if (!this.clients.has(asked.get("client_id") ?? "")) {
      return new Response("who?", { status: 400 });
    }
    const redirect = asked.get("redirect_uri")!;
    const back = new URL(redirect);
    back.searchParams.set("state", this.fault === "other state" ? "x" : asked.get("state") ?? "");
    if (this.fault === "denied") {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "<b>no</b>");
      return Response.redirect(back, 302);
    }
    const code = crypto.randomUUID();
    const scope = asked.get("scope") ?? "";
    this.scopes.push(scope);
    this.#codes.set(code, { challenge: asked.get("code_challenge") ?? "", redirect, scope });
    back.searchParams.set("code", code);
    const iss = this.issuer ??
      (this.fault === "other issuer" ? "https://other.example" : this.root);
    back.searchParams.set("iss", iss);
    return Response.redirect(back, 302);
  }

  async #token(
    asked: URLSearchParams,
    refresh: "works" | "refused" | "down",
  ): Promise<Response> {
    const refuse = (error: string) => Response.json({ error }, { status: 400 });
    const refused = refuse("invalid_grant");
    let scope = "";
    const renewal = asked.get("grant_type") === "refresh_token";
    this.count[renewal ? "refresh" : "code"]++;
    if (asked.get("resource") !== `${this.root}/mcp`) return refuse("invalid_target");
    if (!this.clients.has(asked.get("client_id") ?? "")) return refuse("invalid_client");
    if (renewal) {
      if (refresh === "down") return new Response("<html>down</html>", { status: 503 });
      const old = asked.get("refresh_token") ?? "";
      if (refresh === "refused" || !this.#refresh.delete(old)) return refused;
    } else {
      const code = this.#codes.get(asked.get("code") ?? "");
      const verifier = new TextEncoder().encode(asked.get("code_verifier") ?? "");
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", verifier));
      const challenge = digest.toBase64({ alphabet: "base64url", omitPadding: true });
      if (code?.challenge !== challenge || code.redirect !== asked.get("redirect_uri")) {
        return refused;
      }
      scope = code.scope;
    }
    const [access_token, refresh_token] = [crypto.randomUUID(), crypto.randomUUID()];
    this.#access.set(access_token, scope);
    this.#refresh.add(refresh_token);
    const told = scope === "" ? {} : { scope };
    return Response.json({
      access_token,
      refresh_token,
      token_type: "Bearer",
      expires_in: 3600,
      ...told,
    });
  }
}
