/** The slash commands, in the order of the help. */
import type { Command } from "../types.ts";
import { agents } from "./agents.ts";
import { back } from "./back.ts";
import { clear } from "./clear.ts";
import { compact } from "./compact.ts";
import { dream } from "./dream.ts";
import { dreamLog } from "./dream_log.ts";
import { dreamRestore } from "./dream_restore.ts";
import { copy } from "./copy.ts";
import { cost } from "./cost.ts";
import { remove } from "./delete.ts";
import { enter } from "./enter.ts";
import { exit } from "./exit.ts";
import { exportSession } from "./export.ts";
import { helpFor } from "./help.ts";
import { mcp } from "./mcp.ts";
import { memory } from "./memory.ts";
import { model } from "./model.ts";
import { fresh } from "./new.ts";
import { plan } from "./plan.ts";
import { remember } from "./remember.ts";
import { rewind } from "./rewind.ts";
import { save } from "./save.ts";
import { search } from "./search.ts";
import { show } from "./show.ts";
import { skill } from "./skill.ts";
import { status } from "./status.ts";
import { stop } from "./stop.ts";
import { theme } from "./theme.ts";
import { trash } from "./trash.ts";
import { redo, undo } from "./undo.ts";
import { undoCompact } from "./undo_compact.ts";

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
