import process from "node:process";
import {
  ProcessTerminal,
  setCapabilities,
  stripTerminalSequences,
  type Terminal,
  truncateToWidth,
  TuiMainScreen,
  type TuiMainScreenRenderState,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { onlyStyles } from "../base/control_characters.ts";
import {
  FrameTerminal,
  hardRows,
  type Place,
  rowsAboveCursor,
  type State,
  unwrapped,
  withoutGone,
} from "./device/frame_terminal.ts";
import { ERASE_DOWN, HANG_UP } from "./transcript/restore.ts";
import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import { keysDevice } from "./device/tty.ts";
import { surelyFits } from "./markdown/lay.ts";

/** The process's own terminal, also where it belongs to another user. */
function processTerminal(): Terminal {
  const device = keysDevice();
  if (device !== undefined && device !== "stdin") {
    const keys = new ReadStream(openSync(device, "r+"));
    Object.defineProperty(process, "stdin", { value: keys, configurable: true });
  }
  process.stdout.on("error", hangUp);
  process.stdin.on("error", hangUp).on("end", hangUp);
  return new ProcessTerminal();
}

/** Whoever guards the terminal hears that it is gone; the kernel tells only who leads its session. */
function hangUp(): void {
  globalThis.dispatchEvent(new Event(HANG_UP));
}

/** Fits the lines of one frame after another; what stood in the last one is not looked at again. */
type FitLines = (lines: readonly string[], width: number) => string[];

/** Takes from lines what could steer the terminal, and cuts them to its width. */
function createFitLines(): FitLines {
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

/** pi-tui recurses without end where a wide character does not fit; below this, lines are cut. */
const LEAST_WIDTH = 6;
/** Between frames that no key has asked for, and no `soon`: half of what a streamed token costs is its frame. */
const FRAME_MS = 50;
/** What only moves is drawn after so long without a frame. */
const STILL_MS = 75;
/** Rows that the tail leaves to what stands below it. */
const ROWS_BELOW = 10;
/** Frames this new may have come when the terminal had its new size already. */
const LATE_MS = 60;
/** Within this a terminal answers. */
const ANSWER_MS = 200;
/**
 * While a window is being dragged nothing is drawn: a frame for one size that arrives at another
 * would take lines for its own that are not. tmux tells of a new size up to 250 ms late.
 */
const STEADY_MS = 300;
const ASCII = /^[ -~]*$/;
const EMPTY: TuiMainScreenRenderState = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};

/** A frame as it was drawn. */
interface Drawn {
  readonly at: number;
  readonly state: State;
  readonly tailRows: number;
  /** Characters that had been told before its tail, see `unwrapped`. */
  readonly told: number;
}

/** Draws lines for a terminal `width` columns wide; called once, when they are written. */
export type Draw = (width: number) => readonly string[];

export interface LiveOptions {
  /** The first frame replaces what is drawn from that many rows above the cursor on. */
  readonly below?: number | undefined;
  /** The terminal follows links. */
  readonly links?: boolean;
  /** The terminal wraps its lines anew when it is made narrower; if not, it cuts them. */
  readonly wraps?: boolean;
}

/**
 * pi-tui's main screen with a memory of nothing: finished text is committed to the terminal's own
 * scrollback, only the components below it are redrawn. They never outgrow the screen.
 */
export class LiveScreen extends TuiMainScreen {
  readonly #frames: FrameTerminal;
  /** What is drawn on in the end. */
  readonly device: Terminal;
  readonly #wraps: boolean;
  #pending: Draw[] = [];
  #closed = false;
  #askedAt = 0;
  /** A key, or what cannot wait, has come since the last frame. */
  #hurried = false;
  #drawnAt = -Infinity;
  /** A frame follows, if not by this timer then behind what is at work now. */
  #asked = false;
  #nextFrame: ReturnType<typeof setTimeout> | undefined;
  /** The size that was last seen, since when, and who waits whether it lasts. */
  #size = "";
  #sizedAt = 0;
  /** Where this size has left the cursor, as the terminal tells; undefined when it does not. */
  #cursor: Place | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;
  /** Rows that the cursor stands below what the next frame is to replace; undefined when that is our own. */
  #below: number | undefined;
  /** The beginning of the tail that stands in the scrollback, since the terminal shrank. */
  #gone = "";
  /** Rows of the tail in the last frame, and of what stood below it. */
  #tailRows = 0;
  #rowsBelow = ROWS_BELOW;
  readonly #fit = createFitLines();
  /** Characters committed, see `unwrapped`. */
  #told = 0;
  #cursorColumn = 0;
  /** The last frame that the terminal took at the size it was drawn for, and those since. */
  #drawn: Drawn[] = [];
  /** The top of the live part: what will be committed next, as far as it goes. */
  tail: Draw = () => [];
  /** Called before each frame; the place to commit what has become final. */
  onFrame: (() => void) | undefined;

  constructor(terminal: Terminal = processTerminal(), options: LiveOptions = {}) {
    // Without this pi-tui asks tmux about itself through execSync.
    setCapabilities({ images: null, trueColor: true, hyperlinks: options.links ?? false });
    const frames = new FrameTerminal(terminal);
    super(frames);
    this.#frames = frames;
    this.device = terminal;
    this.#wraps = options.wraps ?? true;
    this.#below = options.below;
    this.addInputListener(() => void (this.#hurried = true));
  }

  /** Rows of the tail that are shown for sure, its last. */
  get tailRoom(): number {
    return Math.max(1, this.terminal.rows - ROWS_BELOW);
  }

  /** Rows of it that are shown as long as no more stands below it. */
  get tailMost(): number {
    return Math.max(this.tailRoom, this.terminal.rows - this.#rowsBelow);
  }

  /** Writes lines above the live part for good, at the next frame; the terminal wraps longer ones. */
  commit(draw: Draw): void {
    this.#pending.push(draw);
    this.requestRender();
  }

  /** Asks for a frame: at once behind a key, else when the last has been seen for a while. */
  override requestRender(force = false): void {
    if (force || this.#hurried) return super.requestRender(force);
    if (this.#asked) return;
    this.#asked = true;
    const wait = this.#drawnAt + FRAME_MS - performance.now();
    // pi-tui would take a timer of its own.
    const draw = () => {
      if (!this.#asked) return;
      this.#asked = false;
      this.renderNow();
    };
    if (wait > 0) this.#nextFrame = setTimeout(draw, wait);
    else process.nextTick(draw);
  }

  /** Something has moved: asks for a frame where none has been drawn for a while. */
  moved(): void {
    if (performance.now() - this.#drawnAt >= STILL_MS) this.requestRender();
  }

  /** The next frame does not wait: somebody is asked, or is told that it is over. */
  soon(): void {
    this.#hurried = true;
    this.requestRender();
  }

  /** Lets the terminal answer what it was asked; later the shell would read that. */
  async settle(): Promise<void> {
    if (this.stopped || performance.now() - this.#askedAt > ANSWER_MS) return;
    await this.terminal.drainInput(ANSWER_MS, ANSWER_MS / 4);
  }

  override start(): void {
    this.#askedAt = performance.now();
    super.start();
  }

  /** Takes the live part off the screen and gives the terminal back until `resume`. */
  suspend(): void {
    if (this.stopped) return;
    this.renderNow();
    const { columns, rows } = this.terminal;
    const up = Math.min(rowsAboveCursor(this.#state(), this.#wrapAt(columns)), rows - 1);
    this.terminal.write((up > 0 ? `\x1b[${up}A` : "") + ERASE_DOWN);
    this.restoreRenderState(EMPTY);
    this.stop();
  }

  /** Takes the terminal and draws the live part anew, from the cursor's row on. */
  resume(): void {
    if (this.#closed) return;
    this.restoreRenderState(EMPTY);
    if (!this.stopped) this.stop();
    this.start();
    // A frame that was asked for meanwhile keeps pi-tui from asking again.
    this.renderNow();
  }

  /** Writes what is pending, removes the live part and gives the terminal back. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#later);
    this.renderNow();
    this.onFrame = undefined;
    this.tail = () => [];
    this.clear();
    this.renderNow();
    this.stop();
  }

  override render(width: number): string[] {
    const wide = Math.max(LEAST_WIDTH, width);
    // What was shown of a tail without its top stands nowhere for good.
    const { lines: left, met } = withoutGone(this.#gone, this.tail(wide));
    this.#gone = this.#gone.slice(0, met);
    const below = super.render(wide);
    // What cannot be committed yet has all the rows that are left.
    this.#rowsBelow = below.length;
    const tail = left.slice(-this.tailMost);
    const lines = this.#fit([...tail, ...below], width);
    const over = Math.max(0, lines.length - this.terminal.rows);
    this.#tailRows = tail.length < left.length || over > 0 ? 0 : tail.length;
    return lines.slice(over);
  }

  protected override doRender(): void {
    if (this.stopped || !this.#isSteady()) return;
    this.#hurried = false;
    this.#drawnAt = performance.now();
    this.onFrame?.();
    // What has asked for a frame so far is in this one.
    clearTimeout(this.#nextFrame);
    this.#asked = false;
    this.#frames.frame(() => {
      this.#makeRoom();
      super.doRender();
    });
    const at = performance.now();
    const state = this.#state();
    const told = this.#told + this.#gone.length;
    this.#drawn.push({ at, state, tailRows: this.#tailRows, told });
    const sure = this.#drawn.findLastIndex((frame) => frame.at <= at - LATE_MS);
    this.#drawn.splice(0, Math.max(0, sure));
  }

  /** ASCII alone leaves no style to end, and is measured at a glance. */
  protected override applyLineResets(lines: string[]): string[] {
    return lines.map((line) => ASCII.test(line) ? line : super.applyLineResets([line])[0]!);
  }

  protected override extractCursorPosition(lines: string[], height: number) {
    const cursor = super.extractCursorPosition(lines, height);
    this.#cursorColumn = cursor?.col ?? 0;
    return cursor;
  }

  #wrapAt(columns: number): number {
    return this.#wraps ? columns : Infinity;
  }

  #state(): State {
    return { ...this.captureRenderState(), cursorColumn: this.#cursorColumn };
  }

  /**
   * Whether the terminal has kept its size for a while and has been asked where that has left the
   * cursor; if not, a frame follows when it has.
   */
  #isSteady(): boolean {
    const size = `${this.terminal.columns}x${this.terminal.rows}`;
    if (size !== this.#size) {
      const isFirst = this.#size === "";
      this.#size = size;
      this.#sizedAt = performance.now();
      this.#cursor = undefined;
      clearTimeout(this.#later);
      this.#later = isFirst ? undefined : setTimeout(() => this.#askCursor(), STEADY_MS);
    }
    return this.#closed || this.#later === undefined;
  }

  async #askCursor(): Promise<void> {
    const asker = this.#later;
    this.#askedAt = performance.now();
    const place = this.stopped ? undefined : await this.#frames.cursor(ANSWER_MS);
    if (asker !== this.#later) return;
    this.#cursor = place;
    this.#later = undefined;
    this.renderNow();
  }

  /** Writes what is pending where the live part stands; the frame then draws that anew. */
  #makeRoom(): void {
    const state = this.#state();
    const { columns, rows } = this.terminal;
    const resized = state.previousWidth !== 0 &&
      (state.previousWidth !== columns || state.previousHeight !== rows);
    if (!resized && this.#below === undefined && this.#pending.length === 0) return;
    const at = resized ? this.#cursor : undefined;
    // Only another size wraps lines that were cut to this one.
    const above = resized
      ? rowsAboveCursor(state, this.#wrapAt(columns), at)
      : state.hardwareCursorRow;
    const up = this.#below ?? Math.min(above, at?.row ?? rows - 1);
    this.#below = undefined;
    if (at && this.#wraps) this.#findGone(at, columns);
    const lines = this.#commitPending(Math.max(LEAST_WIDTH, columns));
    this.terminal.write(
      "\x1b[?2026h" + (up > 0 ? `\x1b[${up}A` : "") + ERASE_DOWN +
        lines.map((line) => onlyStyles(line).trimEnd() + "\x1b[0m\r\n").join(""),
    );
    this.restoreRenderState(EMPTY);
  }

  /** Finds what of the tail the new size has moved off the screen, rather less than more. */
  #findGone(cursor: Place, columns: number): void {
    const all = this.#drawn.splice(0);
    const frame = all.findLast(({ at }) => at <= this.#sizedAt - LATE_MS) ?? all[0];
    if (frame === undefined || this.#tailRows === 0) return;
    const { state, tailRows, told } = frame;
    const off = Math.max(0, rowsAboveCursor(state, columns, cursor) - cursor.row);
    const moved = state.previousLines.slice(0, tailRows)
      .flatMap((line) => hardRows(line, columns))
      .slice(0, off);
    this.#gone += unwrapped(moved).slice(this.#told + this.#gone.length - told);
  }

  /** The lines that are pending, but for those that the terminal has moved off already. */
  #commitPending(width: number): readonly string[] {
    const all = this.#pending.splice(0).flatMap((draw) => draw(width));
    const { lines, met } = withoutGone(this.#gone, all);
    this.#gone = lines.length > 0 ? "" : this.#gone.slice(met);
    this.#told += unwrapped(all.map(stripTerminalSequences)).length;
    return lines;
  }
}
