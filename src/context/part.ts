/** What a prompt part is, and what it is made of. */
import type { KeptPrompt, Skill, SkillFacts, ToolDefinition, Withheld } from "../base/types.ts";
import { english, type T, type Text } from "../base/t.ts";
import type { Log } from "../base/log.ts";
import type { InstructionFile } from "./files.ts";
import type { SkillItem } from "../config/check.ts";

const LEFT_OUT = {
  unreadable: "{file} cannot be read and was left out of the prompt",
  not_text: "{file} is not text and was left out of the prompt",
  dangling: "{file} is a link to a file that is not there and was left out of the prompt",
  nested:
    "What lies in {file} was left out of the prompt: rules are rules/*.md, not in folders below",
} as const;

/** Where a session's prompts lie. */
export interface PromptStore {
  /** Those that it had, the newest last. */
  kept(): readonly KeptPrompt[];
  keep(prompt: KeptPrompt): void;
  /** As a text is kept. */
  redact(text: string): string;
}

/** What features add to a prompt. */
export interface PromptSources {
  /** What the memory files say. */
  memory(o: PromptOptions): readonly PromptPart[];
  /** The skills there are now. */
  skills(o: PromptOptions): Promise<SkillSet>;
}

/** The skills of a session. */
export interface SkillSet {
  /** Those that a line may load. */
  readonly loadable: readonly Skill[];
  /** Those in whose files there is nothing to read, and their paths. */
  readonly empty: readonly { readonly name: string; readonly path: string }[];
  /** Those that stand in the prompt in full, and the index of the others. */
  parts(o: PromptOptions): readonly PromptPart[];
  /** Those that nobody can load, and why. */
  withheld(t: T): Promise<readonly Withheld[]>;
  /** A skill as a line loads it; undefined where it cannot be read. */
  text(name: string, t: T): string | undefined;
}

/** The skills that are configured with a repository. */
export interface GitSkills {
  /** In their order, those that are off too. */
  items(): readonly SkillItem[];
  /**
   * Clones what is missing, side by side, and each repository once only, whatever becomes of it;
   * returns what is to be told of it. Never throws.
   */
  fetch(host: FetchHost): Promise<string[]>;
}

/** What fetching needs. */
export interface FetchHost {
  readonly signal: AbortSignal;
  readonly log?: Pick<Log, "info" | "warning"> | undefined;
  /** Called before it begins, where anything is to be fetched. */
  begin(text: string): void;
}

export interface PromptOptions {
  readonly model: string;
  readonly workspace: string;
  /** The user's own narnat folder; undefined when there is no home directory. */
  readonly userDir: string | undefined;
  readonly t: T;
  readonly platform: string;
  /** Shell that Bash uses, for the model's information. */
  readonly shell: string;
  readonly now: () => Date;
  readonly append: string;
  /** What the session before left for this one; empty for none. */
  readonly summary?: string;
  /** The prompts that the session had; where they are left out, it gets a new one each time. */
  readonly prompts?: PromptStore;
  /** What became of earlier conversations; empty for none. */
  readonly previous?: () => string;
  /** The project's narnat folder; undefined where nothing is kept. */
  readonly dir?: string | undefined;
  /** Names of the skills that the session before had loaded. */
  readonly loadedSkills?: readonly string[];
  readonly disabledSkills?: readonly string[];
  /** The rules of the settings, which stand before those of files, and the place that each is from. */
  readonly rules?: readonly { readonly text: string; readonly name: string }[];
  /** Whether a project's own skill, by its path and what it says, may stand in the prompt in full; it may when left out. */
  readonly trustsAlways?: (path: string, said: () => string) => boolean;
  /** What skills' files say, by their paths, as far as they have been read; each is read again once it has changed. */
  readonly skillsRead?: Map<
    string,
    { readonly stamp: string; readonly facts: Promise<SkillFacts> }
  >;
  /** Those of git repositories. */
  readonly gitSkills?: GitSkills;
  /** What features add; nothing when left out. */
  readonly sources?: PromptSources;
  readonly log?: Pick<Log, "info" | "warning">;
  /** The environment that commands get, where skills find what they need. */
  readonly env?: { readonly [name: string]: string };
  /** What every request carries besides the messages, at the moment. */
  readonly tools: readonly ToolDefinition[];
}

export interface PromptPart {
  readonly name: string;
  readonly text: string;
  /** Bytes left out because of a cap; the text says so. */
  readonly cut: number;
  /** Files that should be in the part and are not; the text names them too. */
  readonly left: readonly LeftOut[];
  /** The files in it, as people name them, with what they say; the part's name when left out. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
  /** What the model is told of it again, now and then. */
  readonly reminder?: string;
}

/** A file that could not become part of the prompt. */
export interface LeftOut {
  /** As people name it. */
  readonly file: string;
  readonly why: Text;
}

/** Makes a part. */
export function part(
  name: string,
  text: string,
  cut = 0,
  left: readonly LeftOut[] = [],
): PromptPart {
  return { name, text, cut, left };
}

/** A file as a part of its own, under its name; of those it `named` the model is told. */
export function filePart(
  name: string,
  file: InstructionFile,
  named: readonly LeftOut[] = [],
): PromptPart {
  const left = [...leftOut(file, name), ...named];
  const lines = [...left.map(noted), file.text, ...cutNote(file.cut, name)];
  return part(name, fenced(`file name="${name}"`, lines), file.cut, left);
}

/** Text that others wrote, in a fence that it cannot close itself, whatever it says. */
export function fenced(tag: string, lines: readonly string[]): string {
  const name = tag.split(" ", 1)[0]!;
  const close = new RegExp(`<(?=\\s*/\\s*${name}\\b)`, "gi");
  const text = lines.filter((line) => line !== "").join("\n").replaceAll(close, "&lt;");
  return `<${tag}>\n${text}\n</${name}>`;
}

/** The file as one that was left out, if it was. */
export function leftOut(file: InstructionFile, name: string): LeftOut[] {
  return file.left === undefined ? [] : [{ file: name, why: LEFT_OUT[file.left] }];
}

/** The day that an environment part names. */
export function todayIn(text: string): string | undefined {
  return /^- Today: (\d{4}-\d\d-\d\d)$/m.exec(text)?.[1];
}

/** Tells the model of a file that was left out. */
export function noted({ file, why }: LeftOut): string {
  return `(${english(why, { file })})`;
}

/** Tells the model where the rest of a text is; nothing where all of it is there. */
export function cutNote(cut: number, file: string): string[] {
  return cut === 0 ? [] : [`(${cut} more bytes of ${file} did not fit; Read it for the rest)`];
}
