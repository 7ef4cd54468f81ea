/**
 * Finds and stops processes by the mark in their environment, and by their group; a guard outlives
 * narnat by a moment and ends what narnat has left running. The mark also tells a narnat that one
 * of narnat's commands has started: nobody there speaks for a person.
 */
import { ConfigError } from "../../base/errors.ts";
import { env } from "../../base/host.ts";
import { isProgram, systemProgram } from "../../base/program_path.ts";
import type { T } from "../../base/t.ts";

/**
 * The command, whose pid is its group's number a moment after it has been started. It runs with
 * `clearEnv` and an environment of its own, and throws as any command where there is no such program.
 */
export function inOwnGroup(program: string, options: Deno.CommandOptions): Deno.Command {
  // `detached` copies narnat's page tables, in the main thread: 2 ms at the start, 15 at 300 MB
  const setsid = Deno.build.os === "linux" && isThere(program, options)
    ? systemProgram("setsid")
    : undefined;
  if (setsid === undefined) return new Deno.Command(program, { ...options, detached: true });
  return new Deno.Command(setsid, { ...options, args: [program, ...options.args ?? []] });
}

/** Whether starting it will find it; who is in doubt says no. */
function isThere(program: string, { cwd = "/", env, clearEnv }: Deno.CommandOptions): boolean {
  if (program.startsWith("-")) return false;
  if (program.includes("/")) {
    return isProgram(program.startsWith("/") ? program : `${cwd}/${program}`);
  }
  const path = clearEnv ? env?.PATH : undefined;
  return path?.split(":").some((dir) => dir.startsWith("/") && isProgram(`${dir}/${program}`)) ??
    false;
}

/** The environment variable that every process of a command inherits. */
export const MARK_NAME = "NARNAT_JOB";

/**
 * Stops the group of `pid` and every process that carries exactly `mark`: SIGTERM, after `graceMs`
 * SIGKILL; resolves when nothing of it is left. The waiting and killing is done by a
 * process of its own, so it ends well even if narnat ends first.
 */
export async function stopTree(pid: number, mark: string, graceMs: number): Promise<void> {
  if (Deno.build.os === "windows") {
    await output("taskkill", ["/T", "/F", "/PID", String(pid)]);
    return;
  }
  const ticks = String(Math.ceil(graceMs / 50));
  const args = ["-c", FIND + REAP, "sh", `${MARK_NAME}=${mark}`, "x", ticks, String(pid)];
  await output("sh", args);
}

/** Pids of the processes that carry `mark`; with `prefix` a mark that begins so. */
export async function marked(mark: string, prefix = false): Promise<number[]> {
  if (Deno.build.os === "windows") return [];
  const args = ["-c", FIND + "find_marked", "sh", `${MARK_NAME}=${mark}`, prefix ? "" : "x"];
  return (await output("sh", args)).split(/\s+/).filter((pid) => pid !== "").map(Number);
}

/**
 * Shell text: `find_marked` prints the pids of the processes with `$1` in their environment, as a
 * whole entry when `$2` is x. Where there is no /proc (macOS), ps shows the environment.
 */
export const FIND = `
mark=$1 whole=$2
find_marked() {
  if [ -r /proc/self/environ ]; then
    for file in $(grep -alzsF\${whole} -e "$mark" /proc/[0-9]*/environ 2>/dev/null); do
      p=\${file#/proc/}; echo "\${p%/environ}"
    done
  else
    ps -A -E -ww -o pid= -o command= 2>/dev/null | grep -F -e "$mark" | grep -v grep |
      while read -r p rest; do echo "$p"; done
  fi
}
`;

/**
 * Shell text after FIND: ends the groups in `$groups` and the marked processes, softly, then after
 * `$ticks` of 50 ms not. A process gets one SIGTERM: many take a second one for a hurry. Over is
 * what two looks at all processes in a row do not find: one may miss who forks meanwhile.
 */
export const REAP_ALL = `
in_groups() {
  read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  set -- \${stat##*) }
  case " $groups " in *" $3 "*) return 0 ;; esac
  return 1
}
some_group() { for g in $groups; do kill -s 0 -- -"$g" 2>/dev/null && return 0; done; return 1; }
kill_all() {
  for g in $groups; do kill -s KILL -- -"$g" 2>/dev/null; done
  for p in $(find_marked); do kill -s KILL "$p" 2>/dev/null; done
}
empty=0
found=$(find_marked)
[ -n "$found" ] || empty=1
for p in $found; do in_groups "$p" || kill -s TERM "$p" 2>/dev/null; done
for g in $groups; do kill -s TERM -- -"$g" 2>/dev/null; done
unmarked=4
while [ "$ticks" -gt 0 ]; do
  if [ -n "$(find_marked)" ]; then
    empty=0
  elif some_group; then
    # zombies that nobody collects also count as a group
    [ "$unmarked" -gt 0 ] || break
    unmarked=$((unmarked - 1))
  else
    empty=$((empty + 1))
    [ "$empty" -lt 2 ] || break
    continue
  fi
  sleep 0.05; ticks=$((ticks - 1))
done
if [ "$empty" -lt 2 ]; then
  kill_all
  tries=0
  while [ "$tries" -lt 20 ] && [ -n "$(find_marked)" ]; do
    kill_all; tries=$((tries + 1)); sleep 0.02
  done
fi
`;

const REAP = "ticks=$3 groups=$4" + REAP_ALL;

async function output(program: string, args: string[]): Promise<string> {
  const bare = { clearEnv: true, env: { PATH: "/usr/local/bin:/usr/bin:/bin" } };
  const its = Deno.build.os === "windows" ? {} : bare;
  const options = { stdin: "null", stderr: "null", ...its } as const;
  try {
    const { stdout } = await inOwnGroup(program, { args, ...options }).output();
    return new TextDecoder().decode(stdout);
  } catch {
    return "";
  }
}

/** Milliseconds that processes have between SIGTERM and SIGKILL when narnat ends. */
const GRACE_MS = 1000;

/**
 * Waits on its stdin, which closes with narnat however narnat ends, kill -9 too. Lines: `+ pid` a
 * group that runs, `- pid` one that has ended, `= mark` a command that is to live on.
 */
const WATCH = FIND + `
groups= kept=
while read -r what id; do
  case $what in
    +) groups="$groups $id" ;;
    -) rest=; for g in $groups; do [ "$g" = "$id" ] || rest="$rest $g"; done; groups=$rest ;;
    =) kept="$kept $id" ;;
  esac
done
find_every() { find_marked; }
if [ -n "$kept" ]; then
  find_every() {
    for p in $(find_marked); do
      keep=
      for k in $kept; do grep -qzxF -e "${MARK_NAME}=$k" "/proc/$p/environ" 2>/dev/null && keep=1; done
      [ -n "$keep" ] || echo "$p"
    done
  }
fi
ticks=${Math.ceil(GRACE_MS / 50)}
` + REAP_ALL.replaceAll("$(find_marked)", "$(find_every)") + "exit 0";

/** Watches over every command whose mark begins with `session` followed by a dot. */
export class Guard {
  readonly #session: string;
  #child: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;

  constructor(session: string) {
    this.#session = session;
  }

  /** Begins to watch; done before the first command, so that none slips through. */
  open(): void {
    if (this.#child || Deno.build.os === "windows") return;
    try {
      this.#child = inOwnGroup("sh", {
        args: ["-c", WATCH, "narnat-guard", `${MARK_NAME}=${this.#session}.`, ""],
        // Without a mark of its own, should narnat have been started by narnat.
        clearEnv: true,
        env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
        cwd: "/",
        stdin: "piped",
        stdout: "null",
        stderr: "null",
      }).spawn();
      this.#child.unref();
      this.#writer = this.#child.stdin.getWriter();
    } catch {
      // Without sh the jobs are ended one by one.
    }
  }

  /** A command's process group runs. */
  began(pid: number): void {
    this.#tell(`+ ${pid}`);
  }

  /** Nothing of the group is left. */
  ended(pid: number): void {
    this.#tell(`- ${pid}`);
  }

  /** The command with this mark is to live on; its group has not been told to `began`. */
  keep(mark: string): void {
    this.#tell(`= ${mark}`);
  }

  /** Ends all that runs and is not to be kept; false when that could not be done. */
  async close(): Promise<boolean> {
    const child = this.#child;
    this.#child = undefined;
    child?.ref();
    await this.#writer?.close().catch(() => {});
    return (await child?.status)?.success === true;
  }

  #tell(line: string): void {
    this.#writer?.write(new TextEncoder().encode(line + "\n")).catch(() => {});
  }
}

/** Hands a process all that it may read on its stdin; one that does not read breaks the pipe, or leaves it full. */
export async function feed(
  stdin: WritableStream<Uint8Array>,
  input: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(input);
    await writer.close();
  } catch { /* it did not want to know */ }
}

/** More steps up than any terminal is away. */
const STEPS = 64;

/** Its own mark tells it, or, where the command has cleared that, a process above (Linux). */
export function insideJob(): boolean {
  return env(MARK_NAME) !== undefined || above().some((pid) => isJob(pid) || isNarnat(pid));
}

/** Throws ConfigError inside a command of narnat's; `what` is a person's to decide. */
export function demandPerson(what: string, t: T): void {
  if (insideJob()) {
    throw new ConfigError(
      t(
        "{what} is for you to decide, and a command that narnat has started has started this narnat: nothing was done; run it in a terminal of your own",
        { what },
      ),
    );
  }
}

function above(): string[] {
  const pids: string[] = [];
  let pid = "self";
  while (pids.length < STEPS) {
    // behind the program's name, which may hold anything: state, then the parent
    pid = /.*\) \S (\d+)/s.exec(procText(pid, "stat"))?.[1] ?? "0";
    if (Number(pid) <= 1) break;
    pids.push(pid);
  }
  return pids;
}

/** It began with the mark; what it has done to its variables since does not show there. */
const isJob = (pid: string) => `\0${procText(pid, "environ")}`.includes(`\0${MARK_NAME}=`);

/** The same program with the same main module: a command took the place of its shell. What only starts it is another program. */
function isNarnat(pid: string): boolean {
  const main = decodeURIComponent(new URL(Deno.mainModule).pathname);
  if (!procText(pid, "cmdline").split("\0").includes(main)) return false;
  try {
    return Deno.readLinkSync(`/proc/${pid}/exe`) === Deno.execPath();
  } catch {
    return false;
  }
}

/** Empty where it may not be read. */
function procText(pid: string, name: "stat" | "environ" | "cmdline"): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${name}`);
  } catch {
    return "";
  }
}
