/** What narnat remembers: SOUL.md, USER.md and MEMORY.md of the memory folders. */
import { under } from "../under.ts";
import { type InstructionFile, readInstructions } from "./files.ts";
import { MEMORY_CAPS } from "./memory_files.ts";
import { filePart, type PromptOptions, type PromptPart } from "./part.ts";

const FILES = ["SOUL.md", "USER.md", "MEMORY.md"] as const;
/** Bytes that are read of one; what is behind them is not kept. */
const READ = 1 << 20;

/** The memory files, the user's before the project's; one that is only a template is none. */
export function memoryParts(o: PromptOptions): PromptPart[] {
  const own = o.userDir && under(o.userDir, "memory");
  const project = under(o.workspace, ".narnat", "memory");
  const folders = [
    ...own === undefined || own === project ? [] : [{ dir: own, name: "~/.narnat/memory" }],
    { dir: project, name: ".narnat/memory" },
  ];
  return FILES.flatMap((name) =>
    folders.flatMap((folder) => {
      const file = readInstructions(under(folder.dir, name), READ);
      if (!file || isTemplate(file.text)) return [];
      return [filePart(`${folder.name}/${name}`, withinCap(file, MEMORY_CAPS[name]))];
    })
  );
}

/** A file's beginning, which says what it is, and its end, where the newest stands. */
function withinCap(file: InstructionFile, cap: number): InstructionFile {
  const bytes = new TextEncoder().encode(file.text);
  if (bytes.length <= cap) return file;
  const decoder = new TextDecoder();
  const first = decoder.decode(bytes.subarray(0, cap >> 2));
  const last = decoder.decode(bytes.subarray(bytes.length - (cap - (cap >> 2))));
  // whole lines, where there are some
  const head = /^[^]*(?=\n)/.exec(first)?.[0] ?? first.replace(/\ufffd+$/, "");
  const tail = /\n([^]+)$/.exec(last)?.[1] ?? last.replace(/^\ufffd+/, "");
  const size = (text: string) => new TextEncoder().encode(text).length;
  const left = bytes.length - size(head) - size(tail);
  const text = `${head}\n… (${left} bytes left out here)\n${tail}`;
  return { ...file, text, cut: file.cut + left };
}

/** Nothing but headings, comments, rules and blanks. */
function isTemplate(text: string): boolean {
  return text !== "" && text.replaceAll(/<!--[^]*?(?:-->|$)/g, "").split("\n")
    .every((line) => /^\s*(?:#.*|[-*_=]{3,}\s*)?$/.test(line));
}
