/** The first run: choose a provider, give a key, pick a model, try it, keep it. */
import type { Config } from "../config/load.ts";
import { saveUserSettings } from "../config/json_text.ts";
import { PROVIDERS } from "../config/registry.ts";
import type { T } from "../base/t.ts";
import type { ModelErrorKind } from "../base/types.ts";
import type {
  ProviderChoice,
  SetupChoice,
  SetupResult,
  SetupTrouble,
} from "../terminal/panels/options.ts";
import type { AgentEnvironment } from "../app/environment.ts";
import { type ModelTrouble, tryModel } from "../app/doctor.ts";
import { env } from "../base/host.ts";
import { whyOf } from "../base/file_why.ts";

const providers = (t: T): readonly ProviderChoice[] => [
  ...PROVIDERS.flatMap(({ id, name, baseUrl = "", setup, open = false }) =>
    setup ? [{ id, name, baseUrl, ...setup, needsKey: !open }] : []
  ),
  { id: "other", name: t("Another endpoint"), baseUrl: "", models: [], needsKey: false },
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
function toMend(t: T, { kind, text, found }: ModelTrouble): SetupTrouble {
  const mend = MEND[kind];
  if (mend === "model") return { text, mend };
  return {
    text: `${found}\n${
      t(
        mend === "key"
          ? "Paste the key again: it must be right, whole, and belong to this address."
          : "Check the address, the network and the proxy.",
      )
    }`,
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
export async function firstRun({ userFile, config }: AgentEnvironment): Promise<SetupResult> {
  const { runSetup } = await import("../terminal/panels/setup.ts");
  if (userFile === undefined) throw new Error("no home to keep the answers in");
  return await runSetup({
    t: config.t,
    env,
    providers: providers(config.t),
    async models(choice, signal) {
      const [{ listModels }, { realHost }] = await Promise.all([
        import("../models/list_models.ts"),
        import("../models/mod.ts"),
      ]);
      return await listModels(chosen(config, choice), realHost(), signal);
    },
    async test(choice, signal) {
      const trouble = await tryModel(chosen(config, choice), signal);
      return trouble && toMend(config.t, trouble);
    },
    save(choice) {
      try {
        saveUserSettings(userFile, {
          base_url: choice.baseUrl,
          model: choice.model,
          ...(choice.apiKey === "" ? {} : { api_key: choice.apiKey }),
        });
      } catch (error) {
        return Promise.reject(new Error(`${userFile}: ${whyOf(config.t, error)}`));
      }
      return Promise.resolve(userFile);
    },
  });
}
