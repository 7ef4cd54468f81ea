/** What a request can ask for, and the making of each wish from the words of a sentence. */
import type { Lang } from "../../base/types.ts";

/** A sentence understood. Paths and patterns are as typed, without their quotes. */
export type Wish =
  | { readonly kind: "help" }
  | { readonly kind: "about" }
  | { readonly kind: "list"; readonly pattern: string; readonly path?: string }
  | {
    readonly kind: "read";
    readonly file: string;
    readonly first?: number;
    readonly last?: number;
  }
  | {
    readonly kind: "find";
    readonly text: string;
    readonly quoted: boolean;
    readonly path?: string;
  }
  | { readonly kind: "count_files"; readonly pattern: string; readonly path?: string }
  | { readonly kind: "count_lines"; readonly path?: string }
  | { readonly kind: "count_text"; readonly text: string; readonly path?: string }
  | { readonly kind: "count_tests" }
  | {
    readonly kind: "replace";
    readonly before: string;
    readonly after: string;
    readonly file?: string;
  }
  | { readonly kind: "create"; readonly file: string; readonly content: string }
  | { readonly kind: "delete"; readonly file: string }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "test" }
  | { readonly kind: "mend" }
  | { readonly kind: "plan"; readonly steps: readonly string[] }
  | { readonly kind: "unknown" };

/** The wish of one kind. */
export type Of<K extends Wish["kind"]> = Extract<Wish, { kind: K }>;

export type Request = Wish & { readonly lang: Lang };

/** Named groups of a match; a group that took no part is undefined. */
export type Groups = { readonly [name: string]: string | undefined };

/** One shape of sentence. */
export interface Form {
  readonly says: string;
  /** The whole text, or the whole of a short one (what changes things must not overlook words); else its first line. */
  readonly reads?: "all" | "short";
  /** Returns nothing when the sentence only looked like this form. */
  readonly wish: (groups: Groups) => Wish | undefined;
}

/** A regular expression's source for text in quotes of any kind. */
export const QUOTED = "\"[^\"]*\"|'[^']*'|`[^`]*`|“[^”]*”|‘[^’]*’|「[^」]*」|『[^』]*』";

/** Files that hold tests, by the usual names of several languages. */
export const TEST_FILES = "**/{*[._]test.*,*[._]spec.*,test_*.py,*Test.java}";

/** Takes the quotation marks off. */
function unquote(text = ""): string {
  const trimmed = text.trim();
  return isQuoted(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

/** Whether the whole text stands in quotation marks. */
function isQuoted(text = ""): boolean {
  return new RegExp(`^(?:${QUOTED})$`, "su").test(text.trim());
}

/** Everyday words for "here" are no path. */
export function folder(text?: string): { path?: string } {
  if (text === undefined) return {};
  const path = unquote(text).replace(/^the\s+/i, "").replace(/\s+(?:folder|directory)$/i, "");
  const here =
    /^(?:\.?|(?:(?:this|the|our|my)\s+)?(?:project|repo|repository|code|codebase|folder|directory|workspace|here|there|total)|(?:整个|这个|本|当前)?(?:项目|仓库|工程|代码|代码库|目录|文件夹|这里))$/i;
  return here.test(path) ? {} : { path };
}

/** Turns "ts", "*.ts", ".md" or "TypeScript" into a pattern over the whole tree. */
export function globOf(what?: string): string {
  const word = unquote(what).replace(/^(?:the|all)\s+/i, "");
  const named: { readonly [name: string]: string } = {
    typescript: "ts,tsx",
    javascript: "js,jsx,mjs,cjs",
    python: "py",
    markdown: "md",
    rust: "rs",
  };
  if (/^(?:|all|source|project|所有|全部|源|源代码|项目)$/i.test(word)) return "**/*";
  if (/^(?:tests?|测试)$/i.test(word)) return TEST_FILES;
  const known = named[word.toLowerCase()];
  if (known) return known.includes(",") ? `**/*.{${known}}` : `**/*.${known}`;
  if (word.includes("/")) return word;
  if (/[*?{[]/.test(word)) return `**/${word}`;
  if (word.startsWith(".") && word.length > 1) return `**/*${word}`;
  if (/^[a-z0-9]{1,5}$/i.test(word)) return `**/*.${word.toLowerCase()}`;
  return `**/*${word}*`;
}

/** The wish for the files that a word such as "ts" stands for. */
export function list(what?: string, path?: string): Wish {
  return { kind: "list", pattern: globOf(what), ...folder(path) };
}

/** "list src" names a folder, "list *.ts" a pattern. */
export function listThing(thing?: string): Wish | undefined {
  if (thing === undefined) return { kind: "list", pattern: "**/*" };
  const word = unquote(thing);
  if (/\s/.test(word)) return undefined;
  if (/[*?{[]/.test(word)) return list(word);
  return { kind: "list", pattern: "**/*", ...folder(word.replace(/(?<=.)\/$/, "")) };
}

/** The wish for the files with this in their name. */
export function listNamed(name?: string): Wish {
  return list(`*${unquote(name)}*`.replace(/\*{2,}/g, "*"));
}

/** The wish to delete one file. */
export function remove(file?: string): Wish | undefined {
  const name = unquote(file);
  return name === "" || (/\s/.test(name) && !isQuoted(file))
    ? undefined
    : { kind: "delete", file: name };
}

/** The wish to read a file, or some of its lines. */
export function read(file?: string, first?: string, last?: string): Wish | undefined {
  const name = unquote(file);
  if (name === "" || (/\s/.test(name) && !isQuoted(file))) return undefined;
  return {
    kind: "read",
    file: name,
    ...(first === undefined ? {} : { first: Number(first) }),
    ...(last === undefined ? {} : { last: Number(last) }),
  };
}

/** Takes the filling words off an unquoted search: "all uses of Cart" looks for "Cart". */
export function find(term?: string, path?: string): Wish | undefined {
  const quoted = isQuoted(term);
  let text = unquote(term);
  if (!quoted) {
    const lead =
      /^(?:all|the|every|any|files?|lines?|places?|uses?|usages?|occurrences?|references?|mentions?|definitions?|calls?|of|to|function|class|variable|method|word|string|text|where|containing|that contain|with|函数|变量|类|单词|文字|字符串)\s+(?=\S)/i;
    while (lead.test(text)) text = text.replace(lead, "");
    text = text.replace(
      /\s+(?:is|are)?\s*(?:defined|used|declared|called|implemented|mentioned|located|imported)$/i,
      "",
    ).replace(
      /(?<=.)(?:的(?:定义|用法|引用|位置)|是|\s+(?:function|class|method|variable|函数|类|方法|变量))$/i,
      "",
    ).trim();
  }
  if (text === "" || /^(?:(?:for|the)\s+)*(?:web|internet|online)\b/i.test(text)) return undefined;
  return { kind: "find", text, quoted, ...folder(path) };
}

/** The wish to count the lines with a text. */
export function countText(term?: string, path?: string): Wish | undefined {
  const text = unquote(term).replace(/^([A-Z]{2,})s$/, "$1");
  return text === "" ? undefined : { kind: "count_text", text, ...folder(path) };
}

/** The wish to replace a text, in a file or everywhere. */
export function replace(before?: string, after?: string, file?: string): Wish | undefined {
  const from = unquote(before);
  if (from === "") return undefined;
  const where = folder(file).path;
  return {
    kind: "replace",
    before: from,
    after: unquote(after),
    ...(where === undefined ? {} : { file: where }),
  };
}

/** The wish for a new file; an unquoted name must look like a path unless `sure`. */
export function create(file?: string, content?: string, sure = false): Wish | undefined {
  const name = unquote(file);
  if (!sure && !isQuoted(file) && !/[./]/.test(name)) return undefined;
  const fenced = /^\s*```[^\n]*\n(.*?)```\s*$/s.exec(content ?? "");
  const text = fenced ? fenced[1] ?? "" : unquote(content);
  return {
    kind: "create",
    file: name,
    content: text === "" || text.endsWith("\n") ? text : text + "\n",
  };
}

/** The wish to run a command. */
export function run(command = ""): Wish | undefined {
  const text = unquote(command.trim().replace(/。$/, ""));
  return text === "" ? undefined : { kind: "run", command: text };
}

/** The wish to do several things, parted by semicolons or line ends. */
export function plan(text = ""): Wish | undefined {
  const steps = text.split(/[;；\n]/).map((step) => step.replace(NUMBER, "").trim()).filter(
    Boolean,
  );
  return steps.length === 0 ? undefined : { kind: "plan", steps };
}

const NUMBER = /^\s*(?:\d+\s*[.)、．]\s*|[-*•]\s+)/;

/** A list of at least two numbered lines, after at most one line of introduction. */
export function numbered(text: string): Wish | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 0 && !NUMBER.test(lines[0] ?? "")) lines.shift();
  if (lines.length < 2 || !lines.every((line) => NUMBER.test(line))) return undefined;
  return plan(lines.join("\n"));
}
