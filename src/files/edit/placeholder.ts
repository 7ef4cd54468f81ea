const LONGEST = 160;
const COMMENT = /^(?:\/\/+|#+|--+|;+|%+|\{\/\*+|\/\*+|<!--+|\*(?=\s)|"""|'''|\(\*?|\[)\s*/;
const COMMENT_END = /\s*(?:\*+\/\}?|--+>|"""|'''|\*?\)|\])$/;
const DOTS_FIRST = /^(?:\.{3,}|…+)\s*/;
const DOTS_LAST = /\s*(?:\.{3,}|…+)$/;

/** Words that make a line of dots speak of what is left out. */
const LEFT =
  /^(?:rest|remaining|remainder|existing|previous|other|original|unchanged|omitted|same)$/;
/** Words that say so without dots. */
const SAID = /^(?:here|unchanged|same|omitted|remains?|stays?|unmodified|brevity)$/;
/** All other words of such a line. */
const FILLER = new RegExp(
  "^(?:the|of|this|your|my|all|any|as|is|are|in|and|for|to|with|from|it|not|no|at|goes?|before|" +
    "above|below|keep|kept|left|leave|shown|changes?|code|files?|implementations?|methods?|" +
    "functions?|class|classes|contents?|imports?|exports?|logic|lines?|items?|tests?|cases?|props|" +
    "properties|fields?|components?|sections?|parts?|body|definitions?|rules?|styles?|config|" +
    "configuration|entries|routes?|handlers?|statements?|module|script|document|text)$",
);
/** What every such line holds: one of the words, or a Chinese character. */
const TELLING =
  /rest|remain|existing|previous|other|original|unchanged|omitted|same|[\u2e80-\u9fff\uf900-\ufaff\ud840-\ud8ff]/gi;
/** Unknown words between dots: `... existing auth handling`. */
const NAMED_AT_MOST = 2;
const WORDS_AT_MOST = 12;

const HAN_LEFT =
  "其余|其他|其它|剩余|剩下|原有|原来|现有|已有|此处|这里|以下|以上|下面|上面|后面|前面|后续|中间";
const HAN_THING = "的|部分|代码|内容|方法|函数|逻辑|实现|文件|字段|配置|样式|测试|导入|类|行";
const HAN_KEPT =
  "(?:都|均|全部|仍|已|被)*(?:(?:保持|维持)?(?:不变|原样)|(?:与|和|同)?(?:原来|之前|上面|上文)?(?:相同|一样)|同上|省略|从略|略|保留)了?";
const HAN_DOTTED = new RegExp(`^(?:省略|保留|保持)?(?:${HAN_LEFT})(?:${HAN_LEFT}|${HAN_THING})*$`);
const HAN_SAID = new RegExp(
  `^(?:(?:${HAN_LEFT}|${HAN_THING})*(?:${HAN_LEFT})(?:${HAN_LEFT}|${HAN_THING})*${HAN_KEPT}|` +
    `(?:代码|内容)?(?:省略|从略)|(?:省略|保留|保持)(?:${HAN_LEFT})(?:${HAN_THING})*(?:不变)?)$`,
);

/**
 * Returns the first line that does nothing but stand for text left out ("rest of file unchanged") and
 * is not in `before`; undefined when there is none.
 */
export function placeholderIn(text: string, before: string): string | undefined {
  const telling = new RegExp(TELLING);
  for (let found = telling.exec(text); found; found = telling.exec(text)) {
    const end = text.indexOf("\n", found.index);
    telling.lastIndex = end < 0 ? text.length : end;
    const trimmed = text.slice(text.lastIndexOf("\n", found.index) + 1, telling.lastIndex).trim();
    if (trimmed.length <= LONGEST && standsForMore(trimmed) && !before.includes(trimmed)) {
      return trimmed;
    }
  }
  return undefined;
}

function standsForMore(line: string): boolean {
  const inner = line.replace(COMMENT, "");
  const comment = inner !== line;
  const open = inner.replace(COMMENT_END, "");
  const first = DOTS_FIRST.exec(open)?.[0];
  if (!comment && first === undefined) return false;
  const undotted = open.replace(DOTS_FIRST, "").replace(DOTS_LAST, "");
  const last = undotted.length < open.length - (first?.length ?? 0);
  const body = undotted.replace(/^[([（]+|[)\]）.。,，:：;!！]+$/g, "");
  const words = body.toLowerCase().split(/[\s,]+/);
  if (/\p{Script=Han}/u.test(body)) {
    const bare = words.join("");
    return HAN_SAID.test(bare) || (first !== undefined || last) && HAN_DOTTED.test(bare);
  }
  // `...rest` and `...existing,` are code
  const apart = first !== undefined && (/\s|…/.test(first) || comment && words.length > 1);
  return speaksOfTheRest(words, apart, last);
}

function speaksOfTheRest(words: readonly string[], first: boolean, last: boolean): boolean {
  if (words.length > WORDS_AT_MOST) return false;
  const known = (word: string) => LEFT.test(word) || SAID.test(word) || FILLER.test(word);
  const unknown = words.filter((word) => !known(word)).length;
  const [begin] = words.filter((word) => !/^(?:the|all|your|keep)$/.test(word));
  const leads = begin !== undefined && LEFT.test(begin);
  if (first || last) {
    if (first && last) return words.some((word) => LEFT.test(word));
    return leads && unknown <= (first ? NAMED_AT_MOST : 0);
  }
  if (unknown > 0 || !words.some((word) => LEFT.test(word))) return false;
  if (words[0] === "keep" || /^existing (?:code|implementation)$/.test(words.join(" "))) {
    return true;
  }
  return leads && words.slice(words.indexOf(begin) + 1).some((word) => SAID.test(word));
}
