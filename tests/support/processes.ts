/** Processes, and what they share, as a test sees them. */
import v8 from "node:v8";
import vm from "node:vm";

/** Waits until `test` is true; returns whether it became so within `ms`. */
export async function eventually(
  test: () => Promise<boolean> | boolean,
  ms = 20_000,
): Promise<boolean> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    if (await test()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return await test();
}

/** A word that no other process on the machine has in its command line; a number for `sleep`. */
export function uniqueSleep(): string {
  return `sleep 3${Math.floor(1000 + Math.random() * 8999)}.${Math.floor(Math.random() * 1e9)}`;
}

/** How many processes carry `word` in their command line. */
export async function alive(word: string): Promise<number> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-cf", `^[^ ]*${word}`] }).output();
  return Number(new TextDecoder().decode(stdout).trim());
}

/** How many processes have `word` anywhere in their command line. */
export async function carrying(word: string): Promise<number> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-cf", word] }).output();
  return Number(new TextDecoder().decode(stdout).trim());
}

/** Whether a process does nothing any more, be it still on the kernel's list. */
export function hasEnded(pid: number): boolean {
  try {
    return /^.*\) Z /.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return true;
  }
}

/**
 * Milliseconds of a processor's time this thread has used, to about 10: a busy machine does not make
 * them more. Where it cannot be told, the time of the clock.
 */
export function threadMs(): number {
  if (Deno.build.os !== "linux") return performance.now();
  // after the name: state, then the fields from 4 on, in hundredths of a second
  const fields = Deno.readTextFileSync("/proc/thread-self/stat").split(") ").at(-1)!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Bytes this thread's program holds on to: what can be thrown away is thrown away first. */
export function heldBytes(): number {
  v8.setFlagsFromString("--expose-gc");
  vm.runInNewContext("gc")();
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

/**
 * Listens at `port`, or where nobody listens: a child that another test starts at this moment holds
 * even a closed one until its exec.
 */
export function listenAt<S>(listen: (port: number) => S, port?: number): S {
  for (let tries = 0;; tries++) {
    try {
      return listen(port ?? freePort());
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse) || tries === 500) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** A port on which nobody listens: below those that the system gives to who asks for any, so that none of them takes it. */
export function freePort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
