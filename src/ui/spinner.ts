import { say, type TextKey } from "../text.ts";
import { duration, type Look } from "./render.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/** What is going on, for one line of the screen. */
export type Doing = "working" | "thinking" | "stopping" | "compressing";

const WORDS: { readonly [doing in Doing]: TextKey } = {
  working: "screen.working",
  thinking: "screen.thinking",
  stopping: "screen.stopping",
  compressing: "screen.compressing",
};

/** The line that shows that something is going on, for how long, and how to stop it. */
export class Spinner {
  readonly #tick: () => void;
  readonly #now: () => number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #began = 0;
  #retryAt = 0;
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
    this.#timer ??= setInterval(this.#tick, FRAME_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Counts down `ms` milliseconds to the next attempt. */
  countDown(ms: number): void {
    this.#retryAt = this.#now() + ms;
  }

  line({ style, lang }: Look): string {
    const now = this.#now();
    const elapsed = now - this.#began;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length]!;
    const left = this.#retryAt - now;
    const word = left > 0 && this.doing !== "stopping"
      ? say(lang, "screen.retry_in", { seconds: Math.ceil(left / 1000) })
      : say(lang, WORDS[this.doing]);
    const rest = this.doing === "stopping" ? "" : ` · ${say(lang, "screen.esc")}`;
    return `${style.cyan(frame)} ${word} ${style.dim(`${duration(elapsed)}${rest}`)}`;
  }
}
