/** What V8 has loaded in a running narnat, as a debugger is told it. */
import { cleanEnv, ROOT } from "./narnat.ts";

/** A call of a tool. */
export type Call = readonly [name: string, input: { readonly [name: string]: string }];

/** The model's answer: a call, or its last words. */
function answerOf(call: Call | undefined): string {
  const choice = call
    ? {
      delta: {
        tool_calls: [{
          index: 0,
          id: crypto.randomUUID(),
          type: "function",
          function: { name: call[0], arguments: JSON.stringify(call[1]) },
        }],
      },
      finish_reason: "tool_calls",
    }
    : { delta: { content: "done" }, finish_reason: "stop" };
  const chunk = { choices: [{ index: 0, ...choice }] };
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

/** The scripts that `main` (run with `args`) has loaded by its first request, and by its end; the model makes the calls. */
export async function loadedBy(
  main: string,
  args: readonly string[],
  { cwd, home, calls = [] }: {
    readonly cwd: string;
    readonly home: string;
    readonly calls?: readonly Call[];
  },
): Promise<{ readonly atRequest: readonly string[]; readonly atEnd: readonly string[] }> {
  const scripts: string[] = [];
  let atRequest: readonly string[] | undefined;
  let requests = 0;
  await using provider = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      await request.body?.cancel();
      await settled();
      atRequest ??= [...scripts];
      return new Response(answerOf(calls[requests++]), {
        headers: { "content-type": "text/event-stream" },
      });
    },
  );
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "--inspect-wait=127.0.0.1:0", main, ...args],
    cwd,
    clearEnv: true,
    env: {
      ...cleanEnv(home),
      NARNAT_API_KEY: "key-of-nobody",
      NARNAT_BASE_URL: `http://127.0.0.1:${provider.addr.port}/v1`,
      NARNAT_MODEL: "fake",
    },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const errors = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  let debuggerAt: string | undefined;
  while ((debuggerAt = /ws:\/\/\S+(?=\s)/.exec(said)?.[0]) === undefined) {
    const { value, done } = await errors.read();
    if (done) throw new Error(`No debugger: ${said}`);
    said += value;
  }
  const socket = new WebSocket(debuggerAt);
  let asked = 0;
  const answers = new Map<number, () => void>();
  const ask = (method: string, params = {}) =>
    new Promise<void>((resolve) => {
      answers.set(++asked, resolve);
      socket.send(JSON.stringify({ id: asked, method, params }));
    });
  /** Whatever happened before this is asked has been told when it is answered. */
  const settled = () => ask("Runtime.evaluate", { expression: "0" });
  socket.onmessage = ({ data }) => {
    const { id, method, params } = JSON.parse(data);
    answers.get(id)?.();
    if (method === "Debugger.scriptParsed") scripts.push(params.url);
    if (method === "Runtime.executionContextDestroyed") socket.close();
  };
  await new Promise((resolve) => socket.onopen = resolve);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  await ask("Runtime.enable");
  await ask("Debugger.enable");
  await ask("Runtime.runIfWaitingForDebugger");
  for (let part = await errors.read(); !part.done; part = await errors.read()) said += part.value;
  const { code } = await child.status;
  socket.close();
  await closed;
  if (code !== 0) throw new Error(`${main} ended with ${code}: ${said}`);
  return { atRequest: atRequest ?? [], atEnd: scripts };
}

/** The project's own among `scripts`, as paths from its root. */
export function ownOf(scripts: readonly string[]): string[] {
  const root = `file://${ROOT}/`;
  return scripts.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length));
}
