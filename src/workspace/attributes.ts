/** Access lists and extended attributes, which nothing in Deno can read: other programs are asked. */
import { basename, dirname, join } from "../path.ts";

/** Files that are known to have none: path → the stamp that it had, and when it was last changed. */
export type BareFiles = Map<string, { readonly stamp: string; readonly changed: number }>;

/** Files of the same folder that are asked about with one: the next write may be to one of them. */
const MOST_BESIDE = 50;
/** Names that look the same in a listing; those of files on their way to their place left out. */
const PLAIN_NAME = /^[\w.][\w.+-]*(?<!\.tmp)$/;
/** Deno tells the time of a change in whole seconds: another within the same would leave the stamp as it is. */
const COARSE_MS = 1100;
/** Reads no content, as what it writes is thrown away, and lists each file, marked where it has any. */
const LISTING = [
  ...["--acls", "--xattrs", "--xattrs-include=*", "--numeric-owner"],
  ...["--no-recursion", "-cvvf", "/dev/null"],
];
const UNMARKED = /^-\S{9} .* (\S+)$/gm;

/**
 * Gives one file the attributes of another, whose `info` is given, unless it has none: then true.
 * Where neither can be told, or may not be asked, nothing is done.
 */
export async function keepAttributes(
  from: string,
  to: string,
  info: Deno.FileInfo,
  bare: BareFiles = new Map(),
): Promise<boolean> {
  if (Deno.build.os !== "linux" || isBare(from, info, bare)) return true;
  if (mayRun("tar") && await isListedBare(from, bare).catch(() => false)) return true;
  if (!mayRun("cp")) return false;
  const args = ["--attributes-only", "--preserve=mode,xattr", "--", from, to];
  await new Deno.Command("cp", { args, stdin: "null", stdout: "null", stderr: "null" }).output()
    .catch(() => {});
  return false;
}

/** Notes that a file has none, as long as nobody else may have given it any. */
export function noteBare(path: string, info: Deno.FileInfo, bare: BareFiles): void {
  bare.set(path, { stamp: stampOf(info), changed: info.ctime?.getTime() ?? Infinity });
}

/** Another program comes next: forgets those of which the stamp would hide what it does. */
export function forgetYoung(bare: BareFiles): void {
  for (const [path, { changed }] of bare) if (isYoung(changed)) bare.delete(path);
}

// at a terminal Deno would ask
const mayRun = (command: string) =>
  Deno.permissions.querySync({ name: "run", command }).state === "granted";

const isBare = (path: string, info: Deno.FileInfo, bare: BareFiles) =>
  bare.get(path)?.stamp === stampOf(info);

const isYoung = (changed: number) => Date.now() - changed < COARSE_MS;

const stampOf = ({ dev, ino, size, mtime, ctime }: Deno.FileInfo) =>
  `${dev} ${ino} ${size} ${mtime?.getTime()} ${ctime?.getTime()}`;

/** Whether a file surely has none; notes which of those beside it have none. */
async function isListedBare(path: string, bare: BareFiles): Promise<boolean> {
  const folder = dirname(path);
  const own = basename(path);
  if (!PLAIN_NAME.test(own)) return false;
  const infos = new Map<string, Deno.FileInfo>();
  for (const name of namesBeside(folder, own)) {
    const info = Deno.lstatSync(join(folder, name));
    if (info.isFile && !isYoung(info.ctime?.getTime() ?? Infinity)) infos.set(name, info);
  }
  const { success, stdout, stderr } = await new Deno.Command("tar", {
    args: [...LISTING, own, ...infos.keys()],
    cwd: folder,
    env: { TAR_OPTIONS: "" },
    stdin: "null",
  }).output();
  // one that knows nothing of them says so, and lists all the same
  if (!success || stderr.length > 0) return false;
  const listed = new TextDecoder().decode(stdout).matchAll(UNMARKED);
  const unmarked = new Set(Array.from(listed, ([, name]) => name));
  for (const [name, info] of infos) {
    if (unmarked.has(name)) noteBare(join(folder, name), info, bare);
  }
  return unmarked.has(own);
}

function namesBeside(folder: string, own: string): string[] {
  const names: string[] = [];
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    if (isFile && name !== own && PLAIN_NAME.test(name)) names.push(name);
    if (names.length === MOST_BESIDE) break;
  }
  return names;
}
