/** `narnat doctor`: a line per check, each with its mend. */
import { choicesFrom, type Flags } from "../commands/flags.ts";
import { inherited } from "../config/place.ts";
import { ConfigError } from "../base/errors.ts";
import type { T, Text } from "../base/t.ts";
import { ModelError, type ModelErrorKind } from "../base/types.ts";
import type { Finding } from "./doctor_extensions.ts";
import { type AgentEnvironment, notConfigured, openEnvironment } from "./environment.ts";
import { openSandbox, sandboxFault } from "../shell/process/open_sandbox.ts";
import { modelFor } from "../models/catalog.ts";
import { imageTypes } from "../models/model_facts.ts";
import { demand, env, granted, grantedPermissions, put, translatorFor } from "../base/host.ts";
import { mayRequest } from "../features/trust/mod.ts";

type State = Finding["state"];

const MARK: { readonly [state in State]: string } = { ok: "✓", warn: "!", bad: "✗" };

/** Checks what narnat needs; exit code 1 when something needed is broken, 2 when no model is configured. */
export async function doctor(flags: Flags): Promise<number> {
  const asked = translatorFor(flags);
  let t = asked;
  let broken = false;
  const tell = (finding: Finding) => {
    if (finding.state === "bad") broken = true;
    const text = environment?.secrets.redact(finding.text) ?? finding.text;
    put(`${MARK[finding.state]} ${t(finding.name)}: ${text}\n`);
  };
  let environment: AgentEnvironment | undefined;
  try {
    environment = openEnvironment(choicesFrom(flags), asked);
    t = environment.config.t;
    environment.secrets.refresh();
    for (const text of environment.warnings) tell({ name: "configuration", state: "warn", text });
    tell(
      environment.configured
        ? { name: "configuration", state: "ok", text: modelLine(environment.config) }
        : { name: "configuration", state: "bad", text: notConfigured(environment) },
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    tell({ name: "configuration", state: "bad", text: error.message });
  }
  if (environment) {
    if (environment.configured) tell(keyFinding(environment, t));
    tell(fileModeFinding(environment, t));
    if (environment.configured) tell(await endpointFinding(environment, t));
    tell(searchFinding(environment));
    tell(permissionFinding(environment, t));
    tell(writeFinding(environment, t));
    tell(secretsFinding(environment, t));
    tell(await sandboxFinding(environment, t));
    for (const finding of await extensionFindings(environment, t)) tell(finding);
    await environment.close();
  }
  tell(terminalFinding(t));
  const own = environment?.ownEnv ?? inherited().env;
  tell(await programFinding("git", "git", t, "warn", own));
  tell(await programFinding("bash", "bash", t, "warn", own));
  if (environment?.configured === false) return 2;
  return broken ? 1 : 0;
}

function modelLine(config: AgentEnvironment["config"]): string {
  const { model, baseUrl, t } = config;
  if (model === "demo") return model;
  const sees = imageTypes(model, config).length > 0;
  return [model, baseUrl, ...(sees ? [t("takes images")] : [])].join(" · ");
}

function keyFinding(environment: AgentEnvironment, t: T): Finding {
  const { apiKey, model } = environment.config;
  return {
    name: "key",
    state: "ok",
    text: t(
      apiKey !== undefined
        ? "set"
        : model === "demo"
        ? "the demo model needs none"
        : "none (fine for a local endpoint)",
    ),
  };
}

/** A key in a file that others can read is everybody's key. */
function fileModeFinding(environment: AgentEnvironment, t: T): Finding {
  const files = [environment.userFile, `${environment.workspace}/.narnat/narnat.json`];
  for (const file of files) {
    if (file === undefined) continue;
    try {
      const { mode } = Deno.statSync(file);
      const holdsKey = /"(?:\w+_)?api_key"\s*:/.test(Deno.readTextFileSync(file));
      if (holdsKey && mode !== null && (mode & 0o077) !== 0) {
        return {
          name: "file modes",
          state: "warn",
          text: t("{file} holds a key and others can read it: chmod 600 {file}", { file }),
        };
      }
    } catch { /* a file that is not there keeps no key */ }
  }
  return { name: "file modes", state: "ok", text: t("files that hold a key are yours alone") };
}

async function endpointFinding(environment: AgentEnvironment, t: T): Promise<Finding> {
  const { config } = environment;
  if (config.model === "demo") {
    return { name: "endpoint", state: "ok", text: t("the demo model, no network") };
  }
  const began = performance.now();
  const problem = await tryModel(config);
  if (problem !== undefined) return { name: "endpoint", state: "bad", text: problem.text };
  const ms = Math.round(performance.now() - began);
  return { name: "endpoint", state: "ok", text: t("answered in {ms} ms", { ms }) };
}

/** What is wrong with a model. */
export interface ModelTrouble {
  readonly kind: ModelErrorKind;
  /** Worded for the user. */
  readonly text: string;
  /** `text` without its advice. */
  readonly found: string;
}

/** One tiny request without retries; resolves with what is wrong. */
export async function tryModel(
  config: Parameters<typeof modelFor>[0] & Pick<AgentEnvironment["config"], "keyFrom">,
  signal?: AbortSignal,
): Promise<ModelTrouble | undefined> {
  const { describeModelError, reportModelError } = await import("../models/mod.ts");
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), 30_000);
  try {
    const model = await modelFor({ ...config, maxOutputTokens: 16 }, 0);
    const stream = model.stream({
      model: config.model,
      system: "Answer with one word.",
      tools: [],
      messages: [{ role: "user", text: "Say ok." }],
    }, signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    for await (const event of stream) {
      if (event.type === "text" || event.type === "done") return undefined;
    }
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.signal.aborted) {
      const found = config.t("no answer within {seconds} s; check the network and base_url", {
        seconds: 30,
      });
      return { kind: "network", text: found, found };
    }
    if (!(error instanceof ModelError)) throw error;
    const { t } = config;
    const found = reportModelError(t, error);
    return { kind: error.kind, text: describeModelError(t, error, config.keyFrom), found };
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}

/** Who WebSearch asks, in this order. */
function searchFinding({ config }: AgentEnvironment): Finding {
  const { searxngUrl, searchKeys } = config;
  const names = [
    ...searxngUrl ? [`SearXNG (${new URL(searxngUrl).host})`] : [],
    ...searchKeys?.brave ? ["Brave"] : [],
    ...searchKeys?.tavily ? ["Tavily"] : [],
    ...searchKeys?.bocha ? ["Bocha"] : [],
    ...["Baidu", "Bing", "DuckDuckGo"],
  ];
  return { name: "web search", state: "ok", text: names.join(" → ") };
}

function permissionFinding(environment: AgentEnvironment, t: T): Finding {
  const granted = grantedPermissions(environment.workspace);
  const missing = (["read", "write", "run", "net"] as const).filter((name) => !granted.has(name));
  return missing.length === 0 ? { name: "permissions", state: "ok", text: t("complete") } : {
    name: "permissions",
    state: "warn",
    text: t("without {missing}; tools offered: {tools}", {
      missing: missing.map((name) => `--allow-${name}`).join(" "),
      tools: environment.tools.map((tool) => tool.name).join(", "),
    }),
  };
}

/** Of servers, hooks and trust a line where there are any. */
async function extensionFindings(environment: AgentEnvironment, t: T): Promise<Finding[]> {
  const { hooks = [] } = environment.config;
  if (hooks.length === 0 && !mayRequest(environment)) return [];
  const { doctorFindings } = await import("./doctor_extensions.ts");
  return await doctorFindings(environment, t);
}

/** What is hidden, or that nothing is. */
function secretsFinding({ secrets }: AgentEnvironment, t: T): Finding {
  const text = secrets.off
    ? t('off ("redact": false): secrets that tools come upon reach the model and the session')
    : t(
      "{n} known {n:value|values} and all that looks like a key are replaced by placeholders for the model, sessions and logs",
      { n: secrets.count },
    );
  return { name: "secrets", state: secrets.off ? "warn" : "ok", text };
}

/** Whether Bash runs in one, and whether it can. */
async function sandboxFinding(environment: AgentEnvironment, t: T): Promise<Finding> {
  const name = "sandbox";
  const { config, workspace, prompt, childEnv } = environment;
  const sandbox = await openSandbox(config.sandbox, workspace, prompt.userDir, childEnv);
  if (!sandbox) return { name, state: "ok", text: t('off ("sandbox": true turns it on)') };
  try {
    const why = await sandboxFault(sandbox, t);
    if (why !== undefined) {
      return {
        name,
        state: "bad",
        text: t("commands are to run in it, but {why}. Until then Bash runs none", { why }),
      };
    }
    const folders = sandbox.writable.join(t(", "));
    const text = t(
      sandbox.network
        ? "on; {folders} can be written; with network"
        : "on; {folders} can be written; without network",
      { folders },
    );
    return { name, state: "ok", text };
  } finally {
    sandbox.close();
  }
}

function writeFinding(environment: AgentEnvironment, t: T): Finding {
  const probe = `${environment.workspace}/.narnat-probe-${Deno.pid}`;
  try {
    demand("write", probe);
    Deno.writeTextFileSync(probe, "", { createNew: true });
    Deno.removeSync(probe);
    return { name: "workspace", state: "ok", text: environment.workspace };
  } catch (error) {
    return {
      name: "workspace",
      state: "warn",
      text: t("Cannot write .narnat in {dir} ({why}); session and log are not kept this time", {
        dir: environment.workspace,
        why: (error as Error).message,
      }),
    };
  }
}

function terminalFinding(t: T): Finding {
  const live = Deno.stdin.isTerminal() && Deno.stdout.isTerminal() && env("TERM") !== "dumb";
  return {
    name: "terminal",
    state: "ok",
    text: live ? env("TERM") ?? "" : t("not a terminal, plain lines"),
  };
}

async function programFinding(
  name: Text,
  program: string,
  t: T,
  otherwise: State,
  own: { readonly [name: string]: string },
): Promise<Finding> {
  try {
    if (!granted({ name: "run", command: program })) throw new Deno.errors.NotCapable(program);
    const { stdout, success } = await new Deno.Command(program, {
      args: ["--version"],
      clearEnv: true,
      env: own,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).output();
    if (success) {
      return { name, state: "ok", text: new TextDecoder().decode(stdout).split("\n")[0] ?? "" };
    }
  } catch { /* told below */ }
  return { name, state: otherwise, text: t("{program} was not found", { program }) };
}
