/** narnat: the search worker, or the one that keeps checkpoints, when started as a worker; else the command line. */
import project from "./deno.json" with { type: "json" };

const LAUNCHERS = [
  "NARNAT_DENO_DIR",
  "NARNAT_ARENAS",
  "NARNAT_KEYS",
  "DENO_DIR",
  "DENO_NO_UPDATE_CHECK",
  "DENO_DISABLE_NODE_SHIM",
  "MALLOC_ARENA_MAX",
];

/** Puts back what the single file's launcher set for its own sake, and takes the keys that it hands over. */
function restoreEnvironment(): void {
  if (Deno.permissions.querySync({ name: "env" }).state !== "granted") return;
  const { NARNAT_DENO_DIR: dir, NARNAT_ARENAS: arenas, NARNAT_KEYS: keys } = Deno.env.toObject();
  if (dir === undefined) return;
  for (const name of LAUNCHERS) Deno.env.delete(name);
  if (dir) Deno.env.set("DENO_DIR", dir);
  if (arenas) Deno.env.set("MALLOC_ARENA_MAX", arenas);
  if (keys) takeKeys(`/dev/fd/${keys}`);
}

/** What is set from here on stands in no `/proc/PID/environ`. */
function takeKeys(pipe: string): void {
  for (const line of Deno.readTextFileSync(pipe).split("\n")) {
    const at = line.indexOf("=");
    if (at > 0) Deno.env.set(line.slice(0, at), line.slice(at + 1));
  }
  try {
    // shells of before 2020 make a file of it, which whatever we start could read again
    using file = Deno.openSync(pipe, { write: true });
    file.truncateSync();
  } catch { /* a pipe: what was read is gone */ }
}

if ("WorkerGlobalScope" in globalThis) {
  const { start } = "name" in globalThis && globalThis.name === "checkpoints"
    ? await import("./src/features/undo/worker.ts")
    : await import("./src/search/worker.ts");
  start();
} else if (Deno.args.length === 1 && Deno.args[0] === "--version") {
  console.log(`narnat ${project.version}`);
} else {
  restoreEnvironment();
  const firstFrame = Deno.stdout.isTerminal()
    ? (await import("./src/cli/early.ts")).showEarly(Deno.args)
    : undefined;
  const { runCli } = await import("./src/cli/cli.ts");
  Deno.exit(await runCli(Deno.args, firstFrame));
}
