/** What configured servers of tools cost the first prompt: narnat with five, against narnat with none. */
import { join } from "node:path";
import { installRealServers, realConfig } from "../tests/features/mcp/real_servers.ts";
import type { SessionController, Variant } from "./bench_runs.ts";
import { median, startOf } from "./bench_terminal.ts";

const ROUNDS = 15;
const AIM = 1.1;

/** Prints the ratios; says so where the servers cannot be installed. */
export async function benchServers(
  variants: readonly Variant[],
  controller: SessionController,
): Promise<void> {
  const installed = await installRealServers();
  if (typeof installed === "string") {
    console.log(`servers of tools: not measured, npm did not install them: ${installed}`);
    return;
  }
  const homes = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  /** The controller with a home of its own, which names these servers. */
  const homeWith = async (name: string, mcpServers: unknown): Promise<SessionController> => {
    const HOME = join(homes, name);
    await Deno.mkdir(join(HOME, ".narnat"), { recursive: true });
    await Deno.writeTextFile(join(HOME, ".narnat", "mcp.json"), JSON.stringify({ mcpServers }));
    return { ...controller, env: { ...controller.env, HOME } };
  };
  try {
    const none = await homeWith("none", {});
    const five = await homeWith("five", servers(installed.dir, controller.workspace));
    console.log(
      `first prompt and first key with five real servers, to those with none (${ROUNDS} rounds)`,
    );
    for (const { name, command } of variants) {
      const ways = [none, five].map((where) => ({
        where,
        prompt: [] as number[],
        key: [] as number[],
      }));
      for (let round = -2; round < ROUNDS; round++) {
        for (const { where, prompt, key } of ways) {
          const started = await startOf(command, "❯", where);
          if (round < 0) continue;
          prompt.push(started.prompt);
          key.push(started.key);
        }
      }
      const ratio = (which: "prompt" | "key") => median(ways[1]![which]) / median(ways[0]![which]);
      const over = ratio("prompt") > AIM ? " !" : "  ";
      console.log(
        `  ${name.padEnd(8)}${ratio("prompt").toFixed(2).padStart(7)}×${over} ≤ ${AIM}×` +
          `${ratio("key").toFixed(2).padStart(10)}×`,
      );
    }
  } finally {
    await Deno.remove(homes, { recursive: true });
  }
}

/** Five of them, two of one kind. */
function servers(dir: string, folder: string) {
  const of = (name: "everything" | "filesystem" | "memory" | "playwright", args: string[] = []) => {
    const { reach } = realConfig(dir, name, args);
    return reach?.type === "stdio" ? { command: reach.command, args: reach.args } : {};
  };
  return {
    everything: of("everything"),
    files: of("filesystem", [folder]),
    more_files: of("filesystem", [folder]),
    memory: of("memory"),
    playwright: of("playwright"),
  };
}
