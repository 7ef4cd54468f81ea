/** What is known of one shell command: its call carries it along, and whoever judges the command reads it here. */
import type { CommandAnalysis } from "../../base/types.ts";
import { checkCommand, type CheckOptions, readBash, type Verdict } from "./gate.ts";
import { jobName, type Verification, verificationOf } from "./command_purpose.ts";
import { onlyReads, surelyReads, type Whereabouts } from "./only_reads.ts";
import type { Reading } from "./reader/read_command.ts";

export class Analysis implements CommandAnalysis {
  readonly command: string;
  readonly #found = new Map<string, unknown>();

  constructor(command: string) {
    this.command = command;
  }

  /** The one that came with the call, or a new one where none came or the command is another by now. */
  static of(command: string, known?: CommandAnalysis): Analysis {
    return known instanceof Analysis && known.command === command ? known : new Analysis(command);
  }

  onlyReads(where?: Whereabouts): boolean {
    if (Deno.build.os === "windows") return false;
    return this.#once(
      ["reads", where?.cwd],
      () => where ? surelyReads(this.command, where) : onlyReads(this.command),
    );
  }

  /** What the gate decides. A command that only never ends (tail -f) may do so in the background. */
  verdict(options: CheckOptions, background: boolean): Verdict {
    const verdict = this.#once(
      ["verdict", options],
      () => checkCommand(this.command, options, this.#reading(options)),
    );
    if (!background || verdict.kind !== "interactive") return verdict;
    return checkCommand(`(${this.command}\n) &`, options);
  }

  /** Whether it can show that a change works when it runs in `cwd`. */
  verification(cwd: string, workspace: string, home?: string): Verification {
    return verificationOf(this.command, cwd, workspace, this.#reading({ cwd, home }));
  }

  /** A short name for it that none of `taken` is. */
  jobName(taken: readonly string[], cwd: string, home?: string): string {
    return jobName(this.command, taken, this.#reading({ cwd, home }));
  }

  #reading({ cwd, home }: Pick<CheckOptions, "cwd" | "home">): Reading | undefined {
    return this.#once(["reading", cwd, home], () => readBash(this.command, { cwd, home }));
  }

  #once<V>(what: readonly unknown[], find: () => V): V {
    const key = JSON.stringify(what);
    if (!this.#found.has(key)) this.#found.set(key, find());
    return this.#found.get(key) as V;
  }
}
