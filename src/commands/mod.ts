/** The slash commands, in the order of the help. */
import type { Command } from "../types.ts";
import { back } from "./back.ts";
import { clear } from "./clear.ts";
import { copy } from "./copy.ts";
import { cost } from "./cost.ts";
import { remove } from "./delete.ts";
import { enter } from "./enter.ts";
import { exit } from "./exit.ts";
import { exportSession } from "./export.ts";
import { helpFor } from "./help.ts";
import { model } from "./model.ts";
import { save } from "./save.ts";
import { show } from "./show.ts";
import { status } from "./status.ts";
import { theme } from "./theme.ts";

const LISTED: readonly Command[] = [
  save,
  show,
  enter,
  remove,
  clear,
  back,
  status,
  cost,
  model,
  theme,
  copy,
  exportSession,
  exit,
];

/** All commands; the help describes the list it is part of. */
export const commands: readonly Command[] = [helpFor(() => commands), ...LISTED];
