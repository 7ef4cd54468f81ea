/**
 * The table of the providers of models. A new provider is one entry here: the set-up's list,
 * `provider/model` names, default models, prices, windows, image types, the shapes of keys, the
 * variables that are kept from child processes and the differences between protocols derive from it.
 * It stands in this room because the configuration, below the models, needs it too.
 */

/** Input, output, cached input: US dollars per million tokens. */
type Prices = { readonly [model: string]: readonly [number, number, number] };
/** The first pattern that matches the last part of a model's name, in lower case, counts. */
type Family<T> = readonly (readonly [name: RegExp, value: T])[];

/** The form of a provider's keys, as the room of the secrets finds them. */
export interface KeyForm {
  readonly kind: string;
  readonly begins: readonly string[];
  /** The characters behind the beginning. */
  readonly of: "word" | "alnum";
  readonly least: number;
  readonly most?: number;
  /** Digits and letters are mixed in it. */
  readonly mixed?: boolean;
}

export interface ProviderSpec {
  /** `id/model` names a model of the provider. */
  readonly id: string;
  readonly name: string;
  /** What its variables begin with: `OPENAI` for `OPENAI_API_KEY`. */
  readonly env: readonly string[];
  readonly baseUrl?: string;
  /** Its hosts, and all below them; the host of `baseUrl` when left out. */
  readonly hosts?: readonly string[];
  /** It serves models of others, whose names may begin with a vendor's. */
  readonly resells?: boolean;
  /** It answers without a key. */
  readonly open?: boolean;
  /** It speaks the Messages protocol at its own address. */
  readonly messages?: boolean;
  /** The model that is asked where none is set. */
  readonly defaultModel?: string;
  /** It is offered in the set-up, with these models, and its keys are made at this address. */
  readonly setup?: { readonly models: readonly string[]; readonly keyUrl?: string };
  /** They hold at the host of `baseUrl` alone: elsewhere the same model has another price. */
  readonly prices?: Prices;
  /** Cache writes as a multiple of the input price. */
  readonly cacheWrite?: number;
  /** The listed price holds at this time; otherwise half of it. */
  readonly peak?: (now: Date) => boolean;
  /** Tokens that a model's window holds. */
  readonly windows?: Family<number>;
  /** The image types that a model takes. */
  readonly images?: Family<readonly string[]>;
  /** It answers to Claude's names with models of its own, which read text only. */
  readonly claudeStandIn?: boolean;
  /** Demanded in the place of thinking that is not there, at its hosts and of models of such names; null: it wants no thinking back. */
  readonly thinking?: { readonly empty: string; readonly names: RegExp } | null;
  /** The tag in which a model wants its thinking back in the text. */
  readonly thinkTag?: (model: string, own: boolean) => string | undefined;
  /** The output limit of a chat completion is `max_completion_tokens`. */
  readonly completionTokens?: boolean;
  readonly keys?: readonly KeyForm[];
}

const BASIC = ["image/png", "image/jpeg"];
const WEB = [...BASIC, "image/webp"];
const ALL = [...WEB, "image/gif"];

/** Image types of a model that the user says takes images. */
export const USUAL_IMAGES: readonly string[] = BASIC;

// Prices and windows from the vendors' pages, November 2026. Left out: prices that step with the prompt's length.
export const PROVIDERS: readonly ProviderSpec[] = [
  {
    id: "deepseek",
    name: "DeepSeek",
    env: ["DEEPSEEK"],
    baseUrl: "https://api.deepseek.com",
    hosts: ["deepseek.com"],
    defaultModel: "deepseek-v4-pro",
    setup: {
      models: ["deepseek-v4-pro", "deepseek-flash"],
      keyUrl: "https://platform.deepseek.com/api_keys",
    },
    prices: {
      "deepseek-v4-pro": [1.32, 3.96, 0.044],
      "deepseek-flash": [0.3, 1.2, 0.006],
      "deepseek-v4-flash": [0.3, 1.2, 0.006],
    },
    peak: deepseekPeak,
    windows: [[/^deepseek-(?:v4|flash)/, 1_000_000], [/^deepseek-/, 128_000]],
    claudeStandIn: true,
    thinking: { empty: "", names: /^deepseek/ },
  },
  {
    id: "openai",
    name: "OpenAI",
    env: ["OPENAI"],
    baseUrl: "https://api.openai.com/v1",
    hosts: ["openai.com"],
    defaultModel: "gpt-4o-mini",
    setup: {
      models: ["gpt-5.2", "gpt-5-mini"],
      keyUrl: "https://platform.openai.com/api-keys",
    },
    prices: {
      "gpt-5.2": [1.75, 14, 0.175],
      "gpt-5.1": [1.25, 10, 0.125],
      "gpt-5": [1.25, 10, 0.125],
      "gpt-5-mini": [0.25, 2, 0.025],
      "gpt-4.1": [2, 8, 0.5],
      "gpt-4.1-mini": [0.4, 1.6, 0.1],
      "gpt-4o": [2.5, 10, 1.25],
      "gpt-4o-2024-05-13": [5, 15, 2.5],
      "gpt-4o-mini": [0.15, 0.6, 0.075],
    },
    windows: [
      [/^gpt-4\.1/, 1_000_000],
      [/^gpt-4o/, 128_000],
      [/^gpt-5(?:\.\d)?-chat/, 128_000],
      [/^gpt-5(?:\.[1-3])?(?:-|$)/, 400_000],
    ],
    images: [[
      /^(?:(?:chat)?gpt-(?:4o|4\.[15]|4-turbo|5)|o1(?!-mini|-preview)|o3(?!-mini)|o4-mini)\b(?!.*(?:audio|realtime|transcribe|tts|search|spark))/,
      WEB,
    ]],
    thinking: null,
    completionTokens: true,
    keys: [{
      kind: "openai-key",
      begins: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
      of: "word",
      least: 20,
    }],
  },
  {
    id: "anthropic",
    name: "Anthropic",
    env: ["ANTHROPIC", "CLAUDE"],
    baseUrl: "https://api.anthropic.com",
    hosts: ["anthropic.com"],
    messages: true,
    setup: {
      models: ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-4-5"],
      keyUrl: "https://console.anthropic.com/settings/keys",
    },
    prices: {
      "claude-fable-5-1": [10, 50, 0.25],
      "claude-fable-5": [10, 50, 1],
      "claude-opus-5-5": [4, 20, 0.2],
      "claude-opus-5": [5, 25, 0.5],
      "claude-opus-4-8": [5, 25, 0.5],
      "claude-opus-4-7": [5, 25, 0.5],
      "claude-opus-4-6": [5, 25, 0.5],
      "claude-opus-4-5": [5, 25, 0.5],
      "claude-sonnet-5-5": [2, 10, 0.1],
      "claude-sonnet-5": [2, 10, 0.2],
      "claude-sonnet-4-6": [3, 15, 0.3],
      "claude-haiku-4-5": [1, 5, 0.1],
    },
    cacheWrite: 1.25,
    windows: [
      [/^claude-(?:fable|mythos)/, 1_000_000],
      [/^claude-(?:opus|sonnet)-(?:[5-9]|4-[6-9]\b)/, 1_000_000],
      [/^claude-haiku-5-5\b/, 1_000_000],
      [/^claude-/, 200_000],
    ],
    images: [[/(?:^|\.)claude-(?!v?[12]\b|instant)/, ALL]],
    thinking: null,
    keys: [{ kind: "anthropic-key", begins: ["sk-ant-"], of: "word", least: 20 }],
  },
  {
    id: "gemini",
    name: "Google Gemini",
    env: ["GEMINI", "GOOGLE"],
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    setup: {
      models: ["gemini-pro-latest", "gemini-flash-latest"],
      keyUrl: "https://aistudio.google.com/apikey",
    },
    images: [[/^gemini-(?:1\.5|[2-9]|(?:pro|flash|flash-lite)-latest)/, WEB]],
    keys: [{ kind: "google-key", begins: ["AIza"], of: "word", least: 35, most: 35 }],
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    env: ["OPENROUTER"],
    baseUrl: "https://openrouter.ai/api/v1",
    resells: true,
    setup: { models: [], keyUrl: "https://openrouter.ai/keys" },
    keys: [{ kind: "openrouter-key", begins: ["sk-or-"], of: "word", least: 20 }],
  },
  {
    id: "moonshot",
    name: "Moonshot Kimi",
    env: ["MOONSHOT", "KIMI"],
    baseUrl: "https://api.moonshot.ai/v1",
    hosts: ["moonshot.ai", "kimi.com"],
    setup: {
      models: ["kimi-k3", "kimi-k2.7-code"],
      keyUrl: "https://platform.moonshot.ai/console/api-keys",
    },
    prices: { "kimi-k3": [3, 15, 0.3], "kimi-k2.7-code": [0.95, 4, 0.19] },
    windows: [[/^kimi-k2(?:[-.]|$)/, 256_000]],
    images: [[/^kimi-(?:latest|k2\.[5-9])/, BASIC]],
    claudeStandIn: true,
    thinking: { empty: " ", names: /^kimi/ },
  },
  {
    id: "moonshot-cn",
    name: "月之暗面 Kimi",
    env: ["MOONSHOT"],
    baseUrl: "https://api.moonshot.cn/v1",
    hosts: ["moonshot.cn"],
    setup: {
      models: ["kimi-k3", "kimi-k2.7-code"],
      keyUrl: "https://platform.moonshot.cn/console/api-keys",
    },
    claudeStandIn: true,
    thinking: { empty: " ", names: /^kimi/ },
  },
  {
    id: "qwen",
    name: "通义千问 Qwen",
    env: ["DASHSCOPE", "QWEN"],
    baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    setup: {
      models: ["qwen3-max", "qwen3-coder-plus"],
      keyUrl: "https://bailian.console.aliyun.com/?tab=model#/api-key",
    },
    images: [[/^qvq-/, BASIC]],
  },
  {
    id: "zhipu",
    name: "智谱 GLM",
    env: ["ZHIPU", "ZHIPUAI", "BIGMODEL"],
    baseUrl: "https://open.bigmodel.cn/api/paas/v4",
    hosts: ["bigmodel.cn"],
    setup: {
      models: ["glm-5.3", "glm-4.7"],
      keyUrl: "https://open.bigmodel.cn/usercenter/apikeys",
    },
    windows: [[/^glm-5\.[2-9]/, 1_000_000], [/^glm-4\.[67]/, 200_000]],
    images: [[/^glm-\d+(?:\.\d+)?v/, BASIC]],
    claudeStandIn: true,
  },
  {
    id: "zai",
    name: "Z.ai GLM",
    env: ["ZAI"],
    baseUrl: "https://api.z.ai/api/paas/v4",
    hosts: ["z.ai"],
    prices: {
      "glm-5.3": [1.4, 4.4, 0.26],
      "glm-5.2": [1.4, 4.4, 0.26],
      "glm-4.7": [0.6, 2.2, 0.11],
      "glm-4.6": [0.6, 2.2, 0.11],
    },
    claudeStandIn: true,
  },
  {
    id: "ollama",
    name: "Ollama",
    env: ["OLLAMA"],
    baseUrl: "http://localhost:11434/v1",
    resells: true,
    open: true,
    setup: { models: ["qwen3-coder", "gpt-oss:20b"] },
  },
  {
    id: "minimax",
    name: "MiniMax",
    env: ["MINIMAX"],
    baseUrl: "https://api.minimax.io/v1",
    hosts: ["minimax.io", "minimaxi.com"],
    claudeStandIn: true,
    thinkTag(model, own) {
      if (/^minimax-m[3-9]/.test(model)) return "mm:think";
      return own || model.startsWith("minimax") ? "think" : undefined;
    },
  },
  {
    id: "xai",
    name: "xAI",
    env: ["XAI"],
    baseUrl: "https://api.x.ai/v1",
    images: [[/^grok-4/, BASIC]],
    keys: [{ kind: "xai-key", begins: ["xai-"], of: "word", least: 60, mixed: true }],
  },
  {
    id: "groq",
    name: "Groq",
    env: ["GROQ"],
    baseUrl: "https://api.groq.com/openai/v1",
    resells: true,
    keys: [{ kind: "groq-key", begins: ["gsk_"], of: "alnum", least: 40 }],
  },
  {
    id: "perplexity",
    name: "Perplexity",
    env: ["PERPLEXITY"],
    baseUrl: "https://api.perplexity.ai",
    keys: [{ kind: "perplexity-key", begins: ["pplx-"], of: "alnum", least: 40 }],
  },
  {
    id: "cerebras",
    name: "Cerebras",
    env: ["CEREBRAS"],
    baseUrl: "https://api.cerebras.ai/v1",
    resells: true,
    keys: [{ kind: "cerebras-key", begins: ["csk-"], of: "alnum", least: 40, mixed: true }],
  },
  {
    id: "nvidia",
    name: "NVIDIA",
    env: ["NVIDIA"],
    baseUrl: "https://integrate.api.nvidia.com/v1",
    resells: true,
    keys: [{ kind: "nvidia-key", begins: ["nvapi-"], of: "word", least: 50 }],
  },
  {
    id: "replicate",
    name: "Replicate",
    env: ["REPLICATE"],
    keys: [{ kind: "replicate-token", begins: ["r8_"], of: "alnum", least: 37 }],
  },
  { id: "mistral", name: "Mistral", env: ["MISTRAL"], baseUrl: "https://api.mistral.ai/v1" },
  {
    id: "siliconflow",
    name: "SiliconFlow",
    env: ["SILICONFLOW"],
    baseUrl: "https://api.siliconflow.cn/v1",
    resells: true,
  },
  {
    id: "together",
    name: "Together",
    env: ["TOGETHER"],
    baseUrl: "https://api.together.xyz/v1",
    resells: true,
  },
  {
    id: "fireworks",
    name: "Fireworks",
    env: ["FIREWORKS"],
    baseUrl: "https://api.fireworks.ai/inference/v1",
    resells: true,
  },
  {
    id: "volcengine",
    name: "火山方舟",
    env: ["ARK", "VOLCENGINE"],
    baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
    resells: true,
  },
  { id: "stepfun", name: "StepFun", env: ["STEPFUN"], baseUrl: "https://api.stepfun.com/v1" },
  { id: "hunyuan", name: "Hunyuan", env: ["HUNYUAN"] },
  { id: "baichuan", name: "Baichuan", env: ["BAICHUAN"] },
  { id: "cohere", name: "Cohere", env: ["COHERE"] },
  {
    id: "azure",
    name: "Azure OpenAI",
    env: ["AZURE"],
    hosts: ["openai.azure.com"],
    completionTokens: true,
  },
];

/** Families whose models many providers serve; they count behind the vendors' own. */
export const COMMON_IMAGES: Family<readonly string[]> = [
  [/(?:^|\.)llama-?4\b/, BASIC],
  [/(?:^|[^a-z])vl(?:[^a-z]|$)/, BASIC],
  [/vision/, BASIC],
];

/** Whether the host of `baseUrl` is `name` or below it. */
export function hostIs(baseUrl: string, name: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? "";
  return host === name || host.endsWith("." + name);
}

/** The host of the provider's own address; undefined where it has none. */
export const ownHost = ({ baseUrl }: ProviderSpec): string | undefined =>
  baseUrl === undefined ? undefined : URL.parse(baseUrl)?.hostname;

/** Whether `baseUrl` is an address of the provider's. */
export function isAt(provider: ProviderSpec, baseUrl: string): boolean {
  const hosts = provider.hosts ?? [ownHost(provider) ?? ""];
  return hosts.some((host) => host !== "" && hostIs(baseUrl, host));
}

/** The provider at an address; undefined for one that is not known. */
export const providerAt = (baseUrl: string): ProviderSpec | undefined =>
  PROVIDERS.find((one) => isAt(one, baseUrl));

/** The last part of a model's name, in lower case: a vendor before it (`x/y`) does not matter. */
export const bareModel = (model: string): string =>
  model.slice(model.lastIndexOf("/") + 1).toLowerCase();

/** The first family of `list` that the bare name of a model belongs to. */
export const familyOf = <T>(list: Family<T>, model: string): T | undefined =>
  list.find(([pattern]) => pattern.test(model))?.[1];

/** Monday to Friday 01–04 and 06–10 UTC; on Chinese holidays, which are off-peak, it says too much. */
function deepseekPeak(now: Date): boolean {
  const day = now.getUTCDay();
  const hour = now.getUTCHours();
  return day >= 1 && day <= 5 && (hour >= 1 && hour < 4 || hour >= 6 && hour < 10);
}
