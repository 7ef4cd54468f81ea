/** Dream works on copies: the memory files change at its end, or not at all. */
import type { T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { unifiedDiff } from "../../files/edit/diff.ts";
import { alone } from "../../session/history.ts";
import {
  MEMORY_FILES,
  memoryText,
  writeMemories,
  writeMemory,
} from "../../session/memory_files.ts";

export interface Change {
  readonly name: string;
  readonly added: number;
  readonly removed: number;
  readonly before: string;
  readonly after: string;
}

export interface NewSkill {
  readonly name: string;
  /** False when there is one of that name: it stays as it is. */
  put(): boolean;
}

export interface DreamFiles {
  /** Folder of the copies: `memory/` and `skills/` lie in it. */
  readonly folder: string;
  /** What is there, for the model. */
  readonly text: string;
  /** Names of the skills that exist. */
  readonly skills: readonly string[];
  /** The files whose copies were changed; `merge` joins them with what people changed meanwhile. */
  changed(
    redactAlways: (text: string) => string,
    merge: ((mine: string, base: string, theirs: string) => Promise<string>) | undefined,
  ): Promise<Change[]>;
  /** Puts all of them in the files' place. Throws when one has changed meanwhile; then none is. */
  put(changes: readonly Change[]): void;
  /** The skills of these names that were written as they should be, and what is to be told of others that were `written`. */
  newSkills(
    redactAlways: (text: string) => string,
    wanted: readonly string[],
  ): { made: NewSkill[]; notes: string[]; written: readonly string[] };
  /** Removes the copies. */
  close(): void;
}

/** What is shown of one file. */
const SHOWN_CHARS = 16_000;
/** Two thousand words, in a language that writes them long. */
const SKILL_CHARS = 20_000;

/** Makes the copies. Throws where a memory file is none. */
export function openDreamFiles(narnatDir: string, t: T): DreamFiles {
  const dir = under(narnatDir, "memory");
  const folder = under(dir, ".dream");
  const copies = under(folder, "memory");
  remove(folder);
  const base = new Map(MEMORY_FILES.map((name) => [name, memoryText(dir, name, t)]));
  for (const sub of ["memory", "skills"]) {
    Deno.mkdirSync(under(folder, sub), { recursive: true, mode: 0o700 });
  }
  for (const [name, text] of base) if (text !== undefined) writeMemory(copies, name, text);
  const skills = foldersOf(under(narnatDir, "skills"));
  return {
    folder,
    skills,
    text: [
      ...[...base].map(([name, text]) => `# memory/${name}\n\n${shown(text)}`),
      `# Skills that exist\n\n${skills.length === 0 ? "(none)" : skills.join(", ")}`,
    ].join("\n\n"),
    async changed(redactAlways, merge) {
      const changes: Change[] = [];
      for (const [name, before = ""] of base) {
        const made = redactAlways(memoryText(copies, name, t) ?? "");
        if (made === redactAlways(before)) continue;
        const now = memoryText(dir, name, t) ?? "";
        const meanwhile = now !== before;
        if (meanwhile && !merge) {
          throw new Error(t("{name} was changed while the Dream went on", { name }));
        }
        const text = meanwhile ? await merge!(now, before, made) : made;
        const { added, removed } = unifiedDiff(now, text);
        changes.push({ name, added, removed, before: now, after: text });
      }
      return changes;
    },
    put: (changes) =>
      alone(dir, () => {
        for (const { name, before } of changes) {
          if ((memoryText(dir, name, t) ?? "") === before) continue;
          throw new Error(t("{name} was changed while the Dream went on", { name }));
        }
        writeMemories(dir, changes.map(({ name, after }) => [name, after]));
      }),
    newSkills(redactAlways, wanted) {
      const notes: string[] = [];
      const written = foldersOf(under(folder, "skills"));
      const made = written.flatMap((name) => {
        const text = memoryText(under(folder, "skills", name), "SKILL.md", t);
        const why = !wanted.includes(name)
          ? t("no finding asks for it")
          : skills.includes(name)
          ? t("a skill of this name exists and is not replaced")
          : text === undefined || !isSkill(name, text)
          ? t("it does not begin with name and description, or is too long")
          : undefined;
        if (why !== undefined) {
          notes.push(t("The skill {name} was not taken: {why}", { name, why }));
          return [];
        }
        const put = () => {
          const parent = under(narnatDir, "skills");
          Deno.mkdirSync(parent, { recursive: true });
          const to = under(parent, name);
          try {
            Deno.mkdirSync(to);
          } catch (error) {
            // somebody has made one meanwhile
            if (error instanceof Deno.errors.AlreadyExists) return false;
            throw error;
          }
          Deno.writeTextFileSync(under(to, "SKILL.md"), redactAlways(text!), { createNew: true });
          return true;
        };
        return [{ name, put }];
      });
      return { made, notes, written };
    },
    close: () => remove(folder),
  };
}

/** It has the front matter that makes it one, and is not too long. */
function isSkill(name: string, text: string): boolean {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1];
  return head !== undefined && text.length <= SKILL_CHARS &&
    new RegExp(`^name:\\s*["']?${name}["']?\\s*$`, "m").test(head) &&
    /^description:\s*\S/m.test(head);
}

function shown(text: string | undefined): string {
  if (text === undefined) return "(does not exist)";
  if (text.trim() === "") return "(empty)";
  return text.length > SHOWN_CHARS
    ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}\n(… Read shows the rest)`
    : text.trim();
}

function foldersOf(dir: string): string[] {
  try {
    return [...Deno.readDirSync(dir)].filter((entry) => !entry.isFile).map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}

function remove(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
