/** What a terminal can do beyond text and colours, as far as its environment tells. */
export interface Capabilities {
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
