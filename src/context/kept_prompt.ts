/** The system prompt that a session was begun with, which goes on when the session does. */
import { fingerprint } from "../base/hash.ts";
import type { KeptPrompt } from "../base/types.ts";
import { type PromptPart, type PromptStore, todayIn } from "./part.ts";

/** What narnat says itself, and what it is told at its start: all of it is as it is now, or nothing goes on. */
const OWN_FIRST = ["base", "environment", "iron rules"];
const OWN_LAST = ["--append-system-prompt", "last session"];
const isOwn = ({ name }: PromptPart) => OWN_FIRST.includes(name) || OWN_LAST.includes(name);

/** Parts whose change is told by the lines that are new in them. */
const LISTS: { readonly [name: string]: RegExp } = {
  "skill index": /^- .*/gm,
  "skills": /^### .*/gm,
};

/** A prompt to go on with, and what has changed since it was made. */
export interface GoingOn {
  readonly parts: readonly PromptPart[];
  readonly changed: readonly Changed[];
}

export interface Changed {
  readonly name: string;
  readonly how: "came" | "went" | "changed";
  /** What is new, in its own words, where that is short. */
  readonly lines?: readonly string[];
}

/** What of a prompt is kept. */
export function toKeep(parts: readonly PromptPart[], { redact }: PromptStore): KeptPrompt {
  return {
    own: ownPrint(parts),
    today: todayIn(parts.map(({ text }) => text).join("\n")) ?? "",
    parts: parts.filter((part) => !isOwn(part)).map(({ name, text, files }) => ({
      name,
      text: redact(text),
      ...files ? { files: files.map(({ name }) => name) } : {},
    })),
  };
}

/** The newest prompt in the store that goes with the own parts of `fresh`; undefined for none. */
export function goingOn(fresh: readonly PromptPart[], store: PromptStore): GoingOn | undefined {
  const all = store.kept();
  if (all.length === 0) return undefined;
  const own = ownPrint(fresh);
  const kept = all.findLast((one) => one.own === own);
  if (!kept) return undefined;
  const others = kept.parts.map((part): PromptPart => ({
    name: part.name,
    text: part.text,
    cut: 0,
    left: [],
    ...part.files ? { files: part.files.map((name) => ({ name, text: "" })) } : {},
  }));
  const named = (names: readonly string[]) => fresh.filter(({ name }) => names.includes(name));
  const first = named(OWN_FIRST).map((part) =>
    part.name === "environment"
      ? { ...part, text: part.text.replace(todayIn(part.text)!, kept.today) }
      : part
  );
  return {
    parts: [...first, ...others, ...named(OWN_LAST)],
    changed: changes(others, fresh.filter((part) => !isOwn(part)), store.redact),
  };
}

/** Tells own parts apart, but for the day. */
function ownPrint(parts: readonly PromptPart[]): string {
  const own = parts.filter(isOwn).map(({ text }) => text).join("\n\n");
  return fingerprint(own.replace(todayIn(own) ?? "", ""));
}

/** What differs of instructions, rules and skills; what came of other sessions is nothing to this one. */
function changes(
  before: readonly PromptPart[],
  now: readonly PromptPart[],
  redact: (text: string) => string,
): Changed[] {
  const names = new Set([...before, ...now].map(({ name }) => name));
  return [...names].flatMap((name): Changed[] => {
    const old = before.find((part) => part.name === name);
    const fresh = now.find((part) => part.name === name);
    const text = fresh && redact(fresh.text);
    if (old?.text === text || /^previous context$|\/memory\/[^/]+$/.test(name)) return [];
    if (Object.hasOwn(LISTS, name)) {
      const lines = (text?.match(LISTS[name]!) ?? []).filter((line) => !old?.text.includes(line));
      return [{ name: "skills", how: "changed", lines }];
    }
    const files = fresh?.files ?? [];
    const had = old?.files?.map((file) => file.name) ?? [];
    if (files.length + had.length === 0) {
      return [{ name, how: !old ? "came" : !fresh ? "went" : "changed" }];
    }
    return [
      ...files.flatMap((file): Changed[] => {
        if (!had.includes(file.name)) return [{ name: file.name, how: "came" }];
        const same = old!.text.includes(redact(file.text));
        return same ? [] : [{ name: file.name, how: "changed" }];
      }),
      ...had.filter((name) => !files.some((file) => file.name === name))
        .map((name): Changed => ({ name, how: "went" })),
    ];
  });
}
