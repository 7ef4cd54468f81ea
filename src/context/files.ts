/** Instruction files that become part of the prompt. */
import { under } from "../under.ts";
import { detectCoding, looksBinary } from "../workspace/text_file.ts";

/** No single file may crowd out the rest of the prompt. */
export const FILE_CAP = 32 * 1024;

export interface InstructionFile {
  readonly path: string;
  /** Empty when the file was left out. */
  readonly text: string;
  /** Bytes left out at the end. */
  readonly cut: number;
  /** Why the whole file was left out. */
  readonly left?: "not_text" | "unreadable";
}

/** Reads a file in its own encoding if it is there and not blank, at most FILE_CAP bytes of it. */
export function readInstructions(path: string): InstructionFile | undefined {
  if (!mayRead(path)) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = Deno.readFileSync(path);
  } catch (error) {
    const { NotFound, NotADirectory } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return undefined;
    return { path, text: "", cut: 0, left: "unreadable" };
  }
  if (looksBinary(bytes)) return { path, text: "", cut: 0, left: "not_text" };
  const cut = Math.max(0, bytes.length - FILE_CAP);
  const whole = new TextDecoder(detectCoding(bytes).encoding).decode(bytes.subarray(0, FILE_CAP));
  // Cutting inside a character would leave a replacement mark at the end.
  const text = (cut > 0 ? whole.replace(/\ufffd+$/, "") : whole).trim();
  return text === "" ? undefined : { path, text, cut };
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
  return names.filter((name) => name.endsWith(".md") && !name.startsWith(".")).sort()
    .map((name) => readInstructions(under(dir, name)))
    .filter((file) => file !== undefined);
}

/** Trying without permission would put Deno's own question on a terminal. */
function mayRead(path: string): boolean {
  return Deno.permissions.querySync({ name: "read", path }).state === "granted";
}
