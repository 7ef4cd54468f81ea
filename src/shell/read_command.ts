/** Reads a shell command and names every program that it would run, wrappers peeled. */
import { resolve } from "node:path";
import { commandsInCode } from "./code.ts";
import { type Invocation, programName } from "./invocation.ts";
import { gitVerb } from "./git_rules.ts";
import { gitAlias, type Inner, innerOf, type Layer } from "./layers.ts";
import { findLostExits } from "./lost_exit.ts";
import { projectScripts } from "./project_files.ts";
import { ScriptNames } from "./script_names.ts";
import { type Input, NO_INPUT } from "./script_texts.ts";
import {
  type CommandNode,
  eachChild,
  type FunctionNode,
  type Node,
  parseScript,
  type Redirection,
  TooComplexError,
  type WordNode,
  wordsOf,
} from "./syntax.ts";
import {
  type Arg,
  expandUnsplit,
  expandWords,
  globSource,
  hasMarks,
  plainArg,
  UNKNOWN,
} from "./words.ts";
import { handedTexts, tailsOf } from "./tails.ts";
import { SHELLS } from "./wrappers.ts";

export type { Invocation };

export interface Reading {
  readonly invocations: readonly Invocation[];
  /** The text is not shell, or has more layers or readings than are worth following. */
  readonly doubtful: boolean;
  /** A function that starts itself twice. */
  readonly forkBomb: boolean;
}

const MAX_DEPTH = 40;
const MAX_STEPS = 100_000;
/** Characters of script, those of all layers together. */
const MAX_READ = 1_500_000;
/** How often a text or a function may stand inside itself with other arguments. */
const MAX_RETURNS = 4;
/** Longest path that a system takes; a folder beyond it cannot be entered. */
const MAX_PATH = 4096;
/** Programs whose exit is not that of what they start. */
const KEEPS_EXIT = /^(find|fd|fdfind|trap|script|entr|nodemon|watchexec|at)$/;
/** Variables whose value some program runs as a command. */
const COMMAND_VARIABLE =
  /(_COMMAND|EDITOR|VISUAL|PAGER|ASKPASS|BROWSER|_SSH|BASH_ENV|LESSOPEN|LESSCLOSE|_EXTERNAL_DIFF|GIT_CONFIG_VALUE_\d+)$/;
/** Programs whose arguments are files that they print again, changed. */
const READERS = new Set(
  ("cat tac sort uniq sed gsed awk gawk mawk grep egrep fgrep rg tr cut paste head tail nl rev fmt fold" +
    " expand unexpand column join comm jq yq xmllint iconv envsubst base64 xxd od").split(" "),
);
/** A prompt, or a subscript: the shell expands what stands in it once more. */
const EXPANDED_AGAIN = /^PS[0-4]=|\w\[[^]*(?:\$\(|`)/;
/** Builtins that evaluate subscripts. */
const SUBSCRIPTS =
  /^(?:let|declare|typeset|local|export|readonly|test|\[|printf|read|unset|mapfile|wait)$/;

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

/** What is being followed: its name or text, and that together with its arguments. */
type Followed = readonly [name: string, key: string];

class Reader {
  readonly #invocations: Invocation[] = [];
  readonly #known: ScriptNames;
  readonly #calls: Followed[] = [];
  readonly #sources: Followed[] = [];
  readonly #guesses: readonly string[];
  #cwd: string | undefined;
  #inCode = false;
  #inTail = false;
  #bounded = false;
  readonly #lost = new Set<Node>();
  #untold = false;
  #upstream: readonly string[] = [];
  #depth = 0;
  #steps = 0;
  #read = 0;

  constructor(options: { cwd: string; home?: string | undefined; guesses: readonly string[] }) {
    this.#cwd = options.cwd;
    this.#guesses = options.guesses;
    this.#known = new ScriptNames(options);
  }

  read(command: string): Reading {
    try {
      this.#script(command);
    } catch (error) {
      // A stack overflow is a RangeError: too deep to follow.
      if (!(error instanceof TooComplexError || error instanceof RangeError)) throw error;
      this.#known.doubtful = true;
    }
    return {
      invocations: this.#invocations,
      doubtful: this.#known.doubtful,
      forkBomb: this.#known.forkBomb,
    };
  }

  #script(source: string, options: readonly string[] = [], input: Input = NO_INPUT): void {
    const key = JSON.stringify([source, this.#known.names.positional, input]);
    if (this.#isFollowed(this.#sources, source, key)) return;
    if (++this.#depth > MAX_DEPTH) throw new TooComplexError("too many layers");
    this.#read += source.length;
    if (this.#read > MAX_READ) throw new TooComplexError("too much text");
    this.#sources.push([source, key]);
    const script = parseScript(source);
    findLostExits(script, options, this.#lost);
    this.#known.collect(script);
    for (const statement of script.commands) this.#walk(statement, input);
    if (script.errors?.length) this.#known.doubtful = true;
    this.#sources.pop();
    this.#depth--;
  }

  #walk(node: Node, input: Input): void {
    switch (node.type) {
      case "Command":
        return this.#command(node, input);
      case "Pipeline": {
        let given = input;
        const [before, upstream] = [this.#bounded, this.#upstream];
        node.commands.forEach((part, i) => {
          this.#bounded = before || i < node.commands.length - 1;
          this.#walk(part, given);
          given = this.#known.texts.piped(part, given);
          this.#upstream = [...this.#upstream, ...this.#filesRead(part)];
        });
        this.#bounded = before;
        this.#upstream = upstream;
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
        // bash itself calls it
        if (node.name.value === "command_not_found_handle") this.#walk(node.body, NO_INPUT);
        return;
      case "TestCommand":
        eachWord(node, (word) => {
          for (const text of expandUnsplit(word, this.#known.names)) {
            if (EXPANDED_AGAIN.test(text)) this.#expanded(text);
          }
        });
        return eachChild(node, (child) => this.#walk(child, input));
      case "Redirected": {
        for (const redirect of node.redirects) this.#walk(redirect, NO_INPUT);
        const truncates = this.#truncated(node.redirects);
        if (truncates.length > 0 && this.#known.texts.output(node.command, input) === "") {
          const how = { input, truncates, assigns: new Set<string>(), files: [] };
          this.#emit("", [], how, false);
        }
        this.#walk(node.command, this.#known.texts.input(node.redirects, input));
        return this.#known.texts.noteWritten(node.command, node.redirects, input);
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
    const input = this.#known.texts.input(node.redirects, given);
    const truncates = this.#truncated(node.redirects);
    const assigns = new Set<string>();
    for (const item of [...node.prefix, ...node.suffix]) {
      if (item.type !== "Assignment") continue;
      assigns.add(item.name);
      if (item.value.type !== "Word") continue;
      for (const text of expandUnsplit(item.value, this.#known.names)) {
        this.#assigned(item.name, text);
      }
    }
    const words = wordsOf(node);
    const disguised = words.some((word) => this.#known.texts.isDisguised(word));
    const files = words.flatMap((word) => this.#known.texts.substituted(word));
    const before = this.#untold;
    this.#untold ||= this.#lost.has(node);
    this.#clobbered(node, truncates, input);
    for (const argv of expandWords(words, this.#known.names)) {
      this.#run(argv, { input, truncates, assigns, files, disguised });
    }
    this.#untold = before;
    this.#known.texts.noteWritten(node, node.redirects, given);
  }

  /** A value that some program, or the shell itself, runs. */
  #assigned(name: string, value: string): void {
    const body = /^BASH_FUNC_.*%%$/.test(name) ? value.replace(/^\(\)\s*/, "") : undefined;
    if (body !== undefined) this.#quoted(body);
    else if (COMMAND_VARIABLE.test(name)) this.#quoted(value.replace(/^[!|\s]+/, ""));
    else if (EXPANDED_AGAIN.test(`${name}=${value}`)) this.#expanded(value);
  }

  /** A text whose substitutions are run. */
  #expanded(text: string): void {
    this.#quoted(`: "${text.replaceAll('"', '\\"')}"`);
  }

  /** Files that the command, or one that it reads from, would read: `>` empties them before. */
  #clobbered(node: CommandNode, truncates: readonly Arg[], input: Input): void {
    if (truncates.length === 0) return;
    const read = new Set([...this.#upstream, ...this.#filesRead(node)]);
    const lost = truncates.filter(({ text }) => read.has(text));
    if (lost.length === 0) return;
    this.#emit("", [], { input, truncates: lost, assigns: new Set(), files: [] }, false);
  }

  /** The files that a command reads, as far as its words and `<` tell. */
  #filesRead(node: Node): string[] {
    if (node.type !== "Command") return [];
    const given = node.redirects.flatMap((one) =>
      one.type === "Redirect" && one.operator === "<" && one.target ? [one.target.value] : []
    );
    const [name, ...words] = wordsOf(node);
    const reads = READERS.has(programName(name?.value ?? ""));
    return reads ? [...given, ...words.map((word) => word.value)] : given;
  }

  /** The files that `>` empties. */
  #truncated(redirects: readonly Redirection[]): Arg[] {
    return redirects.flatMap((redirect) =>
      redirect.type === "Redirect" && /^(>|>\||&>)$/.test(redirect.operator) && redirect.target
        ? expandWords([redirect.target], this.#known.names).flat()
        : []
    );
  }

  #run(argv: readonly Arg[], how: How): void {
    if (++this.#steps > MAX_STEPS) throw new TooComplexError("too many commands");
    const [first, ...args] = argv;
    if (!first) {
      if (how.truncates.length > 0) this.#emit("", [], how, false);
      return;
    }
    if (
      first.text !== "" && [...first.text.slice(first.text.lastIndexOf("/") + 1)].every(hasMarks) &&
      args.length > 0 && this.#hidesDelete(first, how)
    ) {
      return this.#follow("rm", args, how, true);
    }
    if (first.text === UNKNOWN) {
      // "$SUDO rm a": the unknown word may be empty, or a wrapper
      const known = args.findIndex((arg) => arg.text !== UNKNOWN);
      if (known >= 0) this.#run(args.slice(known), { ...how, truncates: [] });
      return;
    }
    if (hasMarks(first.text)) {
      for (const guess of this.#complete(first.text)) this.#follow(guess, args, how, true);
      return;
    }
    const name = programName(first.text);
    if (!how.plain && !first.text.includes("/")) {
      const bodies = this.#known.functions.get(first.text);
      if (bodies) return this.#call(first.text, bodies, args, how);
      for (const alias of this.#known.aliases.get(first.text) ?? []) {
        this.#alias(first.text, alias, args);
      }
    }
    this.#follow(name, args, how, false, first.text);
  }

  /** Whether a name that cannot be told was told once, or names a deleting program in how it is written. */
  #hidesDelete({ source }: Arg, how: How): boolean {
    const variable = /^"?\$\{?(\w+)\}?"?$/.exec(source)?.[1];
    const disguised = how.disguised === true && /^"?(?:\$\(|`)/.test(source);
    return disguised || /[(|/](?:rm|rmdir|unlink|shred)[)|]/.test(source) ||
      variable !== undefined && this.#known.disguised.has(variable);
  }

  #follow(name: string, args: readonly Arg[], how: How, guessed: boolean, written = ""): void {
    const files = this.#filesOf(written, args, how);
    this.#emit(name, args, how, guessed, files);
    const layer = { name, args, stdin: how.input.text, files };
    const inners = innerOf(layer);
    if (files.length > 0 && written.includes("/")) {
      inners.push(
        ...this.#known.texts.writtenFiles([plainArg(written)]).map((source): Inner => {
          const [, program] = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/.exec(source) ?? [];
          return program === undefined || SHELLS.has(programName(program))
            ? { kind: "shell", source }
            : { kind: "argv", argv: [plainArg(program), plainArg(written), ...args] };
        }),
      );
    }
    const found = (pattern: RegExp) => this.#known.texts.writtenAs(pattern);
    for (const source of projectScripts(layer, found)) inners.push({ kind: "shell", source });
    for (const inner of inners) {
      const before = {
        cwd: this.#cwd,
        names: this.#known.names,
        bounded: this.#bounded,
        untold: this.#untold,
      };
      if (KEEPS_EXIT.test(name)) this.#untold = true;
      if (inner.remote) this.#cwd = undefined;
      if (/^g?timeout$/.test(name)) this.#bounded = true;
      if (inner.kind === "argv") {
        if (++this.#depth > MAX_DEPTH) throw new TooComplexError("too many layers");
        const input = inner.terminal ? { ...how.input, has: true } : how.input;
        this.#run(inner.argv, { ...how, input, truncates: [], plain: name !== "time" });
        this.#depth--;
      } else {
        if (inner.positional) {
          this.#known.names = {
            ...this.#known.names,
            positional: inner.positional,
            self: inner.self ?? this.#known.names.self,
          };
        }
        const options = SHELLS.has(name) ? args.map((arg) => arg.text) : [];
        const isInput = inner.source === how.input.text;
        this.#script(inner.source, options, isInput ? NO_INPUT : how.input);
      }
      if (inner.remote || !/^(eval|\.|source)$/.test(name)) this.#cwd = before.cwd;
      this.#known.names = before.names;
      this.#bounded = before.bounded;
      this.#untold = before.untold;
    }
    for (const source of commandsInCode(layer)) this.#quoted(source);
    if (name === "git") this.#gitAlias(args);
    this.#arguments(layer, how, inners.length > 0);
    if (name === "cd" || name === "pushd") this.#enter(args);
  }

  /** What the arguments of a program hold beside what it is known to run. */
  #arguments(layer: Layer, how: How, followed: boolean): void {
    const { name, args } = layer;
    for (const { text } of args) {
      const [, variable, value] = /^(\w+(?:%%)?)=(.*)$/s.exec(text) ?? [];
      if (variable && /^(?:env|sudo|export|declare|typeset)$/.test(name)) {
        this.#assigned(variable, value!);
      } else if (name === "compgen" && text.includes("$(")) this.#expanded(text);
      else if (SUBSCRIPTS.test(name) && EXPANDED_AGAIN.test(text)) this.#expanded(text);
    }
    // no other program can start a function of the script
    const isKnown = this.#guesses.includes(name) || this.#known.functions.has(name);
    if (followed || this.#inTail || isKnown) return;
    for (const source of handedTexts(layer)) this.#quoted(source);
    const before = this.#inCode;
    this.#inCode = this.#inTail = true;
    for (const tail of tailsOf(layer)) this.#run(tail, { ...how, truncates: [], plain: true });
    this.#inCode = before;
    this.#inTail = false;
  }

  /** A text that another program may start: perhaps a command, perhaps not even shell. */
  #quoted(source: string): void {
    const before = {
      doubtful: this.#known.doubtful,
      inCode: this.#inCode,
      inTail: this.#inTail,
      cwd: this.#cwd,
    };
    this.#inCode = true;
    this.#inTail = false;
    this.#script(source);
    this.#known.doubtful = before.doubtful;
    this.#inCode = before.inCode;
    this.#inTail = before.inTail;
    this.#cwd = before.cwd;
  }

  #call(name: string, bodies: readonly FunctionNode[], args: readonly Arg[], how: How): void {
    const key = JSON.stringify([name, args.map((arg) => arg.text)]);
    if (this.#isFollowed(this.#calls, name, key)) return;
    if (++this.#depth > MAX_DEPTH) throw new TooComplexError("too many layers");
    this.#calls.push([name, key]);
    const before = this.#known.names;
    const variables = new Map(before.variables);
    for (const body of bodies) {
      this.#known.names = { ...before, variables, positional: args.map((arg) => arg.text) };
      this.#known.collect(body.body, how.input);
      this.#walk(body.body, how.input);
    }
    this.#known.names = before;
    this.#calls.pop();
    this.#depth--;
  }

  #alias(name: string, alias: string, args: readonly Arg[]): void {
    if (this.#isFollowed(this.#calls, name, name)) return;
    this.#calls.push([name, name]);
    this.#script(`${alias} ${args.map((arg) => arg.text).join(" ")}`);
    this.#calls.pop();
  }

  /** A git command that the same command line has made up. */
  #gitAlias(args: readonly Arg[]): void {
    const found = gitVerb(args);
    const key = `git ${found?.verb}`;
    for (const alias of this.#known.aliases.get(key) ?? []) {
      if (this.#isFollowed(this.#calls, key, key)) return;
      this.#calls.push([key, key]);
      this.#script(`${gitAlias(alias).source} ${found!.args.map((arg) => arg.text).join(" ")}`);
      this.#calls.pop();
    }
  }

  /** What comes back to itself is not followed again; with other arguments, a few times. */
  #isFollowed(stack: readonly Followed[], name: string, key: string): boolean {
    return stack.some((one) => one[1] === key) ||
      stack.filter((one) => one[0] === name).length >= MAX_RETURNS;
  }

  /** Texts of what the same command line wrote, and of its substitutions. */
  #filesOf(written: string, args: readonly Arg[], how: How): string[] {
    const named = [plainArg(written), ...args.slice(0, 3)];
    return [...how.files, ...this.#known.texts.writtenFiles(named)];
  }

  #emit(
    name: string,
    args: readonly Arg[],
    how: How,
    guessed: boolean,
    files: readonly string[] = [],
  ): void {
    this.#invocations.push({
      name,
      args,
      guessed: guessed || this.#inCode,
      hasInput: how.input.has,
      stdin: how.input.text,
      files,
      truncates: how.truncates,
      assigns: how.assigns,
      disguised: how.input.disguised === true,
      veiled: how.disguised === true,
      bounded: this.#bounded,
      untold: this.#untold,
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
    const home = this.#known.names.variables.get("HOME")?.[0];
    const folder = target ?? (typeof home === "string" ? home : undefined);
    const certain = folder !== undefined && folder !== "-" && !hasMarks(folder);
    const entered = certain && this.#cwd !== undefined ? resolve(this.#cwd, folder) : undefined;
    this.#cwd = entered && entered.length > MAX_PATH ? undefined : entered;
  }
}

function eachWord(node: Node, visit: (word: WordNode) => void): void {
  if (node.type === "Word") visit(node);
  else eachChild(node, (child) => eachWord(child, visit));
}

interface How {
  readonly input: Input;
  readonly truncates: readonly Arg[];
  readonly assigns: ReadonlySet<string>;
  readonly files: readonly string[];
  /** A word stands for what was made unreadable. */
  readonly disguised?: boolean;
  /** Run by a program, so functions and aliases are not looked up. */
  readonly plain?: boolean;
}
