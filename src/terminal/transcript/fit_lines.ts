import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { onlyStyles } from "../../base/control_characters.ts";
import { surelyFits } from "../markdown/narrow.ts";

/** Fits the lines of one frame after another; what stood in the last one is not looked at again. */
export type FitLines = (lines: readonly string[], width: number) => string[];

/** Takes from lines what could steer the terminal, and cuts them to its width. */
export function createFitLines(): FitLines {
  let last: { readonly width: number; readonly lines: ReadonlyMap<string, string> } | undefined;
  return (lines, width) => {
    const known = last?.width === width ? last.lines : undefined;
    const now = new Map(lines.map((line) => [line, known?.get(line) ?? fit(line, width)]));
    last = { width, lines: now };
    return lines.map((line) => now.get(line)!);
  };
}

function fit(line: string, width: number): string {
  const safe = onlyStyles(line).trimEnd();
  if (surelyFits(safe, width)) return safe;
  return visibleWidth(safe) > width ? truncateToWidth(safe, width, "") : safe;
}
