/** The slash commands, in the order of the help. */
import type { Command } from "../base/types.ts";
import { agents } from "../features/subagents/command.ts";
import { back } from "../commands/back.ts";
import { clear, enter, fresh, remove, save, show } from "../commands/sessions.ts";
import { compact, undoCompact } from "../commands/compact.ts";
import { dream, dreamLog, dreamRestore, memory, remember } from "../features/memory/commands.ts";
import { copy, exportSession } from "../commands/export.ts";
import { cost, status } from "../commands/status.ts";
import { exit, stop } from "../commands/stop.ts";
import { helpFor } from "../commands/help.ts";
import { mcp } from "../features/mcp/command.ts";
import { model } from "../commands/model.ts";
import { plan } from "../features/plan/command.ts";
import { redo, rewind, undo } from "../features/undo/command.ts";
import { search } from "../features/history_search/command.ts";
import { skill } from "../features/skills/command.ts";
import { theme } from "../commands/theme.ts";
import { trash } from "../features/trash/command.ts";

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
