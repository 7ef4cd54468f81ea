/** Skills of git repositories (seed 001): the fetching of those that are missing. */
import type { Config } from "../../config/load.ts";
import type { SkillItem } from "../../config/check.ts";
import type { GitSkills } from "../../context/part.ts";
import type { T } from "../../base/t.ts";
import { errorMessage } from "../../base/errors.ts";
import { shownUrl } from "../../base/git_url.ts";

export interface GitSkillsOptions {
  /** The user's narnat folder; without one there are no such skills. */
  readonly userDir: string | undefined;
  readonly t: T;
  /** Environment of git. */
  readonly env: { readonly [name: string]: string };
  readonly now: () => Date;
  items(): readonly SkillItem[];
}

export function createGitSkills(o: GitSkillsOptions): GitSkills {
  const { userDir, t } = o;
  const tried = new Set<string>();
  return {
    items: o.items,
    async fetch({ signal, log, begin }) {
      if (userDir === undefined) return [];
      const wanted = o.items().filter(({ enabled, repo }) => enabled !== false && !tried.has(repo));
      if (wanted.length === 0) return [];
      const { findClone } = await import("./clones.ts");
      const missing: string[] = [];
      for (const repo of new Set(wanted.map(({ repo }) => repo))) {
        if (!await findClone(userDir, repo)) missing.push(repo);
      }
      if (missing.length === 0) return [];
      for (const repo of missing) tried.add(repo);
      begin(
        t("Cloning skill repositories: {repos} (ESC ends the wait)…", {
          repos: missing.map(shownUrl).join(", "),
        }),
      );
      const { cloneRepo } = await import("./git_clone.ts");
      return await Promise.all(missing.map(async (repo) => {
        const names = wanted.filter((item) => item.repo === repo).map(({ name }) => name);
        try {
          const { commit, bytes } = await cloneRepo(repo, { ...o, userDir, signal });
          const values = { names: names.join(", "), repo: shownUrl(repo), commit, bytes };
          const text = t("The skill {names} was cloned from {repo} ({commit}, {bytes} bytes)", {
            ...values,
            commit: commit.slice(0, 7),
          });
          log?.info("context.skills", text);
          return text;
        } catch (error) {
          const why = errorMessage(error);
          const text = t("The skill {names} was not loaded: {why}", {
            names: names.join(", "),
            why,
          });
          log?.warning("context.skills", text);
          return text;
        }
      }));
    },
  };
}

/** The skills of git repositories; a project's count only when it is trusted. */
export function skillItems(
  config: Pick<Config, "skills" | "projectSkills">,
  trusted: () => boolean,
): readonly SkillItem[] {
  const { skills = [], projectSkills = [] } = config;
  return projectSkills.length > 0 && trusted() ? [...skills, ...projectSkills] : skills;
}

/** Names of the project's skills that are left out because it is not trusted. */
export function untrustedSkills({ trusted, config: { projectSkills = [] } }: {
  readonly trusted: ReadonlyMap<string, string>;
  readonly config: Pick<Config, "projectSkills">;
}): string[] {
  if (trusted.has("skills")) return [];
  return projectSkills.filter(({ enabled }) => enabled !== false).map(({ name }) => name);
}
