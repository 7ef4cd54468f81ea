/** Kinds of agents that a project or a user has written: a prompt a file. */
import type { AgentKind } from "../../base/types.ts";
import type { T, Text } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { markdownIn, parentOf, readInstructions } from "../../context/files.ts";
import { bodyOf, frontOf, readPlain } from "../../base/front_matter.ts";

const PROBLEMS = {
  name:
    "the agent type {file} is left out: its name {name} may only have letters, digits and . _ -, at most 64",
  tool:
    "the agent type {file}: a part of a tool, as in {tool}, cannot be allowed; it does not have it",
  unreadable: "the agent type {file} is left out: it is no text, or cannot be read",
  cut: "the agent type {file} is left out: {bytes} bytes are too long, 32 KiB is the most",
  yaml:
    "the agent type {file} is left out: its front matter is no YAML; write lines like name: … and description: …",
  unclosed:
    "the agent type {file} is left out: its front matter never ends; put a line --- before the text",
  no_prompt:
    "the agent type {file} is left out: it has no text, which would be the agent's instructions",
} as const;

export interface AgentKindsOptions {
  readonly workspace: string;
  /** The user's own narnat folder; undefined when there is no home directory. */
  readonly userDir: string | undefined;
  readonly t: T;
}

export interface FoundKinds {
  /** In the order of their places and names. */
  readonly kinds: readonly AgentKind[];
  /** What is wrong with files that were left out or not taken whole, for the user. */
  readonly problems: readonly string[];
}

/** Where they lie; of two with one name the earlier place has it, a project's before the user's. */
const PLACES = [".narnat/agents", ".claude/agents"];
const FILES_AT_MOST = 200;
const DESCRIPTION_CHARS = 1024;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u;

/** Reads all of them. A file that cannot be used is a problem, never an error. */
export async function findAgentKinds(o: AgentKindsOptions): Promise<FoundKinds> {
  const kinds = new Map<string, AgentKind>();
  const problems: string[] = [];
  for (const { file, shown, stem } of filesOf(o)) {
    const tell = (why: Why, values = {}) =>
      void problems.push(o.t<Text>(PROBLEMS[why], { file: shown, ...values }));
    const kind = await readKind(file, stem, tell);
    const key = kind?.name.toLowerCase();
    if (kind && key !== undefined && !kinds.has(key)) kinds.set(key, kind);
  }
  return { kinds: [...kinds.values()], problems };
}

type Why = "unreadable" | "unclosed" | "yaml" | "name" | "no_prompt" | "cut" | "tool";
type Tell = (why: Why, values?: { readonly [name: string]: string | number }) => void;

async function readKind(file: string, stem: string, tell: Tell): Promise<AgentKind | undefined> {
  const found = readInstructions(file);
  if (!found) return undefined;
  if (found.left !== undefined) return void tell("unreadable");
  const fence = frontOf(found.text);
  if (fence === undefined) return void tell("unclosed");
  const front = await valuesOf(fence);
  if (!front) return void tell("yaml");
  const name = lineOf(front["name"]) || stem;
  if (!NAME.test(name)) return void tell("name", { name: name.slice(0, 80) });
  const prompt = bodyOf(found.text);
  if (prompt === "") return void tell("no_prompt");
  // half of a prompt may leave out what it forbids
  if (found.cut > 0) return void tell("cut", { bytes: found.bytes });
  const model = lineOf(front["model"]);
  const tools = toolsOf(front["tools"], tell);
  const description = (lineOf(front["description"]) || titleOf(prompt)).slice(0, DESCRIPTION_CHARS);
  return {
    name,
    description: description.toWellFormed(),
    ...tools === undefined ? {} : { tools },
    ...model === "" || model === "inherit" ? {} : { model },
    prompt,
  };
}

async function valuesOf(front: string): Promise<Record<string, unknown> | undefined> {
  const plain = readPlain(front);
  if (plain) return plain;
  const { readYaml } = await import("../../base/yaml.ts");
  try {
    const value = readYaml(front) ?? {};
    return typeof value === "object" && !Array.isArray(value)
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined;
  }
}

/** A list, or names between commas; undefined for all of them. */
function toolsOf(value: unknown, tell: Tell): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const given = Array.isArray(value) ? value.map(lineOf) : lineOf(value).split(/,(?![^(]*\))/);
  const names = given.map((name) => name.trim()).filter((name) => name !== "");
  if (names.includes("*")) return undefined;
  return names.filter((name) => {
    // `Bash(git *)` allows a part of Bash, and all of it would be more than was meant
    if (name.includes("(")) tell("tool", { tool: name.slice(0, 80) });
    return !name.includes("(");
  });
}

function filesOf({ workspace, userDir }: AgentKindsOptions) {
  const home = userDir && parentOf(userDir);
  const roots = [
    { dir: workspace, mark: "" },
    ...home === undefined || home === workspace ? [] : [{ dir: home, mark: "~/" }],
  ];
  const places = roots.flatMap(({ dir, mark }) =>
    PLACES.map((place) => ({ folder: under(dir, ...place.split("/")), shown: mark + place }))
  );
  return places.flatMap(({ folder, shown }) =>
    markdownIn(folder).map((name) => ({
      file: under(folder, name),
      shown: `${shown}/${name}`,
      stem: name.slice(0, -".md".length),
    }))
  ).slice(0, FILES_AT_MOST);
}

/** The first line that says something. */
const titleOf = (prompt: string) =>
  lineOf(
    prompt.split("\n").map((line) => line.replace(/^#+\s*/, "").trim()).find((line) => line !== ""),
  );

const lineOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number"
    ? String(value).replaceAll(/\\n|\s+/g, " ").trim()
    : "";
