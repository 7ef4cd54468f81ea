/** What the prompt holds of the skills: those that always apply in full, an index of the others. */
import { HOST_MARK, type T } from "../../base/t.ts";
import { FILE_CAP } from "../../context/files.ts";
import {
  cutNote,
  part,
  type PromptOptions,
  type PromptPart,
  type SkillSet,
} from "../../context/part.ts";
import { DESCRIPTION_CHARS } from "./skill_file.ts";
import { findSkills, type FoundSkill, isLoadable, skillBody } from "./skills.ts";

/** What the index may take of the prompt, in bytes. */
export const INDEX_CAP = 8 * 1024;
/** What the skills that always apply may take of it. */
export const ALWAYS_CAP = 128 * 1024;
/** What the skills of a former session may take of this one's prompt. */
const LOADED_CAP = 32 * 1024;

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;

/** The skills that a session has, as a prompt needs them. */
export const sessionSkills = async (o: PromptOptions): Promise<SkillSet> =>
  skillSet(await findSkills(o));

/** Makes a set of those that were found. */
export function skillSet(all: readonly FoundSkill[]): SkillSet {
  const loadable = all.filter(isLoadable);
  return {
    loadable,
    empty: all.filter(({ off, problem, source }) =>
      off === "empty" || source && problem === "not_text"
    ),
    parts: (o) => [fullSkillsPart, skillIndexPart].flatMap((make) => make(o, all) ?? []),
    withheld: async (t) => (await import("./skill_state.ts")).withheldOf(all, t),
    text(name, t) {
      const own = loadable.find((skill) => skill.name === name);
      return own && loadedSkillText(own, t);
    },
  };
}

/** The skills that always apply, and those that the session before had loaded, in full. */
function fullSkillsPart(
  o: PromptOptions,
  skills: readonly FoundSkill[],
): PromptPart | undefined {
  const shown = fullSkills(o, skills);
  const left = skills.filter((skill) => appliesAlways(skill) && !shown.includes(skill));
  const full = shown.flatMap((skill) => {
    const body = skillBody(skill);
    return body ? [{ skill, ...body }] : [];
  });
  if (full.length === 0) return undefined;
  const text = [
    "## Skills 编程指导",
    "以下是已加载的编程技能指导，请在相关场景中遵循：",
    ...full.map(({ skill, text, cut }) =>
      ["", `### ${skill.name}`, `(${skill.folder})`, text, ...cutNote(cut, skill.path)].join("\n")
    ),
    ...left.length === 0
      ? []
      : ["", `(${left.map(({ name }) => name).join(", ")} did not fit; Read their files first)`],
  ].join("\n");
  const cut = full.reduce((sum, { cut }) => sum + cut, 0);
  return part("skills", text, left.reduce((sum, { bytes }) => sum + bytes, cut));
}

/** Name, description and place of every other skill that the model may use. */
function skillIndexPart(
  o: PromptOptions,
  skills: readonly FoundSkill[],
): PromptPart | undefined {
  const full = new Set(fullSkills(o, skills));
  const listed = skills.filter((skill) => !skill.off && !skill.hidden && !full.has(skill));
  if (listed.length === 0) return undefined;
  const entries = entriesOf(listed);
  const atMost = (chars: number) => {
    const lines = linesOf(entries, chars);
    return { lines, bytes: bytesOf(INTRODUCTION + lines.join("")) };
  };
  let { lines, bytes } = atMost(Infinity);
  const whole = bytes;
  if (whole <= INDEX_CAP) return part("skill index", INTRODUCTION + lines.join(""));
  for (let chars = charsThatFit(entries, whole - INDEX_CAP); bytes > INDEX_CAP && chars >= 0;) {
    ({ lines, bytes } = atMost(chars--));
  }
  while (bytes > INDEX_CAP) bytes -= bytesOf(lines.pop()!);
  const more = entries.length - lines.length;
  const note = more === 0
    ? "(descriptions shortened; the files have them in full)"
    : `(descriptions left out, and ${more} more skills, from ${listed[lines.length]!.path} on)`;
  return part("skill index", `${INTRODUCTION}${lines.join("")}\n\n${note}`, whole - bytes);
}

/** A skill as a line loads it. */
function loadedSkillText(skill: FoundSkill, t: T): string | undefined {
  const body = skillBody(skill);
  if (!body) return undefined;
  const { name, path, folder, missing } = skill;
  return [
    t(
      "{mark} Skill {name} ({path}), to be followed for this. Relative paths in it start from {folder}.",
      { mark: HOST_MARK, name, path, folder },
    ),
    ...missing.length === 0
      ? []
      : [t("(What it needs and was not found: {names})", { names: missing.join(", ") })],
    body.text,
    ...cutNote(body.cut, path),
  ].join("\n");
}

function fullSkills(o: PromptOptions, skills: readonly FoundSkill[]): FoundSkill[] {
  let room = LOADED_CAP;
  let always = ALWAYS_CAP;
  return skills.filter((skill) => {
    const size = Math.min(skill.bytes, FILE_CAP);
    if (appliesAlways(skill)) return size <= always && (always -= size, true);
    if (!isLoadable(skill) || !o.loadedSkills?.includes(skill.name)) return false;
    return skill.bytes <= room && (room -= skill.bytes, true);
  });
}

const appliesAlways = (skill: FoundSkill) =>
  isLoadable(skill) && skill.always && skill.missing.length === 0;

const INTRODUCTION =
  "## Skill index\n\nGuidance for kinds of tasks. When a task fits one, Read its file first and follow it; paths in it are relative to its folder.";

/** One skill of the index: what stands before its description and behind it. */
interface Entry {
  readonly head: string;
  readonly description: string;
  readonly tail: string;
}

function entriesOf(skills: readonly FoundSkill[]): Entry[] {
  let place = "";
  return skills.map((skill) => {
    const json = skill.path.endsWith(".json");
    const form = skill.place + (json ? "/<name>.json" : "/<name>/SKILL.md");
    const title = form === place ? "" : `\n\n${place = form}:`;
    const own = skill.place + (json ? `/${skill.name}.json` : `/${skill.name}/SKILL.md`);
    const more = [
      ...own === skill.path ? [] : [skill.path],
      ...skill.missing.length === 0 ? [] : [`unavailable: needs ${skill.missing.join(", ")}`],
    ].join("; ");
    return {
      head: `${title}\n- ${skill.name}`,
      description: skill.description,
      tail: more === "" ? "" : ` (${more})`,
    };
  });
}

/** The skills of the index, with no description longer than `chars`. */
function linesOf(entries: readonly Entry[], chars: number): string[] {
  return entries.map(({ head, description, tail }) => {
    const said = clip(description, chars);
    return head + (said === "" ? "" : `: ${said}`) + tail;
  });
}

/** About to what length descriptions must be clipped to be `less` bytes shorter together. */
function charsThatFit(entries: readonly Entry[], less: number): number {
  const sizes = entries.map(({ description }) => ({
    chars: description.length,
    bytes: bytesOf(description),
  }));
  const saved = (most: number) =>
    sizes.reduce(
      (sum, { chars, bytes }) => sum + (chars <= most ? 0 : bytes * (chars - most) / chars),
      0,
    );
  let least = 0;
  for (let most = DESCRIPTION_CHARS; least < most;) {
    const chars = (least + most + 1) >> 1;
    if (saved(chars) >= less) least = chars;
    else most = chars - 1;
  }
  return least;
}

function clip(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return chars < 2 ? "" : `${text.slice(0, chars - 1).trimEnd().toWellFormed()}…`;
}
