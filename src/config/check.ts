/** Checks of configured values; each has the JSON schema that says the same to an editor. */
import { isRecord } from "../base/is_record.ts";
import { nearest } from "../base/nearest.ts";
import type { T } from "../base/t.ts";
import type { Json } from "../base/types.ts";

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

/** Where Bash runs its commands. */
export interface SandboxSettings {
  readonly network: boolean;
  /** Folders that may be written besides the workspace and the temporary ones; `~` is the home. */
  readonly write: readonly string[];
  /** The user wants it, not only the project. */
  readonly own: boolean;
  /** Besides the workspace only the system's own folders are there to be read. */
  readonly workspaceOnly?: boolean;
}

/** As a file has it. */
export type SandboxValue = boolean | { readonly network?: boolean; readonly write?: string[] };

export const sandbox: Check<SandboxValue> = {
  expected: expectedSandbox,
  schema: {
    anyOf: [{ type: "boolean" }, {
      type: "object",
      additionalProperties: false,
      properties: {
        network: { type: "boolean" },
        write: { type: "array", items: { type: "string", pattern: "^(~/|/)." } },
      },
    }],
  },
};

function expectedSandbox(value: unknown, t: T): string | undefined {
  if (typeof value === "boolean") return undefined;
  const expected = t(
    'true | false | {"network": false, "write": ["~/.cache"]} (write: absolute paths, or from ~/; / itself cannot be opened)',
  );
  if (!isRecord(value)) return expected;
  const { network, write, ...rest } = value;
  const good = Object.keys(rest).length === 0 &&
    (network === undefined || typeof network === "boolean") &&
    (write === undefined || Array.isArray(write) && write.every(isFolderName));
  return good ? undefined : expected;
}

const isFolderName = (path: unknown) =>
  typeof path === "string" && /^(?:~\/|\/)./.test(path) && !/^[/.]+$/.test(path);

/**
 * The user's setting, which a project may only make stricter; undefined where there is to be none. Who
 * wants only the workspace used wants one that shows nothing else.
 */
export function sandboxOf(
  user: SandboxValue | undefined,
  project: SandboxValue | undefined,
  workspaceOnly?: "own" | "theirs" | false,
): SandboxSettings | undefined {
  const [own, theirs] = [user || undefined, project || undefined];
  if (own === undefined && theirs === undefined && !workspaceOnly) return undefined;
  const network = [own, theirs].every((one) => typeof one !== "object" || one.network !== false);
  const write = typeof own === "object" ? own.write ?? [] : [];
  return {
    network,
    write: workspaceOnly ? [] : write,
    own: own !== undefined || workspaceOnly === "own",
    ...workspaceOnly ? { workspaceOnly: true } : {},
  };
}

/** What of a project's would be looser, which `sandboxOf` does not let count. */
export function looseSandbox(
  user: SandboxValue | undefined,
  project: SandboxValue | undefined,
): string[] {
  if (project === false && user) return ["sandbox"];
  if (typeof project !== "object") return [];
  const opens = project.network === true && typeof user === "object" && user.network === false;
  return [...project.write?.length ? ["sandbox.write"] : [], ...opens ? ["sandbox.network"] : []];
}

export type Schema = { [keyword: string]: Json };

/** Decides whether a configured value is a `T`. */
export interface Check<V> {
  /** Returns what was expected instead of the value; undefined where the value is right. */
  readonly expected: (value: unknown, t: T) => string | undefined;
  readonly schema: Schema;
  /** Reads the value part by part, so that a wrong part leaves the others in force. */
  readonly parts?: (value: unknown, t: T) => Parts<V>;
  /** Carries the type, never a value. */
  readonly type?: V;
}

/** Something wrong in a value. */
export interface Fault {
  /** What is wrong and what is expected. */
  readonly what: string;
  /** Strings that stand before it in the file, the last one the nearest. */
  readonly after: readonly string[];
}

/** The part of a value that can be used, and what is wrong with the rest. */
export interface Parts<V> {
  readonly good: V;
  readonly faults: readonly Fault[];
}

export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

/** A string that is not empty. */
export const text: Check<string> = {
  expected: (value, t) => isText(value) ? undefined : t("a non-empty string"),
  schema: { type: "string", minLength: 1 },
};

/** An address that begins with http or https. */
export const url: Check<string> = {
  expected(value, t) {
    const parsed = typeof value === "string" ? URL.parse(value) : null;
    return parsed && /^https?:$/.test(parsed.protocol)
      ? undefined
      : t("a URL that begins with http:// or https://");
  },
  schema: { type: "string", format: "uri", pattern: "^https?:" },
};

export const yesOrNo: Check<boolean> = {
  expected: (value) => typeof value === "boolean" ? undefined : "true | false",
  schema: { type: "boolean" },
};

/** A number from 0. */
export const amount: Check<number> = {
  expected: (value, t) => isAmount(value) ? undefined : t("a number ≥ 0"),
  schema: { type: "number", minimum: 0 },
};

/** A whole number from `least`, to `most` where it is given. */
export function whole(least: number, most?: number): Check<number> {
  return {
    expected(value, t) {
      const given = value as number;
      if (Number.isInteger(value) && given >= least && given <= (most ?? given)) return undefined;
      return most === undefined
        ? t("a whole number ≥ {least}", { least })
        : t("a whole number from {least} to {most}", { least, most });
    },
    schema: { type: "integer", minimum: least, ...most === undefined ? {} : { maximum: most } },
  };
}

/** One of `words`. */
export function oneOf<const W extends readonly string[]>(...words: W): Check<W[number]> {
  return {
    expected: (value) =>
      words.includes(value as string) ? undefined : words.map((word) => `"${word}"`).join(" | "),
    schema: { enum: [...words] },
  };
}

/** A list of strings that are not empty; `example` is the text that says so. */
export function texts(
  example: 'a list of names: ["review", "deploy"]' | 'a list of rules: ["Run the tests first"]',
): Check<string[]> {
  return {
    expected: (value, t) => Array.isArray(value) && value.every(isText) ? undefined : t(example),
    schema: { type: "array", items: { type: "string", minLength: 1 } },
  };
}
