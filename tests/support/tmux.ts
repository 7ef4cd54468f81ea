/** The status line under the prompt, `  demo · open`: most tests look at what stands above it. */
const STATUS = /\n {2}[\w./:-]+(?: · [^\n]*)?$/;

/** `text` without the status line at its end, if a prompt stands above it. */
export function withoutStatus(text: string): string {
  return text.includes("❯") ? text.replace(STATUS, "").trimEnd() : text;
}

/** A real terminal for end-to-end tests: a tmux server of its own, with a shell in it. */
export class Tmux {
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  /** True when tmux can be run here. */
  static async available(): Promise<boolean> {
    try {
      return (await new Deno.Command("tmux", { args: ["-V"], stdout: "null" }).output()).success;
    } catch {
      return false;
    }
  }

  /** Opens a shell whose prompt is `SH> `. */
  static async open(columns: number, rows: number): Promise<Tmux> {
    const tmux = new Tmux(`narnat-test-${crypto.randomUUID().slice(0, 8)}`);
    const size = ["-x", String(columns), "-y", String(rows)];
    await tmux.#run("new-session", "-d", "-s", "t", ...size, "bash --norc --noprofile");
    await tmux.#run("set", "-g", "escape-time", "0");
    await tmux.#run("set", "-g", "history-limit", "5000");
    await tmux.type("PS1='SH> '; clear\n");
    await tmux.shows(/^SH> $/m);
    return tmux;
  }

  async close(): Promise<void> {
    await this.#run("kill-server");
  }

  /** Types text as it is; a newline is Enter. */
  async type(text: string): Promise<void> {
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) await this.key("Enter");
      if (line !== "") await this.#run("send-keys", "-t", "t", "-l", "--", line);
    }
  }

  /** Presses keys by tmux's names: `Enter`, `Escape`, `C-c`, `M-Enter`, `Left`. */
  async key(...names: string[]): Promise<void> {
    await this.#run("send-keys", "-t", "t", ...names);
  }

  /** Pastes in bracketed mode, where the program asked for it. */
  async paste(text: string): Promise<void> {
    const file = await Deno.makeTempFile();
    try {
      await Deno.writeTextFile(file, text);
      await this.#run("load-buffer", "-b", "p", file);
      await this.#run("paste-buffer", "-p", "-r", "-b", "p", "-t", "t");
    } finally {
      await Deno.remove(file);
    }
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#run("resize-window", "-t", "t", "-x", String(columns), "-y", String(rows));
  }

  /** The screen, or with `all` the scrollback too, without the status line; rows the terminal wrapped are joined. */
  async text(all = true): Promise<string> {
    return withoutStatus(await this.#capture("-J", ...(all ? ["-S", "-"] : [])));
  }

  /** What a person sees, row by row; with `all`, the scrollback too. */
  async seen(all = false): Promise<string> {
    return await this.#capture(...(all ? ["-S", "-"] : []));
  }

  async #capture(...options: string[]): Promise<string> {
    const text = await this.#run("capture-pane", "-p", "-t", "t", ...options);
    return text.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();
  }

  /** A tmux format, such as `#{cursor_flag} #{cursor_x}`. */
  async ask(format: string): Promise<string> {
    return (await this.#run("display-message", "-p", "-t", "t", format)).trim();
  }

  /** Waits until the buffer matches, and returns it. */
  async shows(what: string | RegExp, seconds = 15): Promise<string> {
    const ends = performance.now() + seconds * 1000;
    while (true) {
      const text = await this.text();
      if (typeof what === "string" ? text.includes(what) : what.test(text + " ")) return text;
      if (performance.now() > ends) throw new Error(`tmux never showed ${what}:\n${text}`);
      // each look is a process
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async #run(...args: string[]): Promise<string> {
    const command = ["-L", this.#socket, "-f", "/dev/null", ...args];
    const { success, stdout, stderr } = await new Deno.Command("tmux", {
      args: command,
      env: { TMUX: "", LC_ALL: "C.UTF-8" },
    }).output();
    if (!success) throw new Error(`tmux ${args[0]}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  }
}
