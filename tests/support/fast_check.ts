/** fast-check (`fast-check` in the import map), with an end to its search for the smallest case. */
import fc from "npm:fast-check@4.10.2";
import { SOAK } from "./soak.ts";

// what fails by chance shrinks for ever; the case found so far is reported, and what passes is tried less often
fc.configureGlobal({ interruptAfterTimeLimit: 120_000 * Math.max(1, SOAK) });

export { default } from "npm:fast-check@4.10.2";
