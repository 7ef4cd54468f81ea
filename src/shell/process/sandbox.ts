/** Runs shells where they can write only in the workspace and the temporary folders. */
import { ownEnvironment } from "../../base/program_path.ts";
import { errorMessage } from "../../base/errors.ts";
import { feed } from "./stop_tree.ts";
import {
  type Place,
  type Places,
  placesOf,
  type PlacesOptions,
  shownPlaces,
} from "./sandbox_places.ts";
import { SandboxError } from "./sandbox_error.ts";

export { SandboxError };

export interface SandboxOptions extends PlacesOptions {
  readonly network: boolean;
}

/** How a shell, a program and its arguments, is started in the sandbox. */
export type Box = (shell: readonly string[]) => Boxed;

export interface Boxed {
  readonly program: string;
  readonly args: readonly string[];
  /** What the program reads before the shell begins, whose own stdin is empty. */
  readonly input?: Uint8Array<ArrayBuffer>;
}

export interface Sandbox {
  readonly network: boolean;
  /** The box for the next command. Throws SandboxError where there is none to be had. */
  open(): Promise<Box>;
  /** The folders that may be written, once a box was opened. */
  readonly writable: readonly string[];
  /** Removes what had to be made to be covered, where it is as it was made. */
  close(): void;
}

/**
 * The arguments come on another way: `pkill -f` of a path must not find its own sandbox. No bwrap that
 * lies where the commands may write is the sandbox.
 */
const START = `bwrap=$(PATH=$0 command -v bwrap) || { echo "bwrap: not found" >&2; exit 127; }
exec "$bwrap" --args 9 -- "$@" 9<&0 </dev/null`;

/** Makes the sandbox of this system: bubblewrap on Linux, sandbox-exec on macOS. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { os } = Deno.build;
  const { network } = options;
  const made = new Set<string>();
  let writable: readonly string[] = [];
  let works = false;
  const look = (): Box => {
    const found: Places = placesOf(options);
    for (const path of found.made) made.add(path);
    writable = found.writable;
    const { places } = found;
    if (os === "darwin") {
      const profile = seatbeltProfile(places, network);
      return (shell) => ({ program: "/usr/bin/sandbox-exec", args: ["-p", profile, ...shell] });
    }
    const args = bwrapArgs(places, options);
    const input = new TextEncoder().encode(args.join("\0"));
    const { PATH = "" } = ownEnvironment(options.env, options.workspace);
    return (shell) => ({ program: "/bin/sh", args: ["-c", START, PATH, ...shell], input });
  };
  return {
    network,
    get writable() {
      return writable;
    },
    async open() {
      if (os !== "linux" && os !== "darwin") throw new SandboxError("system", os);
      const box = look();
      if (!works) await probe(box(["bash", "-c", ":"]), options.env);
      works = true;
      return box;
    },
    close() {
      for (const path of [...made].reverse()) removeIfUntouched(path);
    },
  };
}

/** An empty root with the system's own folders, and empty ones to work in. */
function onlyShown(options: PlacesOptions): string[] {
  const { shown, empty } = shownPlaces(options);
  return [
    ...["--tmpfs", "/"],
    ...shown.flatMap((path) => ["--ro-bind", path, path]),
    ...empty.flatMap((path) => ["--tmpfs", path]),
  ];
}

/** What bubblewrap is told: all is read only, then place by place what is not. */
function bwrapArgs(places: readonly Place[], options: SandboxOptions): string[] {
  const { network, workspaceOnly } = options;
  const binds = places.flatMap(({ path, access }) => {
    // one that has gone meanwhile is not to be written either
    if (access === "write") return ["--bind-try", path, path];
    if (access === "read") return ["--ro-bind", path, path];
    return isFolder(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
  });
  return [
    // without a user namespace of its own the folders of other processes are a way out
    ...["--unshare-user", "--cap-drop", "ALL"],
    ...workspaceOnly ? onlyShown(options) : ["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...binds,
    // what is made outside would be gone behind the command without a word
    ...workspaceOnly ? ["--remount-ro", "/"] : [],
    ...network ? [] : ["--unshare-net"],
  ];
}

/** What sandbox-exec is told; of its rules the last one that fits counts. */
export function seatbeltProfile(places: readonly Place[], network: boolean): string {
  const rules = places.map(({ path, access }) => {
    const place = `(subpath ${JSON.stringify(path)})`;
    if (access === "hidden") return `(deny file* network-outbound ${place})`;
    return `(${access === "write" ? "allow" : "deny"} file-write* ${place})`;
  });
  // what holds a place that is kept is not to be moved away
  const pinned = places.map(({ path }) =>
    `(deny file-write-unlink (literal ${JSON.stringify(path)}))`
  );
  const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr"];
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    `(allow file-write* ${
      devices.map((path) => `(literal "${path}")`).join(" ")
    } (regex #"^/dev/fd/"))`,
    ...rules,
    ...pinned,
    ...network ? [] : ["(deny network*)"],
  ].join("\n");
}

async function probe(box: Boxed, env: SandboxOptions["env"]): Promise<void> {
  const { code, stderr } = await runBox(box, env);
  if (code === 0) return;
  const said = new TextDecoder().decode(stderr).trim().split("\n").at(-1) ?? "";
  const missing = code === 127 || code === 126 || /not found/.test(said);
  throw new SandboxError(missing ? "missing" : "failed", said || `exit ${code}`);
}

async function runBox(box: Boxed, env: SandboxOptions["env"]): Promise<Deno.CommandOutput> {
  try {
    const child = new Deno.Command(box.program, {
      args: [...box.args],
      env: { ...env },
      clearEnv: true,
      stdin: box.input ? "piped" : "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    if (box.input) await feed(child.stdin, box.input);
    return await child.output();
  } catch (error) {
    throw new SandboxError("missing", errorMessage(error));
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function removeIfUntouched(path: string): void {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    // not recursive: a folder with anything in it stays
    if (!isFile || size === 0 || Deno.readTextFileSync(path) === ".") Deno.removeSync(path);
  } catch { /* gone, or in use */ }
}
