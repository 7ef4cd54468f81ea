/** Which skills there are, and which of them can be used. */
import type { Skill, SkillFacts } from "../../base/types.ts";
import { under } from "../../base/path.ts";
import type { Clone, GitPlace } from "./clones.ts";
import { shownUrl } from "../../base/git_url.ts";
import {
  FILE_CAP,
  fileAt,
  isThere,
  mayRead,
  namesIn,
  parentOf,
  readHead,
  readInstructions,
} from "../../context/files.ts";
import type { PromptOptions } from "../../context/part.ts";
import { bodyOf, frontOf, readPlain } from "../../base/front_matter.ts";
import { factsOf, jsonBodyOf, jsonFactsOf } from "./skill_file.ts";

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
  /** It would stand in the prompt in full, and is of a project that nobody trusts with that. */
  readonly untrusted?: true;
  /** Why the model is not told of it although it was meant to be. */
  readonly problem?: SkillFacts["problem"];
  /** Why nobody can load it. */
  readonly off?: "disabled" | "not_enabled" | "shadowed" | "absent" | "empty";
  /** Of a git repository: what is known of the clone. */
  readonly source?: Pick<Clone, "repo" | "commit" | "loadedAt"> & {
    /** Name of the item that brings it. */
    readonly item: string;
  };
}

/** Where skills lie; of two with one name the earlier place has it. */
const PLACES = [".narnat/skills", ".agents/skills", ".claude/skills"];
const JSON_PLACE = ".agent/skills";

/** A skill says what it is at its very beginning; of one that says more, more is read. */
const HEAD_BYTES = 1024;
const LONG_HEAD_BYTES = 64 * 1024;

/** Whether a project has skills of its own. */
export function hasProjectSkills({ workspace, userDir }: SkillRoots): boolean {
  if (userDir !== undefined && parentOf(userDir) === workspace) return false;
  return [...PLACES, JSON_PLACE].some((place) =>
    namesIn(under(workspace, ...place.split("/"))).length > 0
  );
}

/** All skills, those that are off too, in the order of their places and names. */
export async function findSkills(o: PromptOptions): Promise<readonly FoundSkill[]> {
  const lacks = lookFor(o.env ?? {});
  const disabled = new Set(o.disabledSkills);
  const names = new Set<string>();
  const all: FoundSkill[] = [];
  // of one's own for each file, the collector has to run in the middle
  const buffer = new Uint8Array(HEAD_BYTES);
  for (const at of skillFiles(o)) {
    const file = fileAt(at.file);
    if (!file) continue;
    const { bytes, stamp } = file;
    const known = o.skillsRead?.get(at.file);
    const reading = known?.stamp === stamp ? known.facts : readSkill(at, bytes, buffer);
    o.skillsRead?.set(at.file, { stamp, facts: reading });
    const facts = await reading;
    if (facts.name === "") continue;
    const found = skillOf(at, facts, bytes, lacks(facts));
    const waits = at.project === true && found.always &&
      o.trustsAlways?.(found.path, () => saidBy(found)) === false;
    const skill = waits ? { ...found, always: false, untrusted: true as const } : found;
    const off = disabled.has(skill.name)
      ? "disabled"
      : !facts.enabled
      ? "not_enabled"
      : names.has(skill.name)
      ? "shadowed"
      : undefined;
    names.add(skill.name);
    all.push(off === undefined ? skill : { ...skill, off });
  }
  const items = o.gitSkills?.items() ?? [];
  if (items.length === 0) return all;
  const { gitPlaces } = await import("./clones.ts");
  const places = await gitPlaces(items, o.userDir);
  // what is asked for by name goes before what comes with a whole repository
  for (const place of [...places.filter((p) => p.full), ...places.filter((p) => !p.full)]) {
    const skill = await gitSkill(place, buffer, lacks);
    if (!skill) continue;
    const taken = names.has(skill.name);
    // of what is not there the name is free
    if (skill.off !== "absent" && skill.off !== "empty") names.add(skill.name);
    const off = place.item.enabled === false || disabled.has(skill.name)
      ? "disabled"
      : taken
      ? "shadowed"
      : skill.off;
    all.push(off === undefined ? skill : { ...skill, off });
  }
  return all;
}

/** Whether a line may load it. */
export function isLoadable(skill: FoundSkill): boolean {
  const unusable = ["not_text", "too_long", "json"].includes(skill.problem ?? "");
  return skill.off === undefined && !unusable;
}

/** A skill's guidance without its front matter; undefined when its file cannot be read any more. */
export function skillBody(skill: FoundSkill): { text: string; cut: number } | undefined {
  const json = skill.file.endsWith(".json");
  const file = readInstructions(skill.file, json ? LONG_HEAD_BYTES : FILE_CAP);
  if (!file || file.left !== undefined) return undefined;
  if (!json) return { text: bodyOf(file.text), cut: file.cut };
  const body = new TextEncoder().encode(jsonBodyOf(file.text));
  const kept = new TextDecoder().decode(body.subarray(0, FILE_CAP), { stream: true });
  return { text: kept, cut: body.length - new TextEncoder().encode(kept).length };
}

/** What is trusted of a skill: its name and its guidance. */
export const saidBy = (skill: FoundSkill): string =>
  `${skill.name}\n${skillBody(skill)?.text ?? ""}`;

/** A repository's skill: one of its SKILL.md files, or a text that is one because somebody configured it. */
async function gitSkill(
  { item, clone, path, full }: GitPlace,
  buffer: Uint8Array,
  lacks: (facts: SkillFacts) => readonly string[],
): Promise<FoundSkill | undefined> {
  if (!clone || path === undefined) {
    const facts = { ...factsOf({ name: item.name }, item.name), name: item.name };
    const at = { file: "", place: "", stem: item.name };
    const off = clone ? "empty" : "absent";
    return { ...skillOf(at, facts, 0, []), path: clone?.place ?? shownUrl(item.repo), off };
  }
  const pieces = path.split("/");
  const folders = pieces.slice(0, -1);
  const file = under(clone.dir, ...pieces);
  const stem = folders.at(-1) ?? clone.dir.split(/[/\\]/).at(-1)!;
  const bytes = fileAt(file)?.bytes;
  if (bytes === undefined) return undefined;
  const said = await readSkill({ file, stem }, bytes, buffer);
  const { problem, ...facts } = said;
  const found = skillOf(
    { file, place: [clone.place, ...folders.slice(0, -1)].join("/"), stem },
    full ? { ...facts, name: item.name, ...problem === "not_text" ? { problem } : {} } : said,
    bytes,
    lacks(said),
  );
  const { repo, commit, loadedAt } = clone;
  return {
    ...found,
    always: full || found.always,
    path: `${clone.place}/${path}`,
    folder: [clone.place, ...folders].join("/"),
    source: { repo, commit, loadedAt, item: item.name },
    ...facts.enabled ? {} : { off: "disabled" },
  };
}

type SkillRoots = Pick<PromptOptions, "workspace" | "userDir">;

interface SkillPlace {
  /** Of the project, not of its user. */
  readonly project?: boolean;
  readonly file: string;
  readonly place: string;
  /** Name of its folder, or of its file without `.json`. */
  readonly stem: string;
}

function skillFiles(o: SkillRoots): SkillPlace[] {
  const home = o.userDir && parentOf(o.userDir);
  const project = home !== o.workspace;
  const roots = [
    { dir: o.workspace, mark: "" },
    ...home === undefined || home === o.workspace ? [] : [{ dir: home, mark: "~/" }],
  ];
  return roots.flatMap(({ dir, mark }) => [
    ...PLACES.flatMap((place) => {
      const folder = under(dir, ...place.split("/"));
      return namesIn(folder).filter((name) => !name.startsWith("."))
        .map((stem) => ({
          file: under(folder, stem, "SKILL.md"),
          place: mark + place,
          stem,
          project: project && mark === "",
        }));
    }),
    ...mark === ""
      ? jsonFiles(under(dir, ...JSON_PLACE.split("/"))).map((at) => ({ ...at, project }))
      : [],
  ]);
}

function jsonFiles(folder: string): SkillPlace[] {
  return namesIn(folder).filter((name) => name.endsWith(".json")).map((name) => ({
    file: under(folder, name),
    place: JSON_PLACE,
    stem: name.slice(0, -".json".length),
  }));
}

/** What a skill's file of that length says. */
async function readSkill(
  at: Pick<SkillPlace, "file" | "stem">,
  bytes: number,
  buffer: Uint8Array,
): Promise<SkillFacts> {
  const { file, stem } = at;
  const json = file.endsWith(".json");
  const text = readHead(file, json ? new Uint8Array(LONG_HEAD_BYTES) : buffer, bytes);
  if (text === undefined) return factsOf({}, stem, "not_text");
  if (json && bytes > LONG_HEAD_BYTES) return factsOf({}, stem, "too_long");
  if (json) return jsonFactsOf(text, stem);
  const front = frontOf(text);
  if (front === undefined) {
    const more = bytes > buffer.length && buffer.length < LONG_HEAD_BYTES;
    if (more) return await readSkill(at, bytes, new Uint8Array(buffer.length * 8));
    return factsOf({}, stem, "unclosed");
  }
  const plain = readPlain(front);
  return plain ? factsOf(plain, stem) : await yamlFacts(front, stem);
}

async function yamlFacts(front: string, stem: string): Promise<SkillFacts> {
  const { readYaml } = await import("../../base/yaml.ts");
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
  const path = new Set((env["PATH"] ?? "").split(windows ? ";" : ":"));
  const folders = [...path].filter((dir) => dir !== "");
  let mayLook: boolean | undefined;
  const endings = windows ? ["", ".exe", ".cmd", ".bat"] : [""];
  const has = (bin: string) => {
    let is = found.get(bin);
    if (is === undefined) {
      // Where one may not look nothing is known to be missing.
      mayLook ??= folders.length > 0 && folders.every(mayRead);
      is = !mayLook ||
        folders.some((dir) => endings.some((ending) => isThere(under(dir, bin + ending))));
      found.set(bin, is);
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
