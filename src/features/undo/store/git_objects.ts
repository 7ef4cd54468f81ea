/** Finds contents among git's objects: git takes as long to start as a look at a thousand files. */
import { infoOf } from "../../../search/walk/known_files.ts";
import { under } from "../../../base/under.ts";
import { namesOf, textOf } from "../files.ts";

/** Ends a ring of repositories that borrow from each other. */
const MOST_BORROWED = 5;
const HEAD = 0xff744f63;
const VERSION = 2;
const COUNTS_AT = 8;
const NAMES_AT = COUNTS_AT + 256 * 4;

/** Whether a repository had a content, named by its hash, before a time. */
export function hadContent(gitDir: string, hash: string, before: number): boolean {
  const common = textOf(under(gitDir, "commondir"))?.trim();
  const dir = common === undefined ? gitDir : from(gitDir, common);
  return isIn(under(dir, "objects"), hash, before, MOST_BORROWED);
}

function isIn(objects: string, hash: string, before: number, depth: number): boolean {
  const loose = infoOf(under(objects, hash.slice(0, 2), hash.slice(2)));
  // to add it again makes it look younger
  const made = loose?.birthtime ?? loose?.mtime;
  if (made && made.getTime() < before) return true;
  const packs = under(objects, "pack");
  // a pack is named by a hash of the same kind
  const length = `pack-${hash}.idx`.length;
  const isIndex = (name: string) => name.endsWith(".idx") && name.length === length;
  if (namesOf(packs).some((name) => isIndex(name) && isListed(under(packs, name), hash))) {
    return true;
  }
  if (depth === 0) return false;
  const lenders = textOf(under(objects, "info", "alternates"))?.split("\n") ?? [];
  return lenders.some((path) => path !== "" && isIn(from(objects, path), hash, before, depth - 1));
}

const from = (dir: string, path: string) => path.startsWith("/") ? path : under(dir, path);

/** Whether an index of a pack, sorted by hash, names it. */
function isListed(path: string, hash: string): boolean {
  // a pipe would be waited for
  if (!infoOf(path)?.isFile) return false;
  try {
    using file = Deno.openSync(path);
    const head = new DataView(read(file, 0, NAMES_AT).buffer);
    if (head.getUint32(0) !== HEAD || head.getUint32(4) !== VERSION) return false;
    const first = Number.parseInt(hash.slice(0, 2), 16);
    const countTo = (byte: number) => byte < 0 ? 0 : head.getUint32(COUNTS_AT + byte * 4);
    const [begin, end] = [countTo(first - 1), countTo(first)];
    const bytes = hash.length / 2;
    const names = read(file, NAMES_AT + begin * bytes, (end - begin) * bytes);
    const wanted = Uint8Array.from(hash.match(/../g)!, (pair) => Number.parseInt(pair, 16));
    for (let at = 0; at < names.length; at += bytes) {
      if (wanted.every((byte, i) => names[at + i] === byte)) return true;
    }
  } catch { /* git cannot read it either */ }
  return false;
}

function read(file: Deno.FsFile, at: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  file.seekSync(at, Deno.SeekMode.Start);
  for (let done = 0; done < length;) {
    const n = file.readSync(bytes.subarray(done));
    if (n === null) throw new Deno.errors.UnexpectedEof(`Cannot read the index of a pack: cut off`);
    done += n;
  }
  return bytes;
}
