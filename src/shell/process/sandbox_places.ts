/** What a sandboxed command may write, and what in there it may not. */
import { dirname, infoOf, isAbsolute, join, realOf, within } from "../../base/path.ts";
import { SandboxError } from "./sandbox_error.ts";

// What of a repository runs programs, and so is not for a sandboxed command to write.

interface GitPlaces {
  /** Folders outside of the workspace that a commit writes to. */
  readonly write: readonly string[];
  /** To be made where it is not there; a folder without `text`. */
  readonly make: readonly { readonly path: string; readonly text?: string }[];
  readonly protect: readonly string[];
}

/** How deep submodules are looked for. */
const MAX_DEPTH = 6;

/** Of the repository at `workspace`; with `reserve` its place is kept where there is none. */
function gitPlaces(workspace: string, reserve: boolean): GitPlaces {
  const git = join(workspace, ".git");
  const info = infoOf(git);
  if (info?.isDirectory) return { write: [], ...ofRepository(git) };
  if (info?.isFile) return ofLinked(git, workspace);
  if (info) return { write: [], make: [], protect: [git] };
  if (!reserve || hasAbove(workspace)) return { write: [], make: [], protect: [] };
  return { write: [], make: [{ path: git }], protect: [git] };
}

function ofRepository(git: string): Omit<GitPlaces, "write"> {
  const at = (name: string) => join(git, name);
  const make = [
    { path: at("hooks") },
    { path: at("config"), text: "" },
    // it would name another place for both
    { path: at("commondir"), text: "." },
  ];
  const more = [at("config.worktree")];
  for (const name of names(at("worktrees"))) {
    more.push(at(`worktrees/${name}/commondir`), at(`worktrees/${name}/config.worktree`));
  }
  const inner = submodules(at("modules"), MAX_DEPTH).map(ofRepository);
  return {
    make: [...make, ...inner.flatMap((one) => one.make)],
    protect: [
      ...make.map(({ path }) => path),
      ...more.filter((path) => infoOf(path)),
      ...inner.flatMap((one) => one.protect),
    ],
  };
}

/** The file may name any folder: only one inside counts, and one that knows the workspace for its worktree. */
function ofLinked(file: string, workspace: string): GitPlaces {
  const own = [file];
  const dir = pointed(file, /^gitdir: (.+)$/m);
  const inside = dir && infoOf(dir)?.isDirectory && within(realOf(dir), workspace)
    ? ofRepository(realOf(dir))
    : undefined;
  const none = { write: [], make: inside?.make ?? [], protect: [...own, ...inside?.protect ?? []] };
  const back = dir && pointed(join(dir, "gitdir"), /^(.+)$/m);
  const common = dir && pointed(join(dir, "commondir"), /^(.+)$/m);
  if (!dir || !common || !back || realOf(back) !== realOf(file)) return none;
  if (dirname(realOf(dir)) !== join(realOf(common), "worktrees")) return none;
  const inner = ofRepository(realOf(common));
  return { write: [realOf(common)], make: inner.make, protect: [...own, ...inner.protect] };
}

/** The path that a file names, seen from where it lies. */
function pointed(file: string, line: RegExp): string | undefined {
  try {
    const path = line.exec(Deno.readTextFileSync(file))?.[1]?.trim();
    return path && (isAbsolute(path) ? path : join(dirname(file), path));
  } catch {
    return undefined;
  }
}

function submodules(folder: string, depth: number): string[] {
  if (depth === 0) return [];
  return names(folder).map((name) => join(folder, name)).flatMap((path) =>
    infoOf(join(path, "HEAD")) ? [path] : submodules(path, depth - 1)
  );
}

function hasAbove(folder: string): boolean {
  for (let at = dirname(folder); at !== folder; folder = at, at = dirname(at)) {
    if (infoOf(join(at, ".git"))) return true;
  }
  return false;
}

function names(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter((one) => one.isDirectory).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** `hidden`: nothing of it is seen. */
export type Access = "read" | "write" | "hidden";

export interface Place {
  /** Real path of something that is there. */
  readonly path: string;
  readonly access: Access;
}

export interface PlacesOptions {
  /** Real, absolute path. */
  readonly workspace: string;
  readonly home?: string | undefined;
  /** The user's narnat folder. */
  readonly userDir?: string | undefined;
  readonly env: { readonly [name: string]: string };
  /** Folders besides the workspace and the temporary ones; `~` is the home. */
  readonly write: readonly string[];
  /** Besides the workspace only the system's own folders are there to be read. */
  readonly workspaceOnly?: boolean | undefined;
  /** The workspace is a copy to be thrown away: all of it and nothing else can be written; temporary folders are empty. */
  readonly copy?: boolean | undefined;
}

export interface Places {
  /** All that is not to be read only, as the whole file system else is; outer ones first. */
  readonly places: readonly Place[];
  /** The folders that may be written. */
  readonly writable: readonly string[];
  /** What had to be made, empty or nearly so, because only what is there can be covered. */
  readonly made: readonly string[];
}

/** Those who do outside what they are told to: to write to them is to leave. */
const DAEMONS = [
  "/run/dbus/system_bus_socket",
  "/run/systemd/private",
  "/run/docker.sock",
  "/run/podman",
  "/run/containerd",
  "/run/libvirt",
  "/run/snapd.socket",
  "/run/screen",
  // they ask the network for others
  "/run/systemd/resolve/io.systemd.Resolve",
  "/run/nscd/socket",
];
/** Dot entries of a home that hold nothing that is run. */
const HARMLESS = [".cache"];
const SERVER_FILES = [[".mcp.json"], [".agent", "mcp.json"]];

/** Works out the places. Throws SandboxError where what is to be covered cannot be. */
export function placesOf(options: PlacesOptions): Places {
  const { workspace, env } = options;
  const home = options.home && realOf(options.home);
  if (options.copy) {
    const hidden = [...temporaryFolders(env, home), ...hiddenPlaces(env)];
    const all = new Map<string, Access>(hidden.map((path) => [path, "hidden"]));
    return { places: sorted(all.set(workspace, "write")), writable: [workspace], made: [] };
  }
  const roots = writableRoots(options, home);
  if (roots.includes("/")) throw new SandboxError("root", "/");
  const places = new Map<string, Access>(roots.map((path) => [path, "write"]));
  const made: string[] = [];

  const covered = (path: string) => roots.some((root) => within(path, root));
  const set = (path: string, access: Access) => {
    if (places.get(path) !== "read") places.set(path, access);
  };
  /** Keeps it, and the folders it lies in from being moved away. */
  const protect = (path: string) => {
    const info = infoOf(path);
    if (!info || !covered(path)) return;
    if (info.isSymlink) throw new SandboxError("link", path);
    for (let at = dirname(path); covered(at) && !places.has(at); at = dirname(at)) set(at, "write");
    places.set(path, "read");
  };
  const make = (path: string, text?: string) => {
    if (infoOf(path)) return;
    try {
      if (text === undefined) Deno.mkdirSync(path);
      else Deno.writeTextFileSync(path, text, { createNew: true });
      made.push(path);
    } catch (error) {
      // where narnat may not write, what it starts may not either
      if (!(error instanceof Deno.errors.PermissionDenied || isReadOnly(error))) throw error;
    }
  };

  if (home !== undefined && covered(home)) protectHome(home, set, protect, covered);
  const git = gitPlaces(workspace, workspace !== home);
  const gitWrites = options.workspaceOnly ? [] : git.write;
  for (const path of gitWrites) set(path, "write");
  roots.push(...gitWrites);
  for (const { path, text } of git.make) make(path, text);
  for (const path of git.protect) protect(path);

  const own = join(workspace, ".narnat");
  make(own);
  protect(own);
  // what a job that is kept says, it writes there itself
  if (infoOf(join(own, "outputs"))?.isDirectory) set(join(own, "outputs"), "write");
  const userDir = options.userDir && realOf(options.userDir);
  if (userDir !== undefined && infoOf(userDir)) protect(userDir);
  for (const names of SERVER_FILES) {
    const path = join(workspace, ...names);
    // a link may be replaced: what it then names is asked about again
    if (infoOf(path)?.isFile && realOf(path) === path) protect(path);
  }

  // of what lies elsewhere nothing is there
  if (options.workspaceOnly) return { places: sorted(places), writable: roots, made };
  for (const path of hiddenPlaces(env)) places.set(path, "hidden");
  for (const path of agents(env)) set(path, "write");
  return { places: sorted(places), writable: roots, made };
}

const sorted = (places: ReadonlyMap<string, Access>) =>
  [...places].map(([path, access]) => ({ path, access }))
    .sort((a, b) => a.path.split("/").length - b.path.split("/").length);

const temporaryFolders = (env: PlacesOptions["env"], home: string | undefined) =>
  ["/tmp", env.TMPDIR ?? "/tmp"].map(realOf)
    .filter((path) => path === realOf("/tmp") || home === undefined || !within(home, path));

function writableRoots(
  { workspace, write, env, workspaceOnly }: PlacesOptions,
  home: string | undefined,
) {
  const temporary = workspaceOnly ? [] : temporaryFolders(env, home);
  const more = write.map((path) => path.replace(/^~(?=$|\/)/, home ?? "~")).map((path) => {
    try {
      Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch { /* a file, or not ours to make */ }
    return realOf(path);
  });
  return [...new Set([workspace, ...temporary, ...more])].filter((path) => infoOf(path));
}

/** A home that may be written: nothing new in it, and nothing that begins with a dot. */
function protectHome(
  home: string,
  set: (path: string, access: Access) => void,
  protect: (path: string) => void,
  covered: (path: string) => boolean,
): void {
  for (const { name, isSymlink } of Deno.readDirSync(home)) {
    const path = join(home, name);
    const free = !name.startsWith(".") || HARMLESS.includes(name);
    if (free && !isSymlink) set(path, "write");
    const target = !free && isSymlink ? realOf(path) : home;
    if (target !== home && covered(target) && infoOf(target)) protect(target);
  }
  protect(home);
}

function hiddenPlaces(env: PlacesOptions["env"]): string[] {
  const uid = userId();
  const runtime = runtimeDir(env);
  const theirs = [runtime, `/tmp/tmux-${uid}`, `${env.TMUX_TMPDIR ?? "/tmp"}/tmux-${uid}`];
  const found = [...DAEMONS, ...theirs].filter((path) => infoOf(path)).map(realOf);
  return [...new Set(found)].filter((path) => /^\/(?:run|tmp|var)\/./.test(path));
}

const runtimeDir = (env: PlacesOptions["env"]) => env.XDG_RUNTIME_DIR ?? `/run/user/${userId()}`;

/** Zero where narnat was not allowed to ask. */
function userId(): number {
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "uid" });
  return state === "granted" ? Deno.uid() ?? 0 : 0;
}

/** What logs in and signs in the user's name writes nothing. */
function agents(env: PlacesOptions["env"]): string[] {
  const runtime = runtimeDir(env);
  return [env.SSH_AUTH_SOCK ?? "", join(runtime, "gnupg")]
    .filter((path) => within(path, runtime) && infoOf(path)).map(realOf);
}

/** What programs are made of, and find their way by. */
const SYSTEM = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/nix", "/gnu"],
  ...["/proc", "/sys"],
];

/** What there is to be read in a box that shows the workspace only, and folders that are there and empty. */
export function shownPlaces({ env, home, workspace }: PlacesOptions) {
  const homes = [home, workspace].flatMap((path) => path === undefined ? [] : [realOf(path)]);
  const programs = (env.PATH ?? "").split(":").filter((path) => /^\/./.test(path)).map(realOf)
    // what is installed there is whole in its own folder
    .map((path) => /^\/opt\/[^/]+/.exec(path)?.[0] ?? path)
    // in a home lie halves of programs beside what is private
    .filter((path) => !homes.some((one) => within(one, path) || within(path, one)));
  const found = [...new Set([...SYSTEM, ...programs, realOf("/etc/resolv.conf")])].filter(infoOf);
  const shown = found.filter((path) => !found.some((one) => one !== path && within(path, one)));
  return {
    shown,
    empty: [...new Set(["/tmp", "/var/tmp", "/run", env.TMPDIR ?? "/tmp", ...homes.slice(0, -1)])],
  };
}

const isReadOnly = (error: unknown) => (error as { code?: string }).code === "EROFS";
