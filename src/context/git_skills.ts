/** Skills of git repositories (seed 001): where each of them lies, and the fetching of those that are missing. */
import type { SkillItem } from "../config.ts";
import type { Log } from "../log.ts";
import { say } from "../text.ts";
import type { Lang } from "../types.ts";
import { under } from "../under.ts";
import { type Clone, findClone, isFileOf, parts, skillFolders } from "./clones.ts";
import { namesIn } from "./files.ts";
import { shownUrl, urlFault } from "./git_url.ts";

/** The skills that are configured with a repository. */
export interface GitSkills {
  /** In their order, those that are off too. */
  items(): readonly SkillItem[];
  /**
   * Clones what is missing, side by side, and each repository once only, whatever becomes of it;
   * returns what is to be told of it. Never throws.
   */
  fetch(host: FetchHost): Promise<string[]>;
}

/** What fetching needs. */
export interface FetchHost {
  readonly signal: AbortSignal;
  readonly log?: Pick<Log, "info" | "warning"> | undefined;
  /** Called before it begins, where anything is to be fetched. */
  begin(text: string): void;
}

export interface GitSkillsOptions {
  /** The user's narnat folder; without one there are no such skills. */
  readonly userDir: string | undefined;
  readonly lang: Lang;
  /** Environment of git. */
  readonly env: { readonly [name: string]: string };
  readonly now: () => Date;
  items(): readonly SkillItem[];
}

export function createGitSkills(o: GitSkillsOptions): GitSkills {
  const { userDir, lang } = o;
  const tried = new Set<string>();
  return {
    items: o.items,
    async fetch({ signal, log, begin }) {
      if (userDir === undefined) return [];
      const wanted = o.items().filter(({ enabled, repo }) => enabled !== false && !tried.has(repo));
      const missing: string[] = [];
      for (const repo of new Set(wanted.map(({ repo }) => repo))) {
        if (!await findClone(userDir, repo)) missing.push(repo);
      }
      if (missing.length === 0) return [];
      for (const repo of missing) tried.add(repo);
      begin(say(lang, "skill.cloning", { repos: missing.map(shownUrl).join(", ") }));
      const { cloneRepo } = await import("./git_clone.ts");
      return await Promise.all(missing.map(async (repo) => {
        const names = wanted.filter((item) => item.repo === repo).map(({ name }) => name);
        try {
          const { commit, bytes } = await cloneRepo(repo, { ...o, userDir, signal });
          const values = { names: names.join(", "), repo: shownUrl(repo), commit, bytes };
          const text = say(lang, "skill.cloned", { ...values, commit: commit.slice(0, 7) });
          log?.info("context.skills", text);
          return text;
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          const text = say(lang, "skill.not_cloned", { names: names.join(", "), why });
          log?.warning("context.skills", text);
          return text;
        }
      }));
    },
  };
}

/** Where a skill of a repository lies. */
export interface GitPlace {
  readonly item: SkillItem;
  readonly clone?: Clone;
  /** Its file below the clone's folder, relative with `/`; without one nothing of it can be read. */
  readonly path?: string;
  /** In full in the prompt; otherwise the file says what it is. */
  readonly full: boolean;
}

/** Where the skills of the items lie, in their order; from the cache alone. */
export async function gitPlaces(
  items: readonly SkillItem[],
  userDir: string | undefined,
): Promise<GitPlace[]> {
  if (userDir === undefined) return [];
  const places = items.map(async (item): Promise<GitPlace[]> => {
    const clone = urlFault(item.repo) ? undefined : await findClone(userDir, item.repo);
    if (!clone) return [{ item, full: true }];
    if (!item.skill) {
      const { folders } = skillFolders(clone.dir);
      if (folders.length > 0) {
        return folders.map((folder) => ({
          item,
          clone,
          path: folder === "" ? "SKILL.md" : `${folder}/SKILL.md`,
          full: false,
        }));
      }
    }
    const path = contentFile(clone.dir, item.skill ?? "");
    return [{ item, clone, full: true, ...path === undefined ? {} : { path } }];
  });
  return (await Promise.all(places)).flat();
}

/** The file that `skill` names; undefined where none does. */
export function namedFile(dir: string, skill: string): string | undefined {
  const pieces = skill.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
  if (pieces.length === 0 || pieces.includes("..")) return undefined;
  const path = pieces.join("/");
  return [path, `${path}.md`, `${path}/SKILL.md`, `skills/${path}/SKILL.md`]
    .find((one) => isFileOf(dir, under(dir, ...parts(one))));
}

/** The seed's order: the file that `skill` names, README.md, the first `.md`. */
export function contentFile(dir: string, skill: string): string | undefined {
  const named = namedFile(dir, skill);
  if (named !== undefined) return named;
  const markdown = namesIn(dir).filter((name) =>
    /\.md$/i.test(name) && isFileOf(dir, under(dir, name))
  );
  return markdown.find((name) => name === "README.md") ??
    markdown.find((name) => name.toLowerCase() === "readme.md") ?? markdown[0];
}
