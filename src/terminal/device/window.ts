import { basename } from "../../base/path.ts";
import { longWait } from "../../agent/budget.ts";
import type { T, Text } from "../../base/t.ts";
import { plainLine } from "../../base/control_characters.ts";

/** What a terminal can do beyond text and colours, as far as its environment tells. */
interface Capabilities {
  /** Takes a window title (OSC 2). */
  readonly title: boolean;
  /** Follows links (OSC 8). */
  readonly links: boolean;
  /** Shows a notification (OSC 9); every terminal has a bell. */
  readonly notifications: boolean;
  /** Wraps what stands on it anew when it is made narrower; others cut it. */
  readonly wraps: boolean;
}

/** Terminals that show no title and would print what they do not know. */
const BARE = /^(?:|dumb|linux|cons25|vt\d+.*|ansi|unknown)$/;
const LINKS_BY_PROGRAM = /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|Tabby|rio)$/;
const LINKS_BY_TERM = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour|rio)/;
const NOTES_BY_PROGRAM = /^(?:iTerm\.app|WezTerm|ghostty)$/;
const NOTES_BY_TERM = /^(?:xterm-kitty|xterm-ghostty|foot|wezterm)/;

/** Reads the environment and asks nobody. What tmux or screen wraps, only these two decide. */
export function capabilitiesFrom(env: (name: string) => string | undefined): Capabilities {
  const get = (name: string) => env(name) ?? "";
  const term = get("TERM");
  const program = get("TERM_PROGRAM");
  if (BARE.test(term) || get("CI") !== "") {
    return { title: false, links: false, notifications: false, wraps: term !== "linux" };
  }
  if (get("TMUX") !== "" || /^(?:tmux|screen)/.test(term)) {
    const links = program === "tmux" && atLeast(get("TERM_PROGRAM_VERSION"), 3, 4);
    return { title: true, links, notifications: false, wraps: true };
  }
  const kitty = get("KITTY_WINDOW_ID") !== "";
  return {
    title: true,
    links: kitty || get("WT_SESSION") !== "" || Number(get("VTE_VERSION")) >= 5000 ||
      Number(get("KONSOLE_VERSION")) >= 201200 ||
      LINKS_BY_PROGRAM.test(program) || LINKS_BY_TERM.test(term),
    notifications: kitty || NOTES_BY_PROGRAM.test(program) || NOTES_BY_TERM.test(term),
    wraps: get("XTERM_VERSION") === "",
  };
}

/** Whether a version such as `3.4a` is not older. */
function atLeast(version: string, major: number, minor: number): boolean {
  const [, first = "", second = ""] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(first) > major || (first === String(major) && Number(second) >= minor);
}

const BELL = "\x07";
/** Keeps the title there was, or gives it back: cleared first, for terminals that keep none. */
const KEEP_TITLE = "\x1b[22;2t";
const GIVE_TITLE_BACK = `\x1b]2;${BELL}\x1b[23;2t`;

export interface WindowOptions {
  readonly workspace: string;
  readonly t: T;
  readonly capabilities: Capabilities;
  /** A long turn's end and a question are told by a notification or the bell. */
  readonly notify: boolean;
  write(sequence: string): void;
}

/** What the title says of narnat: it works, it waits for an answer, or neither. */
export type Doing = "working" | "asking" | "idle";

const MARKS: { readonly [doing in Doing]: string } = { working: "● ", asking: "? ", idle: "" };

/** The window around the screen: its title, and who looks elsewhere. */
export class Window {
  readonly #options: WindowOptions;
  readonly #name: string;
  readonly #hasWaitedLong = longWait();
  #title: string | undefined;

  constructor(options: WindowOptions) {
    this.#options = options;
    const folder = plainLine(basename(options.workspace) || options.workspace);
    this.#name = `narnat · ${folder}`;
  }

  /** Shows in the title where narnat is and what it does; cheap when nothing has changed. */
  show(doing: Doing): void {
    if (!this.#options.capabilities.title) return;
    const title = MARKS[doing] + this.#name;
    if (title === this.#title) return;
    const keep = this.#title === undefined ? KEEP_TITLE : "";
    this.#title = title;
    this.#options.write(`${keep}\x1b]2;${title}${BELL}`);
  }

  /** Gives the title back that was there before. */
  restore(): void {
    if (this.#title === undefined) return;
    this.#title = undefined;
    this.#options.write(GIVE_TITLE_BACK);
  }

  /** Calls the user back who has waited long for the end of a turn. */
  turnEnded(end: Parameters<ReturnType<typeof longWait>>[0]): void {
    if (this.#hasWaitedLong(end)) this.#call("the turn is over");
  }

  /** Calls the user, for whose answer narnat waits from now on. */
  asked(): void {
    this.#call("waiting for your answer");
  }

  #call(why: Text): void {
    const { notify, t, capabilities, write } = this.#options;
    if (!notify) return;
    const text = `${this.#name}: ${t(why)}`;
    write(capabilities.notifications ? `\x1b]9;${text}${BELL}` : BELL);
  }
}
