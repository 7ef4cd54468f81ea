/** narnat: the search worker, or the one that keeps checkpoints, when started as a worker; else the command line. */
import project from "./deno.json" with { type: "json" };

/** Puts back what the single file's launcher set for its own sake: it is not for the programs we start. */
function restoreEnvironment(): void {
  if (Deno.permissions.querySync({ name: "env" }).state !== "granted") return;
  const theirs = Deno.env.get("NARNAT_DENO_DIR");
  if (theirs === undefined) return;
  for (const name of ["NARNAT_DENO_DIR", "DENO_DIR", "DENO_NO_UPDATE_CHECK"]) Deno.env.delete(name);
  if (theirs) Deno.env.set("DENO_DIR", theirs);
}

if ("WorkerGlobalScope" in globalThis) {
  const { start } = "name" in globalThis && globalThis.name === "checkpoints"
    ? await import("./src/checkpoints/worker.ts")
    : await import("./src/search/worker.ts");
  start();
} else if (Deno.args.length === 1 && Deno.args[0] === "--version") {
  console.log(`narnat ${project.version}`);
} else {
  restoreEnvironment();
  const firstFrame = Deno.stdout.isTerminal()
    ? (await import("./src/cli/early.ts")).showEarly(Deno.args)
    : undefined;
  const { runCli } = await import("./src/cli.ts");
  Deno.exit(await runCli(Deno.args, firstFrame));
}
