/** Sessions that the disk has refused to the end: kept in the temporary folder, and found there again. */
import type { T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { env, granted } from "../../base/host.ts";

export const tempDir = () => env("TMPDIR") ?? env("TEMP") ?? "/tmp";

/** Where they are put, one after the other. */
const placesOf = (id: string) =>
  ["", "-2", "-3", "-4", "-5"].map((tail) => under(tempDir(), `narnat-${id}${tail}.jsonl`));

/** Keeps a session that its own folder does not take to the end; returns where. */
export function spareSession(lines: string, id: string): string | undefined {
  for (const path of placesOf(id)) {
    try {
      Deno.writeTextFileSync(path, lines, { mode: 0o600, createNew: true });
      return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) return undefined;
    }
  }
  return undefined;
}

/** What is to be said of a session of which more lies there than in the file that is opened. */
export function spareNote(id: string, file: string, t: T): string | undefined {
  const path = placesOf(id).findLast((path) => holdsMore(path, file));
  if (path === undefined) return undefined;
  return t(
    "More of this session than its file holds, which the disk had refused, lies in {path}: narnat replay {path} shows it; to go on with that one leave narnat and run: cp {path} {file}",
    { path: quoted(path), file: quoted(file) },
  );
}

/** Whether it is the user's own, begins with the same line, and has messages that the file has not. */
function holdsMore(path: string, file: string): boolean {
  try {
    if (!granted({ name: "read", path }) || !isOwn(path)) return false;
    const [kept, spare] = [file, path].map((one) => Deno.readTextFileSync(one).split("\n"));
    if (kept![0] !== spare![0]) return false;
    const at = spare!.findIndex((line, n) => line !== kept![n]);
    return at > 0 && spare!.slice(at).some((line) => line.startsWith('{"type":"message"'));
  } catch {
    return false;
  }
}

function isOwn(path: string): boolean {
  const { isFile, uid } = Deno.lstatSync(path);
  if (!isFile) return false;
  return Deno.build.os === "windows" || granted({ name: "sys", kind: "uid" }) && uid === Deno.uid();
}

const quoted = (path: string) =>
  /^[\w./\\:-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
