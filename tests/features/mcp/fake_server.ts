/**
 * A server of tools as a process of its own, with the faults that its one argument, JSON, asks for.
 * It speaks the protocol by hand, so that it can break it.
 */

/** A tool as the server lists it; nothing holds it to the protocol. */
type Any = { [key: string]: unknown };

export interface FakeServer {
  /** What `tools/list` answers; `echo`, `slow` and what the other options need when left out. */
  readonly tools?: readonly unknown[];
  /** Milliseconds until `initialize` is answered; -1 for never. */
  readonly initializeMs?: number;
  /** Written on stderr at once, then the process ends with this code. */
  readonly diesWith?: number;
  /** Ends in the middle of a call of `echo`. */
  readonly diesInCall?: true;
  /** Lines on stdout before each answer that are no messages. */
  readonly garbage?: number;
  /** Bytes of the answer of `echo`. */
  readonly answerBytes?: number;
  /** The answer of `echo` is cut in the middle of its JSON. */
  readonly brokenAnswer?: true;
  /** What answers a call, as it is; `ID` stands for the request's. */
  readonly rawAnswer?: string;
  /** Each page of the list leads to another one; `again`: always to the same. */
  readonly paging?: "endless" | "again";
  /** `tools/list` answers with an error. */
  readonly noList?: true;
  /** `tools/list` is never answered. */
  readonly silentList?: true;
  readonly ignoresTerm?: true;
  readonly ignoresEnd?: true;
  /** Starts `sleep` besides, in its own group or in one of its own. Its pid stands on stderr. */
  readonly grandchild?: "same group" | "own group";
  /** Of `echo`. */
  readonly description?: string;
  /** Resources and prompts. */
  readonly more?: true;
}

const options: FakeServer = import.meta.main ? JSON.parse(Deno.args[0] ?? "{}") : {};

let description = options.description ?? "Says it again";
const echo = () => ({
  name: "echo",
  description,
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
});
const OTHERS = ["slow", "progress", "ask", "grow", "fail", "rich", "env", "cancelled", "roots"];

if (options.description !== undefined) OTHERS.push("rewrite");

let extra: Any[] = [];
const waiting = new Map<number, (result: Any) => void>();
const cancelled: unknown[] = [];
let requests = 0;

function write(text: string): void {
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

function send(message: Any): void {
  for (let n = 0; n < (options.garbage ?? 0); n++) write(`starting… step ${n}\n`);
  write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
}

function ask(method: string, params: Any = {}): Promise<Any> {
  const id = ++requests;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const text = (text: string) => ({ content: [{ type: "text", text }] });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function call(name: string, input: Any, token: unknown): Promise<Any> {
  switch (name) {
    case "echo":
      if (options.diesInCall) Deno.exit(7);
      if (options.answerBytes) return text("x".repeat(options.answerBytes));
      return text(String(input["text"]));
    case "slow":
      console.error("slow begins");
      await wait(Number(input["ms"] ?? 60_000));
      return text("slept");
    case "progress":
      for (let progress = 1; progress <= Number(input["steps"] ?? 3); progress++) {
        const params = { progressToken: token, progress, total: input["steps"] ?? 3 };
        send({ method: "notifications/progress", params: { ...params, message: "at it" } });
        if (input["ms"] !== 0) await wait(Number(input["ms"] ?? 10));
      }
      return text("through");
    case "flood": {
      const params = { progressToken: token, message: "at it" };
      const lines = Array.from({ length: Number(input["steps"]) }, (_, at) => {
        const told = { method: "notifications/progress", params: { ...params, progress: at + 1 } };
        return JSON.stringify({ jsonrpc: "2.0", ...told }) + "\n";
      });
      write(lines.join(""));
      return text("through");
    }
    case "ask": {
      const { thenMs, ...params } = input;
      const answer = await ask("elicitation/create", params);
      await wait(Number(thenMs ?? 0));
      return text(JSON.stringify(answer));
    }
    case "roots":
      return text(JSON.stringify(await ask("roots/list")));
    case "grow":
      extra = [{ name: "grown", description: null, inputSchema: { type: "object" } }];
      send({ method: "notifications/tools/list_changed" });
      return text("grown");
    case "rewrite":
      description = String(input["description"]);
      send({ method: "notifications/tools/list_changed" });
      return text("rewritten");
    case "fail":
      return { ...text("it did not work"), isError: true };
    case "rich":
      return input as Any;
    case "env":
      return text(JSON.stringify(Deno.env.toObject()));
    case "cancelled":
      return text(JSON.stringify(cancelled));
  }
  throw new Error(`unknown tool ${name}`);
}

function list(params: Any): Any {
  if (options.noList) throw new Error("the list is broken");
  const all = options.tools ??
    [echo(), ...OTHERS.map((name) => ({ name, inputSchema: { type: "object" } }))];
  if (options.paging === undefined) return { tools: [...all, ...extra] };
  const page = Number(params["cursor"] ?? 0);
  return {
    tools: [{ name: `tool${page}`, inputSchema: { type: "object" } }],
    nextCursor: options.paging === "again" ? "1" : String(page + 1),
  };
}

async function answer(method: string, params: Any): Promise<Any> {
  switch (method) {
    case "initialize":
      if (options.initializeMs === -1) await new Promise(() => {});
      await wait(options.initializeMs ?? 0);
      return {
        protocolVersion: params["protocolVersion"],
        serverInfo: { name: "fake", version: "1" },
        capabilities: {
          tools: { listChanged: true },
          ...options.more ? { resources: {}, prompts: {} } : {},
        },
      };
    case "tools/list":
      if (options.silentList) await new Promise(() => {});
      return list(params);
    case "tools/call": {
      const meta = (params["_meta"] ?? {}) as Any;
      return await call(
        String(params["name"]),
        (params["arguments"] ?? {}) as Any,
        meta["progressToken"],
      );
    }
    case "resources/list":
      return { resources: [{ uri: "fake://one", name: "one", mimeType: "text/plain" }, {}] };
    case "resources/read":
      return { contents: [{ uri: params["uri"], mimeType: "text/plain", text: "the one" }] };
    case "prompts/list":
      return { prompts: [{ name: "greet", arguments: [{ name: "who", required: true }] }] };
    case "prompts/get": {
      const { who } = params["arguments"] as Any;
      return { messages: [{ role: "user", content: { type: "text", text: `Greet ${who}` } }] };
    }
    case "ping":
      return {};
  }
  throw new Error(`unknown method ${method}`);
}

async function take(line: string): Promise<void> {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) return waiting.get(id)?.(result ?? error);
  if (method === "notifications/cancelled") cancelled.push(params);
  if (id === undefined) return;
  try {
    const given = await answer(method, params ?? {});
    if (options.brokenAnswer && method === "tools/call") {
      return write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type"\n`);
    }
    if (options.rawAnswer !== undefined && method === "tools/call") {
      return write(options.rawAnswer.replace("ID", JSON.stringify(id)) + "\n");
    }
    send({ id, result: given });
  } catch (thrown) {
    send({ id, error: { code: -32603, message: (thrown as Error).message } });
  }
}

function startGrandchild(): void {
  const own = options.grandchild === "own group";
  const [command, args] = own ? ["setsid", ["sleep", "600"]] : ["sleep", ["600"]];
  const child = new Deno.Command(command as string, { args: args as string[], stdin: "null" })
    .spawn();
  child.unref();
  console.error(`grandchild ${child.pid}`);
}

if (import.meta.main) {
  if (options.ignoresTerm) Deno.addSignalListener("SIGTERM", () => {});
  console.error(`started ${Deno.pid}`);
  if (options.grandchild) startGrandchild();
  if (options.diesWith !== undefined) {
    console.error("no configuration found");
    Deno.exit(options.diesWith);
  }
  let rest = "";
  const words = new TextDecoder();
  for await (const chunk of Deno.stdin.readable) {
    const lines = (rest + words.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== "") void take(line);
  }
  if (options.ignoresEnd) await new Promise((resolve) => setTimeout(resolve, 600_000));
  Deno.exit(0);
}
