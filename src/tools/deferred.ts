import type { Tool } from "../base/types.ts";

/** What is known of a tool before it runs. */
export type ToolDeclaration = Omit<Tool, "run" | "asks" | "warm">;

/** A tool that is declared at once and loaded with its first call. */
export function deferred(declaration: ToolDeclaration, load: () => Promise<Tool>): Tool {
  let loading: Promise<Tool> | undefined;
  const loaded = () => loading ??= load();
  return {
    ...declaration,
    warm: () => void loaded().catch(() => {}),
    asks: async (input, context) => await (await loaded()).asks?.(input, context) ?? false,
    run: async (input, context) => await (await loaded()).run(input, context),
  };
}
