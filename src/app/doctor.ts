/** `narnat doctor`: a line per check, each with its mend. */
import { choicesFrom, type Flags } from "../commands/flags.ts";
import { inherited } from "../config/place.ts";
import { ConfigError } from "../base/errors.ts";
import type { T, Text } from "../base/t.ts";
import { ModelError, type ModelErrorKind } from "../base/types.ts";
import type { Finding } from "./doctor_extensions.ts";
import { type Ground, layGround, notConfigured } from "./environment.ts";
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
    const text = ground?.secrets.hide(finding.text) ?? finding.text;
    put(`${MARK[finding.state]} ${t(finding.name)}: ${text}\n`);
  };
  let ground: Ground | undefined;
  try {
    ground = layGround(choicesFrom(flags), asked);
    t = ground.config.t;
    ground.secrets.refresh();
    for (const text of ground.warnings) tell({ name: "configuration", state: "warn", text });
    tell(
      ground.configured
        ? { name: "configuration", state: "ok", text: modelLine(ground.config) }
        : { name: "configuration", state: "bad", text: notConfigured(ground) },
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    tell({ name: "configuration", state: "bad", text: error.message });
  }
  if (ground) {
    if (ground.configured) tell(keyFinding(ground, t));
    tell(fileModeFinding(ground, t));
    if (ground.configured) tell(await endpointFinding(ground, t));
    tell(searchFinding(ground));
    tell(permissionFinding(ground, t));
    tell(writeFinding(ground, t));
    tell(secretsFinding(ground, t));
    tell(await sandboxFinding(ground, t));
    for (const finding of await extensionFindings(ground, t)) tell(finding);
    await ground.close();
  }
  tell(terminalFinding(t));
  const own = ground?.ownEnv ?? inherited().env;
  tell(await programFinding("git", "git", t, "warn", own));
  tell(await programFinding("bash", "bash", t, "warn", own));
  if (ground?.configured === false) return 2;
  return broken ? 1 : 0;
}

function modelLine(config: Ground["config"]): string {
  const { model, baseUrl, t } = config;
  if (model === "demo") return model;
  const sees = imageTypes(model, config).length > 0;
  return [model, baseUrl, ...(sees ? [t("takes images")] : [])].join(" · ");
}

function keyFinding(ground: Ground, t: T): Finding {
  const { apiKey, model } = ground.config;
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
function fileModeFinding(ground: Ground, t: T): Finding {
  const files = [ground.userFile, `${ground.workspace}/.narnat/narnat.json`];
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

async function endpointFinding(ground: Ground, t: T): Promise<Finding> {
  const { config } = ground;
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
  config: Parameters<typeof modelFor>[0] & Pick<Ground["config"], "keyFrom">,
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
function searchFinding({ config }: Ground): Finding {
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

function permissionFinding(ground: Ground, t: T): Finding {
  const granted = grantedPermissions(ground.workspace);
  const missing = (["read", "write", "run", "net"] as const).filter((name) => !granted.has(name));
  return missing.length === 0 ? { name: "permissions", state: "ok", text: t("complete") } : {
    name: "permissions",
    state: "warn",
    text: t("without {missing}; tools offered: {tools}", {
      missing: missing.map((name) => `--allow-${name}`).join(" "),
      tools: ground.tools.map((tool) => tool.name).join(", "),
    }),
  };
}

/** Of servers, hooks and trust a line where there are any. */
async function extensionFindings(ground: Ground, t: T): Promise<Finding[]> {
  const { hooks = [] } = ground.config;
  if (hooks.length === 0 && !mayRequest(ground)) return [];
  const { doctorFindings } = await import("./doctor_extensions.ts");
  return await doctorFindings(ground, t);
}

/** What is hidden, or that nothing is. */
function secretsFinding({ secrets }: Ground, t: T): Finding {
  const text = secrets.off
    ? t('off ("redact": false): secrets that tools come upon reach the model and the session')
    : t(
      "{n} known {n:value|values} and all that looks like a key are replaced by placeholders for the model, sessions and logs",
      { n: secrets.count },
    );
  return { name: "secrets", state: secrets.off ? "warn" : "ok", text };
}

/** Whether Bash runs in one, and whether it can. */
async function sandboxFinding(ground: Ground, t: T): Promise<Finding> {
  const name = "sandbox";
  const { config, workspace, prompt, childEnv } = ground;
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

function writeFinding(ground: Ground, t: T): Finding {
  const probe = `${ground.workspace}/.narnat-probe-${Deno.pid}`;
  try {
    demand("write", probe);
    Deno.writeTextFileSync(probe, "", { createNew: true });
    Deno.removeSync(probe);
    return { name: "workspace", state: "ok", text: ground.workspace };
  } catch (error) {
    return {
      name: "workspace",
      state: "warn",
      text: t("Cannot write .narnat in {dir} ({why}); session and log are not kept this time", {
        dir: ground.workspace,
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
