import { type OfferedTool, ServerError } from "./types.ts";
import type { JsonSchema, Tool } from "../../base/types.ts";

/** Makes a Tool of what a server offers; the server checks its input. */
export function mcpTool(offered: OfferedTool): Tool {
  const { name, server, tool, needs } = offered;
  return {
    name,
    description: tool.description || tool.title || tool.name,
    input: tool.input as JsonSchema,
    readOnly: tool.readOnly,
    needs: [needs],
    unchecked: true,
    unlimited: true,
    async run(input, context) {
      try {
        const answer = await offered.call(input, context);
        const { mcpResult } = await import("./result.ts");
        return await mcpResult(answer, server, context);
      } catch (error) {
        if (context.signal.aborted) {
          return { ok: false, text: context.t("interrupted") };
        }
        if (error instanceof ServerError) return { ok: false, text: error.message };
        throw error;
      }
    },
  };
}
