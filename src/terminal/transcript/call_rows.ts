/** What became of a call: its outcome, and what of it is folded. */
import type { AgentEvent, Detail } from "../../base/types.ts";
import type { ShownCall } from "./calls.ts";
import { clip, plain, plainLine } from "../../base/control_characters.ts";
import { diffRows } from "./diff_rows.ts";
import { count, duration } from "./figures.ts";
import { cut, type Look, type Row, wrapped } from "./rows.ts";

type EventOf<V extends AgentEvent["type"]> = Extract<AgentEvent, { type: V }>;

const DIFF_ROWS = 20;
const OUTPUT_ROWS = 5;
/** Of a command the user ran, which was for its output. */
const OWN_OUTPUT_ROWS = 60;
/** What a call is about, above which not every terminal shows it in one line. */
const LONG_CALL = 60;

/** The English ending of what is not one. */
const many = (n: number, ending: string) => n === 1 ? "" : ending;

function outcome({ detail, ms }: EventOf<"tool_end">, look: Look): string {
  const { t, style } = look;
  switch (detail?.kind) {
    case "diff":
      return ` ${style.green(`+${detail.added}`)} ${style.red(`−${detail.removed}`)}`;
    case "command": {
      const exit = detail.timedOut
        ? t("timed out")
        : detail.exit === null
        ? detail.signal === undefined
          ? t("interrupted")
          : t("killed by {signal}", { signal: plainLine(detail.signal) })
        : t("exit {code}", { code: detail.exit });
      const lines = detail.exit === 0 ? lineCount(detail) : 0;
      return style.dim(` · ${duration(ms)} · `) +
        (detail.exit === 0 ? style.dim : style.red)(exit) +
        (lines === 0 ? "" : style.dim(
          ` · ${t("{count} line{s} of output", { count: lines, s: many(lines, "s") })}`,
        ));
    }
    case "lines":
      return style.dim(
        ` · ${t("{count} line{s}", { count: detail.count, s: many(detail.count, "s") })}`,
      );
    case "matches":
      return style.dim(
        ` · ${
          t("{count} match{es} in {files} file{s}", {
            count: detail.count,
            es: many(detail.count, "es"),
            files: detail.files,
            s: many(detail.files, "s"),
          })
        }`,
      );
    case "page":
      return style.dim(` · ${count(detail.bytes)}B`);
    default:
      return ms >= 1000 ? style.dim(` · ${duration(ms)}`) : "";
  }
}

/** The outcome of a call, with its diff or the end of a failed command's output. */
export function toolEndRows(event: EventOf<"tool_end">, call: ShownCall, look: Look): Row[] {
  const { detail } = event;
  if (event.ok && detail?.kind === "todos") return [];
  const rows = outcomeRows(event, call, look);
  if (!look.keys || rows.some(({ more }) => more) || !isFolded(event, call, look)) return rows;
  return [{ ...rows[0]!, hint: look.style.dim(" · ctrl-o") }, ...rows.slice(1)];
}

function outcomeRows(
  event: EventOf<"tool_end">,
  call: ShownCall,
  look: Look,
): (Row & { readonly more?: true })[] {
  const { detail } = event;
  const head = headRow(event, call, look);
  if (detail?.kind === "diff") {
    const rows = diffRows(detail.diff, look);
    const more = rows.length - DIFF_ROWS;
    return [head, ...rows.slice(0, DIFF_ROWS), ...more > 0 ? [moreRow(more, look)] : []];
  }
  if (detail?.kind === "command" && detail.output !== undefined) {
    // Outside of a turn it is the user's own line.
    const own = event.turn === 0;
    const notes = linesOf(detail.note ?? "").filter((line) => line !== "")
      .map((line) => wrapped(own ? line : look.style.dim(line), "  "));
    if (detail.exit === 0 && !own) return [head, ...notes];
    const lines = linesOf(detail.output);
    const most = own ? OWN_OUTPUT_ROWS : OUTPUT_ROWS;
    const rest = lineCount(detail) - most;
    const rows = lines.slice(-most).map((line) =>
      own ? wrapped(line, "  ") : cut(`  ${look.style.dim(line)}`)
    );
    return [head, ...rest > 0 ? [moreRow(rest, look)] : [], ...rows, ...notes];
  }
  if (event.ok) return [head];
  if (detail?.kind === "declined") {
    return [head, wrapped(look.style.red(look.t("declined, nothing ran")), "  ")];
  }
  const first = linesOf(event.text).find((line) => line.trim() !== "");
  return first === undefined ? [head] : [head, wrapped(look.style.red(clip(first, 500)), "  ")];
}

/** All that a call asked for and has brought, where toolEndRows leaves something out. */
export function toolFullRows(
  event: EventOf<"tool_end">,
  call: ShownCall,
  look: Look,
): Row[] | undefined {
  if (!isFolded(event, call, look)) return undefined;
  const { detail } = event;
  const asked = isLong(event, call)
    ? linesOf(call.about).map((line) => wrapped(line, look.style.dim("  │ ")))
    : [];
  const brought = detail?.kind === "diff"
    ? diffRows(detail.diff, look, "wrap")
    : linesOf(outputOf(event)).map((line) => wrapped(line, "  "));
  return [headRow(event, call, look), ...asked, ...brought];
}

/** Whether toolEndRows leaves something out. */
function isFolded(event: EventOf<"tool_end">, call: ShownCall, look: Look): boolean {
  const { detail } = event;
  if (detail?.kind === "todos" || detail?.kind === "declined") return false;
  if (isLong(event, call)) return true;
  if (detail?.kind === "diff") return diffRows(detail.diff, look).length > DIFF_ROWS;
  const lines = linesOf(outputOf(event));
  if (detail?.kind === "command") {
    const shown = event.turn === 0 ? OWN_OUTPUT_ROWS : detail.exit === 0 ? 0 : OUTPUT_ROWS;
    return lines.length > shown;
  }
  return lines.length > (event.ok ? 0 : 1);
}

/** The user's own line stands above its outcome. */
const isLong = ({ turn }: EventOf<"tool_end">, { about }: ShownCall) =>
  turn !== 0 && (about.length > LONG_CALL || about.trim().includes("\n"));

const outputOf = ({ detail, text }: EventOf<"tool_end">) =>
  detail?.kind === "command" ? detail.output ?? "" : text;

const lineCount = ({ lines, output = "" }: Extract<Detail, { kind: "command" }>) =>
  lines ?? linesOf(output).length;

const headRow = (event: EventOf<"tool_end">, { text }: ShownCall, look: Look) =>
  cut(`${dot(event, look)} ${text}`, outcome(event, look));

/** Told by its form too: not everybody sees colours. */
function dot({ ok, detail }: EventOf<"tool_end">, { style }: Look): string {
  const failed = !ok || detail?.kind === "command" && detail.exit !== 0;
  return failed ? style.red("✗") : style.green("●");
}

function linesOf(text: string): string[] {
  const trimmed = plain(text).trimEnd();
  return trimmed === "" ? [] : trimmed.split("\n");
}

function moreRow(count: number, { style, t, keys }: Look): Row & { readonly more: true } {
  const hint = keys ? ` · ${t("ctrl-o shows all")}` : "";
  return { ...cut(style.dim(`  ${t("… {count} more", { count })}${hint}`)), more: true };
}
