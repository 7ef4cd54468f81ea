import { join } from "node:path";
import { say } from "../text.ts";
import type { ToolContext, ToolInput, ToolResult } from "../types.ts";
import { realTarget } from "../workspace/paths.ts";
import { named } from "./files.ts";

/** What of the user's own folder decides what narnat may do and start. */
const DECIDING = ["narnat.json", "mcp.json", "trust.json"];

/** Whether the real path is that of such a file, links followed. */
async function decides(real: string, home: string | undefined): Promise<boolean> {
  if (!home) return false;
  const places = DECIDING.map((name) => realTarget(join(home, ".narnat", name)));
  return (await Promise.allSettled(places))
    .some((place) => place.status === "fulfilled" && place.value === real);
}

/** Whether a write to the file that the input names is asked about by `declinedOwn`. */
export async function asksOwn(input: ToolInput, context: ToolContext): Promise<boolean> {
  try {
    const { path } = named(String(input["file_path"] ?? ""), context);
    return await decides(await realTarget(path), context.env["HOME"]);
  } catch {
    return false;
  }
}

/** Asks a person before the user's own settings are written; what to tell the model after a No, undefined when it may go on. */
export async function declinedOwn(
  real: string,
  path: string,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  if (!await decides(real, context.env["HOME"])) return undefined;
  const { lang } = context;
  const question = say(lang, "write.ask_own", { path });
  if (await context.ask({ kind: "danger", question, targets: [real] })) return undefined;
  if (context.signal.aborted) return { ok: false, text: say(lang, "tool.interrupted") };
  const text = say(lang, "write.declined_own", { path });
  return { ok: false, text, detail: { kind: "declined" } };
}
