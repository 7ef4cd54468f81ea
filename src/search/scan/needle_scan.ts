import type { Kernel, LoadedNeedle } from "../../files/edit/kernel.ts";
import type { Needle } from "../regex/mod.ts";

/** Looks for several byte strings at once; each reads the text only once. */
export class NeedleScan {
  readonly #kernel: Kernel;
  readonly #needles: readonly LoadedNeedle[];
  /** Where each needle stands next, and up to where it is known not to begin. */
  readonly #places: number[];
  readonly #clear: number[];
  #to = 0;

  /** The needles stay loaded in the kernel. */
  constructor(kernel: Kernel, needles: readonly Needle[]) {
    this.#kernel = kernel;
    this.#needles = needles.map(({ bytes, ignoreCase }) => kernel.needle(bytes, ignoreCase));
    this.#places = needles.map(() => -1);
    this.#clear = needles.map(() => 0);
  }

  /** Begins with the text at [from, to) of the kernel's data area. */
  begin(from: number, to: number): void {
    this.#to = to;
    this.#places.fill(-1);
    this.#clear.fill(from);
  }

  /** The place of the first needle at or after `from`, or -1; `from` never goes back. */
  next(from: number): number {
    let best = -1;
    for (let i = 0; i < this.#needles.length; i++) {
      const needle = this.#needles[i]!;
      let place = this.#places[i]!;
      if (place < from) {
        // a needle beyond the best one so far is of no interest yet
        const to = best < 0 ? this.#to : Math.min(this.#to, best + needle.length - 1);
        place = this.#kernel.find(Math.max(from, this.#clear[i]!), to, needle);
        this.#places[i] = place;
        if (place < 0) this.#clear[i] = Math.max(this.#clear[i]!, to - needle.length + 1);
      }
      if (place >= 0 && (best < 0 || place < best)) best = place;
    }
    return best;
  }
}
