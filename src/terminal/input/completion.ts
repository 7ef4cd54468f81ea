import type { AutocompleteItem, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import { commandNamed } from "../../agent/lines/command_lines.ts";
import { mentionOf } from "../../agent/lines/mentions.ts";
import { plainLine } from "../../base/control_characters.ts";
import type { Choice, Command, SessionController } from "../../base/types.ts";
import { resolvePath } from "../../files/paths.ts";
import type { Searcher } from "../../search/mod.ts";
import type { Completer } from "./editor.ts";
import { hide, reveal } from "./pasted.ts";

/** How well a name answers to what was typed: 0 begins with it … 3 has its letters in order; undefined: not at all. Both in lower case. */
function fuzzyTier(typed: string, name: string, base = 0): number | undefined {
  const at = name.indexOf(typed, base);
  if (at === base) return 0;
  if (at > base) return 1;
  if (base > 0 && name.includes(typed)) return 2;
  let from = 0;
  for (const char of typed) {
    const found = name.indexOf(char, from);
    if (found < 0) return undefined;
    from = found + char.length;
  }
  return 3;
}

const NEWEST = 1000;
const NEWEST_WITHIN_MS = 3000;
/** A list that is older is made anew; what is known serves meanwhile. */
const FRESH_MS = 5000;
/** A key is answered between two slices. */
const SLICE_MS = 5;
const SLICE_PATHS = 256;
/** A search shall come to its end before it is worth another. */
const MORE_MS = 150;

/** Paths relative to the root, folders with a slash at their end. */
class PathList {
  readonly paths: string[] = [];
  readonly lower: string[] = [];
  readonly #folders = new Set<string>();

  add(files: readonly string[]): void {
    let parent = "";
    for (const file of files) {
      const folder = file.slice(0, file.lastIndexOf("/") + 1);
      if (folder !== parent) this.#addFolder(parent = folder);
      this.#push(file);
    }
  }

  #addFolder(folder: string): void {
    if (folder === "" || this.#folders.has(folder)) return;
    this.#folders.add(folder);
    this.#addFolder(folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1));
    this.#push(folder);
  }

  #push(path: string): void {
    this.paths.push(path);
    this.lower.push(path.toLowerCase());
  }
}

/** Knows the files under a root from a walk that begins with the first question. */
export class FileIndex {
  readonly #searcher: Pick<Searcher, "walk" | "glob">;
  readonly #root: string;
  readonly #now: () => number;
  readonly #over = new AbortController();
  #list = new PathList();
  /** How new a file is: 0 is the newest. */
  #ranks = new Map<string, number>();
  #walking = false;
  #walkedAt: number | undefined;
  #toldAt = -Infinity;
  /** Called when more is known than before. */
  onMore: () => void = () => {};

  constructor(searcher: Pick<Searcher, "walk" | "glob">, root: string, now: () => number) {
    this.#searcher = searcher;
    this.#root = root;
    this.#now = now;
  }

  /** Looks for files again, unless it has just done so. */
  refresh(): void {
    const age = this.#now() - (this.#walkedAt ?? -Infinity);
    if (this.#walking || age < FRESH_MS) return;
    this.#walking = true;
    void Promise.allSettled([this.#walk(), this.#rank()]).then(() => {
      this.#walking = false;
      this.#walkedAt = this.#now();
      this.onMore();
    });
  }

  /**
   * Resolves with the known paths that answer best to what was typed, the best first, of equal
   * ones the newest. Works in slices of some milliseconds; throws `signal.reason` when aborted.
   */
  async find(typed: string, limit: number, signal: AbortSignal): Promise<string[]> {
    const { paths, lower } = this.#list;
    const wanted = typed.toLowerCase();
    const best: { readonly path: string; readonly score: number }[] = [];
    const breathe = this.#breather();
    for (let i = 0; i < paths.length; i++) {
      if (i % SLICE_PATHS === 0 && await breathe()) signal.throwIfAborted();
      const score = this.#score(wanted, paths[i]!, lower[i]!);
      if (score >= (best.length < limit ? Infinity : best.at(-1)!.score)) continue;
      const at = best.findLastIndex((one) => one.score <= score) + 1;
      best.splice(at, 0, { path: paths[i]!, score });
      if (best.length > limit) best.pop();
    }
    return best.map(({ path }) => path);
  }

  close(): void {
    this.#over.abort();
  }

  #score(wanted: string, path: string, lower: string): number {
    // Within a folder its own files come first.
    const base = wanted.includes("/") ? 0 : lower.lastIndexOf("/", lower.length - 2) + 1;
    const tier = wanted === "" ? 0 : fuzzyTier(wanted, lower, base);
    if (tier === undefined || lower === wanted) return Infinity;
    const rank = this.#ranks.get(path) ?? NEWEST;
    return (tier * 10_000 + rank) * 10_000 + Math.min(path.length, 9999);
  }

  async #walk(): Promise<void> {
    const known = this.#list.paths.length > 0;
    const list = known ? new PathList() : this.#list;
    const breathe = this.#breather();
    for await (const files of this.#searcher.walk(this.#root, this.#over.signal)) {
      for (let at = 0; at < files.length; at += SLICE_PATHS) {
        list.add(files.slice(at, at + SLICE_PATHS));
        await breathe();
      }
      if (!known) this.#more();
    }
    this.#list = list;
  }

  async #rank(): Promise<void> {
    const { files } = await this.#searcher.glob({
      root: this.#root,
      patterns: ["**"],
      hidden: true,
      limit: NEWEST,
      deadlineMs: NEWEST_WITHIN_MS,
    }, this.#over.signal);
    this.#ranks = new Map(files.map((file, rank) => [file, rank]));
    this.#more();
  }

  #more(): void {
    if (this.#now() < this.#toldAt + MORE_MS) return;
    this.#toldAt = this.#now();
    this.onMore();
  }

  /** Lets others have their turn when a slice is over, and says whether it was. */
  #breather(): () => Promise<boolean> | false {
    let until = this.#now() + SLICE_MS;
    return () =>
      this.#now() > until && (async () => {
        await new Promise((resolve) => setTimeout(resolve));
        until = this.#now() + SLICE_MS;
        return true;
      })();
  }
}

const ENTRIES_LOOKED_AT = 2000;

/** Names in the folder of a path that is being typed (absolute, or from `~` or `..`), which begin as it ends; folders have a slash at their end. */
async function listOutside(
  typed: string,
  workspace: string,
  home: string | undefined,
  limit: number,
): Promise<string[]> {
  const cut = typed.lastIndexOf("/") + 1;
  const folder = typed.slice(0, cut);
  const start = typed.slice(cut).toLowerCase();
  const names: string[] = [];
  let seen = 0;
  for await (const { name, isDirectory } of Deno.readDir(resolvePath(folder, workspace, home))) {
    if (++seen > ENTRIES_LOOKED_AT) break;
    const hidden = name.startsWith(".") && !start.startsWith(".");
    if (!hidden && name.toLowerCase().startsWith(start)) {
      names.push(name + (isDirectory ? "/" : ""));
    }
  }
  return names.sort().slice(0, limit).map((name) => folder + name);
}

const FILES_SHOWN = 30;
const COMMAND = /^\/[\p{L}\p{N}_:-]*$/u;
const ARGUMENT = /^\/([\p{L}\p{N}_:-]+)[ ]+(\S*)$/u;
/** An `@path` that is being typed; see core/mentions.ts. A quote within it may be the name's. */
const MENTION = /(?<![\w.%+@/-])@(?:"((?:[^"\\]|\\["\\])*)|((?:[^\s"'`<>|@][^\s`<>|@]*)?))$/u;
/** A `$skill` that is being typed; see core/mentions.ts. */
const SKILL = /(?<![\w$\\])\$([\p{L}\p{N}][\p{L}\p{N}_.-]*)?$/u;
/** Not of the workspace: looked up where it lies. */
const OUTSIDE = /^(?:\/|~\/|\.\.\/)/;

type Found = AutocompleteSuggestions | null;

/** What can be completed: `/` commands with their help, their arguments, `@` paths and `$` skills. */
export class Completion implements Completer {
  readonly #commands: () => readonly Command[];
  readonly #controller: SessionController;
  readonly #files: FileIndex | undefined;
  readonly #home: string | undefined;
  /** What a command said when its argument was begun; it may have had to ask somebody. */
  #asked: { readonly command: Command; readonly choices: Promise<readonly Choice[]> } | undefined;

  constructor(
    { commands, controller, files, home }: {
      readonly commands: () => readonly Command[];
      readonly controller: SessionController;
      readonly files?: FileIndex | undefined;
      readonly home?: string | undefined;
    },
  ) {
    this.#commands = commands;
    this.#controller = controller;
    this.#files = files;
    this.#home = home;
  }

  wants(lines: readonly string[], row: number, column: number): boolean {
    const before = (lines[row] ?? "").slice(0, column);
    return row === 0 && (COMMAND.test(before) || this.#argumentOf(before) !== undefined) ||
      this.#files !== undefined && MENTION.test(before) || SKILL.test(before);
  }

  async getSuggestions(
    lines: string[],
    row: number,
    column: number,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Found> {
    const before = (lines[row] ?? "").slice(0, column);
    try {
      if (row === 0 && COMMAND.test(before)) {
        this.#asked = undefined;
        return this.#completeCommand(before);
      }
      if (row === 0) {
        const argument = this.#argumentOf(before);
        if (argument) return await this.#completeArgument(argument.command, argument.typed, signal);
      }
      return await this.#completePath(before, signal) ?? await this.#completeSkill(before, signal);
    } catch {
      // Aborted, or a source that fails: nothing to offer.
      return null;
    }
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    const before = line.slice(0, cursorCol - prefix.length) + hide(writtenAs(item, prefix));
    return {
      lines: lines.with(cursorLine, before + line.slice(cursorCol).trimStart()),
      cursorLine,
      cursorCol: before.length,
    };
  }

  shouldTriggerFileCompletion(lines: string[], row: number, column: number): boolean {
    return this.wants(lines, row, column);
  }

  #completeCommand(prefix: string): Found {
    const { t } = this.#controller;
    const named = ({ name, aliases = [] }: Command) => [name, ...aliases];
    const items = best(prefix.slice(1), this.#commands(), named).map(({ name, usage, help }) => ({
      value: `/${name}`,
      label: `/${name} ${usage?.(t) ?? ""}`.trimEnd(),
      description: help(t),
    }));
    return found(items, prefix);
  }

  #argumentOf(before: string): { command: Command; typed: string } | undefined {
    const [, name, typed = ""] = ARGUMENT.exec(before) ?? [];
    const command = commandNamed(name ?? "", this.#commands());
    return command?.complete && { command, typed };
  }

  async #completeArgument(command: Command, typed: string, signal: AbortSignal): Promise<Found> {
    if (this.#asked?.command !== command) {
      this.#asked = {
        command,
        choices: command.complete?.(this.#controller) ?? Promise.resolve([]),
      };
    }
    const choices = await orAborted(this.#asked.choices, signal);
    const items = choices.map(({ value, help }) => ({
      value,
      label: plainLine(value),
      description: plainLine(help),
    }));
    const matching = best(typed, items, ({ value, description }) => `${value} ${description}`);
    if (matching.length === 1 && matching[0]!.value === typed) return null;
    return found(matching, typed);
  }

  async #completeSkill(before: string, signal: AbortSignal): Promise<Found> {
    const [prefix, typed = ""] = SKILL.exec(before) ?? [];
    if (prefix === undefined) return null;
    const skills = await orAborted(this.#controller.skills(), signal);
    const items = skills.map(({ name, description }) => ({
      value: `$${name}`,
      label: plainLine(name),
      description: plainLine(description),
    }));
    const matching = best(typed, items, ({ label }) => label);
    if (matching.length === 1 && matching[0]!.label === typed) return null;
    return found(matching, prefix);
  }

  async #completePath(before: string, signal: AbortSignal): Promise<Found> {
    const match = MENTION.exec(before);
    if (!match || !this.#files) return null;
    const [prefix, quoted, bare = ""] = match;
    const typed = reveal(quoted?.replace(/\\(["\\])/g, "$1") ?? bare);
    const outside = OUTSIDE.test(typed);
    if (!outside) this.#files.refresh();
    const paths = outside
      ? await listOutside(typed, this.#controller.workspace, this.#home, FILES_SHOWN)
      : await this.#files.find(typed.replace(/^(?:\.\/)+/, ""), FILES_SHOWN, signal);
    const items = paths
      .filter((path) => mentionOf(path) !== undefined)
      .map((path) => ({ value: path, label: plainLine(path) }));
    return found([...this.#resources(typed), ...items], prefix);
  }

  /** What servers let be read; before its colon, the servers that do. */
  #resources(typed: string): AutocompleteItem[] {
    const all = this.#controller.servers.resources();
    if (typed === "" || all.length === 0) return [];
    if (!typed.includes(":")) {
      const names = [...new Set(all.map(({ server }) => server))];
      return names.filter((name) => name.startsWith(typed))
        .map((name) => ({ value: `${RESOURCE}${name}:`, label: `${name}:` }));
    }
    const items = all.map(({ server, uri, name }) => ({
      value: `${RESOURCE}${server}:${uri}`,
      label: plainLine(`${server}:${uri}`),
      // beside a description there is little room for an address
      ...uri.includes(name) ? {} : { description: plainLine(name) },
    }));
    const [server] = typed.split(":", 1);
    const matching = best(
      typed,
      items.filter(({ label }) => label.startsWith(`${server}:`)),
      ({ label, description = "" }) => `${label} ${description}`,
    );
    return matching.length === 1 && matching[0]!.label === typed
      ? []
      : matching.slice(0, FILES_SHOWN);
  }
}

/** Tells a resource's value from a file's, which may have a colon too. */
const RESOURCE = "\0";

/** How a chosen item is written; after a folder, a server and a template one goes on typing. */
function writtenAs({ value }: AutocompleteItem, prefix: string): string {
  if (!prefix.startsWith("@")) return `${value} `;
  if (value.startsWith(RESOURCE)) {
    const name = value.slice(RESOURCE.length);
    const written = /[\s"'`<>|@]/.test(name) ? mentionOf(name) ?? name : `@${name}`;
    return /:$|\{\w+\}/.test(name) ? written : `${written} `;
  }
  const written = mentionOf(value) ?? value;
  return value.endsWith("/") ? written.replace(/"$/, "") : `${written} `;
}

function found(items: AutocompleteItem[], prefix: string): Found {
  return items.length === 0 ? null : { items, prefix };
}

/** Rejects as soon as `signal` says so, whatever `promise` waits for. */
function orAborted<V>(promise: Promise<V>, signal: AbortSignal): Promise<V> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

/** The items that answer to what was typed, the best first. */
function best<V>(
  typed: string,
  items: readonly V[],
  namesOf: (item: V) => string | readonly string[],
): V[] {
  const wanted = typed.toLowerCase();
  const tierOf = (name: string) => fuzzyTier(wanted, name.toLowerCase()) ?? Infinity;
  return items
    .map((item) => ({ item, tier: Math.min(...[namesOf(item)].flat().map(tierOf)) }))
    .filter(({ tier }) => tier < Infinity)
    .sort((a, b) => a.tier - b.tier)
    .map(({ item }) => item);
}
