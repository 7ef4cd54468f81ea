import { basename } from "../../base/path.ts";
import { longWait } from "../../agent/loop/limits.ts";
import { say, type TextKey } from "../../base/text.ts";
import type { Lang } from "../../base/types.ts";
import type { Capabilities } from "./capabilities.ts";
import { plainLine } from "../../base/control_characters.ts";

const BELL = "\x07";
/** Keeps the title there was, or gives it back: cleared first, for terminals that keep none. */
const KEEP_TITLE = "\x1b[22;2t";
const GIVE_TITLE_BACK = `\x1b]2;${BELL}\x1b[23;2t`;

export interface WindowOptions {
  readonly workspace: string;
  readonly lang: Lang;
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
    if (this.#hasWaitedLong(end)) this.#call("screen.turn_over");
  }

  /** Calls the user, for whose answer narnat waits from now on. */
  asked(): void {
    this.#call("screen.asks");
  }

  #call(key: TextKey): void {
    const { notify, lang, capabilities, write } = this.#options;
    if (!notify) return;
    const text = `${this.#name}: ${say(lang, key)}`;
    write(capabilities.notifications ? `\x1b]9;${text}${BELL}` : BELL);
  }
}
