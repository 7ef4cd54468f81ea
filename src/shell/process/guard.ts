/** A process that outlives narnat by a moment and ends what narnat has left running. */
import { FIND, inOwnGroup, MARK_NAME, REAP_ALL } from "./stop_tree.ts";

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
