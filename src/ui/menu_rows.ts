import { type SelectList, truncateToWidth } from "@earendil-works/pi-tui";
import { picture } from "./stand_ins.ts";
import type { Style } from "./style.ts";

/** Choices that are shown at most. */
export const MENU_ROWS = 10;
/** Up to here pi-tui shows no help beside them. */
const NARROW = 40;

/** What pi-tui's editor offers to choose from. */
export type Menu = Pick<SelectList, "render" | "getSelectedItem"> & { maxVisible: number };

/** The choices in `room` rows; the help of the chosen one below where there is none beside. */
export function menuRows(menu: Menu, width: number, room: number, style: Style): string[] {
  const help = width <= NARROW && room > 3 ? menu.getSelectedItem()?.description ?? "" : "";
  const rows = help === "" ? [] : [style.dim(truncateToWidth(`  ${help}`, width, "…"))];
  menu.maxVisible = Math.max(1, Math.min(MENU_ROWS, room - 1 - rows.length));
  return [...menu.render(width).map(picture), ...rows];
}
