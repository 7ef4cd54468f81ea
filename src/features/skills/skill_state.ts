/** How a skill stands, in words for people. */
import type { Withheld } from "../../base/types.ts";
import type { T } from "../../base/t.ts";
import { jsonFault } from "../../files/edit/json_fault.ts";
import { decodeText } from "../../files/text_file.ts";
import { type FoundSkill, isLoadable } from "./skills.ts";

const PROBLEMS = {
  not_text: "is no readable text, not loaded",
  yaml: "its front matter is no YAML; loaded by you only",
  no_description: "has no description; loaded by you only",
  unclosed: "its front matter begins with --- and does not end; loaded by you only",
  too_long: "a JSON skill may have 64 KiB at most, not loaded; make it a SKILL.md",
} as const;

/** How a skill stands; of several things the one that decides. */
export function stateOf(skill: FoundSkill, all: readonly FoundSkill[], t: T): string {
  if (skill.off === "disabled") return t("disabled (disabled_skills)");
  if (skill.off === "not_enabled") return t("disabled (it says enabled: false)");
  if (skill.off === "shadowed") {
    const path = all.find(({ name }) => name === skill.name)?.path ?? "";
    return t("{path} of this name goes first", { path });
  }
  if (skill.off === "absent") return t("not cloned yet; a session or narnat skills update does it");
  if (skill.off === "empty") return t("nothing to read in its repository");
  if (skill.problem === "json") return faultOf(skill, t);
  if (skill.problem) return t(PROBLEMS[skill.problem]);
  if (skill.missing.length > 0) {
    return t("needs {names}", { names: skill.missing.join(", ") });
  }
  if (skill.untrusted) {
    return t("wants to be always loaded and is not trusted with it (narnat trust): listed only");
  }
  if (skill.always) return t("always loaded");
  return t(skill.hidden ? "loaded by you only" : "available");
}

/** The skills that nobody can load, and why. */
export function withheldOf(all: readonly FoundSkill[], t: T): Withheld[] {
  return all.filter((skill) => !isLoadable(skill) && skill.off !== "shadowed")
    .map((skill) => ({ name: skill.name, why: stateOf(skill, all, t) }));
}

/** Where a JSON skill stops being JSON. */
function faultOf({ file }: FoundSkill, t: T): string {
  try {
    const fault = jsonFault(decodeText(Deno.readFileSync(file)).text);
    if (!fault) return t("is no JSON object");
    const near = fault.near === "``" ? t("the end") : fault.near;
    return t("is no JSON: line {line}, column {column}, at {near}", { ...fault, near });
  } catch {
    return t("is no readable text, not loaded");
  }
}
