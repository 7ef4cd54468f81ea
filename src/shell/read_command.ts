/** Reads a shell command and names every program that it would run, wrappers peeled. */
import { basename, resolve } from "node:path";
import { commandsInCode } from "./code.ts";
import { type Inner, innerOf } from "./layers.ts";
import { produce } from "./produce.ts";
import {
  type CommandNode,
  eachChild,
  type FunctionNode,
  type Node,
  parseScript,
  type Redirection,
  type WordNode,
  wordsOf,
} from "./syntax.ts";
import {
  type Arg,
  expandBody,
  expandUnsplit,
  expandWords,
  globSource,
  hasMarks,
  type Names,
  plainArg,
  TooComplexError,
  UNKNOWN,
} from "./words.ts";

/** One program that a command would run. */
export interface Invocation {
  /** Base name, lower case, without `.exe`; empty for a command of redirections only. */
  readonly name: string;
  /** Arguments after the name. */
  readonly args: readonly Arg[];
  /** The name was completed from a wildcard, or stands in a string of some program's code. */
  readonly guessed: boolean;
  /** Something is piped or redirected into it, or it has a terminal of its own. */
  readonly hasInput: boolean;
  /** That input, where the text tells. */
  readonly stdin: string | undefined;
  /** Files that `>` empties before it runs. */
  readonly truncates: readonly Arg[];
  /** Environment assignments before the command. */
  readonly assigns: ReadonlySet<string>;
  /** Something ends it: `timeout`, a reader behind it, or the shell does not wait for it. */
  readonly bounded: boolean;
  /** Folder in which it runs; undefined when not known or not on this machine. */
  readonly cwd: string | undefined;
}

export interface Reading {
  readonly invocations: readonly Invocation[];
  /** The text is not shell, or has more layers or readings than are worth following. */
  readonly doubtful: boolean;
  /** A function that starts itself twice. */
  readonly forkBomb: boolean;
}

interface Input {
  readonly has: boolean;
  readonly text: string | undefined;
}

const MAX_DEPTH = 40;
const MAX_STEPS = 100_000;
const NO_INPUT: Input = { has: false, text: undefined };
/** Variables whose value some program runs as a command. */
const COMMAND_VARIABLE = /(_COMMAND|EDITOR|PAGER|ASKPASS|BROWSER|_SSH|BASH_ENV)$/;

/**
 * Reads `command` as bash would. `guesses` are the program names that a wildcard or a half-known
 * name is completed to.
 */
export function readCommand(
  command: string,
  options: { cwd: string; home?: string | undefined; guesses: readonly string[] },
): Reading {
  return new Reader(options).read(command);
}

class Reader {
  readonly #invocations: Invocation[] = [];
  readonly #functions = new Map<string, FunctionNode[]>();
  readonly #aliases = new Map<string, string[]>();
  readonly #written = new Map<string, string[]>();
  readonly #calls: string[] = [];
  readonly #sources: string[] = [];
  readonly #guesses: readonly string[];
  #cwd: string | undefined;
  #doubtful = false;
  #forkBomb = false;
  #inCode = false;
  #bounded = false;
  #depth = 0;
  #steps = 0;
  #names: Names;

  constructor(options: { cwd: string; home?: string | undefined; guesses: readonly string[] }) {
    this.#cwd = options.cwd;
    this.#guesses = options.guesses;
    const variables: Names["variables"] = new Map([
      ["PWD", [options.cwd]],
      ["IFS", [" \t\n"]],
      ["SHELL", ["/bin/bash"]],
      ["BASH", ["/bin/bash"]],
      // narnat itself; stays as written, so that a rule can know it
      ["PPID", ["$PPID"]],
    ]);
    if (options.home !== undefined) variables.set("HOME", [options.home]);
    this.#names = {
      variables,
      positional: [],
      self: "bash",
      shifts: false,
      outputs: (script) => this.#outputs(script),
    };
  }

  read(command: string): Reading {
    try {
      this.#script(command);
    } catch (error) {
      // A stack overflow is a RangeError: too deep to follow.
      if (!(error instanceof TooComplexError || error instanceof RangeError)) throw error;
      this.#doubtful = true;
    }
    return {
      invocations: this.#invocations,
      doubtful: this.#doubtful,
      forkBomb: this.#forkBomb,
    };
  }

  #script(source: string): void {
    // A text that comes back to itself is being followed already.
    if (this.#sources.includes(source)) return;
    if (++this.#depth > MAX_DEPTH) throw new TooComplexError("too many layers");
    this.#sources.push(source);
    const script = parseScript(source);
    this.#collect(script);
    for (const statement of script.commands) this.#walk(statement, NO_INPUT);
    if (script.errors?.length) this.#doubtful = true;
    this.#sources.pop();
    this.#depth--;
  }

  /** Notes what the script says about its names before anything in it is followed. */
  #collect(node: Node): void {
    if (node.type === "Assignment") {
      this.#assign(
        node.name,
        node.value.type === "ArrayValue"
          ? expandWords(node.value.elements, this.#names)
            .map((row) => row.map((arg) => arg.text.replace(/^\[[^\]]*\]=/, "")))
          : expandUnsplit(node.value, this.#names),
        node.append === true,
      );
    } else if (node.type === "For" || node.type === "Select") {
      const rows = node.wordlist ? expandWords(node.wordlist, this.#names) : [[]];
      this.#assign(node.name.value, [...new Set(rows.flat().map((arg) => arg.text))]);
      if (!node.wordlist) this.#assign(node.name.value, [...this.#names.positional ?? [UNKNOWN]]);
    } else if (node.type === "Function") {
      push(this.#functions, node.name.value, node);
      if (startsItselfTwice(node)) this.#forkBomb = true;
    } else if (node.type === "Command") {
      this.#collectCommand(node);
    } else if (node.type === "Script" && node.errors?.length) {
      this.#doubtful = true;
    }
    eachChild(node, (child) => this.#collect(child));
  }

  #collectCommand(node: CommandNode): void {
    const name = node.name?.value;
    const declares = /^(alias|export|declare|typeset|local|readonly)$/.test(name ?? "");
    if (!declares && !/^(read|mapfile|readarray|printf|set|shift)$/.test(name ?? "")) {
      return;
    }
    if (name === "shift") {
      this.#names = { ...this.#names, shifts: true };
      return;
    }
    for (const row of expandWords(wordsOf(node).slice(1), this.#names)) {
      const texts = row.map((arg) => arg.text);
      if (declares) {
        for (const text of texts) {
          const at = text.indexOf("=");
          if (at <= 0) continue;
          if (name === "alias") push(this.#aliases, text.slice(0, at), text.slice(at + 1));
          else this.#assign(text.slice(0, at), [text.slice(at + 1)]);
        }
      } else if (name === "printf" && texts[0] === "-v") {
        this.#assign(texts[1] ?? "", [produce("printf", row.slice(2), undefined) ?? UNKNOWN]);
      } else if (name === "mapfile" || name === "readarray") {
        const given = this.#input(node.redirects, NO_INPUT).text?.trimEnd() ?? UNKNOWN;
        this.#assign(texts.findLast((text) => !text.startsWith("-")) ?? "MAPFILE", [
          given.split("\n"),
        ]);
      } else if (name === "read") {
        const given = this.#input(node.redirects, NO_INPUT).text?.trim() ?? UNKNOWN;
        const variables = texts.filter((text) => !text.startsWith("-"));
        const fields = given.split(/\s+/);
        variables.forEach((variable, i) => {
          const last = i === variables.length - 1;
          this.#assign(variable, [(last ? fields.slice(i).join(" ") : fields[i]) ?? ""]);
        });
      } else if (name === "set" && texts.includes("--")) {
        const positional = texts.slice(texts.indexOf("--") + 1);
        this.#names = { ...this.#names, positional };
      }
    }
    // alias x='rm -rf' may be read as an assignment.
    if (name !== "alias") return;
    for (const item of node.suffix) {
      if (item.type !== "Assignment" || item.value.type !== "Word") continue;
      for (const text of expandUnsplit(item.value, this.#names)) {
        push(this.#aliases, item.name, text);
      }
    }
  }

  #assign(name: string, values: readonly (string | readonly string[])[], append = false): void {
    const before = this.#names.variables.get(name) ?? [];
    const added = append
      ? before.flatMap((old) =>
        values.map((value) =>
          typeof old === "string" && typeof value === "string"
            ? old + value
            : [...[old].flat(), ...[value].flat()]
        )
      )
      : values;
    const all = [...before, ...(append && before.length === 0 ? values : added)];
    const unique = [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
    this.#names.variables.set(name, unique);
  }

  #walk(node: Node, input: Input): void {
    switch (node.type) {
      case "Command":
        return this.#command(node, input);
      case "Pipeline": {
        let given = input;
        const before = this.#bounded;
        node.commands.forEach((part, i) => {
          this.#bounded = before || i < node.commands.length - 1;
          this.#walk(part, given);
          given = { has: true, text: this.#output(part, given) };
        });
        this.#bounded = before;
        return;
      }
      case "Statement": {
        const before = this.#bounded;
        this.#bounded ||= node.background === true;
        eachChild(node, (child) => this.#walk(child, input));
        this.#bounded = before;
        return;
      }
      case "Function":
        return;
      case "Redirected": {
        for (const redirect of node.redirects) this.#walk(redirect, NO_INPUT);
        return this.#walk(node.command, this.#input(node.redirects, input));
      }
      case "Script":
      case "Subshell": {
        const before = this.#cwd;
        eachChild(node, (child) => this.#walk(child, node.type === "Script" ? NO_INPUT : input));
        this.#cwd = before;
        return;
      }
      default:
        eachChild(node, (child) => this.#walk(child, input));
    }
  }

  #command(node: CommandNode, given: Input): void {
    eachChild(node, (child) => this.#walk(child, NO_INPUT));
    const input = this.#input(node.redirects, given);
    const truncates = node.redirects.flatMap((redirect) =>
      redirect.type === "Redirect" && /^(>|>\||&>)$/.test(redirect.operator) && redirect.target
        ? expandWords([redirect.target], this.#names).flat()
        : []
    );
    const assigns = new Set<string>();
    for (const item of node.prefix) {
      if (item.type !== "Assignment") continue;
      assigns.add(item.name);
      if (COMMAND_VARIABLE.test(item.name) && item.value.type === "Word") {
        for (const source of expandUnsplit(item.value, this.#names)) this.#quoted(source);
      }
    }
    const words = wordsOf(node);
    const files = words.flatMap((word) => this.#substituted(word));
    for (const argv of expandWords(words, this.#names)) {
      this.#run(argv, { input, truncates, assigns, files });
    }
    this.#noteWritten(node, input);
  }

  #run(argv: readonly Arg[], how: How): void {
    if (++this.#steps > MAX_STEPS) throw new TooComplexError("too many commands");
    const [first, ...args] = argv;
    if (!first) {
      if (how.truncates.length > 0) this.#emit("", [], how, false);
      return;
    }
    if (first.text === UNKNOWN) this.#run(args, { ...how, truncates: [] });
    if (hasMarks(first.text)) {
      for (const guess of this.#complete(first.text)) this.#follow(guess, args, how, true);
      return;
    }
    const name = programName(first.text);
    if (!how.plain && !first.text.includes("/")) {
      const bodies = this.#functions.get(first.text);
      if (bodies) return this.#call(first.text, bodies, args, how);
      for (const alias of this.#aliases.get(first.text) ?? []) this.#alias(first.text, alias, args);
    }
    this.#follow(name, args, how, false, first.text);
  }

  #follow(name: string, args: readonly Arg[], how: How, guessed: boolean, written = ""): void {
    this.#emit(name, args, how, guessed);
    const files = [...how.files, ...this.#writtenFiles([plainArg(written), ...args.slice(0, 3)])];
    const layer = { name, args, stdin: how.input.text, files };
    const inners = innerOf(layer);
    if (files.length > 0 && written.includes("/")) {
      inners.push(
        ...this.#writtenFiles([plainArg(written)]).map((source): Inner => ({
          kind: "shell",
          source,
        })),
      );
    }
    for (const inner of inners) {
      const before = { cwd: this.#cwd, names: this.#names, bounded: this.#bounded };
      if (inner.remote) this.#cwd = undefined;
      if (/^g?timeout$/.test(name)) this.#bounded = true;
      if (inner.kind === "argv") {
        if (++this.#depth > MAX_DEPTH) throw new TooComplexError("too many layers");
        const input = inner.terminal ? { ...how.input, has: true } : how.input;
        this.#run(inner.argv, { ...how, input, truncates: [], files: [], plain: name !== "time" });
        this.#depth--;
      } else {
        if (inner.positional) {
          this.#names = {
            ...this.#names,
            positional: inner.positional,
            self: inner.self ?? this.#names.self,
          };
        }
        this.#script(inner.source);
      }
      if (inner.remote || !/^(eval|\.|source)$/.test(name)) this.#cwd = before.cwd;
      this.#names = before.names;
      this.#bounded = before.bounded;
    }
    for (const source of commandsInCode(layer)) this.#quoted(source);
    if (name === "cd" || name === "pushd") this.#enter(args);
  }

  /** A text that another program may start: perhaps a command, perhaps not even shell. */
  #quoted(source: string): void {
    const before = { doubtful: this.#doubtful, inCode: this.#inCode, cwd: this.#cwd };
    this.#inCode = true;
    this.#script(source);
    this.#doubtful = before.doubtful;
    this.#inCode = before.inCode;
    this.#cwd = before.cwd;
  }

  #call(name: string, bodies: readonly FunctionNode[], args: readonly Arg[], how: How): void {
    if (this.#calls.includes(name)) return;
    if (++this.#depth > MAX_DEPTH) throw new TooComplexError("too many layers");
    this.#calls.push(name);
    const before = this.#names;
    const variables = new Map(before.variables);
    for (const body of bodies) {
      this.#names = { ...before, variables, positional: args.map((arg) => arg.text) };
      this.#collect(body.body);
      this.#walk(body.body, how.input);
    }
    this.#names = before;
    this.#calls.pop();
    this.#depth--;
  }

  #alias(name: string, alias: string, args: readonly Arg[]): void {
    if (this.#calls.includes(name)) return;
    this.#calls.push(name);
    this.#script(`${alias} ${args.map((arg) => arg.text).join(" ")}`);
    this.#calls.pop();
  }

  #emit(name: string, args: readonly Arg[], how: How, guessed: boolean): void {
    this.#invocations.push({
      name,
      args,
      guessed: guessed || this.#inCode,
      hasInput: how.input.has,
      stdin: how.input.text,
      truncates: how.truncates,
      assigns: how.assigns,
      bounded: this.#bounded,
      cwd: this.#cwd,
    });
  }

  /** The guessable names that a half-known name can stand for; a name without one letter stands for none. */
  #complete(text: string): string[] {
    const base = text.slice(text.lastIndexOf("/") + 1);
    if (!hasMarks(base)) return [programName(base)];
    if ([...base].every(hasMarks)) return [];
    const pattern = new RegExp(`^${globSource(base)}$`, "is");
    return this.#guesses.filter((name) => pattern.test(name));
  }

  #enter(args: readonly Arg[]): void {
    const target = args.find((arg) => arg.text === "-" || !arg.text.startsWith("-"))?.text;
    const home = this.#names.variables.get("HOME")?.[0];
    const folder = target ?? (typeof home === "string" ? home : undefined);
    const known = folder !== undefined && folder !== "-" && !hasMarks(folder);
    this.#cwd = known && this.#cwd !== undefined ? resolve(this.#cwd, folder) : undefined;
  }

  #input(redirects: readonly Redirection[], given: Input): Input {
    let input = given;
    for (const redirect of redirects) {
      if (redirect.type === "HereString" && redirect.target) {
        const [text, ...more] = expandUnsplit(redirect.target, this.#names);
        input = { has: true, text: more.length > 0 ? undefined : `${text}\n` };
      } else if (redirect.type === "HereDoc") {
        const { text, parts } = redirect.body;
        const [body, ...more] = expandBody(text, parts, this.#names);
        input = { has: true, text: more.length > 0 ? undefined : body };
      } else if (redirect.type === "Redirect" && /^<>?$/.test(redirect.operator)) {
        const [target] = redirect.target ? expandUnsplit(redirect.target, this.#names) : [];
        const substituted = redirect.target ? this.#substituted(redirect.target)[0] : undefined;
        const text = substituted ?? this.#written.get(fileKey(target ?? ""))?.join("");
        input = { has: target !== "/dev/null" && target !== "/dev/tty", text };
      }
    }
    return input;
  }

  /** The texts behind a word's `<(…)`, where the text tells. */
  #substituted(word: WordNode): string[] {
    return (word.parts ?? []).flatMap((part) =>
      part.type === "ProcessSubstitution" && part.operator === "<" && part.script
        ? this.#outputs(part.script)
        : []
    ).filter((text) => text !== UNKNOWN);
  }

  #outputs(script: Node): string[] {
    if (script.type !== "Script") return [UNKNOWN];
    return [script.commands.map((one) => this.#output(one, NO_INPUT) ?? UNKNOWN).join("")];
  }

  /** What a node prints, where the text tells. */
  #output(node: Node, given: Input): string | undefined {
    switch (node.type) {
      case "Statement":
        return this.#output(node.command, given);
      case "AndOr":
        return node.commands.map((one) => this.#output(one, given) ?? UNKNOWN).join("");
      case "Pipeline": {
        let input = given;
        for (const part of node.commands) {
          input = { has: true, text: this.#output(part, input) };
        }
        return input.text;
      }
      case "BraceGroup":
      case "Subshell":
        return node.body.commands.map((one) => this.#output(one, given) ?? UNKNOWN).join("");
      case "Command": {
        const [argv, ...more] = expandWords(wordsOf(node), this.#names);
        if (more.length > 0 || !argv) return undefined;
        const name = argv[0] ? programName(argv[0].text) : "";
        return produce(name, argv.slice(1), this.#input(node.redirects, given).text);
      }
      default:
        return undefined;
    }
  }

  /** Remembers a script that this command line writes, for when it is run further on. */
  #noteWritten(node: CommandNode, given: Input): void {
    const name = node.name?.value;
    if (name !== "cat" && name !== "echo" && name !== "printf" && name !== "tee") return;
    const targets = node.redirects.flatMap((redirect) =>
      redirect.type === "Redirect" && redirect.operator.startsWith(">") && redirect.target
        ? expandUnsplit(redirect.target, this.#names)
        : []
    );
    if (name === "tee") targets.push(...wordsOf(node).slice(1).map((word) => word.value));
    if (targets.length === 0) return;
    const text = this.#output(node, given);
    if (text === undefined) return;
    const appends = name === "tee" || node.redirects.some((one) => one.operator === ">>");
    for (const target of targets) {
      const before = appends ? this.#written.get(fileKey(target)) ?? [] : [];
      this.#written.set(fileKey(target), [...before, text]);
    }
  }

  #writtenFiles(args: readonly Arg[]): string[] {
    return args.flatMap((arg) => this.#written.get(fileKey(arg.text))?.join("") ?? []);
  }
}

interface How {
  readonly input: Input;
  readonly truncates: readonly Arg[];
  readonly assigns: ReadonlySet<string>;
  readonly files: readonly string[];
  /** Run by a program, so functions and aliases are not looked up. */
  readonly plain?: boolean;
}

/** Base name in lower case, without `.exe`; understands both kinds of slashes. */
export function programName(text: string): string {
  return basename(text.replaceAll("\\", "/")).toLowerCase().replace(/\.exe$/, "");
}

function startsItselfTwice(node: FunctionNode): boolean {
  let calls = 0;
  let spawns = false;
  const visit = (child: Node) => {
    if (child.type === "Command" && child.name?.value === node.name.value) calls++;
    if (child.type === "Pipeline" || (child.type === "Statement" && child.background)) {
      spawns = true;
    }
    eachChild(child, visit);
  };
  visit(node.body);
  return calls >= 2 && spawns;
}

function fileKey(path: string): string {
  return path.replace(/^(\.\/)+/, "");
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
