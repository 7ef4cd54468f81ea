/** Checks of the values that have an inner structure. */
import { nearest } from "../base/nearest.ts";
import type { T } from "../base/t.ts";
import type { Json } from "../base/types.ts";
import { isRecord } from "../base/is_record.ts";
import { type Check, isAmount, isText, type Parts } from "./check.ts";

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Of what the provider has cached; as other input when left out. */
  readonly cached?: number;
}

/** Prices by the model's name. */
export const prices: Check<{ readonly [model: string]: Price }> = {
  expected(value, t) {
    const good = isRecord(value) &&
      Object.values(value).every((price) =>
        isRecord(price) && isAmount(price["input"]) && isAmount(price["output"]) &&
        (price["cached"] === undefined || isAmount(price["cached"]))
      );
    return good ? undefined : t(
      '{"model": {"input": 0.3, "output": 1.2, "cached": 0.03}} in US dollars per million tokens (cached: as input when left out)',
    );
  },
  schema: {
    type: "object",
    additionalProperties: {
      type: "object",
      properties: {
        input: { type: "number", minimum: 0 },
        output: { type: "number", minimum: 0 },
        cached: { type: "number", minimum: 0 },
      },
      required: ["input", "output"],
    },
  },
};

/** A skill of a git repository (seed 001). */
export interface SkillItem {
  readonly name: string;
  /** The repository's address, as git takes it. */
  readonly repo: string;
  /** What names its file in the repository; all skills there are in it when left out. */
  readonly skill?: string;
  /** True when left out. */
  readonly enabled?: boolean;
}

/** Control characters would break what names a skill. */
const ONE_LINE = /^[^\p{Cc}]{1,80}$/u;

export const skillItems: Check<SkillItem[]> = {
  expected(value, t) {
    const list = t(
      'a list of {"name": "a name", "repo": "git URL", "skill": "file or skill in it, may be left out", "enabled": true}',
    );
    if (!Array.isArray(value)) return list;
    const wrong = value.findIndex((item) =>
      !(isRecord(item) && isText(item["name"]) && ONE_LINE.test(item["name"]) &&
        isText(item["repo"]) &&
        (item["skill"] === undefined || typeof item["skill"] === "string") &&
        (item["enabled"] === undefined || typeof item["enabled"] === "boolean"))
    );
    return wrong < 0 ? undefined : list + t(" (item {n} is not)", { n: wrong + 1 });
  },
  schema: {
    type: "array",
    items: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: 80 },
        repo: { type: "string", minLength: 1 },
        skill: { type: "string" },
        enabled: { type: "boolean" },
      },
      required: ["name", "repo"],
    },
  },
};

/** Servers of tools; the room of the servers reads the entries and tells what is wrong with each. */
export const servers: Check<{ [name: string]: Json } | Json[]> = {
  expected: (value, t) =>
    isRecord(value) || Array.isArray(value)
      ? undefined
      : t('servers by their names: {"files": {"command": "…"}}'),
  schema: { type: ["object", "array"] },
};

/** Tools that are there only when they are asked for, in the order the model sees them. */
export const EXTRA_TOOLS = ["Plan", "Spawn", "Team"] as const;

type ExtraTool = (typeof EXTRA_TOOLS)[number];

export const extraTools: Check<ExtraTool[]> = {
  expected: () => undefined,
  schema: { type: "array", items: { enum: [...EXTRA_TOOLS] } },
  parts: extraToolParts,
};

function extraToolParts(value: unknown, t: T): Parts<ExtraTool[]> {
  const names = EXTRA_TOOLS.map((name) => `"${name}"`).join(", ");
  if (!Array.isArray(value)) {
    return {
      good: [],
      faults: [{ what: t("it must be a list of any of {names}", { names }), after: [] }],
    };
  }
  const isOne = (name: unknown): name is ExtraTool => EXTRA_TOOLS.includes(name as ExtraTool);
  const faults = value.filter((name) => !isOne(name)).map((given) => {
    const text = JSON.stringify(given);
    const near = typeof given === "string" ? nearest(given, EXTRA_TOOLS)[0] : undefined;
    const what = t(
      near
        ? 'there is no tool {name}; did you mean "{near}"? There are {names}'
        : "there is no tool {name}; there are {names}",
      {
        name: text.slice(0, 40),
        names,
        near: near ?? "",
      },
    );
    return { what, after: typeof given === "string" ? [given] : [] };
  });
  return { good: value.filter(isOne), faults };
}
