/** Reads a shell command and names every program that it would run, wrappers peeled. */
import { resolve } from "../../../base/path.ts";
import { commandsInCode } from "./code.ts";
import { either, enter, type Place, settled, standing, union } from "./folders.ts";
import { type Invocation, programName, readOptions } from "./invocation.ts";
import { gitVerb } from "../rules/git_rules.ts";
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
  type ParsedScript,
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
import { carriedBy, fedTexts, handedTexts, HANDS_ON, tailsOf } from "./tails.ts";
import { SHELLS } from "./wrappers.ts";

export type { Invocation };

export interface Reading {
  readonly invocations: readonly Invocation[];
  /** The text is not shell, or has more layers or readings than are worth following. */
  readonly doubtful: boolean;
  /** A function that starts itself twice. */
  readonly forkBomb: boolean;
  /** Its tree, where there is one of the whole text. */
  readonly script: ParsedScript | undefined;
}

const MAX_DEPTH = 40;
const MAX_STEPS = 100_000;
/** Characters of script, those of all layers together. */
const MAX_READ = 1_500_000;
/** How often a text or a function may stand inside itself with other arguments. */
const MAX_RETURNS = 4;
/** Folders of which it is noted that the command makes them. */
const MAX_MADE = 1000;
/** Programs after which a folder that was there may be gone. */
const MOVES = /^(?:rm|rmdir|rimraf|mv|find|git|rsync|umount)$/;
/** They run a builtin of the shell itself. */
const IN_PLACE = /^(?:eval|\.|source|command|builtin|time)$/;
/** Options that name the folder in which a program starts another. */
const STARTS_IN: { readonly [name: string]: string } = {
  env: "-C --chdir",
  sudo: "-D --chdir",
  make: "-C --directory",
  gmake: "-C --directory",
  unshare: "--wd",
  nsenter: "--wd",
  parallel: "--wd --workdir",
  "systemd-run": "--working-directory",
};
/** Programs whose exit is not that of what they start. */
const KEEPS_EXIT = /^(find|fd|fdfind|trap|script|entr|nodemon|watchexec|at)$/;
/** Variables whose value some program runs as a command. */
const COMMAND_VARIABLE =
  /(_COMMAND|EDITOR|VISUAL|PAGER|ASKPASS|BROWSER|_SSH|BASH_ENV|LESSOPEN|LESSCLOSE|_EXTERNAL_DIFF|GIT_CONFIG_VALUE_\d+)$/;
/** Variables that name a file which a shell runs as it starts. */
const STARTUP = /^(?:BASH_ENV|ENV)$/;
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

interface ReadOptions {
  readonly cwd: string;
  readonly home?: string | undefined;
  /** The program names that a wildcard or a half-known name is completed to. */
  readonly guesses: ReadonlySet<string>;
}

/** Reads `command` as bash would. */
export function readCommand(command: string, options: ReadOptions): Reading {
  return new Reader(options).read(command);
}

/** What is being followed: its name or text, and that together with its arguments. */
type Followed = readonly [name: string, key: string];

class Reader {
  readonly #invocations: Invocation[] = [];
  readonly #known: ScriptNames;
  readonly #calls: Followed[] = [];
  readonly #sources: Followed[] = [];
  readonly #guesses: ReadonlySet<string>;
  #place: Place;
  /** Where the script stood when it was left before its end. */
  #left: Place | undefined;
  /** Where a loop begins again before its end. */
  #again: Place | undefined;
  /** The values of PWD that stand for the place. */
  #told: readonly string[] = [];
  readonly #made = new Set<string>();
  readonly #seen = new Map<string, boolean>();
  /** `set -e`: what fails ends the script, but in a condition. */
  #stops = false;
  #tests = 0;
  #moves = false;
  #inCode = false;
  #inTail = false;
  #bounded = false;
  readonly #lost = new Set<Node>();
  #untold = false;
  #upstream: readonly string[] = [];
  #whole: ParsedScript | undefined;
  #depth = 0;
  #steps = 0;
  #read = 0;

  constructor(options: ReadOptions) {
    this.#place = { ...standing([options.cwd]), old: [undefined] };
    this.#told = [options.cwd];
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
      script: this.#whole,
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
    this.#whole ??= script;
    const stops = this.#stops;
    if (options.some((one) => /^-\w*e/.test(one))) this.#stops = true;
    this.#findLost(script, options);
    this.#known.collect(script);
    for (const statement of script.commands) this.#walk(statement, input);
    if (script.errors?.length) this.#known.doubtful = true;
    if (options.length > 0) this.#stops = stops;
    this.#sources.pop();
    this.#depth--;
  }

  #findLost(script: ParsedScript, options: readonly string[]): void {
    try {
      findLostExits(script, options, this.#lost);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // too deep for this, which does not make it too deep to be read
      this.#untold = true;
    }
  }

  #walk(node: Node, input: Input): void {
    switch (node.type) {
      case "Command":
        return this.#command(node, input);
      case "Pipeline": {
        let given = input;
        const [before, upstream, place] = [this.#bounded, this.#upstream, this.#place];
        const inPlace = node.commands.length === 1;
        node.commands.forEach((part, i) => {
          this.#bounded = before || i < node.commands.length - 1;
          this.#walk(part, given);
          if (!inPlace) this.#place = place;
          // nobody reads what the last one prints
          if (i === node.commands.length - 1) return;
          given = this.#known.texts.piped(part, given);
          this.#upstream = [...this.#upstream, ...this.#filesRead(part)];
        });
        this.#bounded = before;
        this.#upstream = upstream;
        if (inPlace && node.prefixes.some(({ type }) => type === "Negation")) {
          const { yes, no } = this.#place;
          this.#place = { ...this.#place, yes: no, no: yes };
        }
        return;
      }
      case "Statement": {
        const before = this.#bounded;
        this.#bounded ||= node.background === true;
        this.#settle();
        const place = this.#place;
        eachChild(node, (child) => this.#walk(child, input));
        if (node.background) this.#place = place;
        else if (this.#stops && this.#tests === 0 && node.command.type !== "AndOr") {
          this.#place = { ...this.#place, no: [] };
        }
        this.#bounded = before;
        return;
      }
      case "AndOr":
        return this.#andOr(node, input);
      case "If":
        return this.#choice(node, input);
      case "While":
        return this.#loop(() => {
          this.#clause(node.clause, input);
          const out = this.#place;
          const { yes, no } = out;
          this.#place = standing(node.kind === "until" ? no : yes, out);
          this.#walk(node.body, input);
          this.#place = either(
            settled(this.#place),
            standing(node.kind === "until" ? yes : no, out),
          );
        });
      case "For":
      case "Select":
      case "ArithmeticFor":
        return this.#loop(() => eachChild(node, (child) => this.#walk(child, input)));
      case "Case": {
        this.#settle();
        const place = this.#place;
        let after = place;
        for (const item of node.items) {
          this.#place = place;
          this.#walk(item, input);
          after = either(after, this.#place);
        }
        this.#place = after;
        return this.#walk(node.word, input);
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
        const [place, left, stops] = [this.#place, this.#left, this.#stops];
        eachChild(node, (child) => this.#walk(child, node.type === "Script" ? NO_INPUT : input));
        this.#place = place;
        this.#left = left;
        this.#stops = stops;
        return;
      }
      default:
        eachChild(node, (child) => this.#walk(child, input));
    }
  }

  #andOr(node: Extract<Node, { type: "AndOr" }>, input: Input): void {
    node.commands.forEach((part, i) => {
      const operator = node.operators[i - 1];
      const before = this.#place;
      if (operator) {
        const from = operator === "&&" ? before.yes : before.no;
        this.#place = from.length > 0 ? standing(from, before) : settled(before);
      }
      this.#walk(part, input);
      if (!operator) return;
      const passed: Place = operator === "&&"
        ? { ...before, yes: [], no: before.no }
        : { ...before, yes: before.yes, no: [] };
      this.#place = either(this.#place, passed);
    });
  }

  #choice(node: Extract<Node, { type: "If" }>, input: Input): void {
    this.#clause(node.clause, input);
    let out = this.#place;
    this.#place = standing(out.yes, out);
    this.#walk(node.then, input);
    let after = settled(this.#place);
    for (const { clause, then } of node.elif) {
      this.#place = standing(out.no, out);
      this.#clause(clause, input);
      out = this.#place;
      this.#place = standing(out.yes, out);
      this.#walk(then, input);
      after = either(after, settled(this.#place));
    }
    this.#place = standing(out.no, out);
    if (node.else) this.#walk(node.else, input);
    this.#place = either(after, settled(this.#place));
  }

  /** A condition: nothing ends where it fails. */
  #clause(node: Node, input: Input): void {
    this.#tests++;
    this.#walk(node, input);
    this.#tests--;
  }

  /** What is gone through again and again may begin where it ended, also a step further. */
  #loop(body: () => void): void {
    const outer = [this.#left, this.#again] as const;
    this.#left = this.#again = undefined;
    this.#settle();
    for (let pass = 0; pass < 3; pass++) {
      const before = this.#place;
      body();
      this.#place = either(before, settled(this.#place));
      if (this.#again) this.#place = either(this.#place, this.#again);
      if (this.#place.yes === before.yes) break;
      if (pass === 1) this.#place = standing(union(this.#place.yes, [undefined]), this.#place);
    }
    if (this.#left) this.#place = either(this.#place, this.#left);
    [this.#left, this.#again] = outer;
  }

  /** Goes on, however the last command ended; behind an end as if there had been none. */
  #settle(): void {
    const { yes, no } = this.#place;
    const ended = yes.length + no.length === 0 ? this.#left ?? this.#again : undefined;
    this.#place = settled(ended ?? this.#place);
  }

  /** `exit`, `return` and their kin: nothing here goes on. */
  #leave(name: string): void {
    const place = settled(this.#place);
    const join = (other: Place | undefined) => other ? either(other, place) : place;
    if (name === "continue") this.#again = join(this.#again);
    else this.#left = join(this.#left);
    this.#place = { ...place, yes: [], no: [] };
  }

  /** Lets `PWD` stand for where the script may be by now. */
  #tell(): void {
    const now = this.#place.yes.map((folder) => folder ?? UNKNOWN);
    const told = this.#told;
    if (now.length === told.length && now.every((one, i) => one === told[i])) return;
    const { variables } = this.#known.names;
    const others = (variables.get("PWD") ?? []).filter((one) => !told.includes(String(one)));
    variables.set("PWD", [...now, ...others]);
    variables.set("OLDPWD", this.#place.old.map((folder) => folder ?? UNKNOWN));
    this.#told = now;
  }

  #command(node: CommandNode, given: Input): void {
    this.#settle();
    this.#tell();
    eachChild(node, (child) => this.#walk(child, NO_INPUT));
    const input = this.#known.texts.input(node.redirects, given);
    const truncates = this.#truncated(node.redirects);
    const assigns = new Set<string>();
    for (const item of [...node.prefix, ...node.suffix]) {
      if (item.type !== "Assignment") continue;
      assigns.add(item.name);
      if (item.value.type !== "Word") continue;
      const texts = expandUnsplit(item.value, this.#known.names);
      for (const text of texts) this.#assigned(item.name, text);
      if (STARTUP.test(item.name)) {
        for (const source of this.#known.texts.substituted(item.value)) this.#quoted(source);
      }
      // it was not known where the script would be when its names were gathered
      if (/pwd/i.test(item.value.text)) this.#known.learn(item.name, texts);
    }
    const words = wordsOf(node);
    const disguised = words.some((word) => this.#known.texts.isDisguised(word));
    const files = words.flatMap((word) => this.#known.texts.substituted(word));
    const before = this.#untold;
    this.#untold ||= this.#lost.has(node);
    this.#clobbered(node, truncates, input);
    const place = this.#place;
    let after: Place | undefined;
    for (const argv of expandWords(words, this.#known.names)) {
      this.#place = place;
      this.#run(argv, { input, truncates, assigns, files, disguised });
      after = after ? either(after, this.#place) : this.#place;
    }
    this.#place = after ?? place;
    this.#untold = before;
    this.#known.texts.noteWritten(node, node.redirects, given);
  }

  /** A value that some program, or the shell itself, runs. */
  #assigned(name: string, value: string): void {
    const body = /^BASH_FUNC_.*%%$/.test(name) ? value.replace(/^\(\)\s*/, "") : undefined;
    if (STARTUP.test(name)) {
      const file = plainArg(value.replace(`${this.#place.yes[0]}/`, ""));
      for (const source of this.#known.texts.writtenFiles([file])) this.#quoted(source);
      if (value.includes("$(")) this.#expanded(value);
    }
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
      hasMarks(first.text) && args.length > 0 &&
      [...first.text.slice(first.text.lastIndexOf("/") + 1)].every(hasMarks) &&
      this.#hidesDelete(first, how)
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
    this.#emit(name, args, how, guessed, files, written);
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
        place: this.#place,
        names: this.#known.names,
        bounded: this.#bounded,
        untold: this.#untold,
      };
      if (KEEPS_EXIT.test(name)) this.#untold = true;
      const folder = inner.remote ? undefined : startsIn(name, args);
      if (inner.remote) this.#place = standing([undefined]);
      else if (folder) {
        const args = folder.text === "~" ? [] : [folder];
        this.#place = standing(this.#entered("cd", args).yes, this.#place);
      }
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
      if (inner.remote || !IN_PLACE.test(name)) this.#place = before.place;
      this.#known.names = before.names;
      this.#bounded = before.bounded;
      this.#untold = before.untold;
    }
    for (const source of commandsInCode(layer)) this.#quoted(source);
    if (name === "git") this.#gitAlias(args);
    this.#arguments(layer, how, inners.length > 0);
    if (/^(?:cd|chdir|pushd|popd)$/.test(name)) {
      this.#place = this.#entered(name === "chdir" ? "cd" : name, args);
    }
    if (/^(?:exit|return|break|continue)$/.test(name)) this.#leave(name);
    if (name === "set" && args.some(({ text }) => /^-[a-z]*e|^errexit$/.test(text))) {
      this.#stops = true;
    }
  }

  /** What the arguments of a program hold beside what it is known to run. */
  #arguments(layer: Layer, how: How, followed: boolean): void {
    const { name, args } = layer;
    for (const { text } of args) {
      const [, variable, value] = text.includes("=") && /^(\w+(?:%%)?)=(.*)$/s.exec(text) || [];
      if (variable && /^(?:env|sudo|export|declare|typeset)$/.test(name)) {
        this.#assigned(variable, value!);
      } else if (name === "compgen" && text.includes("$(")) this.#expanded(text);
      else if (SUBSCRIPTS.test(name) && EXPANDED_AGAIN.test(text)) this.#expanded(text);
    }
    // no other program can start a function of the script
    if (followed || this.#inTail || this.#known.functions.has(name)) return;
    const isKnown = this.#guesses.has(name) && !HANDS_ON.test(name);
    if (!isKnown) { for (const source of fedTexts(layer)) this.#quoted(source); }
    const rest = isKnown ? { name: "", args: carriedBy(layer) } : layer;
    if (rest.args.length === 0) return;
    const [place, before] = [this.#place, this.#inCode];
    if (isKnown) this.#place = standing([undefined]);
    for (const source of handedTexts(rest)) this.#quoted(source);
    this.#inCode = this.#inTail = true;
    for (const tail of tailsOf(rest)) this.#run(tail, { ...how, truncates: [], plain: true });
    this.#inCode = before;
    this.#inTail = false;
    this.#place = place;
  }

  /** A text that another program may start: perhaps a command, perhaps not even shell. */
  #quoted(source: string): void {
    const before = {
      doubtful: this.#known.doubtful,
      inCode: this.#inCode,
      inTail: this.#inTail,
      place: this.#place,
    };
    this.#inCode = true;
    this.#inTail = false;
    this.#script(source);
    this.#known.doubtful = before.doubtful;
    this.#inCode = before.inCode;
    this.#inTail = before.inTail;
    this.#place = before.place;
  }

  #call(name: string, bodies: readonly FunctionNode[], args: readonly Arg[], how: How): void {
    const key = JSON.stringify([name, args.map((arg) => arg.text)]);
    if (this.#isFollowed(this.#calls, name, key)) return;
    if (++this.#depth > MAX_DEPTH) throw new TooComplexError("too many layers");
    this.#calls.push([name, key]);
    const before = this.#known.names;
    const variables = new Map(before.variables);
    const left = this.#left;
    this.#left = undefined;
    for (const body of bodies) {
      this.#known.names = { ...before, variables, positional: args.map((arg) => arg.text) };
      this.#known.collect(body.body, how.input);
      this.#walk(body.body, how.input);
    }
    if (this.#left) this.#place = either(this.#place, this.#left);
    this.#left = left;
    this.#known.names = before;
    before.variables.set("PWD", variables.get("PWD") ?? []);
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
    written = "",
  ): void {
    this.#note(name, args);
    // only what is judged by its folder is told for each of them
    const { yes } = this.#place;
    for (const cwd of name === "" || this.#guesses.has(name) ? yes : yes.slice(0, 1)) {
      this.#invocations.push({
        name,
        written,
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
        cwd,
      });
    }
  }

  /** The guessable names that a half-known name can stand for; a name without one letter stands for none. */
  #complete(text: string): string[] {
    const base = text.slice(text.lastIndexOf("/") + 1);
    if (!hasMarks(base)) return [programName(base)];
    if ([...base].every(hasMarks)) return [];
    const pattern = new RegExp(`^${globSource(base)}$`, "is");
    return [...this.#guesses].filter((name) => pattern.test(name));
  }

  /** Notes folders that are made, and what may take others away. */
  #note(name: string, args: readonly Arg[]): void {
    if (MOVES.test(name)) this.#moves = true;
    if (name !== "mkdir" || this.#made.size > MAX_MADE) return;
    for (const { text } of args) {
      if (text.startsWith("-") || hasMarks(text)) continue;
      for (const at of this.#place.yes) if (at !== undefined) this.#made.add(resolve(at, text));
    }
  }

  #entered(name: string, args: readonly Arg[]): Place {
    return enter(name, args, settled(this.#place), this.#known.names, (folder) => {
      if (this.#made.has(folder)) return true;
      return !this.#moves && this.#isFolder(folder);
    });
  }

  #isFolder(path: string): boolean {
    let is = this.#seen.get(path);
    if (is === undefined) {
      try {
        is = Deno.statSync(path).isDirectory;
      } catch {
        is = false;
      }
      this.#seen.set(path, is);
    }
    return is;
  }
}

/** The folder in which a program starts another. */
function startsIn(name: string, args: readonly Arg[]): Arg | undefined {
  const names = Object.hasOwn(STARTS_IN, name) ? STARTS_IN[name] : undefined;
  if (/^(?:su|runuser|sudo)$/.test(name)) {
    // a login begins in the home
    const login = name === "sudo" ? /^(?:-\w*i|--login)$/ : /^(?:-|-\w*l|--login)$/;
    const before = args.slice(0, 3).filter(({ text }) => text.startsWith("-"));
    if (before.some(({ text }) => login.test(text))) return plainArg("~");
  }
  if (!names) return undefined;
  const value = readOptions(args, names, true).value(...names.split(" "));
  return value === undefined ? undefined : plainArg(value);
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
