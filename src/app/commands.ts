/** The slash commands, in the order of the help. */
import type { Command } from "../base/types.ts";
import { agents } from "../features/subagents/command.ts";
import { back } from "../commands/back.ts";
import { clear } from "../commands/clear.ts";
import { compact } from "../commands/compact.ts";
import { dream } from "../features/memory/dream_command.ts";
import { dreamLog } from "../features/memory/dream_log_command.ts";
import { dreamRestore } from "../features/memory/dream_restore_command.ts";
import { copy } from "../commands/copy.ts";
import { cost } from "../commands/cost.ts";
import { remove } from "../commands/delete.ts";
import { enter } from "../commands/enter.ts";
import { exit } from "../commands/exit.ts";
import { exportSession } from "../commands/export.ts";
import { helpFor } from "../commands/help.ts";
import { mcp } from "../features/mcp/command.ts";
import { memory } from "../features/memory/command.ts";
import { model } from "../commands/model.ts";
import { fresh } from "../commands/new.ts";
import { plan } from "../features/plan/command.ts";
import { remember } from "../features/memory/remember_command.ts";
import { rewind } from "../features/undo/restore/rewind_command.ts";
import { save } from "../commands/save.ts";
import { search } from "../features/history_search/command.ts";
import { show } from "../commands/show.ts";
import { skill } from "../features/skills/command.ts";
import { status } from "../commands/status.ts";
import { stop } from "../commands/stop.ts";
import { theme } from "../commands/theme.ts";
import { trash } from "../features/trash/command.ts";
import { redo, undo } from "../features/undo/command.ts";
import { undoCompact } from "../commands/undo_compact.ts";

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
