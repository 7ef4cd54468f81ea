/** Skills that a line names with `$name`, or asks for with `/skill name`: put before the model with it. */
import type { Skill, Withheld } from "../../base/types.ts";
import type { CallHost } from "../../agent/middleware.ts";
import { skillsIn, slipsIn } from "../../agent/lines/mentions.ts";

/** What loading skills needs of a turn. */
export interface SkillHost extends CallHost {
  readonly contextManager: {
    readonly skills: readonly Skill[];
    withheld(): Promise<readonly Withheld[]>;
    skillText(skill: Skill): string | undefined;
  };
}

/**
 * Appends the skills that `typed` names to the session, one message each behind the line's own;
 * not again what the model still sees. Tells of those that cannot be loaded, and of slips of the pen.
 */
export async function loadSkills(typed: string, host: SkillHost): Promise<void> {
  const { session, contextManager, t } = host;
  const tell = (level: "info" | "warn", text: string) => host.emit({ type: "notice", level, text });
  const names = contextManager.skills.map((skill) => skill.name);
  const withheld = await contextManager.withheld();
  for (const name of skillsIn(typed, withheld.map((one) => one.name))) {
    const { why } = withheld.find((one) => one.name === name)!;
    tell("warn", t("The skill {name} was not loaded: {why}", { name, why }));
  }
  for (const [name, near] of slipsIn(typed, names)) {
    tell("warn", t("There is no skill {name}. Did you mean {near}?", { name, near }));
  }
  for (const name of skillsIn(typed, names)) {
    const skill = contextManager.skills.find((one) => one.name === name)!;
    const text = contextManager.skillText(skill);
    if (text === undefined) {
      tell(
        "warn",
        t("The file of the skill {name}, {path}, can no longer be read; it was not loaded", {
          name,
          path: skill.path,
        }),
      );
      continue;
    }
    if (session.view.some((message) => message.role === "user" && message.text === text)) continue;
    session.append({ role: "user", text }, { skills: [name] });
    const missing = skill.missing.join(", ");
    if (missing === "") tell("info", t("Loaded the skill {name}", { name }));
    else {tell(
        "warn",
        t("Loaded the skill {name}; what it needs and was not found: {missing}", { name, missing }),
      );}
  }
}
