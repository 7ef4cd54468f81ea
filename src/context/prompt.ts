/** The system prompt of one session: one ordered list of parts, and what is told of it. */
import { under } from "../base/path.ts";
import { HOST_MARK, type Text } from "../base/t.ts";
import type { ContextManager, Skill, Withheld } from "../base/types.ts";
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
  return new SessionPrompt(o);
}

class SessionPrompt implements Prompt {
  readonly #o: PromptOptions;
  #skills: SkillSet | undefined;
  #made: readonly PromptPart[] | undefined;
  #text = "";
  #fresh: readonly PromptPart[] | undefined;
  /** Since the session had begun and before it was gone on with. */
  #changed: readonly Changed[] = [];
  #making: Promise<void> | undefined;
  #changedRules: () => WatchedFile[] = () => [];
  #changedFiles: () => WatchedFile[] = () => [];
  /** The files that say something, as far as is known. */
  #saying = new Set<string>();
  #told = false;
  #steps = 0;
  #news: readonly string[] = [];
  #unreadable: readonly string[] = [];
  /** What goes on that a turn may have to wait for. */
  #fetching: string | undefined;
  #tell: ((text: string) => void) | undefined;
  readonly #stop = new AbortController();
  /** A changed file in words; nothing where the prompt would be the same. */
  readonly #change = ({ path, name }: WatchedFile): string[] => {
    const said = this.#saying.has(name);
    const says = readInstructions(path) !== undefined;
    if (says) this.#saying.add(name);
    else this.#saying.delete(name);
    if (!said && !says) return [];
    return [this.#inWords({ name, how: said && says ? "changed" : says ? "came" : "went" })];
  };
  readonly #inWords = ({ name, how }: Changed) =>
    how === "changed" ? name : this.#o.t(LEFT_OUT[how], { name });

  constructor(o: PromptOptions) {
    this.#o = o;
  }

  parts(): readonly PromptPart[] {
    return this.#made ?? promptParts(this.#o);
  }

  async ready(waiting?: { readonly signal: AbortSignal; tell(text: string): void }): Promise<void> {
    if (this.#made) return;
    const abort = () => this.#stop.abort();
    waiting?.signal.addEventListener("abort", abort, { once: true });
    if (waiting?.signal.aborted) abort();
    if (this.#fetching !== undefined) waiting?.tell(this.#fetching);
    this.#tell ??= waiting?.tell;
    try {
      await (this.#making ??= this.#make());
    } finally {
      waiting?.signal.removeEventListener("abort", abort);
    }
  }

  system(): string {
    return this.#made ? this.#text : joinParts(this.parts());
  }

  notices(): string[] {
    const noticeOf = (text: Text, names: string[]) =>
      names.length === 0 ? [] : [this.#o.t(text, { names: names.join(", ") })];
    const notice = [
      ...noticeOf(
        "Changed: {names}. This session keeps the prompt it began with, and the model is told to read them; /compact starts one that has them and goes on with a summary",
        this.#told ? [] : this.#changed.map(this.#inWords),
      ),
      ...noticeOf(
        "Changed: {names}. This counts from the next session on: /compact starts one that goes on with a summary; a session that narnat -c takes up again is told to read it",
        [...this.#changedRules(), ...this.#changedFiles()].flatMap(this.#change),
      ),
    ];
    if (this.#told) return notice;
    this.#told = true;
    const above = projectAbove(this.#o);
    return [
      ...this.#news,
      ...this.#unreadable,
      ...above === undefined ? [] : [
        this.#o.t("{names} of {dir} {n:is|are} not used here; narnat -C {dir} uses {n:it|them}", {
          dir: above.dir,
          names: above.names.join(", "),
          n: above.names.length,
        }),
      ],
      ...this.parts().flatMap(({ left }) => left).map(({ file, why }) => this.#o.t(why, { file })),
      ...this.parts().filter(({ cut }) => cut > 0)
        .map(({ name, cut }) =>
          this.#o.t(
            "{name} is long: {bytes} bytes of it are not in the prompt (narnat prompt shows what is)",
            { name, bytes: cut },
          )
        ),
      ...notice,
    ];
  }

  outdated(): readonly string[] {
    const date = this.#o.now().toISOString().slice(0, 10);
    const lines = this.#changed.flatMap(({ lines }) => lines ?? []).join("\n").slice(0, NEWS_CHARS);
    const told = { mark: HOST_MARK, names: this.#changed.map(this.#inWords).join(", ") };
    return [
      ...!this.#made || todayIn(this.#text) === date
        ? []
        : [this.#o.t("{mark} Today is {date}.", { mark: HOST_MARK, date })],
      ...this.#changed.length === 0 ? [] : [
        [
          this.#o.t(
            "{mark} Since this session began these have changed: {names}. The system prompt shows them as they were then: Read them before you go on; what they say now counts.",
            told,
          ),
          ...lines ? [lines] : [],
        ].join("\n"),
      ],
    ];
  }

  reminder(): string | undefined {
    if (++this.#steps % REMIND_EVERY !== 0) return undefined;
    return (this.#fresh ?? this.parts()).find(({ reminder }) => reminder !== undefined)?.reminder;
  }

  get skills(): readonly Skill[] {
    return this.#skills?.loadable ?? [];
  }

  async withheld(): Promise<readonly Withheld[]> {
    return await this.#skills?.withheld(this.#o.t) ?? [];
  }

  skillText(skill: Skill): string | undefined {
    return this.#skills?.text(skill.name, this.#o.t);
  }

  async #fetch(): Promise<void> {
    const begin = (text: string) => {
      this.#fetching = text;
      this.#tell?.(text);
    };
    this.#news =
      await this.#o.gitSkills?.fetch({ signal: this.#stop.signal, log: this.#o.log, begin }) ?? [];
    this.#fetching = undefined;
  }

  async #make(): Promise<void> {
    await this.#fetch();
    const found = await this.#o.sources?.skills(this.#o);
    this.#unreadable = (found?.empty ?? [])
      .map(({ name, path }) =>
        this.#o.t(
          "The skill {name} was not loaded: there is nothing to read in {path} (the file that skill names, README.md, or another .md)",
          { name, path },
        )
      );
    this.#changedRules = watch(() => rulePaths(this.#o));
    this.#changedFiles = watch(() => instructionPlaces(this.#o));
    this.#fresh = promptParts(this.#o, found);
    const before = this.#o.prompts && goingOn(this.#fresh, this.#o.prompts);
    this.#changed = before?.changed ?? [];
    this.#made = before?.parts ?? this.#fresh;
    if (!before) this.#o.prompts?.keep(toKeep(this.#fresh, this.#o.prompts));
    this.#text = joinParts(this.#made);
    this.#saying = new Set(
      this.#fresh.flatMap((one) => one.files ?? [one]).map(({ name }) => name),
    );
    this.#skills = found;
  }
}
