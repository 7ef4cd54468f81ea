import type { Command } from "../../base/types.ts";

/** Asks again for the trust in what the project wants to start; `ask` returns what came of it. */
export function trustCommand(ask: () => Promise<string>): Command {
  return {
    name: "trust",
    help: (t) => t("what the project asks to run or use: review it, trust it"),
    run: ask,
  };
}
