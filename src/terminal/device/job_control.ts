/** One process of Linux's /proc. */
interface Process {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/**
 * Whether a shell waits for this process to stop, and could start it again. The kernel would not
 * stop one without, but Deno's own default of SIGTSTP is SIGSTOP, from which none would wake it.
 */
export function hasShell(): boolean {
  if (Deno.build.os === "windows") return false;
  if (Deno.build.os !== "linux") return Deno.ppid !== 1;
  const own = processOf(Deno.pid);
  for (let at = own; at !== undefined && own !== undefined;) {
    const parent = processOf(at.parent);
    if (parent === undefined || parent.session !== own.session) return false;
    if (parent.group !== own.group) return true;
    at = parent;
  }
  return false;
}

function processOf(pid: number): Process | undefined {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // A program's name may hold blanks and brackets.
    const [, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
    return { parent: parent!, group: group!, session: session! };
  } catch {
    return undefined;
  }
}
