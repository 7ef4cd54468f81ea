import { truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Row } from "./render.ts";

/** Rows as terminal lines for a width; `raw` rows stay whole and the terminal breaks them. */
export function layRows(rows: readonly Row[], width: number): string[] {
  return rows.flatMap(({ text, fit }) => {
    if (fit === "raw") return [text];
    return fit === "cut"
      ? [truncateToWidth(text, width, "…")]
      : wrapTextWithAnsi(text, Math.max(1, width));
  });
}
