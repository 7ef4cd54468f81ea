/** The models there are to choose from while narnat runs. */
import { ConfigError } from "../base/errors.ts";
import type { Config } from "../config/load.ts";
import type { Endpoint } from "./mod.ts";
import type { ModelClient, Models, Tool } from "../base/types.ts";

const DEMO = "demo";

/** The model client of a configuration, loaded when it is first asked. */
export async function modelFor(
  config: Endpoint & Pick<Config, "model">,
  maxRetries?: number,
): Promise<ModelClient> {
  if (config.model === "demo") return (await import("./demo.ts")).demoModel();
  const { createModel, realHost } = await import("./mod.ts");
  return await createModel(config, realHost(), maxRetries);
}

/** The models of the configured provider, and the demo; `open` makes a client. */
export function providerModels(
  config: Config,
  open: (config: Config) => Promise<ModelClient>,
): Models {
  const { host } = new URL(config.baseUrl);
  const noKey = config.apiKey === undefined && config.baseUrl.startsWith("https:");
  return {
    hostOf: (name) => name === DEMO ? "" : host,
    async list(signal = new AbortController().signal) {
      if (noKey) return [DEMO];
      const [{ listModels }, { describeModelError, realHost }] = await Promise.all([
        import("./list_models.ts"),
        import("./mod.ts"),
      ]);
      try {
        const names = await listModels(config, realHost(), signal);
        return [...names, DEMO];
      } catch (error) {
        const { ModelError } = await import("../base/types.ts");
        if (!(error instanceof ModelError)) throw error;
        throw new Error(describeModelError(config.t, error, config.keyFrom), { cause: error });
      }
    },
    async open(name) {
      if (name !== DEMO && noKey) {
        const file = "narnat.json";
        throw new ConfigError(
          config.t(
            'No API key for {model} at {host}: set NARNAT_API_KEY in the environment or "api_key" in {file}; --model demo works without one',
            { host, model: name, file },
          ),
        );
      }
      await checkPrice(config, name);
      const { imageTypes } = await import("./model_facts.ts");
      const client = await open({ ...config, model: name });
      return { client, imageTypes: imageTypes(name, config) };
    },
  };
}

/** A budget in dollars that the user asks for needs a price. Throws ConfigError. */
export async function checkPrice(config: Config, model: string): Promise<void> {
  const { maxCostFrom: from } = config;
  if (from === undefined || model === DEMO) return;
  const { priceOf } = await import("./model_facts.ts");
  if (priceOf(model, config.prices, config.baseUrl, new Date()) === null) {
    throw new ConfigError(
      config.t(
        'The price of {model} is not known, so {from} cannot be kept; set it under "prices" in the configuration',
        { model, from },
      ),
    );
  }
}

const SEARCHING = ["Glob", "Grep"];

/**
 * The same model; when a call begins to arrive, its arguments still to come, its tool is loaded, and
 * `warmSearch` is called for one that searches. `sent` is called when a request has been sent.
 */
export function warming(
  model: ModelClient,
  tools: readonly Tool[],
  warmSearch: () => void,
  sent: () => void = () => {},
): ModelClient {
  const named = (name: string) =>
    tools.find((tool) => tool.name === name || tool.aliases?.includes(name));
  return {
    async *stream(request, signal) {
      const onSent = () => {
        request.onSent?.();
        sent();
      };
      for await (const event of model.stream({ ...request, onSent }, signal)) {
        const tool = event.type === "call" ? named(event.name) : undefined;
        tool?.warm?.();
        if (tool && SEARCHING.includes(tool.name)) warmSearch();
        yield event;
      }
    },
  };
}
