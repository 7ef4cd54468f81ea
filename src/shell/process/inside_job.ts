/** Whether a command that narnat started has started this narnat: nobody there speaks for a person. */
import { ConfigError } from "../../base/errors.ts";
import { MARK_NAME } from "./stop_tree.ts";
import type { T } from "../../base/t.ts";
import { env } from "../../base/host.ts";

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
