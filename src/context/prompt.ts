/** The system prompt of one session: one ordered list of parts, and what is told of it. */
import { under } from "../base/path.ts";
import { HOST_MARK, type Text } from "../base/t.ts";
import type { ContextManager, Skill } from "../base/types.ts";
import { isThere, mayRead, parentOf, readInstructions, watch, type WatchedFile } from "./files.ts";
import {
  agentsParts,
  instructionPlaces,
  narnatParts,
  rulePaths,
  rulesPart,
} from "./instructions.ts";
import { type Changed, goingOn, toKeep } from "./kept_prompt.ts";
import {
  fenced,
  part,
  type PromptOptions,
  type PromptPart,
  type SkillSet,
  todayIn,
} from "./part.ts";
import base from "./prompts/base.md" with { type: "text" };
import ironRules from "./prompts/iron_rules.md" with { type: "text" };

/** What people write; the rest of `.narnat` is made by every session. */
const WRITTEN = [
  ...["narnat.json", "narnat.md", "mcp.json", "rules", "skills", "commands", "agents"],
  "memory/MEMORY.md",
];

interface ProjectAbove {
  readonly dir: string;
  /** What narnat would use of it. */
  readonly names: readonly string[];
}

/**
 * The nearest folder above a workspace without settings of its own that has some; none beyond the
 * root of the git repository or in the home.
 */
export function projectAbove({ workspace, userDir }: PromptOptions): ProjectAbove | undefined {
  const home = userDir && parentOf(userDir);
  for (let dir = workspace; dir !== home && mayRead(dir);) {
    const names = [
      ...isProject(dir) ? [".narnat"] : [],
      ...isThere(under(dir, ".mcp.json")) ? [".mcp.json"] : [],
    ];
    if (names.length > 0) return dir === workspace ? undefined : { dir, names };
    const above = parentOf(dir);
    if (above === undefined || isThere(under(dir, ".git"))) return undefined;
    dir = above;
  }
  return undefined;
}

function isProject(dir: string): boolean {
  const narnat = under(dir, ".narnat");
  return isThere(narnat) && WRITTEN.some((name) => isThere(under(narnat, ...name.split("/"))));
}

type Made = PromptPart | readonly PromptPart[] | undefined;
type PartMaker = (o: PromptOptions, skills: SkillSet | undefined) => Made;

const PARTS: readonly PartMaker[] = [
  basePart,
  environmentPart,
  () => part("iron rules", ironRules.trim()),
  rulesPart,
  agentsParts,
  narnatParts,
  (o) => o.sources?.memory(o),
  (o, skills) => skills?.parts(o),
  previousPart,
  (o) => o.append === "" ? undefined : part("--append-system-prompt", o.append),
  (o) => o.summary ? part("last session", o.summary) : undefined,
];

/** The parts of the system prompt in their order, with the skills that were found. */
export function promptParts(o: PromptOptions, skills?: SkillSet): PromptPart[] {
  return PARTS.flatMap((make) => make(o, skills) ?? []);
}

/** Joins parts the way they are sent. */
export function joinParts(parts: readonly PromptPart[]): string {
  return parts.map((p) => p.text).join("\n\n");
}

function basePart({ t, model }: PromptOptions): PromptPart {
  const values: { readonly [name: string]: string } = {
    model,
    changing: t("# Changing files"),
  };
  return part("base", base.trim().replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
}

function previousPart(o: PromptOptions): PromptPart | undefined {
  const previous = o.previous?.() ?? "";
  return previous === ""
    ? undefined
    : part("previous context", "# Previous context\n" + fenced("history", [previous]));
}

function environmentPart(o: PromptOptions): PromptPart {
  return part(
    "environment",
    [
      "# Environment",
      `- Workspace: ${o.workspace}`,
      `- Platform: ${o.platform}; shell: ${o.shell}`,
      `- Today: ${o.now().toISOString().slice(0, 10)}`,
    ].join("\n"),
  );
}

const LEFT_OUT = {
  came: "{name} (new)",
  went: "{name} (gone)",
} as const;

/** Steps from one reminder of the rules to the next. */
const REMIND_EVERY = 10;

export interface Prompt
  extends
    Pick<ContextManager, "ready" | "system" | "skills" | "skillText" | "withheld" | "outdated"> {
  /** The same for the whole session, once it is ready. */
  parts(): readonly PromptPart[];
  /** What the user is to know of it before the next turn, once each. */
  notices(): string[];
  /** What the model is to be reminded of behind this step, if anything. */
  reminder(): string | undefined;
}

/** What of a skill list is told at most, in characters. */
const NEWS_CHARS = 2000;

/** Made once, or gone on with: what changes on disk meanwhile counts from the next session on. */
export function createPrompt(o: PromptOptions): Prompt {
  let skills: SkillSet | undefined;
  let made: readonly PromptPart[] | undefined;
  let text = "";
  let fresh: readonly PromptPart[] | undefined;
  /** Since the session had begun and before it was gone on with. */
  let changed: readonly Changed[] = [];
  let making: Promise<void> | undefined;
  let changedRules: () => WatchedFile[] = () => [];
  let changedFiles: () => WatchedFile[] = () => [];
  /** The files that say something, as far as is known. */
  let saying = new Set<string>();
  let told = false;
  let steps = 0;
  let news: readonly string[] = [];
  let unreadable: readonly string[] = [];
  /** What goes on that a turn may have to wait for. */
  let fetching: string | undefined;
  let tell: ((text: string) => void) | undefined;
  const stop = new AbortController();
  const fetch = async () => {
    const begin = (text: string) => {
      fetching = text;
      tell?.(text);
    };
    news = await o.gitSkills?.fetch({ signal: stop.signal, log: o.log, begin }) ?? [];
    fetching = undefined;
  };
  const make = async () => {
    await fetch();
    const found = await o.sources?.skills(o);
    unreadable = (found?.empty ?? [])
      .map(({ name, path }) =>
        o.t(
          "The skill {name} was not loaded: there is nothing to read in {path} (the file that skill names, README.md, or another .md)",
          { name, path },
        )
      );
    changedRules = watch(() => rulePaths(o));
    changedFiles = watch(() => instructionPlaces(o));
    fresh = promptParts(o, found);
    const before = o.prompts && goingOn(fresh, o.prompts);
    changed = before?.changed ?? [];
    made = before?.parts ?? fresh;
    if (!before) o.prompts?.keep(toKeep(fresh, o.prompts));
    text = joinParts(made);
    saying = new Set(fresh.flatMap((one) => one.files ?? [one]).map(({ name }) => name));
    skills = found;
  };
  const parts = () => made ?? promptParts(o);
  /** A changed file in words; nothing where the prompt would be the same. */
  const change = ({ path, name }: WatchedFile): string[] => {
    const said = saying.has(name);
    const says = readInstructions(path) !== undefined;
    if (says) saying.add(name);
    else saying.delete(name);
    if (!said && !says) return [];
    return [inWords({ name, how: said && says ? "changed" : says ? "came" : "went" })];
  };
  const inWords = ({ name, how }: Changed) =>
    how === "changed" ? name : o.t(LEFT_OUT[how], { name });
  return {
    async ready(waiting) {
      if (made) return;
      const abort = () => stop.abort();
      waiting?.signal.addEventListener("abort", abort, { once: true });
      if (waiting?.signal.aborted) abort();
      if (fetching !== undefined) waiting?.tell(fetching);
      tell ??= waiting?.tell;
      try {
        await (making ??= make());
      } finally {
        waiting?.signal.removeEventListener("abort", abort);
      }
    },
    parts,
    system: () => made ? text : joinParts(parts()),
    notices() {
      const noticeOf = (text: Text, names: string[]) =>
        names.length === 0 ? [] : [o.t(text, { names: names.join(", ") })];
      const notice = [
        ...noticeOf(
          "Changed: {names}. This session keeps the prompt it began with, and the model is told to read them; /compact starts one that has them and goes on with a summary",
          told ? [] : changed.map(inWords),
        ),
        ...noticeOf(
          "Changed: {names}. This counts from the next session on: /compact starts one that goes on with a summary; a session that narnat -c takes up again is told to read it",
          [...changedRules(), ...changedFiles()].flatMap(change),
        ),
      ];
      if (told) return notice;
      told = true;
      const above = projectAbove(o);
      return [
        ...news,
        ...unreadable,
        ...above === undefined
          ? []
          : [o.t("{names} of {dir} {n:is|are} not used here; narnat -C {dir} uses {n:it|them}", {
            dir: above.dir,
            names: above.names.join(", "),
            n: above.names.length,
          })],
        ...parts().flatMap(({ left }) => left).map(({ file, why }) => o.t(why, { file })),
        ...parts().filter(({ cut }) => cut > 0)
          .map(({ name, cut }) =>
            o.t(
              "{name} is long: {bytes} bytes of it are not in the prompt (narnat prompt shows what is)",
              { name, bytes: cut },
            )
          ),
        ...notice,
      ];
    },
    outdated() {
      const date = o.now().toISOString().slice(0, 10);
      const lines = changed.flatMap(({ lines }) => lines ?? []).join("\n").slice(0, NEWS_CHARS);
      const told = { mark: HOST_MARK, names: changed.map(inWords).join(", ") };
      return [
        ...!made || todayIn(text) === date
          ? []
          : [o.t("{mark} Today is {date}.", { mark: HOST_MARK, date })],
        ...changed.length === 0 ? [] : [
          [
            o.t(
              "{mark} Since this session began these have changed: {names}. The system prompt shows them as they were then: Read them before you go on; what they say now counts.",
              told,
            ),
            ...lines ? [lines] : [],
          ].join("\n"),
        ],
      ];
    },
    reminder() {
      if (++steps % REMIND_EVERY !== 0) return undefined;
      return (fresh ?? parts()).find(({ reminder }) => reminder !== undefined)?.reminder;
    },
    get skills() {
      return skills?.loadable ?? [];
    },
    withheld: async () => await skills?.withheld(o.t) ?? [],
    skillText: (skill: Skill) => skills?.text(skill.name, o.t),
  };
}
