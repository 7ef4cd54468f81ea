/**
 * The slash commands of a session: narnat's own in the order of the help, the files of the user and
 * the project, the prompts of servers.
 */
import type { Command } from "../base/types.ts";
import { back } from "../commands/back.ts";
import { compact, undoCompact } from "../commands/compact.ts";
import { copy, exportSession } from "../commands/export.ts";
import { helpFor } from "../commands/help.ts";
import { model } from "../commands/model.ts";
import { clear, enter, fresh, remove, save, show } from "../commands/sessions.ts";
import { cost, status } from "../commands/status.ts";
import { exit, stop } from "../commands/stop.ts";
import { theme } from "../commands/theme.ts";
import { customCommands } from "../features/custom_commands/custom_commands.ts";
import { search } from "../features/history_search/command.ts";
import { mcp } from "../features/mcp/command.ts";
import { serverPrompts } from "../features/mcp/prompt_commands.ts";
import { dream, dreamLog, dreamRestore, memory, remember } from "../features/memory/commands.ts";
import { plan } from "../features/plan/command.ts";
import { skill } from "../features/skills/command.ts";
import { agents } from "../features/subagents/command.ts";
import { trash } from "../features/trash/command.ts";
import { trustCommand } from "../features/trust/command.ts";
import { redo, rewind, undo } from "../features/undo/command.ts";
import type { AgentEnvironment } from "./environment.ts";
import type { Extensions } from "./extensions.ts";

const LISTED: readonly Command[] = [
  save,
  show,
  search,
  enter,
  remove,
  clear,
  fresh,
  back,
  undo,
  redo,
  rewind,
  trash,
  compact,
  undoCompact,
  plan,
  stop,
  memory,
  remember,
  dream,
  dreamLog,
  dreamRestore,
  status,
  cost,
  model,
  skill,
  agents,
  mcp,
  theme,
  copy,
  exportSession,
  exit,
];

/** All commands of narnat's own; the help describes the list it is part of. */
export const commands: readonly Command[] = [helpFor(() => commands), ...LISTED];

/** Those, and behind them what there is besides at the moment; the help describes all. */
export function commandsWith(more: () => readonly Command[]): () => readonly Command[] {
  const all = () => [help, ...LISTED, ...more()];
  const help = helpFor(all);
  return all;
}

/** Returns those there are at the moment; `tell` hears, once, of files that are left out. */
export function slashCommands(
  { workspace, prompt: { userDir }, config: { t } }: AgentEnvironment,
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
