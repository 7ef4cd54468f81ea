import type { ModelClient, Tool } from "../base/types.ts";

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
