/** Gives other work its turn in the middle of a long computation; undefined while it is not time yet. */
export type Rest = () => Promise<void> | undefined;

/** How long other work waits at most: a key that stops must be heard at once. */
const TURN_MS = 25;
/** Steps of a short loop between two looks at the clock. */
export const STEPS_A_LOOK = 1024;

/** Makes the Rest of one computation; it throws the signal's reason once that is aborted. */
export function resting(signal?: AbortSignal): Rest {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      since = performance.now();
      signal?.throwIfAborted();
    });
  };
}

/** For what is known to be short. */
export const noRest: Rest = () => undefined;
