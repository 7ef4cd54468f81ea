/** Source-like trees for bench_search.ts, the same on every machine. */
import { join } from "node:path";

const WORDS =
  ("result value index buffer config request response handler stream cursor parse token node tree " +
    "path entry count limit offset state event queue worker signal error message session model " +
    "field table record writer reader cache bundle module import export const function return " +
    "async await class extends interface type string number boolean undefined null if else for of")
    .split(" ");
const ENDINGS = ["ts", "ts", "js", "go", "py", "c", "h", "md", "json", "txt"];
const FILES_IN_FOLDER = 12;

/** What stands in three files of each tree only. */
export const RARE = "zq_rare_needle";

/** Numbers from 0 up to 1 that depend on the seed alone. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Writes a tree of `files` files of about `bytes` each under `root`, which must not exist. */
export function makeTree(root: string, files: number, bytes: number): void {
  const next = random(files);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  Deno.mkdirSync(join(root, ".git"), { recursive: true });
  Deno.writeTextFileSync(join(root, ".gitignore"), "node_modules/\n*.log\n/dist/\n!keep.log\n");
  const folders = [""];
  for (let i = 0; i < files; i++) {
    if (i % FILES_IN_FOLDER === 0) {
      const parent = folders[Math.floor(next() * Math.min(folders.length, 400))]!;
      const folder = join(parent, `${pick(WORDS)}_${folders.length}`);
      Deno.mkdirSync(join(root, folder), { recursive: true });
      folders.push(folder);
    }
    const lines: string[] = [];
    const size = bytes * (0.2 + 1.6 * next());
    for (let length = 0; length < size;) {
      const line = lineOf(next, pick);
      length += line.length + 1;
      lines.push(line);
    }
    if (i % Math.ceil(files / 3) === 1) lines.push(`// ${RARE}`);
    const name = `${pick(WORDS)}_${i}.${pick(ENDINGS)}`;
    Deno.writeTextFileSync(join(root, folders.at(-1)!, name), lines.join("\n") + "\n");
  }
}

function lineOf(next: () => number, pick: <T>(list: readonly T[]) => T): string {
  const words = Array.from({ length: 2 + Math.floor(next() * 9) }, () => pick(WORDS));
  const odd = next();
  if (odd < 0.004) words.push(`${pick(WORDS).toUpperCase()}_SUSPEND`);
  else if (odd < 0.008) words.push("TODO: " + pick(WORDS));
  else if (odd < 0.01) words.push(`${pick(WORDS)}${pick(WORDS)}${pick(WORDS)}0123456789`);
  return "  ".repeat(Math.floor(next() * 4)) + words.join(pick([" ", "(", ".", ", ", " = "]));
}
