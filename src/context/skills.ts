/** Which skills there are, and which of them can be used. */
import type { Skill } from "../types.ts";
import { under } from "../under.ts";
import {
  isThere,
  mayRead,
  namesIn,
  parentOf,
  readHead,
  readInstructions,
  sizeOf,
} from "./files.ts";
import type { PromptOptions } from "./part.ts";
import { readPlain } from "./front_matter.ts";
import {
  bodyOf,
  factsOf,
  frontOf,
  isUnclosed,
  jsonFactsOf,
  type SkillFacts,
} from "./skill_file.ts";

/** A skill's file, found in one of the places. */
export interface FoundSkill extends Skill {
  /** Where its file lies on disk. */
  readonly file: string;
  /** The place it was found in, as people name it. */
  readonly place: string;
  /** Its own folder, as people name it. */
  readonly folder: string;
  readonly bytes: number;
  /** The model is not told of it; a line may load it all the same. */
  readonly hidden: boolean;
  /** Why the model is not told of it although it was meant to be. */
  readonly problem?: SkillFacts["problem"];
  /** Why nobody can load it. */
  readonly off?: "disabled" | "shadowed";
}

/** Where skills lie; of two with one name the earlier place has it. */
const PLACES = [".narnat/skills", ".agents/skills", ".claude/skills"];
const JSON_PLACE = ".agent/skills";

/** A skill says what it is at its very beginning. */
const HEAD_BYTES = 2 * 1024;
const LONG_HEAD_BYTES = 64 * 1024;

/** All skills, those that are off too, in the order of their places and names. */
export async function findSkills(o: PromptOptions): Promise<readonly FoundSkill[]> {
  const lacks = lookFor(o.env ?? {});
  const disabled = new Set(o.disabledSkills);
  const names = new Set<string>();
  const all: FoundSkill[] = [];
  // of one's own for each file, the collector has to run in the middle
  const buffer = new Uint8Array(HEAD_BYTES);
  for (const at of skillFiles(o)) {
    const read = await readSkill(at, buffer);
    if (!read || read.facts.name === "") continue;
    const skill = skillOf(at, read.facts, read.bytes, lacks(read.facts));
    const off = !read.facts.enabled || disabled.has(skill.name)
      ? "disabled"
      : names.has(skill.name)
      ? "shadowed"
      : undefined;
    names.add(skill.name);
    all.push(off === undefined ? skill : { ...skill, off });
  }
  return all;
}

/** Whether a line may load it. */
export function isLoadable(skill: FoundSkill): boolean {
  const unusable = skill.problem === "not_text" || skill.problem && skill.file.endsWith(".json");
  return skill.off === undefined && !unusable;
}

/** A skill's guidance without its front matter; undefined when its file cannot be read any more. */
export function skillBody(skill: FoundSkill): { text: string; cut: number } | undefined {
  const file = readInstructions(skill.file);
  if (!file || file.left !== undefined) return undefined;
  if (!skill.file.endsWith(".json")) return { text: bodyOf(file.text), cut: file.cut };
  return { text: skill.description, cut: 0 };
}

interface SkillPlace {
  readonly file: string;
  readonly place: string;
  /** Name of its folder, or of its file without `.json`. */
  readonly stem: string;
}

function skillFiles(o: PromptOptions): SkillPlace[] {
  const home = o.userDir && parentOf(o.userDir);
  const roots = [
    { dir: o.workspace, mark: "" },
    ...home === undefined || home === o.workspace ? [] : [{ dir: home, mark: "~/" }],
  ];
  return roots.flatMap(({ dir, mark }) => [
    ...PLACES.flatMap((place) =>
      namesIn(under(dir, ...place.split("/"))).filter((name) => !name.startsWith("."))
        .map((stem) => ({
          file: under(dir, ...place.split("/"), stem, "SKILL.md"),
          place: mark + place,
          stem,
        }))
    ),
    ...mark === ""
      ? namesIn(under(dir, ...JSON_PLACE.split("/"))).filter((name) => name.endsWith(".json"))
        .map((name) => ({
          file: under(dir, ...JSON_PLACE.split("/"), name),
          place: JSON_PLACE,
          stem: name.slice(0, -".json".length),
        }))
      : [],
  ]);
}

async function readSkill(
  { file, stem }: SkillPlace,
  buffer: Uint8Array,
): Promise<{ facts: SkillFacts; bytes: number } | undefined> {
  const json = file.endsWith(".json");
  let head = readHead(file, json ? new Uint8Array(LONG_HEAD_BYTES) : buffer);
  if (head && json) return { facts: jsonFactsOf(head.text, stem), bytes: head.bytes };
  if (head && head.bytes > HEAD_BYTES && frontOf(head.text) === undefined) {
    head = readHead(file, new Uint8Array(LONG_HEAD_BYTES));
  }
  if (head) return { facts: await markdownFacts(head.text, stem), bytes: head.bytes };
  const bytes = sizeOf(file);
  return bytes === undefined ? undefined : { facts: factsOf({}, stem, "not_text"), bytes };
}

async function markdownFacts(text: string, stem: string): Promise<SkillFacts> {
  if (isUnclosed(text)) return factsOf({}, stem, "unclosed");
  const front = frontOf(text) ?? "";
  const plain = readPlain(front);
  if (plain) return factsOf(plain, stem);
  const { readYaml } = await import("./yaml.ts");
  try {
    return factsOf(readYaml(front), stem);
  } catch {
    return factsOf({}, stem, "yaml");
  }
}

function skillOf(
  { file, place, stem }: SkillPlace,
  { name, description, always, hidden, problem }: SkillFacts,
  bytes: number,
  missing: readonly string[],
): FoundSkill {
  const json = file.endsWith(".json");
  return {
    name,
    description,
    path: json ? `${place}/${stem}.json` : `${place}/${stem}/SKILL.md`,
    always,
    missing,
    file,
    place,
    folder: json ? place : `${place}/${stem}`,
    bytes,
    hidden: hidden || problem !== undefined,
    ...problem === undefined ? {} : { problem },
  };
}

/** Tells what a skill needs and is not there; each program is looked for once. */
function lookFor(env: { readonly [name: string]: string }): (facts: SkillFacts) => string[] {
  const found = new Map<string, boolean>();
  const windows = Deno.build.os === "windows";
  const folders = (env["PATH"] ?? "").split(windows ? ";" : ":").filter((dir) => dir !== "");
  let mayLook: boolean | undefined;
  const endings = windows ? ["", ".exe", ".cmd", ".bat"] : [""];
  const has = (bin: string) => {
    let is = found.get(bin);
    if (is === undefined) {
      const files = folders.flatMap((dir) => endings.map((ending) => under(dir, bin + ending)));
      // Where one may not look nothing is known to be missing.
      mayLook ??= folders.length > 0 && folders.every(mayRead);
      found.set(bin, is = !mayLook || files.some(isThere));
    }
    return is;
  };
  const system = windows ? /^win/i : new RegExp(`^${Deno.build.os}$`, "i");
  return ({ bins, env: names, os }) => [
    ...bins.filter((bin) => !has(bin)),
    ...names.filter((name) => !env[name]).map((name) => `$${name}`),
    ...os.length > 0 && !os.some((one) => system.test(one)) ? [os.join("/")] : [],
  ];
}
