/** The shell grammar's face to this room: unbash, its node types, and one way to ask for a tree. */
import { forEachChild, parse } from "unbash";
import type {
  ArithmeticExpression,
  Command,
  Function as FunctionNode,
  ParsedScript,
  Pipeline,
  Redirection,
  Statement,
  SyntaxNode,
  Word,
  WordPart,
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
