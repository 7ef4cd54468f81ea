/** The system prompt of one session, and what is told of it. */
import type { Keeper, Skill } from "../types.ts";
import { say } from "../text.ts";
import type { PromptOptions, PromptPart } from "./part.ts";
import { joinParts, promptParts } from "./parts.ts";
import { instructionPlaces } from "./instructions.ts";
import { rulePaths } from "./rules.ts";
import { watch } from "./watch.ts";
import { loadedSkillText } from "./skill_parts.ts";
import { findSkills, type FoundSkill, isLoadable } from "./skills.ts";

/** Steps from one reminder of the rules to the next. */
const REMIND_EVERY = 10;

export interface Prompt extends Pick<Keeper, "ready" | "system" | "skills" | "skillText"> {
  /** The same for the whole session, once it is ready. */
  parts(): readonly PromptPart[];
  /** What the user is to know of it before the next turn, once each. */
  notices(): string[];
  /** What the model is to be reminded of behind this step, if anything. */
  reminder(): string | undefined;
}

/** Made once: what changes on disk meanwhile counts from the next session on. */
export function createPrompt(o: PromptOptions): Prompt {
  let found: readonly FoundSkill[] = [];
  let made: readonly PromptPart[] | undefined;
  let text = "";
  let making: Promise<void> | undefined;
  let changedRules: () => string[] = () => [];
  let changedFiles: () => string[] = () => [];
  let told = false;
  let steps = 0;
  const make = async () => {
    const skills = await findSkills(o);
    changedRules = watch(() => rulePaths(o));
    const places = instructionPlaces(o);
    changedFiles = watch(() => places);
    made = promptParts(o, skills);
    text = joinParts(made);
    found = skills.filter(isLoadable);
  };
  const parts = () => made ?? promptParts(o);
  return {
    ready: () => making ??= make(),
    parts,
    system: () => made ? text : joinParts(parts()),
    notices() {
      const names = changedFiles().join(", ");
      const changed = [
        ...changedRules().length > 0 ? [say(o.lang, "rules.changed")] : [],
        ...names === "" ? [] : [say(o.lang, "prompt.changed", { names })],
      ];
      if (told) return changed;
      told = true;
      return [
        ...parts().flatMap(({ left }) => left).map(({ file, why }) => say(o.lang, why, { file })),
        ...parts().filter(({ cut }) => cut > 0)
          .map(({ name, cut }) => say(o.lang, "prompt.cut", { name, bytes: cut })),
        ...changed,
      ];
    },
    reminder() {
      if (++steps % REMIND_EVERY !== 0) return undefined;
      return parts().find(({ reminder }) => reminder !== undefined)?.reminder;
    },
    get skills() {
      return found;
    },
    skillText(skill: Skill) {
      const own = found.find(({ name }) => name === skill.name);
      return own && loadedSkillText(own, o.lang);
    },
  };
}
