/** What a script itself says about its names: variables, functions, aliases, positional parameters. */
import { produce } from "./produce.ts";
import { type Input, NO_INPUT, ScriptTexts } from "./script_texts.ts";
import { type CommandNode, eachChild, type FunctionNode, type Node, wordsOf } from "./syntax.ts";
import { expandUnsplit, expandWords, type Names, UNKNOWN } from "./words.ts";

/** Values of one variable that are followed; after them it is unknown. */
const MAX_VALUES = 32;
/** Longest value that is followed. */
const MAX_LENGTH = 200_000;
/** Lines that a `read` is followed through. */
const MAX_LINES = 16;

/** The names of one command line, gathered before anything in it is followed: every value counts. */
export class ScriptNames {
  readonly functions = new Map<string, FunctionNode[]>();
  readonly aliases = new Map<string, string[]>();
  /** Variables that hold what was made unreadable. */
  readonly disguised = new Set<string>();
  readonly texts: ScriptTexts = new ScriptTexts(
    () => this.names,
    this.functions,
  );
  /** Something in the script is not shell. */
  doubtful = false;
  /** A function that starts itself twice. */
  forkBomb = false;
  names: Names;

  constructor(options: { cwd: string; home?: string | undefined }) {
    const variables: Names["variables"] = new Map([
      ["PWD", [options.cwd]],
      ["IFS", [" \t\n"]],
      ["SHELL", ["/bin/bash"]],
      ["BASH", ["/bin/bash"]],
      // narnat itself; stays as written, so that a rule can know it
      ["PPID", ["$PPID"]],
    ]);
    if (options.home !== undefined) variables.set("HOME", [options.home]);
    this.names = {
      variables,
      references: new Map(),
      positional: [],
      self: "bash",
      shifts: false,
      outputs: (script) => this.texts.outputs(script),
    };
  }

  /**
   * Notes what the script says about its names before anything in it is followed. `input` is what
   * stands on the node's stdin.
   */
  collect(node: Node, input: Input = NO_INPUT): void {
    if (node.type === "Assignment") {
      if (node.name === "BASH_ALIASES" && node.index && node.value.type === "Word") {
        for (const text of expandUnsplit(node.value, this.names)) {
          push(this.aliases, node.index.value, text);
        }
      }
      if (node.value.type === "Word" && this.texts.isDisguised(node.value)) {
        this.disguised.add(node.name);
      }
      this.#assign(
        node.name,
        node.value.type === "ArrayValue"
          ? expandWords(node.value.elements, this.names)
            .map((row) => row.map((arg) => arg.text.replace(/^\[[^\]]*\]=/, "")))
          : expandUnsplit(node.value, this.names),
        node.append === true,
      );
    } else if (node.type === "ParameterExpansion" && node.operation?.type === "Default") {
      if (node.operation.operator.endsWith("=")) {
        this.#assign(node.parameter, expandUnsplit(node.operation.operand, this.names));
      }
    } else if (node.type === "For" || node.type === "Select") {
      const rows = node.wordlist ? expandWords(node.wordlist, this.names) : [[]];
      this.#assign(node.name.value, [...new Set(rows.flat().map((arg) => arg.text))]);
      if (!node.wordlist) this.#assign(node.name.value, [...this.names.positional ?? [UNKNOWN]]);
    } else if (node.type === "Function") {
      push(this.functions, node.name.value, node);
      if (startsItselfTwice(node)) this.forkBomb = true;
    } else if (node.type === "Command") {
      this.#collectCommand(node, input);
    } else if (node.type === "Script" && node.errors?.length) {
      this.doubtful = true;
    }
    if (node.type === "Pipeline") {
      let given = input;
      const last = node.commands.at(-1);
      for (const part of node.commands) {
        this.collect(part, given);
        if (part === last) break;
        given = { has: true, text: this.texts.output(part, given) };
      }
      return;
    }
    const given = node.type === "Redirected" ? this.texts.input(node.redirects, input) : input;
    const inner = node.type === "Script" ? NO_INPUT : given;
    eachChild(node, (child) => this.collect(child, inner));
  }

  #collectCommand(node: CommandNode, input: Input): void {
    const name = node.name?.value;
    const declares = /^(alias|export|declare|typeset|local|readonly)$/.test(name ?? "");
    const setsAlias = name === "git" &&
      node.suffix.some((item) => item.type === "Word" && /^alias\./i.test(item.value));
    if (
      !declares && !setsAlias && !/^(read|mapfile|readarray|printf|set|shift)$/.test(name ?? "")
    ) {
      return;
    }
    if (name === "shift") {
      this.names = { ...this.names, shifts: true };
      return;
    }
    for (const row of expandWords(wordsOf(node).slice(1), this.names)) {
      const texts = row.map((arg) => arg.text);
      if (declares) {
        for (const text of texts) {
          const at = text.indexOf("=");
          if (at <= 0) continue;
          if (name === "alias") push(this.aliases, text.slice(0, at), text.slice(at + 1));
          else this.#assign(text.slice(0, at), [text.slice(at + 1)]);
        }
      } else if (name === "printf" && texts[0] === "-v") {
        this.#assign(texts[1] ?? "", [produce("printf", row.slice(2), undefined) ?? UNKNOWN]);
      } else if (name === "mapfile" || name === "readarray") {
        const given = this.texts.input(node.redirects, input).text?.trimEnd() ?? UNKNOWN;
        this.#assign(texts.findLast((text) => !text.startsWith("-")) ?? "MAPFILE", [
          given.split("\n"),
        ]);
      } else if (name === "read") {
        const given = this.texts.input(node.redirects, input).text?.trim() ?? UNKNOWN;
        const variables = texts.filter((text) => !text.startsWith("-"));
        for (const line of given.split("\n").slice(0, MAX_LINES)) {
          const fields = line.split(/\s+/);
          variables.forEach((variable, i) => {
            const last = i === variables.length - 1;
            this.#assign(variable, [(last ? fields.slice(i).join(" ") : fields[i]) ?? ""]);
          });
        }
      } else if (name === "set") {
        const from = texts.findIndex((text) => text === "--" || !/^[-+]/.test(text));
        if (from < 0) continue;
        const positional = texts.slice(texts[from] === "--" ? from + 1 : from);
        if (texts[from] === "--" || !/^[-+]\w*o$/.test(texts[from - 1] ?? "")) {
          this.names = { ...this.names, positional };
        }
      } else if (setsAlias) {
        const at = texts.findIndex((text) => /^alias\./i.test(text));
        // under a name that no shell alias has
        push(this.aliases, `git ${texts[at]!.slice(6)}`, texts[at + 1] ?? "");
      }
    }
    // alias x='rm -rf' and declare -n x=y may be read as assignments.
    const refers = declares && wordsOf(node).some((word) => /^-\w*n/.test(word.value));
    if (name !== "alias" && !refers) return;
    for (const item of node.suffix) {
      if (item.type !== "Assignment" || item.value.type !== "Word") continue;
      for (const text of expandUnsplit(item.value, this.names)) {
        if (name === "alias") push(this.aliases, item.name, text);
        else this.names.references.set(item.name, text);
      }
    }
  }

  /** Adds to what a variable may hold. */
  learn(name: string, values: readonly string[]): void {
    this.#assign(name, values);
  }

  #assign(name: string, values: readonly (string | readonly string[])[], append = false): void {
    const before = this.names.variables.get(name) ?? [];
    if (before.length >= MAX_VALUES) return;
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
    if (unique.some((value) => value.length > MAX_LENGTH)) unique.fill(UNKNOWN);
    const fits = unique.length < MAX_VALUES;
    this.names.variables.set(name, fits ? unique : [...unique.slice(0, MAX_VALUES - 1), UNKNOWN]);
  }
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

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list?.includes(value)) return;
  if (list) list.push(value);
  else map.set(key, [value]);
}
