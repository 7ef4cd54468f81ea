/** Instruction files that become part of the prompt. */
import { basename, join } from "node:path";

/** No single file may crowd out the rest of the prompt. */
export const FILE_CAP = 32 * 1024;

export interface InstructionFile {
  readonly path: string;
  readonly text: string;
  /** Bytes left out at the end. */
  readonly cut: number;
}

/** Reads a file if it is there and not blank, at most FILE_CAP bytes of it. */
export function readInstructions(path: string): InstructionFile | undefined {
  if (!mayRead(path)) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = Deno.readFileSync(path);
  } catch {
    return undefined;
  }
  // Cutting inside a character would leave a replacement mark at the end.
  const text = new TextDecoder().decode(bytes.subarray(0, FILE_CAP)).replace(/\ufffd+$/, "").trim();
  if (text === "") return undefined;
  return { path, text, cut: Math.max(0, bytes.length - FILE_CAP) };
}

/** All `*.md` files of a folder in name order. */
export function readFolder(dir: string): InstructionFile[] {
  if (!mayRead(dir)) return [];
  let names: string[];
  try {
    names = [...Deno.readDirSync(dir)].map((entry) => entry.name);
  } catch {
    return [];
  }
  return names.filter((name) => name.endsWith(".md") && !basename(name).startsWith(".")).sort()
    .map((name) => readInstructions(join(dir, name)))
    .filter((file) => file !== undefined);
}

/** Trying without permission would put Deno's own question on a terminal. */
function mayRead(path: string): boolean {
  return Deno.permissions.querySync({ name: "read", path }).state === "granted";
}
