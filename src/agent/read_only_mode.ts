/** Whether the tools of a lane may change anything. */
import type { EventBody } from "../base/types.ts";

export interface ReadOnlyMode {
  /** They may not: the user has said so here, or for the lane that this one works for. */
  readonly on: boolean;
  /** The user has said so here. */
  readonly own: boolean;
  use(on: boolean): void;
}

/** Makes the mode of a lane, off. `above` is that of the lane it works for. */
export function createReadOnlyMode(
  above: () => boolean,
  emit: (event: EventBody) => void,
): ReadOnlyMode {
  let own = false;
  return {
    get on() {
      return own || above();
    },
    get own() {
      return own;
    },
    use(on) {
      if (own === on) return;
      own = on;
      emit({ type: "plan_mode", on });
    },
  };
}
