import type { Terminal } from "@earendil-works/pi-tui";
import { type Draw, LiveScreen } from "../../src/terminal/live.ts";

/** What live screens have drawn, without colours and links. */
export interface Drawn {
  /** The lines committed on `terminal` so far, as they were when they were drawn. */
  committed(terminal: Terminal): readonly string[];
  /** The lines of the live part in its last frame. */
  live(terminal: Terminal): readonly string[];
  /** Rows of the live part above the cursor. */
  rowsToCursor(terminal: Terminal): number;
  /** A frame has been asked for that is still to be drawn. */
  isDue(terminal: Terminal): boolean;
}

let drawn: Drawn | undefined;

/** Looks over the shoulder of every LiveScreen from now on; all plays, be they side by side, share it. */
export function watchDrawn(): Drawn {
  return drawn ??= watch();
}

function watch(): Drawn {
  const committed = new WeakMap<Terminal, string[]>();
  const live = new WeakMap<Terminal, string[]>();
  const screens = new WeakMap<Terminal, LiveScreen>();
  const stopped = new WeakSet<LiveScreen>();
  const due = new WeakMap<Terminal, boolean>();
  const { commit, render, requestRender, start, stop } = LiveScreen.prototype;
  LiveScreen.prototype.commit = function (draw: Draw) {
    const lines = committed.get(this.device) ?? [];
    committed.set(this.device, lines);
    commit.call(this, (width) => {
      const drawn = draw(width);
      lines.push(...drawn.map(unstyled));
      return drawn;
    });
  };
  LiveScreen.prototype.render = function (width: number) {
    const drawn = render.call(this, width);
    live.set(this.device, drawn.map(unstyled));
    screens.set(this.device, this);
    due.set(this.device, false);
    return drawn;
  };
  LiveScreen.prototype.requestRender = function (force) {
    due.set(this.device, !stopped.has(this));
    requestRender.call(this, force);
  };
  LiveScreen.prototype.start = function () {
    stopped.delete(this);
    start.call(this);
  };
  LiveScreen.prototype.stop = function (options) {
    stopped.add(this);
    due.set(this.device, false);
    stop.call(this, options);
  };
  return {
    committed: (terminal) => committed.get(terminal) ?? [],
    live: (terminal) => live.get(terminal) ?? [],
    rowsToCursor: (terminal) => screens.get(terminal)?.captureRenderState().hardwareCursorRow ?? 0,
    isDue: (terminal) => due.get(terminal) ?? false,
  };
}

function unstyled(line: string): string {
  // deno-lint-ignore no-control-regex -- colours, links and the cursor's mark begin with ESC
  return line.replace(/\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b_pi:c\x07/g, "")
    .trimEnd();
}
