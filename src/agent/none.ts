/** The memory and the checkpoints of lanes that keep neither. */
import type { Checkpoints, Memory, TurnWatch } from "../base/types.ts";

const NOTHING: TurnWatch = {
  before: () => Promise.resolve(),
  changed() {},
  background() {},
  losses: () => Promise.resolve([]),
  late: () => Promise.resolve([]),
  bringBack: () => Promise.resolve({ paths: [], aside: [] }),
  look: () => Promise.resolve([]),
  end() {},
};

/** Keeps nothing; who asks for something is told why, and with `warns` who changes something, once. */
export function noCheckpoints(why: string, warns?: "warns"): Checkpoints {
  let told = warns === undefined;
  const warning: TurnWatch = {
    ...NOTHING,
    before(_signal, tell) {
      if (!told) tell.warn(why);
      told = true;
      return Promise.resolve();
    },
  };
  return {
    begin: () => warning,
    turns: () => Promise.reject(new Error(why)),
    preview: () => Promise.reject(new Error(why)),
    restore: () => Promise.reject(new Error(why)),
    close: () => Promise.resolve(),
  };
}

/** For lanes that change nothing of the workspace. */
export const NO_CHECKPOINTS: Checkpoints = noCheckpoints("");

/** A lane that is no conversation keeps nothing. */
export const NO_MEMORY: Memory = {
  dir: undefined,
  redactAlways: (text) => text,
  leave() {},
  archive: () => Promise.resolve(""),
  dream: () => Promise.resolve(""),
  dreaming: false,
  whyNoDream: () => "",
  log: () => Promise.resolve(""),
  restore: () => Promise.resolve(""),
};
