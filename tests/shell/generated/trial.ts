/** One seed's commands, once through bash and once through the gate. */
import { join } from "node:path";
import { checkCommand } from "../../../src/shell/policy/gate.ts";
import { generate } from "./commands.ts";
import { judge, prepare } from "./judge.ts";

export interface Trial {
  /** How many deleted when bash ran them. */
  readonly deleted: number;
  /** Those the gate did not ask about. */
  readonly missed: readonly string[];
  /** How many deleted nothing. */
  readonly harmless: number;
  /** Those the gate did not let pass. */
  readonly alarms: readonly string[];
}

/** Runs `count` commands, about `deletes` of a hundred built to delete; their folder is gone afterwards. */
export async function trial(seed: number, count: number, deletes = 55): Promise<Trial> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "narnat-gate-" }));
  try {
    const commands = generate(seed, count, deletes, join(folder, "bin"));
    await prepare(folder, commands.length);
    const passed = commands.map((command, i) => {
      const cwd = join(folder, String(i));
      return checkCommand(command, { permission: "open", cwd, home: folder }).verdict === "allow";
    });
    const deleted = await judge(commands, folder);
    return {
      deleted: deleted.filter((one) => one).length,
      missed: commands.filter((_, i) => deleted[i] && passed[i]),
      harmless: deleted.filter((one) => !one).length,
      alarms: commands.filter((_, i) => !deleted[i] && !passed[i]),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
