/** fast-check (`fast-check` in the import map), with an end to its search for the smallest case. */
import fc from "npm:fast-check@4.10.2";
import { SOAK } from "./soak.ts";

// what fails by chance shrinks for ever; the case found so far is reported, and what passes is tried less often
fc.configureGlobal({ interruptAfterTimeLimit: 120_000 * Math.max(1, SOAK) });

/** Any character there is; fast-check's own "binary" takes a second and a half to make. */
export const character = fc.oneof(fc.nat(0x7f), fc.nat(0x10f7ff)).map((code) =>
  String.fromCodePoint(code < 0xd800 ? code : code + 0x800)
);

export { default } from "npm:fast-check@4.10.2";
