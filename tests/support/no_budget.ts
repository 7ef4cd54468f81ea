import type { BudgetState } from "../../src/base/types.ts";
import { NO_USAGE } from "../../src/base/usage.ts";

/** Nothing is spent, and there are no limits. */
export const NO_BUDGET: BudgetState = {
  spent: NO_USAGE,
  today: { usage: { ...NO_USAGE, cost: 0 }, unpriced: false, alone: false },
  session: {},
  day: {},
};
