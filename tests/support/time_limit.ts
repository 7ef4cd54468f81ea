/**
 * Preloaded by the test tasks: a test that has not ended after ten minutes (the slowest takes one) fails by its
 * name, and the others go on. While a test file runs, a file in the folder that TESTS_RUNNING names says at which
 * test it is: who ends a whole run that hangs learns from it where.
 */
import { basename, join } from "node:path";

const LIMIT_MS = 600_000 * Math.max(1, Number(Deno.env.get("SOAK") ?? 1));
/** The property of a test's function that Deno takes the test's place from. */
const PLACE = Symbol.for("Deno.test.location");
const register = Deno.test;

/** Notes that something begins; does nothing where nobody asks for it. */
function noteOf(folder: string | undefined): (what: string) => void {
  if (!folder) return () => {};
  const path = join(folder, `${basename(Deno.mainModule)}-${crypto.randomUUID().slice(0, 8)}`);
  addEventListener("unload", () => Deno.removeSync(path));
  return (what) => Deno.writeTextFileSync(path, `${Deno.mainModule}: ${what}\n`);
}

const note = noteOf(Deno.env.get("TESTS_RUNNING"));
note("the file itself");

/** `Deno.test` in all its forms, with a limit. */
function test(...given: (string | Deno.TestDefinition | Deno.TestDefinition["fn"])[]): void {
  const options = given.find((each) => typeof each === "object");
  const run = given.find((each) => typeof each === "function") ?? options!.fn;
  const name = given.find((each) => typeof each === "string") ?? options?.name ?? run.name;
  const fn = (context: Deno.TestContext) => {
    note(name);
    return run(context);
  };
  const place = new Error().stack!.split("\n")[2]!.match(/[^( ]*:\d+:\d+/)?.[0];
  register({ timeout: LIMIT_MS, ...options, name, fn: Object.assign(fn, { [PLACE]: place }) });
}

Object.assign(Deno, { test: Object.assign(test, register) });
