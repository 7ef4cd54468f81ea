/** What an agent that works for another one is told beside the base prompt. */
import subagent from "../../context/prompts/subagent.md" with { type: "text" };
import type { AgentKind } from "../../base/types.ts";

/** `more` comes last: what its kind and its place in a team make of it. */
export function subagentPrompt(kind: AgentKind | undefined, more: string): string {
  return [subagent.trim(), kind?.prompt ?? "", more].filter((part) => part !== "").join("\n\n");
}
