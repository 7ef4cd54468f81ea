/** Figures for people. */
export { cost, count } from "../../base/figures.ts";

/** A duration for people: `0.4 s`, `2.1 s`, `3 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  return wholeSeconds(Math.round(ms / 1000));
}

/** A duration in seconds for people: `12 s`, `3 min 05 s`. */
export function wholeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
