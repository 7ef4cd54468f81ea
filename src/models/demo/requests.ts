/** Reads what the user asks the demo model for. */
import type { Lang } from "../../base/types.ts";
import { chinese } from "./forms_zh.ts";
import { english } from "./forms_en.ts";
import { type Form, numbered, QUOTED, type Request, type Wish } from "./wishes.ts";

/** No request is longer, save for the content of a file; and the forms backtrack. */
const LONGEST = 1000;

/** The words in braces that a form may use. */
const VOCABULARY: { readonly [name: string]: string } = {
  QUOTED,
  TERM: `(?:${QUOTED}|\\S[^\\n]*?)`,
  WORD: `(?:${QUOTED}|\\S+?)`,
  /** Within Chinese no space need stand after a path, so it must look like one. */
  PATH: `(?:${QUOTED}|[^\\s“”"'，；：]*[./][^\\s“”"'，；：]*?)`,
  IN: `\\s*(?:文件夹|文件|目录)?\\s*(?:里面|里|中|下面|下)`,
};

/** How a step of a plan begins, and what a plan is asked for with. */
const STEP = /^(?:\[Step \d+\/\d+\]|\/plan(?=\s))\s*/;

function patternOf(form: Form, lang: Lang): RegExp {
  const says = form.says
    .replaceAll(" ", lang === "zh" ? "\\s*" : "\\s+")
    .replace(/\{([A-Z]+)\}/g, (_, name) => VOCABULARY[name] ?? "");
  const [polite, end] = lang === "zh"
    ? ["(?:(?:请帮我|请你|请|麻烦你?|帮我|帮忙|现在)[\\s，]*)*", "(?:吧|谢谢)?[\\s.。?？!！]*"]
    : [
      "(?:(?:please|can you|could you|would you|now|i want you to|let's)[\\s,]+)*",
      "(?:[\\s,]+(?:please|for me))?[\\s.?!]*",
    ];
  return new RegExp(`^${polite}(?:${says})${end}$`, "isu");
}

/** Reads one request; its language is that of the form it takes, or of the text when it takes none. */
export function parseRequest(text: string): Request {
  const whole = text.trim().replace(STEP, "");
  const line = whole.split("\n", 1)[0] ?? "";
  const zh = /\p{Script=Han}/u.test(whole);
  const tried: [Lang, readonly Form[]][] = zh
    ? [["zh", chinese], ["en", english]]
    : [["en", english]];
  const list = numbered(whole);
  if (list) return { ...list, lang: zh ? "zh" : "en" };
  for (const [lang, forms] of tried) {
    for (const form of forms) {
      const read = form.reads ? whole : line;
      if (form.reads !== "all" && read.length > LONGEST) continue;
      const match = patternOf(form, lang).exec(read);
      const wish: Wish | undefined = match ? form.wish(match.groups ?? {}) : undefined;
      if (wish) return { ...wish, lang };
    }
  }
  return { kind: "unknown", lang: zh ? "zh" : "en" };
}

/** The steps of what is asked for: those of a list, else all of it as the only one. */
export function stepsFor(text: string): readonly string[] {
  const request = parseRequest(text);
  return request.kind === "plan" ? request.steps : [text.trim().replace(STEP, "")];
}
