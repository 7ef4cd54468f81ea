/** Tool calls that a person's own line asks for. */
import type { ToolResult } from "../../base/types.ts";
import { runCall, tellUser } from "./calls.ts";
import type { CallHost } from "../middleware.ts";

/**
 * Runs a tool as if the model had called it, with the same questions and the same events; the
 * session is not touched. Returns undefined when there is no such tool.
 */
export async function runTyped(
  name: string,
  input: { readonly [key: string]: string | number },
  host: CallHost,
  id: string,
): Promise<ToolResult | undefined> {
  const call = { id, name, input: JSON.stringify(input) };
  const what = host.toolbox.prepare(name, call.input, host.t);
  if (typeof what === "string") return undefined;
  const { result, ms } = await runCall(call, what, { ...host, typed: true });
  const { ok, text, detail } = result;
  host.emit({ type: "tool_end", id, name, ok, text, ...(detail ? { detail } : {}), ms });
  tellUser(result.notices ?? [], host);
  return result;
}
