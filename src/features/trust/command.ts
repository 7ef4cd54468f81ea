import type { Command } from "../../base/types.ts";

/** Asks again for the trust in what the project wants to start; `ask` returns what came of it. */
export function trustCommand(ask: () => Promise<string>): Command {
  return {
    name: "trust",
    usage: { zh: "", en: "" },
    help: {
      zh: "项目想启动的东西：再问一次是否信任",
      en: "what the project asks to run or use: review it, trust it",
    },
    run: ask,
  };
}
