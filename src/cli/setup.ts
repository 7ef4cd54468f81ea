/** The first run: choose a provider, give a key, pick a model, try it, keep it. */
import type { Config } from "../config/load.ts";
import { saveUserSettings } from "../config/file.ts";
import { say } from "../base/text.ts";
import type { Lang, ModelErrorKind } from "../base/types.ts";
import type {
  ProviderChoice,
  SetupChoice,
  SetupResult,
  SetupTrouble,
} from "../terminal/panels/options.ts";
import type { Ground } from "../app/environment.ts";
import { type ModelTrouble, tryModel } from "../app/doctor.ts";
import { env } from "../base/host.ts";
import { whyOf } from "../base/file_why.ts";

const KNOWN: readonly ProviderChoice[] = [
  {
    id: "deepseek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com",
    models: ["deepseek-v4-pro", "deepseek-flash"],
    keyUrl: "https://platform.deepseek.com/api_keys",
    needsKey: true,
  },
  {
    id: "openai",
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    models: ["gpt-5.2", "gpt-5-mini"],
    keyUrl: "https://platform.openai.com/api-keys",
    needsKey: true,
  },
  {
    id: "anthropic",
    name: "Anthropic",
    baseUrl: "https://api.anthropic.com",
    models: ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-4-5"],
    keyUrl: "https://console.anthropic.com/settings/keys",
    needsKey: true,
  },
  {
    id: "gemini",
    name: "Google Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    models: ["gemini-pro-latest", "gemini-flash-latest"],
    keyUrl: "https://aistudio.google.com/apikey",
    needsKey: true,
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    models: [],
    keyUrl: "https://openrouter.ai/keys",
    needsKey: true,
  },
  {
    id: "moonshot",
    name: "Moonshot Kimi",
    baseUrl: "https://api.moonshot.ai/v1",
    models: ["kimi-k3", "kimi-k2.7-code"],
    keyUrl: "https://platform.moonshot.ai/console/api-keys",
    needsKey: true,
  },
  {
    id: "moonshot-cn",
    name: "月之暗面 Kimi",
    baseUrl: "https://api.moonshot.cn/v1",
    models: ["kimi-k3", "kimi-k2.7-code"],
    keyUrl: "https://platform.moonshot.cn/console/api-keys",
    needsKey: true,
  },
  {
    id: "qwen",
    name: "通义千问 Qwen",
    baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    models: ["qwen3-max", "qwen3-coder-plus"],
    keyUrl: "https://bailian.console.aliyun.com/?tab=model#/api-key",
    needsKey: true,
  },
  {
    id: "zhipu",
    name: "智谱 GLM",
    baseUrl: "https://open.bigmodel.cn/api/paas/v4",
    models: ["glm-5.3", "glm-4.7"],
    keyUrl: "https://open.bigmodel.cn/usercenter/apikeys",
    needsKey: true,
  },
  {
    id: "ollama",
    name: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    models: ["qwen3-coder", "gpt-oss:20b"],
    needsKey: false,
  },
];

const providers = (lang: Lang): readonly ProviderChoice[] => [
  ...KNOWN,
  { id: "other", name: say(lang, "setup.other"), baseUrl: "", models: [], needsKey: false },
];

/** Which answer of the user's is to blame. */
const MEND: { readonly [kind in ModelErrorKind]: SetupTrouble["mend"] } = {
  auth: "key",
  network: "url",
  protocol: "url",
  rate: "model",
  overflow: "model",
  refused: "model",
};

/** The advice is for what was just typed in, not for the files and variables it may come from later. */
function toMend(lang: Lang, { kind, text, found }: ModelTrouble): SetupTrouble {
  const mend = MEND[kind];
  if (mend === "model") return { text, mend };
  return {
    text: `${found}\n${say(lang, mend === "key" ? "setup.mend_key" : "setup.mend_url")}`,
    mend,
  };
}

/** The configuration that a choice would make. */
function chosen(config: Config, choice: SetupChoice): Config {
  return {
    ...config,
    model: choice.model,
    baseUrl: choice.baseUrl.replace(/\/+$/, ""),
    api: "auto",
    apiKey: choice.apiKey === "" ? undefined : choice.apiKey,
  };
}

/** Asks in the terminal and stores the answers in the user's narnat.json, which there must be a home for. */
export async function firstRun({ userFile, config }: Ground): Promise<SetupResult> {
  const { runSetup } = await import("../terminal/panels/setup.ts");
  if (userFile === undefined) throw new Error("no home to keep the answers in");
  return await runSetup({
    lang: config.lang,
    env,
    providers: providers(config.lang),
    async models(choice, signal) {
      const [{ listModels }, { realHost }] = await Promise.all([
        import("../models/list_models.ts"),
        import("../models/mod.ts"),
      ]);
      return await listModels(chosen(config, choice), realHost(), signal);
    },
    async test(choice, signal) {
      const trouble = await tryModel(chosen(config, choice), signal);
      return trouble && toMend(config.lang, trouble);
    },
    save(choice) {
      try {
        saveUserSettings(userFile, {
          base_url: choice.baseUrl,
          model: choice.model,
          ...(choice.apiKey === "" ? {} : { api_key: choice.apiKey }),
        });
      } catch (error) {
        return Promise.reject(new Error(`${userFile}: ${whyOf(config.lang, error)}`));
      }
      return Promise.resolve(userFile);
    },
  });
}
