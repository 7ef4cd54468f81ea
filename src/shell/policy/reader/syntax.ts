/**
 * The shell grammar's face to this room: unbash, its node types, one way to ask for a tree, and the
 * value of arithmetic whose parts the script tells.
 */
import {
  type ArithmeticExpression,
  type Command,
  forEachChild,
  type Function as FunctionNode,
  parse,
  type ParsedScript,
  type Pipeline,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";

export type Node = SyntaxNode;
export type Part = WordPart;
export type Arithmetic = ArithmeticExpression;
export type WordNode = Word;
export type CommandNode = Command;
export type { FunctionNode, ParsedScript, Pipeline, Redirection, Statement };

/** Thrown when a command has more readings or layers than are worth following. */
export class TooComplexError extends Error {
  override readonly name = "TooComplexError";
}

/** The tree of a script; a tolerant reading with `errors` where the text is not shell. */
export function parseScript(source: string): ParsedScript {
  return parse(source);
}

/** Calls `visit` for each direct child. */
export function eachChild(node: Node, visit: (child: Node) => void): void {
  forEachChild(node, visit);
}

/** The words of a command, its name first; assignments and redirections left out. */
export function wordsOf(command: CommandNode): readonly WordNode[] {
  const words = command.suffix.filter((item) => item.type === "Word");
  return command.name ? [command.name, ...words] : words;
}

/** What a variable holds, where that is one certain number. */
type Lookup = (name: string) => number | undefined;

/** The value of a parsed `$(( … ))`; undefined where it hangs on something unknown. */
export function evaluate(node: Arithmetic | undefined, lookup: Lookup): number | undefined {
  switch (node?.type) {
    case "ArithmeticGroup":
      return evaluate(node.expression, lookup);
    case "ArithmeticWord": {
      if (/^\d+$/.test(node.value)) return Number(node.value);
      const name = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(node.value)?.[1];
      return name === undefined ? undefined : lookup(name);
    }
    case "ArithmeticUnary": {
      const value = evaluate(node.operand, lookup);
      if (value === undefined || !node.prefix) return undefined;
      return node.operator === "-" ? -value : node.operator === "+" ? value : undefined;
    }
    case "ArithmeticBinary": {
      const left = evaluate(node.left, lookup);
      const right = evaluate(node.right, lookup);
      if (left === undefined || right === undefined) return undefined;
      return compute(node.operator, left, right);
    }
    default:
      return undefined;
  }
}

/** The same for a bare expression, such as the index in `${a[i+1]}`. */
export function evaluateText(text: string, lookup: Lookup): number | undefined {
  if (/^-?\d+$/.test(text)) return Number(text);
  if (text.length > 100 || /["'`\\\n]/.test(text)) return undefined;
  const command = parseScript(`: $((${text}))`).commands[0]?.command;
  const word = command?.type === "Command" ? command.suffix[0] : undefined;
  const part = word?.type === "Word" ? word.parts?.[0] : undefined;
  return part?.type === "ArithmeticExpansion" ? evaluate(part.expression, lookup) : undefined;
}

function compute(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? undefined : Math.trunc(left / right);
    case "%":
      return right === 0 ? undefined : left % right;
    default:
      return undefined;
  }
}
