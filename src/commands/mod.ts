/** The slash commands, in the order of the help. */
import type { Command } from "../types.ts";
import { clear } from "./clear.ts";
import { remove } from "./delete.ts";
import { enter } from "./enter.ts";
import { exit } from "./exit.ts";
import { helpFor } from "./help.ts";
import { save } from "./save.ts";
import { show } from "./show.ts";

const LISTED: readonly Command[] = [save, show, enter, remove, clear, exit];

/** All commands; the help describes the list it is part of. */
export const commands: readonly Command[] = [helpFor(() => commands), ...LISTED];
