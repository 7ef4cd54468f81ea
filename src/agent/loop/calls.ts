/** Runs the tool calls of one model answer, and those that a person's own line asks for. */
import { errorMessage } from "../../base/errors.ts";
import { truncate } from "../../base/strings.ts";
import type { T } from "../../base/t.ts";
import type {
  Detail,
  Field,
  Filled,
  Json,
  Permission,
  PreparedCall,
  Tool,
  ToolCall,
  ToolContext,
  ToolResult,
} from "../../base/types.ts";
import type { Wait } from "../../base/watchdog.ts";
import { storedDetail } from "../../session/recorded.ts";
import type { Call, CallHost, Middleware, RunCall } from "../middleware.ts";
import { withRoomFor } from "./request.ts";
import { proves, type TurnMonitor } from "./turn_monitor.ts";

/** A flood of calls is not run all at once. */
const MOST_AT_ONCE = 16;
/** How long a tool may take to hand in what it has once the turn is stopped. */
const ABORT_GRACE_MS = 60;

/**
 * Runs `calls` in order, neighbours that only read at once, and appends one result per call to the
 * session. Returns `stuck` when the model goes in circles.
 */
export async function runCalls(
  calls: readonly ToolCall[],
  host: CallHost,
  monitor: TurnMonitor,
): Promise<"on" | "stuck" | { readonly steps: readonly string[] }> {
  const prepared = calls.map((call) => ({
    call,
    what: host.toolbox.prepare(call.name, call.input, host.t),
  }));
  let stuck = false;
  let steps: readonly string[] | undefined;
  for (let at = 0; at < prepared.length;) {
    let end = at + 1;
    const most = Math.min(prepared.length, at + MOST_AT_ONCE);
    if (end < most && await overlaps(prepared[at]!.what, host)) {
      while (end < most && await overlaps(prepared[end]!.what, host)) end++;
    }
    const batch = prepared.slice(at, end);
    // who has a plan makes no other
    const now = steps ? { ...host, planned: true } : host;
    const results = await Promise.all(batch.map(({ call, what }) => runCall(call, what, now)));
    for (const [i, result] of results.entries()) {
      const { call, what } = batch[i]!;
      const name = typeof what === "string" ? call.name : what.tool.name;
      const watched = monitor.watch(name, call.input, result.result, result.ms);
      if (watched.stuck) stuck = true;
      steps ??= result.result.steps;
      const { ok, detail, seen, todos, cwd, changed } = result.result;
      const { images, note, notices } = withRoomFor(
        result.result.images,
        host.session.view,
        host.t,
      );
      const text = result.result.text + note + watched.note;
      host.session.append({ role: "tool", id: call.id, name, ok, text, ...images }, {
        ...(seen ? { seen } : {}),
        ...(todos ? { todos } : {}),
        ...(cwd === undefined ? {} : { cwd }),
        ...(changed && changed.length > 0 ? { changed } : {}),
        ...(proves(result.result) ? { verified: true } : {}),
        ...(detail ? { detail: storedDetail(detail, text) } : {}),
        ms: result.ms,
      });
      host.emit({
        type: "tool_end",
        id: call.id,
        name,
        ok,
        text,
        ...(detail ? { detail } : {}),
        ms: result.ms,
      });
      tellUser([...result.result.notices ?? [], ...notices], host);
    }
    at = end;
  }
  return steps ? { steps } : stuck ? "stuck" : "on";
}

/** Tells of results what only the user is to know. */
export function tellUser(notices: readonly string[], { emit }: Pick<CallHost, "emit">): void {
  for (const text of notices) emit({ type: "notice", level: "warn", text });
}

async function overlaps(what: PreparedCall | string, host: CallHost): Promise<boolean> {
  if (typeof what === "string" || what.tool.readOnly) return true;
  const { tool, input, analysis } = what;
  // one question after another
  if (needsConsent(host.permission, tool)) return false;
  return await tool.parallel?.(input, placeOf(host), analysis) ?? false;
}

/** Whether a call surely changes nothing. */
export async function onlyReads(
  { tool, input, analysis }: PreparedCall,
  host: CallHost,
): Promise<boolean> {
  return tool.readOnly || await (tool.onlyReads?.(input, placeOf(host), analysis) ?? false);
}

const placeOf = ({ session: { cwd }, workspace, env }: CallHost) => ({ cwd, workspace, env });

/**
 * Runs one call; `tool_start` is told, the end of it is for the caller to tell. `ms` is without the
 * time in which the user was asked.
 */
async function runCall(
  call: ToolCall,
  what: PreparedCall | string,
  host: CallHost,
): Promise<{ result: ToolResult; ms: number }> {
  const { t, log } = host;
  const name = typeof what === "string" ? call.name : what.tool.name;
  const module = `tools.${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()}`;
  const began = host.now();
  let waited = 0;
  const ask: CallHost["ask"] = async (question, signal) => {
    const asked = host.now();
    try {
      return await host.ask(question, signal);
    } finally {
      waited += host.now() - asked;
    }
  };
  const input = hiddenInput(shownInput(call, what), host);
  host.emit({ type: "tool_start", id: call.id, name, input });
  log.info(module, t("call: {args}", { args: shownArguments(input) }));
  const result = host.signal.aborted
    ? { ok: false, text: t("interrupted before this call began. Nothing was run.") }
    : typeof what === "string"
    ? { ok: false, text: what }
    : await runLayers({ call, what, shown: input }, { ...host, ask });
  const ms = Math.round(host.now() - began - waited);
  const line = t("result: {result}, {ms}ms", { result: summary(result, t), ms });
  if (result.ok) log.info(module, line);
  else log.warning(module, line);
  return { result, ms };
}

/** What a model has made up: no field of it has a meaning of ours. The log cuts it, and half a secret is known to none. */
const hiddenInput = (input: Json, { secrets }: CallHost) => secrets.redactIn({ input }).input;

/** The result of a call that was stopped. */
export const interrupted = (t: T): ToolResult => ({
  ok: false,
  text: t("interrupted"),
});

/** Whether a person must allow the tool before it runs. */
export function needsConsent(permission: Permission, tool: Tool): boolean {
  // A tool that needs nothing of the machine can harm nothing (TodoWrite).
  return permission === "ask" && !tool.readOnly && tool.needs.length > 0;
}

async function runLayers(
  { call: { id }, what, shown }: { call: ToolCall; what: PreparedCall; shown: Json },
  host: CallHost,
): Promise<ToolResult> {
  const denied = host.typed ? undefined : outOfBounds(what.tool, host);
  if (denied !== undefined) return { ok: false, text: denied, detail: { kind: "barred" } };
  const run: RunCall = (call, host) => unbroken(call.what, host, () => runTool(call, host));
  const all = throughCallLayers(host.middleware, run);
  return await unbroken(what, host, () => all({ id, what, shown }, host));
}

/** Runs a call through all layers, the first one outermost, and at last `run`. */
function throughCallLayers(layers: readonly Middleware[], run: RunCall): RunCall {
  return layers.reduceRight<RunCall>(
    (next, layer) => layer.aroundCall ? (call, host) => layer.aroundCall!(call, host, next) : next,
    run,
  );
}

/** Why the line that began the turn does not allow the tool; undefined when it does. */
function outOfBounds(tool: Tool, { bounds, t }: CallHost): string | undefined {
  if (!bounds || bounds.some((one) => names(one, tool))) return undefined;
  return t("Error: this command allows only {names}; {name} may not be called", {
    name: tool.name,
    names: bounds.join(", "),
  });
}

/** Whether a name, perhaps another agent's, means the tool. */
function names(name: string, tool: Tool): boolean {
  // mcp__server__tool is how others write mcp_server_tool
  const meant = name.toLowerCase().replace(/^mcp__(.+?)__/, "mcp_$1_");
  return [tool.name, ...tool.aliases ?? []].some((own) => own.toLowerCase() === meant);
}

/** Asks a person for each call of a tool that needs consent, unless the tool itself asks. */
export const consentLayer: Middleware = {
  name: "consent",
  async aroundCall(call, host, next) {
    const { tool, input } = call.what;
    if (!needsConsent(host.permission, tool)) return await next(call, host);
    if (await tool.asks?.(input, contextOf(call, host, host.signal))) {
      return await next(call, host);
    }
    const question = host.t("Allow {name}?", { name: tool.name });
    const shown = { name: tool.name, input: input as Json };
    const command = JSON.stringify(input);
    if (await host.ask({ kind: "tool", question, command, call: shown }, host.signal)) {
      return await next(call, host);
    }
    if (host.signal.aborted) return interrupted(host.t);
    const text = host.t(
      "{name} was not confirmed (declined, or nobody there to ask); nothing was run. Do not try it in another form; ask, or find another way",
      { name: tool.name },
    );
    return { ok: false, text, detail: { kind: "declined" } };
  },
};

function contextOf({ id, what }: Call, host: CallHost, signal: AbortSignal): ToolContext {
  const { session } = host;
  return {
    lane: host.lane,
    planned: host.planned,
    workspace: host.workspace,
    cwd: session.cwd,
    t: host.t,
    permission: host.permission,
    signal,
    seen: session.seen,
    todos: session.todos,
    imageTypes: host.imageTypes,
    outputDir: host.outputDir,
    ...host.trash ? { trash: { ...host.trash, session: session.id } } : {},
    // what the user types is asked for, with all that it takes
    ...host.watch && !host.typed ? { disk: host.watch } : {},
    env: host.env,
    ...(what.analysis ? { analysis: what.analysis } : {}),
    ...(host.typed ? { typed: true } : {}),
    ask: async (question) => await host.ask(question, signal) !== false,
    async fill(question) {
      const answer = await host.ask(question, signal);
      if (answer === false) return undefined;
      return answer === true ? asTheyAre(question.fields ?? []) : answer;
    },
    redact: (text) => host.secrets.redact(text),
    progress: (text) => host.emit({ type: "tool_progress", id, text }),
  };
}

const asTheyAre = (fields: readonly Field[]): Filled =>
  Object.fromEntries(
    fields.flatMap(({ name, value }) => value === undefined ? [] : [[name, value]]),
  );

async function runTool(call: Call, host: CallHost): Promise<ToolResult> {
  const { id, what: { tool, input } } = call;
  const { t } = host;
  const limit = new AbortController();
  const context = contextOf(call, host, AbortSignal.any([host.signal, limit.signal]));
  if (!tool.readOnly && !host.typed) {
    host.session.record({ type: "tool_start", id, name: tool.name });
    if (!await onlyReads(call.what, host)) host.session.sync();
  }
  let wait: Wait | undefined;
  let onAbort = () => {};
  const givenUp = new Promise<ToolResult>((resolve) => {
    if (!tool.unlimited) {
      wait = host.watchdog.begin(host.limits.toolMs, () => {
        limit.abort();
        const seconds = Math.round(host.limits.toolMs / 1000);
        resolve({
          ok: false,
          text: t("Error: {name} timed out after {seconds} s and was stopped", {
            name: tool.name,
            seconds,
          }),
        });
      });
    }
    onAbort = () => void setTimeout(() => resolve(interrupted(t)), ABORT_GRACE_MS);
    host.signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([tool.run(input, context), givenUp]);
  } finally {
    wait?.end();
    host.signal.removeEventListener("abort", onAbort);
  }
}

/** What is thrown on the way to a result is the result: no call may cost the turn. */
export async function unbroken(
  { tool }: PreparedCall,
  host: CallHost,
  work: () => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (host.signal.aborted) return interrupted(host.t);
    host.log.error(
      `tools.${tool.name}`,
      error instanceof Error ? error.stack ?? "" : String(error),
    );
    const why = errorMessage(error);
    return {
      ok: false,
      text: host.t("Error: {name}: internal error: {why}. Try another way", {
        name: tool.name,
        why,
      }),
    };
  }
}

function shownInput(call: ToolCall, what: PreparedCall | string): Json {
  if (typeof what !== "string") return what.input as Json;
  try {
    return JSON.parse(call.input) as Json;
  } catch {
    return call.input;
  }
}

/** `pattern="class Foo", path="src/"`, as the log shows a call. */
function shownArguments(input: Json): string {
  const cut = (s: string) => truncate(s, 200);
  if (typeof input !== "object" || input === null) return cut(String(input));
  return Object.entries(input).map(([k, v]) => `${k}=${cut(JSON.stringify(v) ?? "")}`).join(", ");
}

/** One line about a result, for the log. */
function summary(result: ToolResult, t: T): string {
  if (!result.ok) return (result.text.split("\n")[0] ?? "").slice(0, 200);
  return result.detail === undefined
    ? (result.text.split("\n")[0] ?? "").slice(0, 120)
    : detailSummary(result.detail, t);
}

function detailSummary(detail: Detail, t: T): string {
  switch (detail.kind) {
    case "diff":
      return `${detail.path} +${detail.added} -${detail.removed}`;
    case "command":
      return detail.timedOut ? t("timed out") : `exit ${detail.exit ?? detail.signal}`;
    case "lines":
      return t("{n} lines", { n: detail.count });
    case "matches":
      return t("{n} {n:match|matches} in {files} {files:file|files}", {
        n: detail.count,
        files: detail.files,
      });
    case "todos":
      return t("{done}/{n} completed", {
        done: detail.todos.filter((t) => t.status === "completed").length,
        n: detail.todos.length,
      });
    case "page":
      return `${detail.url} ${detail.bytes} B`;
    case "declined":
    case "barred":
      return detail.kind;
  }
}

/**
 * Runs a tool as if the model had called it, with the same questions and the same events; the
 * session is not touched. Returns undefined when there is no such tool.
 */
export async function runTyped(
  name: string,
  input: { readonly [key: string]: string | number },
  host: CallHost,
  id: string,
): Promise<ToolResult | undefined> {
  const call = { id, name, input: JSON.stringify(input) };
  const what = host.toolbox.prepare(name, call.input, host.t);
  if (typeof what === "string") return undefined;
  const { result, ms } = await runCall(call, what, { ...host, typed: true });
  const { ok, text, detail } = result;
  host.emit({ type: "tool_end", id, name, ok, text, ...(detail ? { detail } : {}), ms });
  tellUser(result.notices ?? [], host);
  return result;
}
