/** What narnat is and remembers: SOUL.md, USER.md, MEMORY.md and what else people keep in the memory folders. */
import { under } from "../../base/path.ts";
import {
  BUFFERED,
  type InstructionFile,
  mayRead,
  readEnds,
  readInstructions,
} from "../../context/files.ts";
import { MEMORY_CAPS } from "../../session/memory_files.ts";
import { filePart, type PromptOptions, type PromptPart } from "../../context/part.ts";

/** Of a file that only people write. */
const CAP = 8 * 1024;
/** In the order of the prompt; those without a cap of their own are only read. */
const FILES = ["SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "MEMORY.md"];
const CAPS: { readonly [name: string]: number } = MEMORY_CAPS;

/** The memory files, the user's before the project's; one that is only a template is none. */
export function memoryParts(o: PromptOptions): PromptPart[] {
  const own = o.userDir && under(o.userDir, "memory");
  const project = under(o.workspace, ".narnat", "memory");
  const folders = [
    ...own === undefined || own === project ? [] : [{ dir: own, name: "~/.narnat/memory" }],
    { dir: project, name: ".narnat/memory" },
  ];
  const today = `${o.now().toISOString().slice(0, 10)}.md`;
  const listed = folders.map(({ dir }) => listOf(dir));
  return [...FILES, today].flatMap((name) =>
    folders.flatMap((folder, at) => {
      if (listed[at]?.has(name.toLowerCase()) === false) return [];
      const file = readMemory(under(folder.dir, name), CAPS[name] ?? CAP);
      return file ? [filePart(`${folder.name}/${name}`, file)] : [];
    })
  );
}

/** The names in a folder, in small letters as some file systems take them; undefined where it cannot be listed. */
function listOf(dir: string): ReadonlySet<string> | undefined {
  if (!mayRead(dir)) return undefined;
  try {
    return new Set(Array.from(Deno.readDirSync(dir), ({ name }) => name.toLowerCase()));
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? new Set() : undefined;
  }
}

/** A memory file; of one over its cap the beginning, which says what it is, and the end, where the newest stands. */
function readMemory(path: string, cap: number): InstructionFile | undefined {
  if (!mayRead(path)) return undefined;
  const first = cap >> 2;
  const ends = readEnds(path, first, cap - first);
  if (ends) return { path, bytes: ends.bytes, ...joined(ends.first, ends.last, ends.bytes) };
  const file = readInstructions(path, BUFFERED);
  if (!file || isTemplate(file.text)) return undefined;
  const bytes = new TextEncoder().encode(file.text);
  if (bytes.length <= cap) return file;
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  const last = decode(bytes.subarray(bytes.length - (cap - first)));
  return { ...file, ...joined(decode(bytes.subarray(0, first)), last, bytes.length) };
}

/** Both ends of a text of so many bytes, in whole lines where there are some. */
function joined(first: string, last: string, bytes: number): { text: string; cut: number } {
  const head = /^[^]*(?=\n)/.exec(first)?.[0] ?? first.replace(/\ufffd+$/, "");
  const tail = (/\n([^]+)$/.exec(last)?.[1] ?? last.replace(/^\ufffd+/, "")).trimEnd();
  const size = (text: string) => new TextEncoder().encode(text).length;
  const cut = Math.max(0, bytes - size(head) - size(tail));
  return { text: `${head}\n… (${cut} bytes left out here)\n${tail}`, cut };
}

/** Nothing but headings, comments, rules and blanks. */
function isTemplate(text: string): boolean {
  return text !== "" && text.replaceAll(/<!--[^]*?(?:-->|$)/g, "").split("\n")
    .every((line) => /^\s*(?:#.*|[-*_=]{3,}\s*)?$/.test(line));
}
