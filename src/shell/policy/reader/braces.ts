/** Brace expansion, which bash does before it looks at anything else in a word. */
import { parseScript, TooComplexError, type WordNode } from "./syntax.ts";

const MAX_WORDS = 64;
/** Characters read again, each brace makes the word be read anew. */
const MAX_READ = 300_000;

/** `a{b,c}` as the words `ab` and `ac`; the first of them where there are very many. */
export function expandBraces(word: WordNode): WordNode[] {
  const done: WordNode[] = [];
  const waiting = [word];
  let read = 0;
  while (waiting.length > 0 && done.length < MAX_WORDS) {
    const next = waiting.pop()!;
    const brace = next.parts?.find((part) => part.type === "BraceExpansion");
    if (!brace) {
      done.push(next);
      continue;
    }
    read += next.text.length;
    if (read > MAX_READ) throw new TooComplexError("too many braces");
    const at = brace.pos - next.pos;
    const [before, after] = [next.text.slice(0, at), next.text.slice(at + brace.text.length)];
    const items = braceItems(brace.text.slice(1, -1)).slice(0, MAX_WORDS);
    waiting.push(...items.flatMap((item) => wordsIn(`${before}${item}${after}`)).reverse());
  }
  return done;
}

function wordsIn(text: string): WordNode[] {
  const command = parseScript(`: ${text}`).commands[0]?.command;
  return command?.type === "Command"
    ? command.suffix.filter((one): one is WordNode => one.type === "Word")
    : [];
}

function braceItems(body: string): string[] {
  const range = /^(-?\d+|[a-zA-Z])\.\.(-?\d+|[a-zA-Z])$/.exec(body);
  if (range) return rangeItems(range[1]!, range[2]!);
  const items = [""];
  let depth = 0;
  let quote = "";
  for (let i = 0; i < body.length; i++) {
    const char = body[i]!;
    if (char === "," && depth === 0 && quote === "") {
      items.push("");
      continue;
    }
    items[items.length - 1] += char;
    if (char === "\\" && quote !== "'") items[items.length - 1] += body[++i] ?? "";
    else if (quote) quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
  }
  return items;
}

function rangeItems(from: string, to: string): string[] {
  const letters = /[a-z]/i.test(from);
  const [a, b] = letters ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  const length = Math.min(Math.abs(b - a) + 1, MAX_WORDS);
  const step = b < a ? -1 : 1;
  return Array.from({ length }, (_, i) => a + i * step)
    .map((code) => letters ? String.fromCharCode(code) : String(code));
}
