/** The slash commands of a session: narnat's own, the files of the user and the project, the prompts of servers. */
import { commands, commandsWith } from "./commands.ts";
import { serverPrompts } from "../features/mcp/prompt_commands.ts";
import { trustCommand } from "../features/trust/command.ts";
import { customCommands } from "../features/custom_commands/custom_commands.ts";
import type { Command } from "../base/types.ts";
import type { Extensions } from "./extensions.ts";
import type { Ground } from "./environment.ts";

/** Returns those there are at the moment; `tell` hears, once, of files that are left out. */
export function slashCommands(
  { workspace, prompt: { userDir }, config: { t } }: Ground,
  { trust: ask, servers }: Pick<Extensions, "trust" | "servers">,
  tell: (text: string) => void,
): () => readonly Command[] {
  const trust = trustCommand(ask);
  const custom = customCommands({
    workspace,
    userDir,
    t,
    taken: [...commands.map((command) => command.name), trust.name],
    tell,
  });
  return commandsWith(() => {
    const files = [trust, ...custom()];
    const taken = [...commands, ...files].map(({ name }) => name);
    return [...files, ...serverPrompts(servers.prompts(), taken)];
  });
}
