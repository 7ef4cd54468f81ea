/** Stops a process, its group, and what left the group but still carries the job's mark. */

/**
 * Sends SIGTERM to the group of `pid` at once and resolves when nothing of it is left: after `graceMs`
 * SIGKILL for the group, then for every process with `NARNAT_JOB=<mark>` in its environment (Linux).
 * The waiting and killing is done by a process of its own, so it ends well even if narnat ends first.
 */
export async function stopTree(pid: number, mark: string, graceMs: number): Promise<void> {
  if (Deno.build.os === "windows") {
    await quiet("taskkill", ["/T", "/F", "/PID", String(pid)]);
    return;
  }
  try {
    Deno.kill(-pid, "SIGTERM");
  } catch {
    // The group has already ended; what left it has not.
  }
  await quiet("sh", ["-c", REAPER, "sh", String(pid), mark, String(Math.ceil(graceMs / 50))]);
}

const REAPER = `
pid=$1 mark=$2 left=$3
while [ "$left" -gt 0 ] && kill -s 0 -- -"$pid" 2>/dev/null; do sleep 0.05; left=$((left - 1)); done
kill -s KILL -- -"$pid" 2>/dev/null
tries=0
while [ "$tries" -lt 20 ]; do
  found=$(grep -alzsF "NARNAT_JOB=$mark" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found" ] || break
  for file in $found; do p=\${file#/proc/}; kill -s KILL "\${p%/environ}" 2>/dev/null; done
  tries=$((tries + 1)); sleep 0.02
done`;

async function quiet(program: string, args: string[]): Promise<void> {
  const options = { stdin: "null", stdout: "null", stderr: "null", detached: true } as const;
  try {
    await new Deno.Command(program, { args, ...options }).spawn().status;
  } catch {
    // Without the helper program the group's SIGTERM is all that can be done.
  }
}
