/** Runs git on a repository nobody has vouched for: no program of it, no question, no end left open. */
import type { T } from "../../base/t.ts";
import { inOwnGroup, MARK_NAME, stopTree } from "../../shell/process/stop_tree.ts";
import { PROTOCOLS } from "../../base/git_url.ts";

const WHYS = {
  network: "the server cannot be reached ({line}). Check the network or the proxy, then try again",
  login:
    "there is no such repository, or it wants a login ({line}). Make git able to clone it by itself (credential helper, ssh key), then try again",
  other: "git says: {line}",
  transport: "it wants a transport that is not allowed ({line})",
  no_repo: "there is no such repository ({line}). Check the address",
} as const;

export interface GitOptions {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly t: T;
  /** Its reason is what is thrown. */
  readonly signal: AbortSignal;
  /** Its 1 says that it found differences. */
  readonly differences?: boolean;
}

/** The user's own settings hold but these: they name programs, or what the user wants in a repository of theirs. */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.autocrlf=false",
  "submodule.recurse=false",
  "transfer.bundleURI=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** The ways the user has to a server: theirs, as are the settings of git itself. */
const USERS_OWN =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|PROXY_\w+|HTTP_\w+|EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/;

/** No program prints more on purpose. */
const OUTPUT_CAP = 32 * 1024 * 1024;

/** What git printed. Throws GitFailed with what it said, NotFound without git, or the signal's reason. */
export async function runGit(args: readonly string[], o: GitOptions): Promise<string> {
  o.signal.throwIfAborted();
  const mark = crypto.randomUUID();
  const child = inOwnGroup("git", {
    args: [...SETTINGS, ...args],
    cwd: o.cwd,
    clearEnv: true,
    env: { ...environment(o), [MARK_NAME]: mark },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let stopping: Promise<void> | undefined;
  const stop = () => stopping ??= stopTree(child.pid, mark, 500);
  o.signal.addEventListener("abort", stop, { once: true });
  try {
    const [stdout, stderr, { code }] = await Promise.all([
      textOf(child.stdout, OUTPUT_CAP, stop),
      textOf(child.stderr, 64 * 1024),
      child.status,
    ]);
    await stopping;
    o.signal.throwIfAborted();
    if (code > (o.differences ? 1 : 0) || stopping) throw new GitFailed(stderr.trim());
    return stdout;
  } finally {
    o.signal.removeEventListener("abort", stop);
  }
}

/** git ended with an error; the message is what it said. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
}

function environment({ env, cwd }: GitOptions): { [name: string]: string } {
  const kept = Object.entries(env).filter(([name]) =>
    !name.startsWith("GIT_") || USERS_OWN.test(name)
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    LANGUAGE: "C",
    GIT_ALLOW_PROTOCOL: PROTOCOLS,
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    // a repository around the cache is none of its business
    GIT_CEILING_DIRECTORIES: cwd,
  };
}

/** All of a stream; what is beyond `cap` is dropped, and told to `tooMuch`. */
async function textOf(
  stream: ReadableStream<Uint8Array>,
  cap: number,
  tooMuch?: () => void,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    if (length + piece.length > cap) {
      tooMuch?.();
      continue;
    }
    pieces.push(piece);
    length += piece.length;
  }
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
}

/** Why git failed, in words for the user. */
export function gitFault(said: string, t: T): string {
  const line = said.split("\n").find((one) => /^(?:fatal|error|remote|ssh):/i.test(one)) ??
    said.split("\n")[0] ?? "";
  const why =
    /not resolve host|failed to connect|couldn't connect|connection (?:timed out|refused|reset)|network is unreachable|no route to host|operation timed out|unable to look up|empty reply/i
        .test(said)
      ? "network"
      : /authentication failed|could not read (?:username|password)|terminal prompts disabled|permission denied|host key verification failed|\b40[13]\b/i
          .test(said)
      ? "login"
      : /repository .*not found|does not (?:appear to be a git repository|exist)|not found|no such file/i
          .test(said)
      ? "no_repo"
      : /transport .* not allowed/i.test(said)
      ? "transport"
      : "other";
  return t(WHYS[why], { line: line.slice(0, 300) });
}
