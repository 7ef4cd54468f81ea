/** AGENTS.md of the folders down to the workspace, the nearest last; narnat.md. */
import { under } from "../under.ts";
import { FILE_CAP, isThere, mayRead, parentOf, readInstructions } from "./files.ts";
import { filePart, type PromptOptions, type PromptPart } from "./part.ts";
import type { WatchedFile } from "./watch.ts";

/** All files that `agentsParts` and `narnatParts` would read, there or not. */
export function instructionPlaces(o: PromptOptions): WatchedFile[] {
  return [...agentsPlaces(o), ...narnatPlaces(o)];
}

/** The nearest first. */
function agentsPlaces(o: PromptOptions): WatchedFile[] {
  return readable([
    { path: under(o.workspace, "AGENTS.md"), name: "AGENTS.md" },
    ...foldersAbove(o.workspace).map((dir, i) => ({
      path: under(dir, "AGENTS.md"),
      name: "../".repeat(i + 1) + "AGENTS.md",
    })),
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
    return [filePart(name, file)];
  }).reverse();
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
