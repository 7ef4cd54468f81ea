/** AGENTS.md, or CLAUDE.md, of the folders down to the workspace, the nearest last; narnat.md. */
import { under } from "../base/under.ts";
import { FILE_CAP, isThere, mayRead, parentOf, readInstructions } from "./files.ts";
import { filePart, type LeftOut, type PromptOptions, type PromptPart } from "./part.ts";
import type { WatchedFile } from "./watch.ts";

/** All files that `agentsParts` and `narnatParts` would read, there or not. */
export function instructionPlaces(o: PromptOptions): WatchedFile[] {
  return [...agentsPlaces(o), ...narnatPlaces(o)];
}

/** The nearest first; a folder that has no AGENTS.md may have a CLAUDE.md. */
function agentsPlaces(o: PromptOptions): WatchedFile[] {
  const folders = [o.workspace, ...foldersAbove(o.workspace)];
  const ofFolders = folders.flatMap((dir, i) => {
    const agents = under(dir, "AGENTS.md");
    const up = "../".repeat(i);
    const has = mayRead(agents) && isThere(agents);
    return [
      { path: agents, name: `${up}AGENTS.md` },
      ...has ? [] : [{ path: under(dir, "CLAUDE.md"), name: `${up}CLAUDE.md` }],
    ];
  });
  return readable([
    ...ofFolders,
    ...o.userDir === undefined
      ? []
      : [{ path: under(o.userDir, "AGENTS.md"), name: "~/.narnat/AGENTS.md" }],
  ]);
}

function narnatPlaces(o: PromptOptions): WatchedFile[] {
  const own = o.userDir && under(o.userDir, "narnat.md");
  const project = under(o.workspace, ".narnat", "narnat.md");
  return readable([
    ...own === undefined || own === project ? [] : [{ path: own, name: "~/.narnat/narnat.md" }],
    { path: project, name: ".narnat/narnat.md" },
  ]);
}

const readable = (files: WatchedFile[]) => files.filter(({ path }) => mayRead(path));

/** The AGENTS.md files, FILE_CAP bytes of them together: where they are cut, the nearest keep most. */
export function agentsParts(o: PromptOptions): PromptPart[] {
  let room = FILE_CAP;
  return agentsPlaces(o).flatMap(({ path, name }) => {
    const file = readInstructions(path, room);
    if (!file) return [];
    room -= Math.min(room, file.bytes);
    const above = name.slice(0, -"CLAUDE.md".length);
    const named = name === `${above}CLAUDE.md` ? importsOf(file.text, parentOf(path)!, above) : [];
    return [filePart(name, file, named)];
  }).reverse();
}

const IMPORTS_TOLD = 20;

/** Files that a CLAUDE.md wants to have put in. A project could have any file of the machine sent so: the model is told of them, and may Read them. */
function importsOf(text: string, dir: string, above: string): LeftOut[] {
  const prose = text.replaceAll(/```[^]*?(?:```|$)|`[^`\n]*`/g, "");
  const paths = Array.from(
    prose.matchAll(/(?:^|\s)@((?:~\/)?[^\s@,;:]*[^\s@,;:.)])/g),
    ([, path]) => path!,
  );
  return [...new Set(paths)].filter((path) => {
    if (/^[~/]/.test(path)) return /[./]/.test(path.slice(2));
    const full = under(dir, ...path.split("/"));
    return mayRead(full) && isThere(full);
  }).slice(0, IMPORTS_TOLD)
    .map((path) => ({
      file: /^[~/]/.test(path) ? path : above + path,
      why: "{file}: named with @ by CLAUDE.md and not put in; Read it when it matters",
    }));
}

/** The user's own narnat.md, then the project's. */
export function narnatParts(o: PromptOptions): PromptPart[] {
  return narnatPlaces(o).flatMap(({ path, name }) => {
    const file = readInstructions(path);
    return file ? [filePart(name, file)] : [];
  });
}

/** The folders above the workspace up to the root of its git repository, the nearest first. */
function foldersAbove(workspace: string): string[] {
  const folders: string[] = [];
  for (let dir = workspace; !mayRead(dir) || !isThere(under(dir, ".git"));) {
    const above = parentOf(dir);
    if (above === undefined) return [];
    folders.push(above);
    dir = above;
  }
  return folders;
}
