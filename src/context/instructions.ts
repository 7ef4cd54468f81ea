/**
 * Instructions in files: AGENTS.md, or CLAUDE.md, of the folders down to the workspace, the nearest
 * last; narnat.md; and the user's rules, numbered in the prompt and recalled now and then.
 */
import { under } from "../base/path.ts";
import { HOST_MARK, type T } from "../base/t.ts";
import {
  FILE_CAP,
  type InstructionFile,
  isThere,
  markdownIn,
  mayRead,
  namesIn,
  parentOf,
  readInstructions,
  type WatchedFile,
} from "./files.ts";
import {
  cutNote,
  filePart,
  type LeftOut,
  leftOut,
  noted,
  part,
  type PromptOptions,
  type PromptPart,
} from "./part.ts";

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

/** What all rules may take of the prompt, in bytes. */
export const RULES_CAP = 256 * 1024;
/** Of the rules beyond it so many are pointed to one by one. */
const POINTED_TO = 100;
/** What a reminder quotes of the rules, in characters. */
const QUOTED = 300;
const QUOTED_OF_ONE = 60;

/** All rules in full, each under its name, under the heading of seed 001. */
export function rulesPart(o: PromptOptions): PromptPart | undefined {
  let room = RULES_CAP;
  const rules = (o.rules ?? []).map(({ text, name }) => {
    const file = settingsRule(text, Math.min(FILE_CAP, room));
    room -= Math.min(room, file.bytes);
    return { file, name };
  });
  rules.push(
    ...rulePaths(o).flatMap(({ path, name }) => {
      const file = readInstructions(path, Math.min(FILE_CAP, room)) ?? danglingAt(path);
      if (!file) return [];
      room -= Math.min(room, file.bytes);
      return [{ file, name }];
    }),
  );
  rules.push(...foldersBelow(o));
  if (rules.length === 0) return undefined;
  const left = rules.flatMap(({ file, name }) => leftOut(file, name));
  const kept = rules.filter(({ file }) => file.left === undefined);
  const empty = kept.findIndex(({ file }) => file.text === "");
  const shown = empty < 0 ? kept : kept.slice(0, empty + POINTED_TO);
  const next = kept[shown.length]?.name;
  const text = [
    "## 工作规则（必须严格遵守）",
    "以下规则是用户设定的强制要求，你必须在每次操作中遵守：",
    ...shown.flatMap(({ file, name }, i) => [
      `# ${stemOf(name)}`,
      `规则 ${i + 1}: ${file.text}`,
      ...cutNote(file.cut, name),
    ]),
    ...next === undefined ? [] : [
      `(${kept.length - shown.length} more rule files, from ${next} on, did not fit; Read them)`,
    ],
    ...left.map(noted),
  ].join("\n");
  const made = {
    ...part("rules", text, rules.reduce((sum, { file }) => sum + file.cut, 0), left),
    files: rules.map(({ name, file }) => ({ name, text: file.text })),
  };
  return kept.length === 0
    ? made
    : { ...made, reminder: reminderOf(kept.map(({ file }) => file), o.t) };
}

/** What a rule is called: its file without `.md`. */
const stemOf = (name: string) =>
  name.replace(/^.*\//, "").replace(/\.md$/, "").replaceAll(/\p{Cc}/gu, "?");

/** The rule files in the order of their numbers, with their names as people say them. */
export function rulePaths(o: PromptOptions): WatchedFile[] {
  return ruleFolders(o).flatMap(({ dir, name }) =>
    markdownIn(dir).map((file) => ({ path: under(dir, file), name: `${name}/${file}` }))
  );
}

/** The folders in which rules lie. */
function ruleFolders(o: PromptOptions): { dir: string; name: string }[] {
  const folders = [
    ...o.userDir === undefined ? [] : [{ dir: under(o.userDir, "rules"), name: "~/.narnat/rules" }],
    { dir: under(o.workspace, ".narnat", "rules"), name: ".narnat/rules" },
    { dir: under(o.workspace, ".agent", "rules"), name: ".agent/rules" },
  ];
  return folders.filter(({ dir }, at) => folders.findIndex((one) => one.dir === dir) === at);
}

/** A rule of a narnat.json, as the text of a file, cut to `room` bytes. */
function settingsRule(rule: string, room: number): InstructionFile {
  const bytes = new TextEncoder().encode(rule);
  const text = new TextDecoder().decode(bytes.subarray(0, room)).replace(/\ufffd$/, "");
  return { path: "", text, bytes: bytes.length, cut: Math.max(0, bytes.length - room) };
}

/** A link that leads nowhere, as a file that was left out. */
function danglingAt(path: string): InstructionFile | undefined {
  return !mayRead(path) || isThere(path) ? undefined : leftAs("dangling", path);
}

/** Folders in which somebody may have meant rules to lie. */
function foldersBelow(o: PromptOptions): { file: InstructionFile; name: string }[] {
  return ruleFolders(o).flatMap(({ dir, name }) =>
    namesIn(dir).filter((one) => !one.includes(".")).flatMap((one) => {
      const path = under(dir, one);
      return markdownIn(path).length === 0
        ? []
        : [{ file: leftAs("nested", path), name: `${name}/${one}/` }];
    })
  );
}

const leftAs = (left: "dangling" | "nested", path: string): InstructionFile => ({
  path,
  text: "",
  bytes: 0,
  cut: 0,
  left,
});

function reminderOf(rules: readonly InstructionFile[], t: T): string {
  const quoted: string[] = [];
  let chars = 0;
  for (const [index, { text }] of rules.entries()) {
    const line = `规则 ${index + 1}: ${firstLine(text)}`;
    chars += line.length;
    if (chars > QUOTED) {
      quoted.push("…");
      break;
    }
    quoted.push(line);
  }
  return t(
    "{mark} Rule reminder: every step must keep {n:the work rule|all work rules} of the system prompt ({n}).\n{rules}",
    {
      mark: HOST_MARK,
      n: rules.length,
      rules: quoted.join("\n"),
    },
  );
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0]!.replace(/^[#\s*-]+/, "").trim();
  const whole = text.trim() === line && line.length <= QUOTED_OF_ONE;
  return whole ? line : `${line.slice(0, QUOTED_OF_ONE).toWellFormed()} …`;
}
