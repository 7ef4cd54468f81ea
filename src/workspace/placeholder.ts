const SHAPES = [
  // "// ... existing code ...", "# … rest of file unchanged"
  /^\W*(?:\.{3}|…)\s+.*\b(?:rest|remaining|existing|unchanged|previous|omitted|same as)\b/i,
  // "// rest of the file unchanged", "<!-- remainder of the methods here -->"
  /^\s*(?:\/\/|#|--|;|\/\*|<!--|\{\/\*|\(|\[|\*)\W*(?:the )?(?:rest|remainder) of (?:\w+ ){0,3}(?:\.{3}|…|unchanged|remains?|stays?|the same|same|here|as before|omitted|methods?\W*$|code\W*$|file\W*$)/i,
  /^\s*(?:\/\/|#|--|\/\*|<!--|\.{3}|…).*(?:其余|剩余|其他|原有|现有|后面).*(?:不变|省略|相同|一样|代码)/,
];
const LONGEST = 160;

/** Returns the first line that stands for text left out ("rest of file unchanged") and is not in `before`; undefined when there is none. */
export function placeholderIn(text: string, before: string): string | undefined {
  for (const line of text.split("\n")) {
    const short = line.length <= LONGEST;
    if (short && SHAPES.some((shape) => shape.test(line)) && !before.includes(line.trim())) {
      return line.trim();
    }
  }
  return undefined;
}
