/** What the project's skills ask trust for. */
import { visibleLine } from "../../base/control_characters.ts";
import { shownUrl } from "../../base/git_url.ts";
import { sha256 } from "../../base/hash.ts";
import type { Environment, TrustRequest } from "../../commands/environment.ts";
import type { SkillItem } from "../../config/check.ts";
import { findSkills, hasProjectSkills, isLoadable, saidBy } from "./skills.ts";

/** Those of git repositories as a whole, and each that would stand in every prompt. */
export async function skillRequests(environment: Environment): Promise<readonly TrustRequest[]> {
  return [gitRequest(environment.config.projectSkills ?? []), ...await alwaysRequests(environment)];
}

function gitRequest(items: readonly SkillItem[]): TrustRequest {
  const rows = items.filter(({ enabled }) => enabled !== false)
    .map(({ name, repo, skill }) => `${name}: ${[shownUrl(repo), skill ?? ""].join(" ").trim()}`);
  return { what: "skills", hash: sha256(JSON.stringify(items)), rows };
}

/** The project's skills that would stand in every prompt. */
async function alwaysRequests(environment: Environment): Promise<TrustRequest[]> {
  const { prompt: { gitSkills: _theirs, ...prompt }, config: { t } } = environment;
  if (!hasProjectSkills(prompt)) return [];
  // those of the user's own come behind them, hide none of them, and may be hundreds
  const skills = await findSkills({ ...prompt, userDir: undefined, trustsAlways: () => false });
  // a name that could pass for a row of narnat's own is never trusted
  const asked = skills.filter((skill) =>
    skill.untrusted && isLoadable(skill) && visibleLine(skill.path) === skill.path
  );
  return asked.map((skill) => {
    const said = saidBy(skill);
    const head = t("the skill {name} is to stand in every prompt in full, {bytes} bytes:", {
      name: skill.name,
      bytes: skill.bytes,
    });
    const lines = said.slice(skill.name.length + 1).split("\n")
      .filter((line) => line.trim() !== "");
    return {
      what: skill.path,
      hash: sha256(said),
      rows: [head, ...lines],
      brief: SKILL_ROWS,
    };
  });
}

/** A skill can be as long as a book. */
const SKILL_ROWS = 6;
