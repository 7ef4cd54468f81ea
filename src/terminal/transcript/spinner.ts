import type { Text } from "../../base/t.ts";
import type { EventBody, Usage } from "../../base/types.ts";
import { aboutCall } from "../../base/about_call.ts";
import { plainLine } from "../../base/control_characters.ts";
import { count, duration } from "../../base/figures.ts";
import type { Look } from "./rows.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** Silence after which the model is said to be silent. */
const STALL_MS = 20_000;

/** What is going on, for one line of the screen. */
export type Doing = "working" | "thinking" | "stopping" | "compressing" | "hook";

const WORDS: { readonly [doing in Doing]: Text } = {
  working: "Working",
  thinking: "Thinking",
  stopping: "Stopping",
  compressing: "Compressing…",
  hook: "running {event} hooks",
};

type Writing = Pick<Extract<EventBody, { type: "writing" }>, "name" | "chars" | "path">;

/** What else the line may tell. */
export interface SpinnerFacts {
  /** Of the turn so far. */
  readonly usage?: Usage | undefined;
  /** A tool is at work, or a person is asked: the model's silence means nothing. */
  readonly waiting?: boolean;
}

/** The line that shows that something is going on, for how long, and how to stop it. */
export class Spinner {
  readonly #tick: () => void;
  readonly #now: () => number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #began = 0;
  #heard = 0;
  #retryAt = 0;
  /** The call that is being written, and how much of it there is. */
  #writing: Writing | undefined;
  doing: Doing = "working";

  /** `tick` asks for a frame; `now` is a clock in milliseconds. */
  constructor(tick: () => void, now: () => number) {
    this.#tick = tick;
    this.#now = now;
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    this.doing = "working";
    this.#began = this.#now();
    this.#retryAt = 0;
    this.heard();
    this.#timer ??= setInterval(this.#tick, FRAME_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Something has come; `writing` when it is more of a call. */
  heard(writing?: Writing): void {
    this.#heard = this.#now();
    this.#writing = writing;
  }

  /** Counts down `ms` milliseconds to the next attempt. */
  countDown(ms: number): void {
    this.#retryAt = this.#now() + ms;
  }

  line({ style, t, workspace }: Look, { usage, waiting = false }: SpinnerFacts = {}): string {
    const now = this.#now();
    const elapsed = now - this.#began;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length]!;
    const silent = waiting ? 0 : now - Math.max(this.#heard, this.#retryAt);
    const left = this.#retryAt - now;
    const stalled = left <= 0 && silent >= STALL_MS;
    const summing = this.#writing?.name === "" && this.doing !== "stopping";
    let word = t(WORDS[summing ? "compressing" : this.doing], { event: "turn_end" });
    if (this.doing === "stopping") {
      return `${style.cyan(frame)} ${word} ${style.dim(duration(elapsed))}`;
    }
    if (left > 0) word = t("Retrying in {seconds} s", { seconds: Math.ceil(left / 1000) });
    else if (stalled) {
      const seconds = Math.floor(silent / 1000);
      word = style.yellow(t("nothing from the model for {seconds} s", { seconds }));
    } else if (this.#writing?.name === "") {
      if (this.#writing.chars > 0) {
        word += ` ${t("{chars} characters of a summary", { chars: count(this.#writing.chars) })}`;
      }
    } else if (this.#writing !== undefined) {
      const { name, chars, path } = this.#writing;
      const about = path === undefined ? "" : aboutCall({ path }, workspace).text;
      word = t(
        about
          ? "Writing {name} {path} ({chars} characters)"
          : "Writing a {name} call ({chars} characters)",
        {
          name: plainLine(name),
          path: plainLine(about),
          chars: count(chars),
        },
      );
    }
    const rest = [
      ...usage === undefined ? [] : [`↑${count(usage.input)} ↓${count(usage.output)}`],
      t("esc to interrupt"),
    ];
    // The silence and the wait have clocks of their own.
    const clock = stalled || left > 0 ? style.dim("·") : style.dim(duration(elapsed) + " ·");
    return `${style.cyan(frame)} ${word} ${clock} ${style.dim(rest.join(" · "))}`;
  }
}
