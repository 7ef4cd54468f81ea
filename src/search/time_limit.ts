import { createContext, Script } from "node:vm";
import { codeOf } from "../workspace/file_error.ts";

/** Runs functions that V8 ends when they take too long, even inside a regular expression. */
export class TimeLimit {
  readonly #script = new Script("run()");
  readonly #holder: { run: () => void } = { run() {} };
  readonly #context = createContext(this.#holder);

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
