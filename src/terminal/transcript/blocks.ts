import { Marked, type Token } from "@earendil-works/pi-tui";

/** Marks where CommonMark needs help; taken out again after rendering (`plain` removes all others). */
export const HELP = "\u200b";

/** Quotes and lists within one another, which would cost a parser too much stack. */
const DEEPEST = 20;
const DEEP = new RegExp(
  `^([ \\t]*)(?=(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]|$))){${DEEPEST}})`,
  "gm",
);

/** The blocks of a markdown text, whose `raw` together are the text; what stands within lines is not read. */
export type BlockLexer = (text: string) => readonly Token[];

/** Makes lines that begin with quotes and lists in one another without end begin a paragraph. */
export function flatten(markdown: string): string {
  return markdown.replace(DEEP, `$1${HELP}`);
}

export function createBlockLexer(): BlockLexer {
  const marked = new Marked();
  // A definition is shown as it stands (see helpBold), so it is text here too.
  marked.use({ tokenizer: { def: () => undefined } });
  return (text) => {
    const flat = flatten(text);
    const tokens = withOwnText(flat, new marked.Lexer(marked.defaults).blockTokens(flat, []));
    if (flat === text) return tokens;
    return JSON.parse(JSON.stringify(tokens).replaceAll(HELP, ""));
  };
}

/** A mark of a list with nothing behind its blank is told with a line end instead. */
function withOwnText(text: string, tokens: readonly Token[]): readonly Token[] {
  let at = 0;
  return tokens.map((token) => {
    const raw = text.slice(at, at += token.raw.length);
    return raw === token.raw ? token : { ...token, raw };
  });
}
