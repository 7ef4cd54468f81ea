/** `narnat doctor`: a line per check, each with its mend. */
import { choicesFrom, type Flags } from "../commands/flags.ts";
import { inherited } from "../config/place.ts";
import { ConfigError } from "../base/config_error.ts";
import { langFrom, say, type TextKey } from "../base/text.ts";
import { type Lang, ModelError, type ModelErrorKind } from "../base/types.ts";
import type { Finding } from "./doctor_extensions.ts";
import { type Ground, layGround, notConfigured } from "./environment.ts";
import { openSandbox, sandboxFault } from "../shell/process/open_sandbox.ts";
import { modelFor } from "../models/catalog.ts";
import { imageTypes } from "../models/model_facts.ts";
import { demand, env, granted, grantedPermissions, put } from "../base/host.ts";
import { mayRequest } from "../features/trust/mod.ts";

type State = Finding["state"];

const MARK: { readonly [state in State]: string } = { ok: "✓", warn: "!", bad: "✗" };

/** Checks what narnat needs; exit code 1 when something needed is broken, 2 when no model is configured. */
export async function doctor(flags: Flags): Promise<number> {
  const asked = flags.lang ?? langFrom(env);
  let lang: Lang = asked;
  let broken = false;
  const tell = (finding: Finding) => {
    if (finding.state === "bad") broken = true;
    const text = ground?.secrets.hide(finding.text) ?? finding.text;
    put(`${MARK[finding.state]} ${say(lang, finding.name)}: ${text}\n`);
  };
  let ground: Ground | undefined;
  try {
    ground = layGround(choicesFrom(flags), asked);
    lang = ground.config.lang;
    ground.secrets.refresh();
    for (const text of ground.warnings) tell({ name: "doctor.config", state: "warn", text });
    tell(
      ground.configured
        ? { name: "doctor.config", state: "ok", text: modelLine(ground.config) }
        : { name: "doctor.config", state: "bad", text: notConfigured(ground) },
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    tell({ name: "doctor.config", state: "bad", text: error.message });
  }
  if (ground) {
    if (ground.configured) tell(keyFinding(ground, lang));
    tell(fileModeFinding(ground, lang));
    if (ground.configured) tell(await endpointFinding(ground, lang));
    tell(searchFinding(ground));
    tell(permissionFinding(ground, lang));
    tell(writeFinding(ground, lang));
    tell(secretsFinding(ground, lang));
    tell(await sandboxFinding(ground, lang));
    for (const finding of await extensionFindings(ground, lang)) tell(finding);
    await ground.close();
  }
  tell(terminalFinding(lang));
  const own = ground?.ownEnv ?? inherited().env;
  tell(await programFinding("doctor.git", "git", lang, "warn", own));
  tell(await programFinding("doctor.bash", "bash", lang, "warn", own));
  if (ground?.configured === false) return 2;
  return broken ? 1 : 0;
}

function modelLine(config: Ground["config"]): string {
  const { model, baseUrl, lang } = config;
  if (model === "demo") return model;
  const sees = imageTypes(model, config).length > 0;
  return [model, baseUrl, ...(sees ? [say(lang, "doctor.images")] : [])].join(" · ");
}

function keyFinding(ground: Ground, lang: Lang): Finding {
  const { apiKey, model } = ground.config;
  return {
    name: "doctor.key",
    state: "ok",
    text: say(
      lang,
      apiKey !== undefined
        ? "doctor.key_set"
        : model === "demo"
        ? "doctor.key_demo"
        : "doctor.key_none",
    ),
  };
}

/** A key in a file that others can read is everybody's key. */
function fileModeFinding(ground: Ground, lang: Lang): Finding {
  const files = [ground.userFile, `${ground.workspace}/.narnat/narnat.json`];
  for (const file of files) {
    if (file === undefined) continue;
    try {
      const { mode } = Deno.statSync(file);
      const holdsKey = /"(?:\w+_)?api_key"\s*:/.test(Deno.readTextFileSync(file));
      if (holdsKey && mode !== null && (mode & 0o077) !== 0) {
        return {
          name: "doctor.mode",
          state: "warn",
          text: say(lang, "doctor.mode_open", { file }),
        };
      }
    } catch { /* a file that is not there keeps no key */ }
  }
  return { name: "doctor.mode", state: "ok", text: say(lang, "doctor.mode_ok") };
}

async function endpointFinding(ground: Ground, lang: Lang): Promise<Finding> {
  const { config } = ground;
  if (config.model === "demo") {
    return { name: "doctor.endpoint", state: "ok", text: say(lang, "doctor.endpoint_demo") };
  }
  const began = performance.now();
  const problem = await tryModel(config);
  if (problem !== undefined) return { name: "doctor.endpoint", state: "bad", text: problem.text };
  const ms = Math.round(performance.now() - began);
  return { name: "doctor.endpoint", state: "ok", text: say(lang, "doctor.endpoint_ok", { ms }) };
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
      const found = say(config.lang, "doctor.endpoint_slow", { seconds: 30 });
      return { kind: "network", text: found, found };
    }
    if (!(error instanceof ModelError)) throw error;
    const { lang } = config;
    const found = reportModelError(lang, error);
    return { kind: error.kind, text: describeModelError(lang, error, config.keyFrom), found };
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
  return { name: "doctor.search", state: "ok", text: names.join(" → ") };
}

function permissionFinding(ground: Ground, lang: Lang): Finding {
  const granted = grantedPermissions(ground.workspace);
  const missing = (["read", "write", "run", "net"] as const).filter((name) => !granted.has(name));
  return missing.length === 0
    ? { name: "doctor.permissions", state: "ok", text: say(lang, "doctor.permissions_ok") }
    : {
      name: "doctor.permissions",
      state: "warn",
      text: say(lang, "doctor.permissions_missing", {
        missing: missing.map((name) => `--allow-${name}`).join(" "),
        tools: ground.tools.map((tool) => tool.name).join(", "),
      }),
    };
}

/** Of servers, hooks and trust a line where there are any. */
async function extensionFindings(ground: Ground, lang: Lang): Promise<Finding[]> {
  const { hooks = [] } = ground.config;
  if (hooks.length === 0 && !mayRequest(ground)) return [];
  const { doctorFindings } = await import("./doctor_extensions.ts");
  return await doctorFindings(ground, lang);
}

/** What is hidden, or that nothing is. */
function secretsFinding({ secrets }: Ground, lang: Lang): Finding {
  const text = secrets.off
    ? say(lang, "doctor.secrets_off")
    : say(lang, "doctor.secrets_on", { n: secrets.count });
  return { name: "doctor.secrets", state: secrets.off ? "warn" : "ok", text };
}

/** Whether Bash runs in one, and whether it can. */
async function sandboxFinding(ground: Ground, lang: Lang): Promise<Finding> {
  const name = "doctor.sandbox";
  const { config, workspace, prompt, childEnv } = ground;
  const sandbox = await openSandbox(config.sandbox, workspace, prompt.userDir, childEnv);
  if (!sandbox) return { name, state: "ok", text: say(lang, "sandbox.off") };
  try {
    const why = await sandboxFault(sandbox, lang);
    if (why !== undefined) {
      return { name, state: "bad", text: say(lang, "sandbox.broken", { why }) };
    }
    const folders = sandbox.writable.join(lang === "zh" ? "、" : ", ");
    const text = say(lang, sandbox.network ? "sandbox.on" : "sandbox.on_offline", { folders });
    return { name, state: "ok", text };
  } finally {
    sandbox.close();
  }
}

function writeFinding(ground: Ground, lang: Lang): Finding {
  const probe = `${ground.workspace}/.narnat-probe-${Deno.pid}`;
  try {
    demand("write", probe);
    Deno.writeTextFileSync(probe, "", { createNew: true });
    Deno.removeSync(probe);
    return { name: "doctor.workspace", state: "ok", text: ground.workspace };
  } catch (error) {
    return {
      name: "doctor.workspace",
      state: "warn",
      text: say(lang, "cli.nothing_kept", { dir: ground.workspace, why: (error as Error).message }),
    };
  }
}

function terminalFinding(lang: Lang): Finding {
  const live = Deno.stdin.isTerminal() && Deno.stdout.isTerminal() && env("TERM") !== "dumb";
  return {
    name: "doctor.terminal",
    state: "ok",
    text: live ? env("TERM") ?? "" : say(lang, "doctor.terminal_plain"),
  };
}

async function programFinding(
  name: TextKey,
  program: string,
  lang: Lang,
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
  return { name, state: otherwise, text: say(lang, "doctor.no_program", { program }) };
}
