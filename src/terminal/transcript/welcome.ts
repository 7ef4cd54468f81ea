import { plainLine } from "../../base/control_characters.ts";
import type { Look, Row } from "./rows.ts";

/** The first rows of a session; light, because the first frame shows them before much is loaded. */
export function welcomeRows(
  version: string,
  model: string,
  { style, t, workspace }: Look,
): Row[] {
  const name = `${style.bold("narnat")} ${plainLine(version)}`;
  return [
    { text: `${name} ${style.dim(`· ${plainLine(model)}`)}`, fit: "cut" },
    { text: style.dim(plainLine(workspace)), fit: "cut" },
    {
      text: style.dim(
        t("/help lists the commands · alt-enter new line · esc interrupt · ctrl-d quit"),
      ),
      fit: "wrap",
    },
  ];
}
