/** Slash commands that a project or a user has written: a prompt a file. */
import type { Asking, Command } from "../../base/types.ts";
import { HOST_MARK, type T } from "../../base/t.ts";
import { under } from "../../base/under.ts";
import { cutNote } from "../../context/part.ts";
import { type CommandFacts, commandFacts, expand, wantsShell } from "./command_file.ts";
import { mayRead, parentOf, readInstructions } from "../../context/files.ts";

export interface CustomCommandsOptions {
  readonly workspace: string;
  /** The user's own narnat folder; undefined when there is no home directory. */
  readonly userDir: string | undefined;
  readonly t: T;
  /** Names that no file can have. */
  readonly taken: readonly string[];
  /** Hears, once, of files that are left out. */
  tell?(text: string): void;
}

/** Where they lie; of two with one name the earlier place has it, a project's before the user's. */
const PLACES = [".narnat/commands", ".claude/commands"];
const DEPTH = 4;
/** In each of the places. */
const FILES_AT_MOST = 1000;
/** A folder may hold anything. */
const COUNTED_AT_MOST = 5000;

/** A file and what it is called. */
interface Place {
  readonly file: string;
  /** As people name it. */
  readonly shown: string;
  readonly name: string;
}

/** Returns the commands as their files are at the moment. */
export function customCommands(o: CustomCommandsOptions): () => readonly Command[] {
  const read = new Map<string, { readonly stamp: string; readonly facts: CommandFacts }>();
  /** What has been told of a command is not told again. */
  const told = new Set<string>();
  const factsOf = (file: string): CommandFacts | undefined => {
    const stamp = stampOf(file);
    const known = read.get(file);
    if (known?.stamp === stamp) return known.facts;
    const found = readInstructions(file);
    if (!found || found.left !== undefined) return undefined;
    const facts = commandFacts([found.text, ...cutNote(found.cut, file)].join("\n"));
    read.set(file, { stamp, facts });
    return facts;
  };
  let counted = false;
  return () => {
    const { places, left } = placesOf(o);
    if (!counted && left.length > 0) {
      o.tell?.(
        o.t(
          "Too many command files, a folder brings {most} at most; not used are {n}: {names}",
          tooMany(left),
        ),
      );
    }
    counted = true;
    const byName = Map.groupBy(places, ({ name }) => name).values();
    return [...byName].flatMap((places) => {
      for (const [at, place] of places.entries()) {
        const facts = factsOf(place.file);
        const others = places.slice(at + 1).map(({ shown }) => shown);
        if (facts) return [commandOf({ ...place, others }, facts, o, told, factsOf)];
      }
      return [];
    });
  };
}

function commandOf(
  { file, shown, name, others }: Place & { readonly others: readonly string[] },
  { description, hint, unclosed }: CommandFacts,
  { t, taken }: CustomCommandsOptions,
  told: Set<string>,
  factsOf: (file: string) => CommandFacts | undefined,
): Command {
  const shadowed = taken.includes(name);
  const help = (t: T) =>
    shadowed
      ? t("{file} cannot be used: a built-in command has this name; rename the file", {
        file: shown,
      })
      : unclosed
      ? t("{file} cannot be used: its front matter never ends; put a line --- before the text", {
        file: shown,
      })
      : description || shown;
  return {
    name,
    usage: () => hint,
    help,
    asks(args) {
      const facts = factsOf(file);
      if (!facts || facts.unclosed) {
        const why = facts
          ? "{file} cannot be used: its front matter never ends; put a line --- before the text"
          : "Cannot use {file}: it cannot be read any more; see whether it is there and is text";
        return Promise.reject(new Error(t(why, { file: shown })));
      }
      const notices = [
        ...others.length > 0
          ? [
            t("/{name} is {file}; not used, as they have the same name: {others}", {
              name,
              file: shown,
              others: others.join(", "),
            }),
          ]
          : [],
        ...wantsShell(facts.body)
          ? [
            t("/{name}: what stands in !`…` is not run by itself; the model runs what it needs", {
              name,
            }),
          ]
          : [],
        ...facts.model
          ? [t("/{name} names a model, which is not taken: the current one answers", { name })]
          : [],
      ].filter((text) => !told.has(text));
      for (const text of notices) told.add(text);
      return Promise.resolve(asking(name, shown, facts, args, t, notices));
    },
    // a command whose lines are all for the model
    run: () => "",
  };
}

function asking(
  name: string,
  file: string,
  { body, tools, hint }: CommandFacts,
  args: string,
  t: T,
  notices: readonly string[],
): Asking {
  const text = expand(body, args, hint);
  const head = t("{mark} /{name} is a command of the user's ({file}); do what it says:", {
    mark: HOST_MARK,
    name,
    file,
  });
  const only = tools
    ? [t("(only these tools may be called in this turn: {names})", { names: tools.join(", ") })]
    : [];
  const unrun = wantsShell(body) ? [t("(what stands in !`…` was not run; run what you need)")] : [];
  return {
    typed: `${args}\n${text}`,
    behind: [[head, ...only, ...unrun, "", text].join("\n")],
    ...tools ? { tools } : {},
    notices,
  };
}

/** What is said of files that are left out. */
const tooMany = (left: readonly string[]) => ({
  n: left.length,
  most: FILES_AT_MOST,
  names: left.slice(0, 3).join(", ") + (left.length > 3 ? ", …" : ""),
});

function placesOf(
  { workspace, userDir }: CustomCommandsOptions,
): { places: Place[]; left: string[] } {
  const home = userDir && parentOf(userDir);
  const roots = [
    { dir: workspace, mark: "" },
    ...home === undefined || home === workspace ? [] : [{ dir: home, mark: "~/" }],
  ];
  const found: Place[] = [];
  const left: string[] = [];
  for (const { dir, mark } of roots) {
    for (const place of PLACES) {
      const here: Place[] = [];
      collect(under(dir, ...place.split("/")), mark + place, [], here);
      found.push(...here.slice(0, FILES_AT_MOST));
      left.push(...here.slice(FILES_AT_MOST).map(({ shown }) => shown));
    }
  }
  return { places: found, left };
}

/** The files below a folder; a folder stands before the name, with a colon between. */
function collect(dir: string, shown: string, above: readonly string[], found: Place[]): void {
  if (above.length >= DEPTH || !mayRead(dir)) return;
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(dir)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    return;
  }
  for (const entry of entries) {
    if (found.length >= COUNTED_AT_MOST) return;
    const path = under(dir, entry.name);
    const at = `${shown}/${entry.name.replaceAll(/\p{Cc}/gu, "?")}`;
    const stem = nameOf(entry.name.replace(/\.md$/, ""));
    if (entry.name.startsWith(".") || stem === "") continue;
    if (entry.isDirectory) collect(path, at, [...above, stem], found);
    else if (entry.name.endsWith(".md")) {
      found.push({ file: path, shown: at, name: [...above, stem].join(":") });
    }
  }
}

/** Such that a slash line can name it. */
const nameOf = (stem: string) =>
  stem.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").replaceAll(/^[^\p{L}]+|-+$/gu, "");

function stampOf(file: string): string {
  try {
    const { mtime, size, ino } = Deno.statSync(file);
    return `${mtime?.getTime()} ${size} ${ino}`;
  } catch {
    return "";
  }
}
