/** `narnat tool`: one tool call as the model would make it. */
import { join } from "../base/path.ts";
import { choicesFrom, type Flags, VERSION } from "../commands/flags.ts";
import { ConfigError, errorMessage } from "../base/errors.ts";
import { needsConsent } from "../agent/loop/calls.ts";
import { restoreSecrets } from "../features/secrets/restore.ts";
import type { T } from "../base/t.ts";
import { createToolbox } from "../tools/toolbox.ts";
import type { SeenFile, Todo, Toolbox, ToolContext, ToolResult } from "../base/types.ts";
import { type AgentEnvironment, openEnvironment } from "../app/environment.ts";
import { hasServers, SERVER_TOOL } from "../features/mcp/places.ts";
import { complain, listenForSignals, putData, translatorFor } from "../base/host.ts";
import { demandPerson } from "../shell/process/stop_tree.ts";
import type { OpenedServers } from "../features/mcp/tools.ts";
import { eachLine } from "../headless/lines.ts";
import { stdinPieces } from "./stdin.ts";

/** Runs one call, or with --jsonl a line each until stdin ends. */
export async function tool(flags: Flags, words: string[]): Promise<number> {
  const t = translatorFor(flags);
  const environment = openEnvironment(choicesFrom(flags), t, "no model");
  const stop = new AbortController();
  let interrupted = 0;
  listenForSignals((code) => {
    interrupted = code;
    stop.abort();
    // With --jsonl nothing may be running, and stdin would keep us.
    setTimeout(() => Deno.exit(code), 1000);
  });
  let opening: Promise<OpenedServers> | undefined;
  const boxFor = async (name: string): Promise<Toolbox> => {
    if (!SERVER_TOOL.test(name) || !hasServers(environment)) return environment.toolbox;
    const { connectFor, serverTools, trustedServers } = await import("../features/mcp/tools.ts");
    const { servers } = await (opening ??= trustedServers(environment, VERSION));
    const wanted = await connectFor(name, servers, environment, stop.signal);
    const untrusted = servers.list().filter(({ name, state }) =>
      state === "untrusted" && wanted.has(name)
    );
    if (untrusted.length > 0) {
      const names = untrusted.map(({ name }) => name).join(", ");
      complain(
        `narnat: ${
          t(
            "not trusted and not used: this project's {names}; narnat trust shows what it wants, narnat trust add trusts it",
            { names },
          )
        }`,
      );
    }
    return createToolbox([...environment.tools, ...serverTools(environment, servers.tools())]);
  };
  if (flags.allowDelete) demandPerson("--allow-delete", environment.config.t);
  const call = caller(environment, boxFor, flags.allowDelete === true, stop.signal);
  try {
    if (flags.jsonl) {
      await eachLine(stdinPieces(t), async (line) => {
        const began = performance.now();
        const result = await runLine(line, call, t);
        const ms = Math.round(performance.now() - began);
        putData(JSON.stringify({ ok: result.ok, text: result.text, ms }) + "\n");
      });
      return 0;
    }
    const [name, ...rest] = words;
    if (name === undefined) {
      throw new ConfigError(
        t("Usage: narnat tool <Name> '<json>', for example narnat tool Read '{\"file_path\":\"README.md\"}'"),
      );
    }
    const result = await call(name, rest.length === 0 ? "{}" : rest.join(" "));
    putData(result.text + "\n");
    return interrupted || (result.ok ? 0 : 1);
  } finally {
    await (await opening)?.servers.shutdown();
    await environment.close();
  }
}

async function runLine(
  line: string,
  call: (name: string, input: string) => Promise<ToolResult>,
  t: T,
): Promise<ToolResult> {
  const refused = (why: string): ToolResult => ({
    ok: false,
    text: t('Cannot understand this line ({why}); expected {"name":"Read","input":{…}}', { why }),
  });
  let value: { name?: unknown; input?: unknown };
  try {
    value = JSON.parse(line);
  } catch (error) {
    return refused((error as Error).message);
  }
  if (typeof value?.name !== "string") return refused("name");
  const input = typeof value.input === "string" ? value.input : JSON.stringify(value.input ?? {});
  return await call(value.name, input);
}

/** Makes the function that runs calls one after another and remembers what a session would. */
function caller(
  environment: AgentEnvironment,
  boxFor: (name: string) => Promise<Toolbox>,
  allowDelete: boolean,
  signal: AbortSignal,
): (name: string, input: string) => Promise<ToolResult> {
  const { t, permission } = environment.config;
  const { redact: redact } = environment.secrets;
  const seen = new Map<string, SeenFile>();
  let todos: readonly Todo[] = [];
  let cwd = environment.workspace;
  return async (name, input) => {
    environment.secrets.refresh();
    const prepared = (await boxFor(name)).prepare(name, input, t);
    if (typeof prepared === "string") return { ok: false, text: prepared };
    const context: ToolContext = {
      lane: "main",
      planned: false,
      workspace: environment.workspace,
      cwd,
      t,
      permission,
      signal,
      seen,
      todos,
      imageTypes: [],
      outputDir: join(environment.workspace, ".narnat", "outputs", "tool"),
      env: environment.childEnv,
      ask: (question) => Promise.resolve(allowDelete && question.kind === "delete"),
      fill: () => Promise.resolve(undefined),
      progress: () => {},
      redact,
    };
    try {
      if (needsConsent(permission, prepared.tool)) {
        return {
          ok: false,
          text: t(
            "{name} was not confirmed (declined, or nobody there to ask); nothing was run. Do not try it in another form; ask, or find another way",
            { name: prepared.tool.name },
          ),
        };
      }
      const given = await restoreSecrets(prepared, {
        ...context,
        secrets: environment.secrets,
        session: { cwd },
      });
      if (typeof given === "string") return { ok: false, text: given };
      const result = await prepared.tool.run(given.input, context);
      for (const file of result.seen ?? []) seen.set(file.path, file);
      todos = result.todos ?? todos;
      cwd = result.cwd ?? cwd;
      return { ...result, text: redact(result.text) };
    } catch (error) {
      const why = errorMessage(error);
      const text = t("Error: {name}: internal error: {why}. Try another way", {
        name: prepared.tool.name,
        why,
      });
      return { ok: false, text: redact(text) };
    }
  };
}
