/** What a script's commands are fed and what they print, where the text of the script tells. */
import { basename } from "../../../base/path.ts";
import { isProgram } from "./code.ts";
import { produce } from "./produce.ts";
import { programName } from "./invocation.ts";
import {
  type CommandNode,
  eachChild,
  type FunctionNode,
  type Node,
  type ParsedScript,
  type Part,
  type Redirection,
  type WordNode,
  wordsOf,
} from "./syntax.ts";
import { type Arg, expandBody, expandUnsplit, expandWords, type Names, UNKNOWN } from "./words.ts";

/** What stands on a command's stdin; `text` is undefined where the script does not tell. */
export interface Input {
  readonly has: boolean;
  readonly text: string | undefined;
  /** The text stands in the script, but a program that is not followed has changed it since. */
  readonly disguised?: boolean;
}

export const NO_INPUT: Input = { has: false, text: undefined };

/** What a text that was made unreadable is taken for. */
const DISGUISED_TEXT = `rm ${UNKNOWN}${UNKNOWN}\n`;
/** A deleting program's name among what another program prints or looks up. */
const DELETER =
  /(?:^|[\s"'`(;|&\/])(?:rm|rmdir|unlink|shred)(?![\w.-])|\bgit (?:branch -D|update-ref -d)/;

/** How the names of programs end that write files, or open them. */
const WRITERS = /(?:cp|mv|install|ln|exec|tee|dd)(?:\.exe)?$/i;

/** Follows the texts that one command line pipes, redirects and writes to files. */
export class ScriptTexts {
  readonly #written = new Map<string, string>();
  readonly #names: () => Names;
  readonly #functions: ReadonlyMap<string, readonly FunctionNode[]>;
  readonly #calls: string[] = [];

  /** `names` gives what is known of the variables at the moment of asking. */
  constructor(names: () => Names, functions: ReadonlyMap<string, readonly FunctionNode[]>) {
    this.#names = names;
    this.#functions = functions;
  }

  input(redirects: readonly Redirection[], given: Input): Input {
    let input = given;
    for (const redirect of redirects) {
      if (redirect.type === "HereString" && redirect.target) {
        const [text, ...more] = expandUnsplit(redirect.target, this.#names());
        input = { has: true, text: more.length > 0 ? undefined : `${text}\n` };
      } else if (redirect.type === "HereDoc") {
        const { text, parts } = redirect.body;
        const [body, ...more] = expandBody(text, parts, this.#names());
        input = { has: true, text: more.length > 0 ? undefined : body };
      } else if (redirect.type === "Redirect" && redirect.operator === "<&") {
        const text = this.#file(`/dev/fd/${redirect.target?.value}`);
        if (text !== undefined) input = { has: true, text };
      } else if (redirect.type === "Redirect" && /^<>?$/.test(redirect.operator)) {
        const [target = ""] = redirect.target ? expandUnsplit(redirect.target, this.#names()) : [];
        const substituted = redirect.target ? this.substituted(redirect.target)[0] : undefined;
        const text = substituted ?? this.#file(target);
        input = target === "/dev/null"
          ? { has: false, text: "" }
          : { has: target !== "/dev/tty", text };
      }
    }
    return input;
  }

  /** The texts behind a word's `<(…)`, where the text tells. */
  substituted(word: WordNode): string[] {
    return (word.parts ?? []).flatMap((part) =>
      part.type === "ProcessSubstitution" && part.operator === "<" && part.script
        ? this.outputs(part.script)
        : []
    ).filter((text) => text !== UNKNOWN);
  }

  outputs(script: Node): string[] {
    if (script.type !== "Script") return [UNKNOWN];
    return [script.commands.map((one) => this.output(one, NO_INPUT) ?? UNKNOWN).join("")];
  }

  /** What the next command of a pipeline reads behind a node that reads `given`. */
  piped(node: Node, given: Input): Input {
    const text = this.output(node, given);
    if (text !== undefined && isTold(text)) return { has: true, text };
    return { has: true, text, disguised: given.disguised === true || this.#disguises(node, given) };
  }

  /** Whether a word stands for what a command prints that was made unreadable on its way there. */
  isDisguised(word: WordNode): boolean {
    return substitutions(word.parts ?? []).some((script) =>
      script.commands.some(({ command }) => {
        const parts = command.type === "Pipeline" ? command.commands : [command];
        let given = NO_INPUT;
        for (const part of parts) given = this.piped(part, given);
        return given.disguised === true;
      })
    );
  }

  /** Whether a node prints what cannot be read, though what it is made of can and may be a command. */
  #disguises(node: Node, given: Input): boolean {
    if (node.type !== "Command") {
      let found = false;
      eachChild(node, (child) => found ||= this.#disguises(child, given));
      return found;
    }
    const [argv] = expandWords(wordsOf(node), this.#names());
    const [first, ...args] = argv ?? [];
    if (!first || isTold(this.output(node, given) ?? "")) return false;
    const read = this.input(node.redirects, given);
    if (read.disguised || read.text !== undefined && isTold(read.text)) return true;
    const call = { name: programName(first.text), args, stdin: read.text, files: [] };
    return isProgram(call) || args.some(({ text }) => DELETER.test(text));
  }

  /** What a node prints, where the text tells. */
  output(node: Node, given: Input): string | undefined {
    switch (node.type) {
      case "Statement":
        return this.output(node.command, given);
      case "AndOr":
        return node.commands.map((one) => this.output(one, given) ?? UNKNOWN).join("");
      case "Pipeline": {
        let input = given;
        for (const part of node.commands) {
          input = { has: true, text: this.output(part, input) };
        }
        return input.text;
      }
      case "BraceGroup":
      case "Subshell":
      case "For":
      case "While":
        return this.output(node.body, given);
      case "CompoundList":
        return node.commands.map((one) => this.output(one, given) ?? UNKNOWN).join("");
      case "If":
        return [node.clause, node.then, ...node.elif.map((one) => one.then), node.else]
          .map((one) => one ? this.output(one, given) : "").join("");
      case "Redirected":
        return this.output(node.command, this.input(node.redirects, given));
      case "TestCommand":
      case "ArithmeticCommand":
      case "Function":
        return "";
      case "Command": {
        const rows = expandWords(wordsOf(node), this.#names());
        const texts = rows.map((argv) => this.#printed(node, argv, given));
        return texts.includes(undefined) ? undefined : texts.join("");
      }
      default:
        return undefined;
    }
  }

  #printed(node: CommandNode, argv: readonly Arg[], given: Input): string | undefined {
    const [first, ...args] = argv;
    const [body] = this.#functions.get(first?.text ?? "") ?? [];
    if (body) return this.#called(first!.text, body.body, given);
    const name = first ? programName(first.text) : "";
    const written = name === "cat" && args.length > 0
      ? args.map((arg) => this.#file(arg.text))
      : [];
    if (written.length > 0 && !written.includes(undefined)) return written.join("");
    if (name === "pwd") {
      const [folder, ...more] = this.#names().variables.get("PWD") ?? [];
      return more.length === 0 && typeof folder === "string" ? `${folder}\n` : undefined;
    }
    return produce(name, args, this.input(node.redirects, given).text);
  }

  #called(name: string, body: Node, given: Input): string | undefined {
    if (this.#calls.includes(name)) return undefined;
    this.#calls.push(name);
    const text = this.output(body, given);
    this.#calls.pop();
    return text;
  }

  /** Remembers a file that this command line writes, for when it is run further on. */
  noteWritten(node: Node, redirects: readonly Redirection[], given: Input): void {
    const targets = redirects.flatMap((redirect) =>
      redirect.type === "Redirect" && redirect.operator.startsWith(">") && redirect.target
        ? expandUnsplit(redirect.target, this.#names())
        : []
    );
    const words = node.type === "Command" ? wordsOf(node) : [];
    if (targets.length === 0 && !WRITERS.test(words[0]?.value ?? "")) return;
    const name = programName(words[0]?.value ?? "");
    const values = words.slice(1).map((word) => word.value);
    if (/^(?:cp|mv|install|ln)$/.test(name)) return this.#noteCopied(values);
    if (name === "exec") this.#noteOpened(redirects);
    if (name === "tee") targets.push(...values);
    if (name === "dd") targets.push(...values.flatMap((one) => /^of=(.+)$/.exec(one)?.[1] ?? []));
    if (targets.length === 0) return;
    const piped = this.piped(node, given);
    const text = piped.disguised
      ? DISGUISED_TEXT
      : name === "dd"
      ? this.input(redirects, given).text
      : piped.text;
    if (text === undefined) return;
    const appends = name === "tee" || redirects.some((one) => one.operator === ">>");
    for (const target of targets) {
      this.#written.set(fileKey(target), (appends ? this.#file(target) ?? "" : "") + text);
    }
  }

  #noteCopied(values: readonly string[]): void {
    const operands = values.filter((one) => !one.startsWith("-"));
    const target = operands.at(-1) ?? "";
    for (const source of operands.slice(0, -1)) {
      const text = this.#file(source);
      if (text === undefined) continue;
      this.#written.set(fileKey(target), text);
      this.#written.set(fileKey(`${target.replace(/\/+$/, "")}/${basename(source)}`), text);
    }
  }

  /** `exec 5< file`: what a descriptor of the shell reads. */
  #noteOpened(redirects: readonly Redirection[]): void {
    for (const redirect of redirects) {
      const number = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : 0;
      const { text } = this.input([redirect], NO_INPUT);
      if (number > 0 && text !== undefined) this.#written.set(`/dev/fd/${number}`, text);
    }
  }

  writtenFiles(args: readonly Arg[]): string[] {
    if (this.#written.size === 0) return [];
    return args.flatMap((arg) => this.#file(arg.text) ?? []);
  }

  /** The texts of the files written under names that a pattern knows. */
  writtenAs(pattern: RegExp): string[] {
    if (this.#written.size === 0) return [];
    return [...this.#written].filter(([path]) => pattern.test(basename(path))).map(([, text]) =>
      text
    );
  }

  #file(path: string): string | undefined {
    return this.#written.get(fileKey(path));
  }
}

/** Text of which something is known. */
function isTold(text: string): boolean {
  return text.replaceAll(UNKNOWN, "").trim() !== "";
}

/** The scripts whose output a word holds. */
function substitutions(parts: readonly Part[]): ParsedScript[] {
  return parts.flatMap((part) => {
    if (part.type === "DoubleQuoted") return substitutions(part.parts);
    const reads = part.type === "CommandExpansion" ||
      part.type === "ProcessSubstitution" && part.operator === "<";
    return reads && part.script ? [part.script] : [];
  });
}

function fileKey(path: string): string {
  return path.replace(/^(\.\/)+/, "");
}
