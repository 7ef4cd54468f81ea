/**
 * The clones of skill repositories: where they lie in the user's cache, and what they hold; nothing
 * here starts git.
 */
import { repoName, urlFault, urlHash } from "../../base/git_url.ts";
import { under } from "../../base/path.ts";
import type { SkillItem } from "../../config/check.ts";
import { mayRead, namesIn } from "../../context/files.ts";

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

/** A repository's files as they were fetched. */
export interface Clone {
  /** Folder of its files. */
  readonly dir: string;
  /** The folder as people name it. */
  readonly place: string;
  /** Where it came from, without what is secret in it. */
  readonly repo: string;
  readonly commit: string;
  /** When it was fetched, in milliseconds. */
  readonly loadedAt: number;
}

/** Folder of the clones below the user's narnat folder. */
export const CACHE = "skills-cache";
/** Beside the files; written before they get their place, so that what has one is whole. */
export const RECEIPT = "clone.json";

/** The clone of an address; undefined while there is none. */
export async function findClone(userDir: string, url: string): Promise<Clone | undefined> {
  const hash = await urlHash(url);
  const home = under(userDir, CACHE, hash);
  if (!mayRead(home)) return undefined;
  try {
    const { repo, commit, loadedAt } = JSON.parse(Deno.readTextFileSync(under(home, RECEIPT)));
    const name = repoName(url);
    const dir = under(home, name);
    if (typeof loadedAt !== "number" || !Deno.lstatSync(dir).isDirectory) return undefined;
    const place = `~/.narnat/${CACHE}/${hash}/${name}`;
    return { dir, place, repo: String(repo), commit: String(commit), loadedAt };
  } catch {
    return undefined;
  }
}

/** One file of a folder, its path relative with `/`. */
export interface FileFact {
  readonly path: string;
  readonly bytes: number;
  readonly link: boolean;
}

/** All files and links below a folder, in the order of their names; none is followed. */
export function filesBelow(dir: string): FileFact[] {
  const found: FileFact[] = [];
  const walk = (folder: string, before: string) => {
    const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
    for (const { name, isDirectory, isSymlink } of entries) {
      const path = under(folder, name);
      if (isDirectory) walk(path, `${before}${name}/`);
      else found.push({ path: before + name, bytes: Deno.lstatSync(path).size, link: isSymlink });
    }
  };
  walk(dir, "");
  return found;
}

/** Whether a path is, when all links are followed, a file of the folder. */
export function isFileOf(dir: string, path: string): boolean {
  try {
    const root = Deno.realPathSync(dir);
    const real = Deno.realPathSync(path);
    return real.startsWith(under(root, "")) && Deno.statSync(real).isFile;
  } catch {
    return false;
  }
}

/** What is looked at of a repository at most. */
export const MOST_FOLDERS = 10_000;
/** What is taken of it. */
export const MOST_SKILLS = 1000;

/** What of a repository is not for who uses it. */
const SKIPPED = [".git", ".github", "node_modules"];

/** The skills of a repository. */
export interface SkillFolders {
  /** Folders with a SKILL.md, relative with `/`; an empty one is the repository's own. */
  readonly folders: readonly string[];
  /** How many more there are. */
  readonly more: number;
  /** Not all folders were looked at. */
  readonly unseen: boolean;
}

/** Looks for skills in dotted folders too: repositories keep them there. */
export function skillFolders(dir: string, most = MOST_SKILLS): SkillFolders {
  const found: string[] = [];
  let level = [""];
  let looked = 0;
  while (level.length > 0 && looked < MOST_FOLDERS) {
    const next: string[] = [];
    for (const folder of level) {
      if (++looked > MOST_FOLDERS) break;
      const entries = foldersAndFiles(under(dir, ...parts(folder)));
      const here = entries.some(({ name, isDirectory }) => name === "SKILL.md" && !isDirectory);
      if (here && isFileOf(dir, under(dir, ...parts(folder), "SKILL.md"))) found.push(folder);
      // what lies in a skill's folder belongs to it
      if (here && folder !== "") continue;
      for (const { name, isDirectory } of entries) {
        if (!isDirectory || SKIPPED.includes(name)) continue;
        next.push(folder === "" ? name : `${folder}/${name}`);
      }
    }
    level = next;
  }
  // of one that lies in a dotted folder too, the other is the one that is meant for others
  const dotted = (path: string) => Number(/(?:^|\/)\./.test(path));
  found.sort((a, b) => dotted(a) - dotted(b) || (a < b ? -1 : 1));
  return {
    folders: found.slice(0, most),
    more: Math.max(0, found.length - most),
    unseen: looked >= MOST_FOLDERS,
  };
}

/** The pieces of a relative path. */
export const parts = (path: string): string[] => path.split("/").filter((name) => name !== "");

function foldersAndFiles(dir: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(dir)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    return [];
  }
}
