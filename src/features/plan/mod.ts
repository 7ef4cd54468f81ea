/** Plans: steps that are approved first, then asked one by one. */
import type { Tool } from "../../base/types.ts";

/** The tool with which the model proposes one. */
export async function planTool(): Promise<Tool> {
  return (await import("./tool.ts")).plan;
}
