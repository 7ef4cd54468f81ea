import v8 from "node:v8";
import vm from "node:vm";

/** Bytes this thread's program holds on to: what can be thrown away is thrown away first. */
export function heldBytes(): number {
  v8.setFlagsFromString("--expose-gc");
  vm.runInNewContext("gc")();
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}
