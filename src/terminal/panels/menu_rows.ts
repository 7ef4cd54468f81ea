import {
  type SelectItem,
  type SelectList,
  truncateToWidth,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { plain as onlyText } from "../../base/control_characters.ts";
import { picture } from "../transcript/stand_ins.ts";
import type { Style } from "../style.ts";

/** Choices that are shown at most. */
export const MENU_ROWS = 10;
/** Characters by which a help is told from none. */
const HELP_BEGINS = 4;
/** Up to here pi-tui shows no help beside them. */
const NARROW = 40;

/** What pi-tui's editor offers to choose from. */
export type Menu = Pick<SelectList, "render" | "getSelectedItem"> & {
  maxVisible: number;
  readonly filteredItems: readonly SelectItem[];
  getVisibleRange(): { readonly startIndex: number };
};

/** The choices in `room` rows; the help of the chosen one below where there is none beside. */
export function menuRows(menu: Menu, width: number, room: number, style: Style): string[] {
  const help = width <= NARROW && room > 3 ? menu.getSelectedItem()?.description ?? "" : "";
  const rows = help === "" ? [] : [style.dim(truncateToWidth(`  ${help}`, width, "…"))];
  menu.maxVisible = Math.max(1, Math.min(MENU_ROWS, room - 1 - rows.length));
  const { startIndex } = menu.getVisibleRange();
  const shown = menu.render(width).map((row, at) =>
    picture(marked(row, menu.filteredItems[startIndex + at]))
  );
  return [...shown, ...rows];
}

/** The row with a mark where pi-tui has cut its help. */
function marked(row: string, item: SelectItem | undefined): string {
  const help = item?.description?.replace(/[\r\n]+/g, " ").trim() ?? "";
  const text = onlyText(row);
  const cut = help !== "" && !text.endsWith(help) && text.includes(help.slice(0, HELP_BEGINS));
  return cut ? truncateToWidth(row, visibleWidth(row) - 1, "…") : row;
}
