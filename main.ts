/** narnat: the search worker when started as a worker, else the command line. */

if ("WorkerGlobalScope" in globalThis) {
  const { start } = await import("./src/workspace/search_worker.ts");
  start();
} else {
  // What the single file's launcher set for its own sake is not for the programs we start.
  if (Deno.permissions.querySync({ name: "env" }).state === "granted") {
    for (const name of ["DENO_DIR", "DENO_NO_UPDATE_CHECK"]) {
      if (Deno.env.get("NARNAT_EXE") !== undefined) Deno.env.delete(name);
    }
  }
  const { runCli } = await import("./src/cli.ts");
  Deno.exit(await runCli(Deno.args));
}
