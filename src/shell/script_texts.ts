/** What a script's commands are fed and what they print, where the text of the script tells. */
import { produce } from "./produce.ts";
import { programName } from "./invocation.ts";
import {
  type CommandNode,
  type FunctionNode,
  type Node,
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
      } else if (redirect.type === "Redirect" && /^<>?$/.test(redirect.operator)) {
        const [target] = redirect.target ? expandUnsplit(redirect.target, this.#names()) : [];
        const substituted = redirect.target ? this.substituted(redirect.target)[0] : undefined;
        const text = substituted ?? this.#written.get(fileKey(target ?? ""));
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
    if (text !== undefined || node.type !== "Command") return { has: true, text };
    const read = this.input(node.redirects, given);
    const known = read.text !== undefined && read.text.trim() !== "" &&
      !read.text.includes(UNKNOWN);
    return { has: true, text, disguised: known || read.disguised === true };
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
        return node.body.commands.map((one) => this.output(one, given) ?? UNKNOWN).join("");
      case "Command": {
        const [argv, ...more] = expandWords(wordsOf(node), this.#names());
        if (more.length > 0 || !argv) return undefined;
        const written = argv[0]?.text ?? "";
        const [body] = this.#functions.get(written) ?? [];
        if (body) return this.#called(written, body.body, given);
        const name = argv[0] ? programName(written) : "";
        return produce(name, argv.slice(1), this.input(node.redirects, given).text);
      }
      default:
        return undefined;
    }
  }

  #called(name: string, body: Node, given: Input): string | undefined {
    if (this.#calls.includes(name)) return undefined;
    this.#calls.push(name);
    const text = this.output(body, given);
    this.#calls.pop();
    return text;
  }

  /** Remembers a script that this command line writes, for when it is run further on. */
  noteWritten(node: CommandNode, given: Input): void {
    const name = node.name?.value;
    if (name !== "cat" && name !== "echo" && name !== "printf" && name !== "tee") return;
    const targets = node.redirects.flatMap((redirect) =>
      redirect.type === "Redirect" && redirect.operator.startsWith(">") && redirect.target
        ? expandUnsplit(redirect.target, this.#names())
        : []
    );
    if (name === "tee") targets.push(...wordsOf(node).slice(1).map((word) => word.value));
    if (targets.length === 0) return;
    const text = this.output(node, given);
    if (text === undefined) return;
    const appends = name === "tee" || node.redirects.some((one) => one.operator === ">>");
    for (const target of targets) {
      const before = appends ? this.#written.get(fileKey(target)) ?? "" : "";
      this.#written.set(fileKey(target), before + text);
    }
  }

  writtenFiles(args: readonly Arg[]): string[] {
    return args.flatMap((arg) => this.#written.get(fileKey(arg.text)) ?? []);
  }
}

function fileKey(path: string): string {
  return path.replace(/^(\.\/)+/, "");
}
