/** `narnat replay --rerun`: the loop against the recorded model, the real tools in a copy of the workspace. */
import { createAgent } from "../../agent/agent.ts";
import type { AgentOptions } from "../../agent/agent_options.ts";
import { NO_CHECKPOINTS, NO_MEMORY } from "../../agent/none.ts";
import { aboutCall } from "../../base/about_call.ts";
import { ConfigError } from "../../base/errors.ts";
import { clip, visible } from "../../base/control_characters.ts";
import { complain, listenForSignals, put } from "../../base/host.ts";
import { createLog } from "../../base/log.ts";
import type { T } from "../../base/t.ts";
import {
  type AgentEvent,
  type Answer,
  type ModelClient,
  ModelError,
  type RecordedAnswer,
  type Servers,
  type Toolbox,
  type ToolMessage,
} from "../../base/types.ts";
import { under } from "../../base/path.ts";
import type { CommandHost, Environment, LaneParts } from "../../commands/environment.ts";
import { choicesFrom, type Flags, VERSION } from "../../commands/flags.ts";
import { createContextManager } from "../../context/mod.ts";
import { unifiedDiff } from "../../files/edit/diff.ts";
import { describeModelError } from "../../models/errors.ts";
import { toolsPrint } from "../../session/recorded.ts";
import { redactor, type SessionSource } from "../../session/source.ts";
import { SessionStore } from "../../session/store.ts";
import { openSandbox, sandboxFault } from "../../shell/process/open_sandbox.ts";
import { type Recording, recordingOf } from "./recording.ts";
import { equalizer, isReal, rerunToolbox, wasCut } from "./rerun_tools.ts";
import { scratchCopy } from "./workspace_copy.ts";

interface ReplayHost {
  /** Called as an answer that is whole ends, with its place from 0. */
  answered(index: number): void;
  /** The turn is to be stopped now. */
  stop(): void;
}

/**
 * Answers request after request as recorded, whatever they say. Throws ModelError "refused" behind
 * the last one.
 */
export function replayModel(answers: readonly RecordedAnswer[], host: ReplayHost): ModelClient {
  let next = 0;
  return {
    async *stream(_request, signal) {
      signal.throwIfAborted();
      const index = next++;
      const answer = answers[index];
      if (!answer) throw new ModelError("refused", "the recording has no more answers");
      if (answer.kind === "error") throw new ModelError(answer.error, answer.text);
      const text = answer.kind === "stopped" ? answer.text : answer.message.text;
      if (text !== "") yield { type: "text", delta: text };
      if (answer.kind === "stopped") {
        const stopped = new Promise<never>((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason), { once: true })
        );
        host.stop();
        return await stopped;
      }
      for (const { name } of answer.message.calls) yield { type: "call", name };
      host.answered(index);
      yield { type: "done", message: answer.message, usage: answer.usage, stop: answer.stop };
    },
  };
}

/** No consolidation changes what is asked: the recorded answers fit the recorded requests only. */
const ENDLESS = 1e12;

const NO_SERVERS: Servers = {
  list: () => [],
  listed: () => Promise.resolve(),
  stderr: () => "",
  reconnect: (name) => Promise.reject(new RangeError(name)),
  enable: (name) => Promise.reject(new RangeError(name)),
  describe: () => [],
  resources: () => [],
  read: (name) => Promise.reject(new RangeError(name)),
  prompts: () => [],
  ready: () => Promise.resolve(),
  prompt: (name) => Promise.reject(new RangeError(name)),
};

function rerunAgent(
  environment: Environment,
  toolbox: Toolbox,
  model: AgentOptions["model"],
  lanes: LaneParts,
): AgentOptions {
  const { config, workspace } = environment;
  const { t } = config;
  return {
    model,
    modelName: "replay",
    models: {
      list: () => Promise.resolve([]),
      open: () => Promise.resolve({ client: model, imageTypes: [] }),
      hostOf: () => "",
    },
    memory: NO_MEMORY,
    checkpoints: NO_CHECKPOINTS,
    toolbox,
    contextManager: (_session, name) =>
      createContextManager({
        ...environment.prompt,
        model: name,
        tools: toolbox.definitions,
        contextWindow: ENDLESS,
      }),
    commands: () => [],
    ...lanes,
    servers: NO_SERVERS,
    readOnly: () => false,
    store: new SessionStore({
      dir: undefined,
      workspace,
      t,
      now: () => new Date(),
      random: Math.random,
      redactIn: environment.secrets.redactIn,
    }),
    search: () => Promise.resolve({ hits: [], more: false }),
    limits: { iterations: Infinity, cost: undefined, tokens: undefined, toolMs: 660_000 },
    consentPolicy: "ask",
    permission: config.permission,
    t,
    version: VERSION,
    workspace,
    imageTypes: [],
    outputDir: under(workspace, ".narnat", "outputs"),
    env: environment.childEnv,
    log: createLog({
      dir: undefined,
      now: () => new Date(),
      redactAlways: environment.secrets.redactAlways,
    }),
    secrets: environment.secrets,
    describe: (error) => describeModelError(t, error, config.keyFrom),
    now: () => new Date(),
    monotonic: () => performance.now(),
    uuid: () => crypto.randomUUID(),
    theme: "none",
    keepTheme: () => Promise.resolve(undefined),
    onExit() {},
  };
}

export interface RerunOptions {
  readonly flags: Flags;
  /** Of which a copy is made. */
  readonly workspace: string;
  readonly t: T;
  readonly host: CommandHost;
}

const DIFF_LINES = 60;
const ABOUT_CHARS = 100;

/** Runs a session again and says what differs; returns the exit code. Throws ConfigError. */
export async function rerun(source: SessionSource, options: RerunOptions): Promise<number> {
  const { workspace, t, flags, host } = options;
  const recording = recordingOf(source.entries);
  listenForSignals((code) => Deno.exit(code));
  const scratch = await scratchCopy(workspace);
  const { permission, lang: spoken } = recording.run ?? {};
  const asThen = { ...flags, ...permission && { permission }, ...spoken && { lang: spoken } };
  const place = { cwd: scratch.path, copy: !flags.yes };
  const environment = await host.open({ ...choicesFrom(asThen), ...place }, t, "no model");
  const calls = recording.results.length;
  const turns = recording.lines.length;
  let same = false;
  try {
    if (!flags.yes) await needSandbox(environment, t);
    put(
      t(
        "Running again in a copy of the workspace, {scratch}, which begins as the workspace is now, not as it was then: {turns} {turns:line|lines}, {calls} tool {calls:call|calls}, the model as recorded",
        { scratch: scratch.path, turns, calls },
      ) + "\n",
    );
    put(
      t(
        flags.yes
          ? "Commands are really run, in no sandbox: what one did outside of the copy it does again"
          : "Commands run in a sandbox: they can write the copy only, find the temporary folders empty, and have no network",
      ) + "\n",
    );
    const found = await runAgain(source, recording, environment, host, t);
    put(found.text + "\n");
    same = found.same;
  } catch (error) {
    same = error instanceof ConfigError;
    if (same) throw error;
    complain(`narnat: ${t("The rerun failed: {why}", { why: (error as Error).message })}`);
  } finally {
    await environment.close();
    if (same) scratch.remove();
    else {
      scratch.keep();
      put(t("The copy is kept: {scratch}", { scratch: scratch.path }) + "\n");
    }
  }
  return same ? 0 : 1;
}

/** A stranger's session must not get at more than the copy. */
async function needSandbox(
  { config, workspace, prompt, childEnv }: Environment,
  t: T,
): Promise<void> {
  const sandbox = await openSandbox(config.sandbox, workspace, prompt.userDir, childEnv, true);
  const why = await sandboxFault(sandbox, t);
  if (why !== undefined) {
    throw new ConfigError(
      t(
        "A rerun really runs the commands of the recording and needs a sandbox for it, but {why}. Look first at what they are (replay without --rerun); with --yes they run without one, and what one did outside of the copy it does again",
        { why },
      ),
    );
  }
}

async function runAgain(
  source: SessionSource,
  recording: Recording,
  environment: Environment,
  host: CommandHost,
  t: T,
): Promise<{ same: boolean; text: string }> {
  const { results, lines, answers } = recording;
  const { toolbox, recorded } = await rerunToolbox(recording, source.workspace, environment, t);
  for (const remark of remarks(recording, toolbox, t)) put(remark + "\n");
  const send = (line: Recording["lines"][number]) => {
    const { text, from } = line;
    agent.bus.send({ type: "line", lane: "main", text, ...from === undefined ? {} : { from } });
  };
  const stop = () => agent.bus.send({ type: "stop", lane: "main" });
  const model = replayModel(answers, {
    stop,
    answered(index) {
      for (const line of lines) if (line.joined && line.behind === index + 1) send(line);
    },
  });
  const lanes = await host.laneParts({ planFirst: recording.planFirst });
  const agent = createAgent(rerunAgent(environment, toolbox, model, lanes));
  const equalized = equalizer([[environment.workspace, source.workspace]]);
  // what was hidden in the report is to be hidden in what comes of it now
  const redact = source.report?.redacted === true
    ? redactor(environment.workspace, environment.secrets.redactAlways)
    : undefined;
  const equal = (text: string) => equalized(redact?.(text) ?? text);
  let done = 0;
  let difference: string | undefined;
  let failed: string | undefined;
  let about = "";
  const asks = [...recording.asks];
  agent.bus.subscribe((event) => {
    if (event.type === "ask" && event.answered === undefined) {
      const { unasked } = recording;
      const value = done < unasked ? results[done]!.ok : answerTo(event.kind, asks);
      agent.bus.send({ type: "answer", lane: "main", id: event.id, value });
    }
    if (event.type === "error") failed ??= event.kind === "bug" ? event.text : undefined;
    if (event.type === "tool_start") {
      about = clip(aboutCall(event.input, environment.workspace).text, ABOUT_CHARS);
    }
    if (event.type !== "tool_end" || event.turn === 0 || difference !== undefined) return;
    if (/^(?:attach|shell)_/.test(event.id)) return;
    const recorded = results[done++];
    difference = recorded === undefined
      ? t("Tool call {n} of {calls} differs from the recording: {name} {about}", {
        n: done,
        calls: results.length,
        name: event.name,
        about,
      })
      : differenceOf(recorded, event, equal, { n: done, calls: results.length, about, t });
    if (difference !== undefined) stop();
  }, "main");
  for (const line of lines) {
    if (difference !== undefined || failed !== undefined) break;
    if (line.joined) continue;
    send(line);
    await agent.idle();
  }
  await agent.close();
  if (failed !== undefined) {
    return { same: false, text: t("The rerun failed: {why}", { why: failed }) };
  }
  if (difference !== undefined) return { same: false, text: difference };
  if (done < results.length) {
    const values = { calls: results.length, n: done };
    return {
      same: false,
      text: t(
        "The recording has {calls} tool {calls:call|calls}; the rerun made {n} of them",
        values,
      ),
    };
  }
  return {
    same: true,
    text: t(
      "{calls} tool {calls:call|calls}, all with the results that were recorded ({recorded} of them answered as recorded)",
      { calls: done, recorded: recorded.size },
    ),
  };
}

function remarks(recording: Recording, toolbox: Toolbox, t: T): string[] {
  const { run, results, summarised } = recording;
  const names = new Set(
    results.filter((one) => !isReal(one)).map((one) =>
      wasCut(one) ? t("{name} (it was interrupted)", { name: one.name }) : one.name
    ),
  );
  return [
    ...names.size > 0
      ? [t("Not run again but answered as recorded: {names}", { names: [...names].join(", ") })]
      : [],
    ...run && run.narnat !== VERSION
      ? [t("Recorded with narnat {then}; this is {now}", { then: run.narnat, now: VERSION })]
      : [],
    ...run && run.tools !== toolsPrint(toolbox.definitions)
      ? [t("The tool definitions are not those it was recorded with")]
      : [],
    ...summarised
      ? [
        t("The session was summarised on its way; the model's answers are the recorded ones all the same"),
      ]
      : [],
  ];
}

/** What a question was answered with, No where it was not asked. */
function answerTo(
  kind: string,
  asks: Recording["asks"][number][],
): Answer {
  const at = asks.findIndex((one) => one.kind === kind);
  const [asked] = at < 0 ? [] : asks.splice(0, at + 1).slice(-1);
  return asked?.value ?? false;
}

function differenceOf(
  recorded: ToolMessage,
  now: Extract<AgentEvent, { type: "tool_end" }>,
  equal: (text: string) => string,
  { t, ...which }: { n: number; calls: number; about: string; t: T },
): string | undefined {
  const [then, found] = [equal(recorded.text), equal(now.text)];
  if (recorded.name === now.name && recorded.ok === now.ok && then === found) return undefined;
  const word = (ok: boolean) => t(ok ? "succeeded" : "failed");
  const { diff } = unifiedDiff(visible(then), visible(found));
  const rows = diff.split("\n");
  const more = rows.length > DIFF_LINES ? [`… ${rows.length - DIFF_LINES}`] : [];
  return [
    t("Tool call {n} of {calls} differs from the recording: {name} {about}", {
      ...which,
      name: now.name,
    }).trimEnd(),
    ...recorded.ok === now.ok
      ? []
      : [t("It {then} then, and {now} now", { then: word(recorded.ok), now: word(now.ok) })],
    t("- as recorded, + as it is now (times, ids and temporary paths made equal)"),
    ...rows.slice(0, DIFF_LINES),
    ...more,
  ].join("\n");
}
