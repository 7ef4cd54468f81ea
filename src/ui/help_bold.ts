/** Marks where CommonMark needs help; taken out again after rendering (`plain` removes all others). */
export const HELP = "\u200b";

/**
 * Makes `**“重点”**内容` bold: CommonMark refuses `**` between a punctuation mark and a letter, which
 * Chinese text has all the time. An image, which cannot be seen, is its words and its address. Code
 * is left alone.
 */
export function helpBold(markdown: string): string {
  let out = "";
  let fence = "";
  let open = false;
  for (const line of markdown.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === "" || mark.startsWith(fence))) {
      fence = fence === "" ? mark : "";
      open = false;
    } else if (fence === "") {
      if (line.trim() === "") open = false;
      const helped = helpLine(tellImages(line), open);
      out += helped.line;
      open = helped.open;
      continue;
    }
    out += line;
  }
  return out;
}

function tellImages(line: string): string {
  if (!line.includes("![")) return line;
  const image =
    /(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|!\[([^[\]\n]{0,300})\]\(<?([^\s()>]{1,1000})>?(?: [^)\n]{0,300})?\)/g;
  return line.replaceAll(image, (all, code, alt, address) => {
    if (code !== undefined) return all;
    return alt === "" ? address : `${alt} (${address})`;
  });
}

function helpLine(line: string, open: boolean): { line: string; open: boolean } {
  if (!line.includes("**")) return { line, open };
  let out = "";
  let at = 0;
  for (const match of line.matchAll(/\\.|(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|(?<!\*)\*\*(?!\*)/gsu)) {
    out += line.slice(at, match.index);
    at = match.index + match[0].length;
    if (match[0] !== "**") {
      out += match[0];
      continue;
    }
    const before = line.slice(0, match.index);
    const after = line.slice(at);
    if (!open && /^\S/u.test(after)) {
      open = true;
      out += /^[\p{P}\p{S}]/u.test(after) && /[^\s\p{P}\p{S}]$/u.test(before) ? "**" + HELP : "**";
    } else if (open && /\S$/u.test(before)) {
      open = false;
      out += /[\p{P}\p{S}]$/u.test(before) && /^[^\s\p{P}\p{S}]/u.test(after) ? HELP + "**" : "**";
    } else out += "**";
  }
  return { line: out + line.slice(at), open };
}
