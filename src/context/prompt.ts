/** The system prompt of one session, and what is told of it. */
import type { Keeper, Skill } from "../base/types.ts";
import { HOST_MARK, say } from "../base/text.ts";
import { type Changed, goingOn, toKeep } from "./kept_prompt.ts";
import { type PromptOptions, type PromptPart, todayIn } from "./part.ts";
import { joinParts, promptParts } from "./parts.ts";
import { readInstructions } from "./files.ts";
import { instructionPlaces } from "./instructions.ts";
import { projectAbove } from "./project_above.ts";
import { rulePaths } from "./rules.ts";
import { watch, type WatchedFile } from "./watch.ts";
import { loadedSkillText } from "../features/skills/skill_parts.ts";
import { findSkills, type FoundSkill, isLoadable } from "../features/skills/skills.ts";

/** Steps from one reminder of the rules to the next. */
const REMIND_EVERY = 10;

export interface Prompt
  extends Pick<Keeper, "ready" | "system" | "skills" | "skillText" | "withheld" | "outdated"> {
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
  let found: readonly FoundSkill[] = [];
  let all: readonly FoundSkill[] = [];
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
    const skills = await findSkills(o);
    unreadable = skills
      .filter(({ off, problem, source }) => off === "empty" || source && problem === "not_text")
      .map(({ name, path }) => say(o.lang, "skill.nothing_to_read", { name, path }));
    changedRules = watch(() => rulePaths(o));
    changedFiles = watch(() => instructionPlaces(o));
    fresh = promptParts(o, skills);
    const before = o.prompts && goingOn(fresh, o.prompts);
    changed = before?.changed ?? [];
    made = before?.parts ?? fresh;
    if (!before) o.prompts?.keep(toKeep(fresh, o.prompts));
    text = joinParts(made);
    saying = new Set(fresh.flatMap((one) => one.files ?? [one]).map(({ name }) => name));
    all = skills;
    found = skills.filter(isLoadable);
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
    how === "changed" ? name : say(o.lang, `prompt.${how}`, { name });
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
      const noticeOf = (key: "prompt.changed" | "prompt.changed_before", names: string[]) =>
        names.length === 0 ? [] : [say(o.lang, key, { names: names.join(", ") })];
      const notice = [
        ...noticeOf("prompt.changed_before", told ? [] : changed.map(inWords)),
        ...noticeOf("prompt.changed", [...changedRules(), ...changedFiles()].flatMap(change)),
      ];
      if (told) return notice;
      told = true;
      const above = projectAbove(o);
      return [
        ...news,
        ...unreadable,
        ...above === undefined ? [] : [say(o.lang, "prompt.project_above", {
          dir: above.dir,
          names: above.names.join(", "),
          n: above.names.length,
        })],
        ...parts().flatMap(({ left }) => left).map(({ file, why }) => say(o.lang, why, { file })),
        ...parts().filter(({ cut }) => cut > 0)
          .map(({ name, cut }) => say(o.lang, "prompt.cut", { name, bytes: cut })),
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
          : [say(o.lang, "prompt.today", { mark: HOST_MARK, date })],
        ...changed.length === 0
          ? []
          : [[say(o.lang, "prompt.outdated", told), ...lines ? [lines] : []].join("\n")],
      ];
    },
    reminder() {
      if (++steps % REMIND_EVERY !== 0) return undefined;
      return (fresh ?? parts()).find(({ reminder }) => reminder !== undefined)?.reminder;
    },
    get skills() {
      return found;
    },
    async withheld() {
      return (await import("../features/skills/skill_state.ts")).withheldOf(all, o.lang);
    },
    skillText(skill: Skill) {
      const own = found.find(({ name }) => name === skill.name);
      return own && loadedSkillText(own, o.lang);
    },
  };
}
