import type { ModelClient, Tool } from "../types.ts";

const SEARCHING = ["Glob", "Grep"];

/** The same model; `warm` is called when the first call of a searching tool begins to arrive, its arguments still to come. */
export function warming(
  model: ModelClient,
  tools: readonly Tool[],
  warm: () => void,
): ModelClient {
  const names = tools.filter((tool) => SEARCHING.includes(tool.name))
    .flatMap((tool) => [tool.name, ...tool.aliases ?? []]);
  return {
    async *stream(request, signal) {
      for await (const event of model.stream(request, signal)) {
        if (event.type === "call" && names.includes(event.name)) warm();
        yield event;
      }
    },
  };
}
