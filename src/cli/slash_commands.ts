/** The slash commands of a session: narnat's own, the files of the user and the project, the prompts of servers. */
import { commands, commandsWith } from "../commands/mod.ts";
import { serverPrompts } from "../commands/server_prompts.ts";
import { trustCommand } from "../commands/trust.ts";
import { customCommands } from "../context/custom_commands.ts";
import type { Command } from "../types.ts";
import type { Extensions } from "./extend.ts";
import type { Ground } from "./ground.ts";

/** Returns those there are at the moment; `tell` hears, once, of files that are left out. */
export function slashCommands(
  { workspace, prompt: { userDir }, config: { lang } }: Ground,
  { trust: ask, servers }: Pick<Extensions, "trust" | "servers">,
  tell: (text: string) => void,
): () => readonly Command[] {
  const trust = trustCommand(ask);
  const custom = customCommands({
    workspace,
    userDir,
    lang,
    taken: [...commands.map((command) => command.name), trust.name],
    tell,
  });
  return commandsWith(() => {
    const files = [trust, ...custom()];
    const taken = [...commands, ...files].map(({ name }) => name);
    return [...files, ...serverPrompts(servers.prompts(), taken)];
  });
}
