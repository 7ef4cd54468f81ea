/** What a skill's file says of it: front matter of a SKILL.md, or a JSON skill. */
import type { SkillFacts } from "../../base/types.ts";
import { isRecord } from "../../base/is_record.ts";

/** The longest description, in characters. */
export const DESCRIPTION_CHARS = 1024;
const NAME_CHARS = 64;

/** What a JSON skill says: name, description, triggers. */
export function jsonFactsOf(text: string, stem: string): SkillFacts {
  const value = jsonOf(text);
  if (value === undefined) return factsOf({}, stem, "json");
  const triggers = textsOf(value["triggers"]);
  const made = factsOf(value, stem);
  if (triggers.length === 0) return made;
  return { ...made, description: `${made.description} (${triggers.join(", ")})`.trim() };
}

/** Members of a JSON skill that are no guidance. */
const SETTINGS = [
  ...["name", "description", "triggers", "enabled", "always", "requires", "os", "metadata"],
  ...["disable-model-invocation", "version", "author", "license"],
];

/** The guidance of a JSON skill: its description, and whatever else it holds, under its names. */
export function jsonBodyOf(text: string): string {
  const value = jsonOf(text) ?? {};
  const own = Object.entries(value).filter(([key]) => !SETTINGS.includes(key)).flatMap(
    ([key, said]) => {
      const whole = Array.isArray(said)
        ? said.map((one) => `- ${plainly(one)}`).join("\n")
        : plainly(said);
      return whole === "" ? [] : [`${key}:\n${whole}`];
    },
  );
  return [textOf(value["description"]).trim(), ...own].filter((one) => one !== "").join("\n\n");
}

const plainly = (value: unknown) => typeof value === "string" ? value : JSON.stringify(value);

/** Undefined when it is no JSON object. */
function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return value === record(value) ? record(value) : undefined;
  } catch {
    return undefined;
  }
}

/** What a front matter's value says; `stem` names the skill where it does not. */
export function factsOf(
  value: unknown,
  stem: string,
  problem?: SkillFacts["problem"],
): SkillFacts {
  const front = record(value);
  const nanobot = nanobotOf(front["metadata"]);
  const [own, its] = [record(front["requires"]), record(nanobot["requires"])];
  const description = oneLine(textOf(front["description"])).slice(0, DESCRIPTION_CHARS);
  const why = problem ?? (description === "" ? "no_description" : undefined);
  return {
    name: nameOf(textOf(front["name"])) || nameOf(stem),
    description: description.toWellFormed(),
    always: isTrue(front["always"]) || isTrue(nanobot["always"]),
    hidden: isTrue(front["disable-model-invocation"]),
    enabled: front["enabled"] !== false,
    bins: textsOf(own["bins"]).concat(textsOf(its["bins"])),
    env: textsOf(own["env"]).concat(textsOf(its["env"])),
    os: textsOf(front["os"]).concat(textsOf(nanobot["os"])),
    ...why === undefined ? {} : { problem: why },
  };
}

/** nanobot's own metadata: an object, or one in JSON. */
function nanobotOf(metadata: unknown): Record<string, unknown> {
  let value = metadata;
  if (typeof value === "string") {
    try {
      value = JSON.parse(value);
    } catch {
      return {};
    }
  }
  const all = record(value);
  return record(all["nanobot"] ?? all["openclaw"]);
}

function record(value: unknown): { readonly [key: string]: unknown } {
  return isRecord(value) ? value : {};
}

/** Such that a line can name it with `$`. */
function nameOf(text: string): string {
  if (text.length <= NAME_CHARS && /^\w[\w-]*$/.test(text)) return text;
  return text.replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "")
    .slice(0, NAME_CHARS).toWellFormed();
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const isTrue = (value: unknown) => value === true || value === "true";
const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

function textsOf(value: unknown): string[] {
  if (value === undefined) return [];
  const all = Array.isArray(value) ? value.slice(0, 100) : [value];
  return all.map((one) => oneLine(textOf(one))).filter((text) => text !== "");
}
