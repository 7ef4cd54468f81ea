import type { Context, Script } from "node:vm";
import { codeOf } from "../base/errors.ts";

/** Thrown out of a scan when it has been stopped. */
export class ScanStopped extends Error {
  override readonly name = "ScanStopped";
}

/** Runs functions that V8 ends when they take too long, even inside a regular expression. */
export class TimeLimit {
  readonly #holder: { run: () => void } = { run() {} };
  readonly #script: Script;
  readonly #context: Context;

  constructor() {
    // most workers never need it, and an import would cost each a megabyte
    // deno-lint-ignore no-process-global
    const { createContext, Script } = process.getBuiltinModule("node:vm");
    this.#script = new Script("run()");
    this.#context = createContext(this.#holder);
  }

  /** Runs `work` for at most `ms` milliseconds; false when it was ended. What it throws is thrown. */
  run(ms: number, work: () => void): boolean {
    this.#holder.run = work;
    try {
      this.#script.runInContext(this.#context, { timeout: Math.max(1, Math.ceil(ms)) });
      return true;
    } catch (error) {
      if (codeOf(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      return false;
    }
  }
}
