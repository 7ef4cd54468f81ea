/** The machine as narnat sees it: environment, folders, streams; the only place that asks Deno for them. */
import { ConfigError } from "./errors.ts";
import { type Lang, langFrom, type T, translator } from "./t.ts";
import { plain } from "./control_characters.ts";
import { under } from "./path.ts";
import { whyOf } from "./file_why.ts";

/** What is granted whole, as it mostly is: a start asks a hundred times. */
const WHOLLY: readonly string[] = (["env", "net", "read", "run", "sys", "write"] as const).filter(
  (name) => {
    const { state, partial } = Deno.permissions.querySync({ name });
    return state === "granted" && !partial;
  },
);

/** Whether Deno grants it already: at a terminal, trying would put Deno's own question on the screen. */
export function granted(descriptor: Deno.PermissionDescriptor): boolean {
  return WHOLLY.includes(descriptor.name) ||
    Deno.permissions.querySync(descriptor).state === "granted";
}

/** Throws what Deno would throw without a terminal to ask at. */
export function demand(name: "read" | "write", path: string): void {
  if (granted({ name, path })) return;
  throw new Deno.errors.NotCapable(
    `Requires ${name} access to "${path}", run again with the --allow-${name} flag`,
  );
}

/** A configuration is never longer. */
const CONFIG_MB = 4;

/** Text of a configuration; throws NotCapable where it may not be read, and at once where reading would never end. */
export function readText(path: string, t: T): string {
  demand("read", path);
  const { isFile, isDirectory, size } = Deno.statSync(path);
  if (!isFile && !isDirectory) throw new Error(t("it is no regular file"));
  if (size > CONFIG_MB * 2 ** 20) {
    throw new Error(t("it is larger than {mb} MB", { mb: CONFIG_MB }));
  }
  return Deno.readTextFileSync(path);
}

/** An environment variable; undefined also where it may not be read. */
export function env(name: string): string | undefined {
  return granted({ name: "env", variable: name }) ? Deno.env.get(name) : undefined;
}

/** The whole environment; empty where it may not be read. */
export function wholeEnv(): { [name: string]: string } {
  return granted({ name: "env" }) ? Deno.env.toObject() : {};
}

/** The user's narnat folder; undefined without a home directory, or where it may not be read. */
export function userDir(): string | undefined {
  const home = env("HOME") || env("USERPROFILE");
  const dir = home && under(home, ".narnat");
  return dir && granted({ name: "read", path: dir }) ? dir : undefined;
}

/** Real path of the workspace. Throws ConfigError when it is no folder. */
export function workspaceFrom(dir: string | undefined, t: T): string {
  const wanted = dir ?? ".";
  // Reading "." may be all that is allowed; then its absolute path is not for us to resolve.
  if (dir === undefined && !granted({ name: "read", path: wanted })) return Deno.cwd();
  let real: string;
  try {
    real = Deno.realPathSync(wanted);
    if (!Deno.statSync(real).isDirectory) throw new Error(t("it is not a folder"));
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound
      ? t("there is no such folder")
      : (error as Error).message;
    throw new ConfigError(t("Cannot open the workspace {dir}: {why}", { dir: wanted, why }));
  }
  return real;
}

/** Which of Deno's permissions this process has, without asking for more. */
export function grantedPermissions(workspace: string): Set<"read" | "write" | "run" | "net"> {
  const all = new Set<"read" | "write" | "run" | "net">();
  if (granted({ name: "read", path: workspace })) all.add("read");
  if (granted({ name: "write", path: workspace })) all.add("write");
  if (granted({ name: "run" }) || granted({ name: "run", command: "bash" })) all.add("run");
  if (granted({ name: "net" })) all.add("net");
  return all;
}

const IGNORED = [
  ".gitignore",
  "narnat.json",
  "last_session_summary.md",
  "memory/",
  "sessions/",
  "logs/",
  "outputs/",
  "checkpoints/",
  "trash/",
];

function putNew(path: string, text: string, mode?: number): void {
  try {
    // a mode that is given counts whatever the umask says
    Deno.writeTextFileSync(path, text, { createNew: true, ...mode === undefined ? {} : { mode } });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return;
    try {
      // half of it, or none, would pass for all of it the next time
      if (Deno.statSync(path).size < text.length) Deno.removeSync(path);
    } catch { /* it was not made */ }
    throw error;
  }
}

/** The first link where narnat would write; a project may have put it there to have other files written. */
function linkIn(dir: string): string | undefined {
  const isLink = (path: string) => {
    try {
      return Deno.lstatSync(path).isSymlink;
    } catch {
      return false;
    }
  };
  const folders = IGNORED.filter((name) => name.endsWith("/"))
    .map((name) => under(dir, name.slice(0, -1)));
  const found = [dir, ...folders].find(isLink);
  if (found !== undefined) return found;
  for (const folder of ["logs", "sessions", "outputs"].map((name) => under(dir, name))) {
    try {
      for (const { name, isSymlink } of Deno.readDirSync(folder)) {
        if (isSymlink) return under(folder, name);
      }
    } catch { /* it is not there yet */ }
  }
}

/** Why a project's folder could not be made; whether it was the `disk` that refused. */
export interface NotMade {
  readonly why: string;
  readonly disk: boolean;
}

/** Makes `.narnat/` with its `.gitignore`; returns why it cannot, or undefined. */
export function makeProjectDir(
  workspace: string,
  t: T,
  userDir: string | undefined,
): NotMade | undefined {
  const dir = under(workspace, ".narnat");
  try {
    demand("write", dir);
    // what is the user's own is for them to arrange
    const link = dir === userDir ? undefined : linkIn(dir);
    if (link !== undefined) {
      return {
        why: t(
          "{path} is a link, which may lead what is kept out of the project; remove it, or put a folder in its place",
          { path: link },
        ),
        disk: false,
      };
    }
    Deno.mkdirSync(under(dir, "sessions"), { recursive: true, mode: 0o700 });
    putNew(
      under(dir, ".gitignore"),
      "# written by narnat: what is private stays out of git\n" +
        IGNORED.map((name) => `/${name}\n`).join(""),
    );
    putNew(under(dir, "last_session_summary.md"), "", 0o600);
    return undefined;
  } catch (error) {
    const disk = !(error instanceof Deno.errors.NotCapable);
    return { why: (error as Error).message, disk };
  }
}

/** What a stream is to be given of `text`: what a model or a tool says may not steer a terminal. */
export function shownOn(stream: { isTerminal(): boolean }, text: string): string {
  return stream.isTerminal() ? plain(text) : text;
}

/** Writes all of `text`; throws when the stream is closed. */
export function writeAll(
  stream: { writeSync(bytes: Uint8Array): number; isTerminal(): boolean },
  text: string,
): void {
  let rest: Uint8Array = new TextEncoder().encode(shownOn(stream, text));
  while (rest.length > 0) {
    try {
      rest = rest.subarray(stream.writeSync(rest));
    } catch (error) {
      // A pipe that is full for the moment is not a pipe that is closed.
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** The language asked for on the command line, before anything is parsed. */
export function askedLang(args: readonly string[]): Lang {
  const at = args.indexOf("--lang");
  const given = at >= 0 ? args[at + 1] : args.find((a) => a.startsWith("--lang="))?.slice(7);
  return given === "zh" || given === "en" ? given : langFrom(env);
}

/** Says texts in the language that is asked for, else in the environment's. */
export function translatorFor({ lang }: { readonly lang?: Lang | undefined }): T {
  return translator(lang ?? langFrom(env));
}

/** A line on stderr; never throws. */
export function complain(text: string): void {
  try {
    writeAll(Deno.stderr, plain(text) + "\n");
  } catch { /* nobody listens */ }
}

/** Tells on stderr what of the settings does not count. */
export function tellWarnings({ warnings }: { readonly warnings: readonly string[] }): void {
  for (const warning of warnings) complain(`narnat: ${warning}`);
}

/** Prints for people on stdout: who reads a pipe may be a terminal in the end. Where nobody reads any more narnat ends quietly. */
export function put(text: string): void {
  putData(plain(text));
}

/** Prints what is asked for as it stands: at a terminal it steers nothing all the same. */
export function putData(text: string): void {
  try {
    writeAll(Deno.stdout, text);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    const t = translator(askedLang(Deno.args));
    const why = whyOf(t, error).replace(/[.。]$/, "");
    complain(`narnat: ${t("Cannot write to standard output: {why}", { why })}`);
    Deno.exit(1);
  }
}

/** Calls `onSignal` with the exit code of each signal that asks narnat to end. */
export function listenForSignals(onSignal: (code: number) => void): void {
  const codes: [Deno.Signal, number][] = [["SIGINT", 130]];
  if (Deno.build.os !== "windows") codes.push(["SIGTERM", 143], ["SIGHUP", 129]);
  for (const [signal, code] of codes) Deno.addSignalListener(signal, () => onSignal(code));
}
