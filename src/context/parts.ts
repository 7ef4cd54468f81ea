/** What the system prompt is made of: one ordered list of parts. */
import base from "./prompts/base.md" with { type: "text" };
import ironRules from "./prompts/iron_rules.md" with { type: "text" };
import { memoryParts } from "../features/memory/bootstrap.ts";
import { agentsParts, narnatParts } from "./instructions.ts";
import { fenced, part, type PromptOptions, type PromptPart } from "./part.ts";
import { rulesPart } from "./rules.ts";
import { fullSkillsPart, skillIndexPart } from "../features/skills/skill_parts.ts";
import type { FoundSkill } from "../features/skills/skills.ts";

type Made = PromptPart | readonly PromptPart[] | undefined;
type PartMaker = (o: PromptOptions, skills: readonly FoundSkill[]) => Made;

const PARTS: readonly PartMaker[] = [
  basePart,
  environmentPart,
  () => part("iron rules", ironRules.trim()),
  rulesPart,
  agentsParts,
  narnatParts,
  memoryParts,
  fullSkillsPart,
  skillIndexPart,
  previousPart,
  (o) => o.append === "" ? undefined : part("--append-system-prompt", o.append),
  (o) => o.summary ? part("last session", o.summary) : undefined,
];

/** The parts of the system prompt in their order, with the skills that were found. */
export function promptParts(o: PromptOptions, skills: readonly FoundSkill[] = []): PromptPart[] {
  return PARTS.flatMap((make) => make(o, skills) ?? []);
}

/** Joins parts the way they are sent. */
export function joinParts(parts: readonly PromptPart[]): string {
  return parts.map((p) => p.text).join("\n\n");
}

function basePart({ t, model }: PromptOptions): PromptPart {
  const values: { readonly [name: string]: string } = {
    model,
    changing: t("# Changing files"),
  };
  return part("base", base.trim().replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
}

function previousPart(o: PromptOptions): PromptPart | undefined {
  const previous = o.previous?.() ?? "";
  return previous === ""
    ? undefined
    : part("previous context", "# Previous context\n" + fenced("history", [previous]));
}

function environmentPart(o: PromptOptions): PromptPart {
  return part(
    "environment",
    [
      "# Environment",
      `- Workspace: ${o.workspace}`,
      `- Platform: ${o.platform}; shell: ${o.shell}`,
      `- Today: ${o.now().toISOString().slice(0, 10)}`,
    ].join("\n"),
  );
}
