/** How a skill stands, in words for people. */
import type { Lang, Withheld } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { jsonFault } from "../../files/edit/json_fault.ts";
import { decodeText } from "../../files/text_file.ts";
import { type FoundSkill, isLoadable } from "./skills.ts";

/** How a skill stands; of several things the one that decides. */
export function stateOf(skill: FoundSkill, all: readonly FoundSkill[], lang: Lang): string {
  if (skill.off === "disabled") return say(lang, "skill.state_disabled");
  if (skill.off === "not_enabled") return say(lang, "skill.state_not_enabled");
  if (skill.off === "shadowed") {
    const path = all.find(({ name }) => name === skill.name)?.path ?? "";
    return say(lang, "skill.state_shadowed", { path });
  }
  if (skill.off === "absent") return say(lang, "skill.state_absent");
  if (skill.off === "empty") return say(lang, "skill.state_empty");
  if (skill.problem === "json") return faultOf(skill, lang);
  if (skill.problem) return say(lang, `skill.why.${skill.problem}`);
  if (skill.missing.length > 0) {
    return say(lang, "skill.state_missing", { names: skill.missing.join(", ") });
  }
  if (skill.untrusted) return say(lang, "skill.state_untrusted");
  if (skill.always) return say(lang, "skill.state_always");
  return say(lang, skill.hidden ? "skill.state_hidden" : "skill.state_listed");
}

/** The skills that nobody can load, and why. */
export function withheldOf(all: readonly FoundSkill[], lang: Lang): Withheld[] {
  return all.filter((skill) => !isLoadable(skill) && skill.off !== "shadowed")
    .map((skill) => ({ name: skill.name, why: stateOf(skill, all, lang) }));
}

/** Where a JSON skill stops being JSON. */
function faultOf({ file }: FoundSkill, lang: Lang): string {
  try {
    const fault = jsonFault(decodeText(Deno.readFileSync(file)).text);
    if (!fault) return say(lang, "skill.why.json");
    const near = fault.near === "``" ? say(lang, "skill.its_end") : fault.near;
    return say(lang, "skill.why.json_at", { ...fault, near });
  } catch {
    return say(lang, "skill.why.not_text");
  }
}
