/** The tools of a rerun: real ones with paths of the copy; what cannot be run again answers as recorded. */
import { pathPattern } from "../../base/strings.ts";
import { within } from "../../base/path.ts";
import type { T } from "../../base/t.ts";
import type { Tool, Toolbox, ToolContext, ToolMessage, ToolResult } from "../../base/types.ts";
import type { Environment } from "../../commands/environment.ts";
import { realTarget, resolvePath } from "../../files/paths.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import { planTool } from "../plan/mod.ts";
import type { Recording } from "./recording.ts";

/** In this order: a time of day within a date is no other. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "<id>"],
  [/\b\d{8}-\d{6}-[0-9a-z]{4}(?:-\d+)?\b/g, "<session>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?/g, "<time>"],
  [
    /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} (?:\d\d:\d\d(?::\d\d)?(?: \d{4})?| ?\d{4})/g,
    "<time>",
  ],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, "<time>"],
  [/\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|sec|secs|seconds?|min|m)\b/g, "<duration>"],
  [/\b\d+(?:\.\d+)? ?(?:毫秒|秒|分钟)/g, "<duration>"],
  [/\bpid[ =:]+\d+/gi, "pid <id>"],
  // ids of commits hold their time
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g, "<hash>"],
  [/\/(?:tmp|var\/folders)\/[^\s"'`:)\]}>,]+/g, "<temporary>"],
];

/** Replaces each first path by its second; unless it is to be `paths only`, times, ids and temporary paths too. */
export function equalizer(
  paths: readonly (readonly [from: string, to: string])[],
  only?: "paths only",
): (text: string) => string {
  const places = paths.filter(([from, to]) => from.length > 1 && from !== to)
    .map(([from, to]) => [pathPattern(from), to] as const);
  const rules = only ? places : [...places, ...RULES];
  return (text) => rules.reduce((rest, [find, by]) => rest.replace(find, () => by), text);
}

/** Tools that are run again. */
const REAL = ["Read", "Write", "Edit", "Glob", "Grep", "Bash", "TodoWrite", "Plan"];

/** A result that says it was interrupted depends on when that was. */
export const wasCut = ({ ok, text }: ToolMessage) =>
  !ok && /^(?:interrupted|已中断)|\[(?:interrupted after|已中断)[^\]]*\]\s*$/.test(text);
/** Whether the call that it came from is run again, where it is about the copy. */
export const isReal = (result: ToolMessage) => REAL.includes(result.name) && !wasCut(result);

/** `recorded` fills with the ids of the calls that were answered as recorded. */
export async function rerunToolbox(
  { results, answers }: Recording,
  recordedAt: string,
  environment: Environment,
  t: T,
): Promise<{ readonly toolbox: Toolbox; readonly recorded: ReadonlySet<string> }> {
  const plan = await planTool();
  const tools = [...environment.tools, ...environment.extraTools.includes("Plan") ? [plan] : []];
  const real = createToolbox([...tools, ...tools.includes(plan) ? [] : [plan]]);
  const { definitions } = createToolbox(tools);
  const here = equalizer([[recordedAt, environment.workspace]], "paths only");
  const calls = answers.flatMap((one) => one.kind === "message" ? one.message.calls : []);
  const recorded = new Set<string>();
  let next = 0;
  const toolbox: Toolbox = {
    definitions,
    prepare(name, input) {
      // calls are prepared in the order in which they were recorded, those of a line's own aside
      const at = calls.findIndex((call, i) =>
        i >= next && call.name === name && call.input === input
      );
      const result = at < 0 ? undefined : results.find(({ id }) => id === calls[at]!.id);
      if (at >= 0) next = at + 1;
      const asRecorded = (): Promise<ToolResult> => {
        if (result) recorded.add(result.id);
        const { ok, text } = result ??
          { ok: false, text: t("The recording has no result of this call, so it was not run") };
        return Promise.resolve({ ok, text });
      };
      const prepared = real.prepare(name, here(input), t);
      if (typeof prepared !== "string") {
        const { tool } = prepared;
        const runs = result ? isReal(result) : REAL.includes(tool.name);
        if (runs) return { ...prepared, tool: inCopy(tool, asRecorded) };
      } else if (!result || isReal(result)) return prepared;
      const parsed = typeof prepared === "string" ? {} : prepared.input;
      return { tool: recordedTool(name, asRecorded), input: parsed };
    },
  };
  return { toolbox, recorded };
}

/** The tool, but for calls that reach beyond the copy, or the rerun: those get the other answer. */
function inCopy(tool: Tool, otherwise: () => Promise<ToolResult>): Tool {
  return {
    ...tool,
    async run(input, context) {
      const inside = tool.name === "Bash"
        ? input.keep !== true
        : tool.readOnly || input.file_path === undefined || await isHere(input.file_path, context);
      return await (inside ? tool.run(input, context) : otherwise());
    },
  };
}

async function isHere(path: string, { workspace, env }: ToolContext): Promise<boolean> {
  try {
    return within(await realTarget(resolvePath(path, workspace, env["HOME"])), workspace);
  } catch {
    return true; // the tool says why
  }
}

const recordedTool = (name: string, run: Tool["run"]): Tool => ({
  name,
  description: "",
  input: {},
  readOnly: false,
  needs: [],
  run,
});
