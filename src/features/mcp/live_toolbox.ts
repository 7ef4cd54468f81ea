import type { T } from "../../base/t.ts";
import type { Tool, Toolbox } from "../../base/types.ts";
import { createToolbox } from "../../tools/mod.ts";

/** What there is of tools at a turn's border. */
export interface Supply {
  readonly tools: readonly Tool[];
  /** What the user is to be told besides. */
  readonly texts: readonly string[];
}

export interface LiveToolbox extends Toolbox {
  /** Those of the definitions. */
  readonly tools: readonly Tool[];
  refresh(signal: AbortSignal): Promise<readonly string[]>;
}

const NAMES_TOLD = 8;

/**
 * Makes a toolbox that takes what `supply` brings before each turn; `first` until then. Definitions
 * stay the same object as long as nothing about them has changed.
 */
export function liveToolbox(
  first: readonly Tool[],
  supply: (signal: AbortSignal) => Promise<Supply>,
  t: T,
): LiveToolbox {
  let tools = first;
  let box = createToolbox(tools);
  let text: string | undefined;
  return {
    get tools() {
      return tools;
    },
    get definitions() {
      return box.definitions;
    },
    prepare: (name, input, t) => box.prepare(name, input, t),
    async refresh(signal) {
      const { tools: now, texts } = await supply(signal);
      const before = box;
      tools = now;
      box = createToolbox(tools);
      const json = JSON.stringify(box.definitions);
      const same = json === text;
      const begun = text !== undefined;
      text = json;
      if (same) box = { ...box, definitions: before.definitions };
      // before the first request there is nothing to change
      return same || !begun ? texts : [...texts, ...changes(before, box, t)];
    },
  };
}

function changes(before: Toolbox, after: Toolbox, t: T): string[] {
  const old = new Map(before.definitions.map((tool) => [tool.name, JSON.stringify(tool)]));
  const names = new Set(after.definitions.map(({ name }) => name));
  const came = [...names].filter((name) => !old.has(name));
  const gone = [...old.keys()].filter((name) => !names.has(name));
  const other = after.definitions
    .filter((tool) => old.has(tool.name) && old.get(tool.name) !== JSON.stringify(tool))
    .map(({ name }) => name);
  const kinds = [["{n} {n:tool|tools} added: {names}", came], [
    "{n} {n:tool|tools} gone: {names}",
    gone,
  ], ["{n} {n:tool has|tools have} another definition: {names}", other]] as const;
  return kinds.filter(([, all]) => all.length > 0).map(([key, all]) => {
    const more = all.length > NAMES_TOLD ? ", …" : "";
    return t(key, { n: all.length, names: all.slice(0, NAMES_TOLD).join(", ") + more });
  });
}
