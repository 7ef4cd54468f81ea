/** What a turn keeps an eye on: calls that go in circles, and changes nobody has verified. */
import type { Lang, ToolResult } from "../types.ts";
import { say } from "../text.ts";

const HINT_AT = 3;
const STOP_AT = 5;

export interface Vigil {
  /** Looks at a finished call; returns the text to append to its result, and whether to stop the turn. */
  watch(name: string, input: string, result: ToolResult): { note: string; stuck: boolean };
  /** Paths changed and not verified since. */
  unverified(): readonly string[];
}

/** Watches one turn. */
export function createVigil(lang: Lang): Vigil {
  const seen = new Map<string, number>();
  const changed = new Set<string>();
  return {
    watch(name, input, result) {
      let note = "";
      if (result.changed && result.changed.length > 0) {
        // Something is different now, so the same command may well be run again.
        seen.clear();
        for (const path of result.changed) changed.add(path);
        note += "\n" + say(lang, "turn.unverified", { files: [...changed].join(", ") });
      }
      if (result.verified && result.ok) changed.clear();
      // A duration in the text would make every run of a command look new.
      const outcome = result.text.replaceAll(/\d+(?:\.\d+)? ?m?s\b/g, "");
      const key = [name, input, outcome].join("\0");
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      if (times >= HINT_AT) note += "\n" + say(lang, "turn.loop_hint", { n: times });
      return { note, stuck: times >= STOP_AT };
    },
    unverified: () => [...changed],
  };
}
