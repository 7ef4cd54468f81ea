/**
 * Slash commands that a project or a user has written: a prompt a file, with front matter that says
 * what it may do.
 */
import { bodyOf, frontOf } from "../../base/front_matter.ts";
import { truncate, wordsOf } from "../../base/strings.ts";
import { HOST_MARK, type T } from "../../base/t.ts";
import type { Asking, Command } from "../../base/types.ts";
import { under } from "../../base/path.ts";
import { mayRead, parentOf, readInstructions } from "../../context/files.ts";
import { cutNote } from "../../context/part.ts";

/** What the file says. */
interface CommandFacts {
  /** One line; empty where the file gives none. */
  readonly description: string;
  /** What may stand behind the name; empty where the file does not say. */
  readonly hint: string;
  /** The only tools of its turn; undefined for all. */
  readonly tools: readonly string[] | undefined;
  /** It names a model, which is not taken. */
  readonly model: boolean;
  /** Its front matter never ends: nobody knows what it restricts itself to. */
  readonly unclosed?: true;
  readonly body: string;
}

const DESCRIPTION_CHARS = 120;
/** Lines that others run before they ask; what stands between is not run here. */
const SHELL = /!`[^`\n]+`/;

/** Reads a file. The front matter need not be YAML: `argument-hint: [a] [b]` is none, and usual. */
export function commandFacts(text: string): CommandFacts {
  const fence = frontOf(text);
  const front = valuesOf(fence ?? "");
  const body = bodyOf(text);
  const described = front.get("description") ?? "";
  const tools = listed(front.get("allowed-tools") ?? front.get("tools") ?? "");
  return {
    description: clipped(described === "" ? titleOf(body) : described),
    hint: clipped(front.get("argument-hint") || front.get("arguments") || ""),
    tools: tools.length === 0 ? undefined : tools,
    model: !/^(?:|inherit)$/.test(front.get("model") ?? ""),
    ...fence === undefined ? { unclosed: true } : {},
    body,
  };
}

/** Whether the text has commands in it that would have to be run first. */
const wantsShell = (body: string): boolean => SHELL.test(body);

/**
 * The body with what was typed behind the name in its places; what is put in is not read again. A
 * place that may mean something else (code, a price) stays as it is: the model reads the line, too.
 */
export function expand(body: string, args: string, hint = ""): string {
  const words = wordsOf(args);
  const most = lastPlace(body, words.length, hint);
  let fence = "";
  return body.split("\n").map((line) => {
    const mark = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line)?.[1];
    const code = fence !== "" || mark !== undefined;
    if (fence === "") fence = mark ?? "";
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = "";
    const programs = code ? [] : [...line.matchAll(AWK)].map(spanOf);
    return line.replace(PLACE, (found, whole, nth, place, at) => {
      if (whole !== undefined) return nth === undefined ? args : words[Number(nth)] ?? "";
      const other = code || Number(place) > most || programs.some(([a, b]) => at >= a && at < b);
      return other ? found : words[Number(place) - 1] ?? "";
    });
  }).join("\n");
}

/** `$ARGUMENTS`, `$ARGUMENTS[0]`; or a place that is no price and no part of another word. */
const PLACE =
  /\$(ARGUMENTS)(?:\[(\d)\]|(?![A-Za-z_]))|(?<![\\$])\$([1-9])(?!\d|[.,]\d|[KMBkmb]\b|bn\b|[-–]\$?\d|\+|\/(?:mo|month|y|yr|year|h|hr|hour|d|day|user|seat|[KMGT]B)\b|\s*(?:[KMB]|million|billion|trillion|thousand|USD)\b)/g;
/** A program in quotes, which has fields of its own. */
const AWK = /\b(?:[gmn]?awk|sed|perl)\b[^'"\n]*(?:'[^']*'?|"[^"]*"?)/g;
const spanOf = ({ index, 0: text }: RegExpMatchArray) => [index!, index! + text.length] as const;

/** Up to which place the text means arguments: as many as the file announces, or without a gap from the first. */
function lastPlace(body: string, typed: number, hint: string): number {
  if (hint === "" && (typed === 0 || body.includes("$ARGUMENTS"))) return 0;
  const used = new Set([...body.matchAll(PLACE)].map(([, , , place]) => Number(place)));
  let most = 0;
  while (used.has(most + 1)) most++;
  const announced = hint.split(/\s+/).filter((word) => word !== "").length;
  return hint === "" ? Math.min(most, typed) : Math.max(most, Math.min(announced, 9));
}

/** The outermost keys of a front matter with their values as text; the items of a list a line each. */
function valuesOf(front: string): Map<string, string> {
  const values = new Map<string, string>();
  let key = "";
  for (const line of front.split(/\r?\n/)) {
    const [, name, value = ""] = /^([A-Za-z][\w-]*)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      key = name.toLowerCase().replaceAll("_", "-");
      values.set(key, /^[>|][+-]?$/.test(value.trim()) ? "" : unquoted(value.trim()));
    } else if (key !== "" && /^\s*-\s|^\s+\S/.test(line)) {
      const more = unquoted(line.trim().replace(/^-\s+/, ""));
      values.set(key, [values.get(key), more].filter((part) => part).join("\n"));
    }
  }
  return values;
}

const unquoted = (text: string) => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

/** Names of tools; `Bash(git *)` names Bash. */
function listed(text: string): string[] {
  const flat = text.replaceAll(/(?:^|\s)#.*$/gm, "").replace(/^\[(.*)\]$/s, "$1").replaceAll(
    /\([^()]*\)/g,
    "",
  );
  const names = flat.split(/[,\s]+/).map((name) => unquoted(name)).filter((name) => name !== "");
  return names.includes("*") ? [] : [...new Set(names)];
}

/** The first line that says something. */
const titleOf = (body: string) =>
  body.split("\n").map((line) => line.replace(/^#+\s*/, "").trim()).find((line) => line !== "") ??
    "";

function clipped(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return truncate(line, DESCRIPTION_CHARS).toWellFormed();
}

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
