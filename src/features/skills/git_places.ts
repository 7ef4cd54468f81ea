/** Where the skills of git repositories lie. */
import type { SkillItem } from "../../config/values.ts";
import { under } from "../../base/under.ts";
import { type Clone, findClone, isFileOf, parts, skillFolders } from "./clones.ts";
import { namesIn } from "../../context/files.ts";
import { urlFault } from "../../base/git_url.ts";

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
