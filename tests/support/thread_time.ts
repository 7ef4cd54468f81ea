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
