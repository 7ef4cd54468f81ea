/** The value of shell arithmetic whose parts the script tells. */
import { type Arithmetic, parseScript } from "./syntax.ts";

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
