/** Access lists and extended attributes, which nothing in Deno can read: other programs are asked. */
import { basename, dirname, join } from "node:path";

/** Files that are known to have none: path → the stamp that it had. */
export type BareFiles = Map<string, string>;

/** Files of the same folder that are asked about with one: the next write may be to one of them. */
const MOST_BESIDE = 50;
/** Names that look the same in a listing; those of files on their way to their place left out. */
const PLAIN_NAME = /^[\w.][\w.+-]*(?<!\.tmp)$/;
/** A change within one tick of the kernel's clock would leave the stamp as it is. */
const TICK_MS = 20;
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
  if (mayRun("tar") && await list(from, bare).catch(() => false) && isBare(from, info, bare)) {
    return true;
  }
  if (!mayRun("cp")) return false;
  const args = ["--attributes-only", "--preserve=mode,xattr", "--", from, to];
  await new Deno.Command("cp", { args, stdin: "null", stdout: "null", stderr: "null" }).output()
    .catch(() => {});
  return false;
}

/** Notes that a file has none. */
export function noteBare(path: string, info: Deno.FileInfo, bare: BareFiles): void {
  bare.set(path, stampOf(info));
}

// at a terminal Deno would ask
const mayRun = (command: string) =>
  Deno.permissions.querySync({ name: "run", command }).state === "granted";

const isBare = (path: string, info: Deno.FileInfo, bare: BareFiles) =>
  bare.get(path) === stampOf(info);

const stampOf = ({ dev, ino, size, mtime, ctime }: Deno.FileInfo) =>
  `${dev} ${ino} ${size} ${mtime?.getTime()} ${ctime?.getTime()}`;

/** Notes which of a file and those beside it have none; false where it cannot be told. */
async function list(path: string, bare: BareFiles): Promise<boolean> {
  const folder = dirname(path);
  const own = basename(path);
  if (!PLAIN_NAME.test(own)) return false;
  const stamps = new Map<string, string>();
  for (const name of [own, ...namesBeside(folder, own)]) {
    const info = Deno.lstatSync(join(folder, name));
    const settled = Date.now() - (info.ctime?.getTime() ?? Infinity) > TICK_MS;
    if (info.isFile && (settled || name === own)) stamps.set(name, stampOf(info));
  }
  const { success, stdout, stderr } = await new Deno.Command("tar", {
    args: [...LISTING, ...stamps.keys()],
    cwd: folder,
    env: { TAR_OPTIONS: "" },
    stdin: "null",
  }).output();
  // one that knows nothing of them says so, and lists all the same
  if (!success || stderr.length > 0) return false;
  for (const [, name = ""] of new TextDecoder().decode(stdout).matchAll(UNMARKED)) {
    const stamp = stamps.get(name);
    if (stamp !== undefined) bare.set(join(folder, name), stamp);
  }
  return true;
}

function namesBeside(folder: string, own: string): string[] {
  const names: string[] = [];
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    if (isFile && name !== own && PLAIN_NAME.test(name)) names.push(name);
    if (names.length === MOST_BESIDE) break;
  }
  return names;
}
