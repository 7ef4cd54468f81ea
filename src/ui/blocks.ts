import { Marked, type Token } from "@earendil-works/pi-tui";
import { tame } from "./tame.ts";

/** The blocks of a markdown text, whose `raw` together are the text; what stands within lines is not read. */
export type BlockLexer = (text: string) => readonly Token[];

export function createBlockLexer(): BlockLexer {
  const marked = new Marked();
  return (text) => {
    // What is shown as it stands has no blocks but paragraphs.
    if (tame(text) !== text) return text.split(/(?<=\n\n)(?!\n)/).map(paragraph);
    return new marked.Lexer(marked.defaults).blockTokens(text, []);
  };
}

function paragraph(raw: string): Token {
  return { type: "paragraph", raw, text: raw, tokens: [] };
}
