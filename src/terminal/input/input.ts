import { matchesKey } from "@earendil-works/pi-tui";
import { errorMessage } from "../../base/errors.ts";
import { Completion, FileIndex } from "./completion.ts";
import { PromptEditor } from "./editor.ts";
import { History, historyFile } from "./history.ts";
import type { LiveScreen } from "../live.ts";
import type { TerminalOptions } from "../panels/options.ts";
import type { Queue, Sent } from "./queue.ts";
import type { Look } from "../transcript/rows.ts";
import { editorTheme } from "../style.ts";

// The user's own editor on the text of the prompt.

type Edited =
  | { readonly text: string }
  /** `code` is the editor's exit code; 127: there is no such program. */
  | { readonly editor: string; readonly code: number }
  | { readonly editor: string; readonly why: string };

/** The editor the environment names; arguments and quotes in it are the shell's. */
export function editorFrom(env: (name: string) => string | undefined): string {
  return env("VISUAL")?.trim() || env("EDITOR")?.trim() ||
    (Deno.build.os === "windows" ? "notepad" : "vi");
}

/** The editor's environment; narnat's own when left out. */
type Env = { readonly [name: string]: string } | undefined;

/** Opens a file in the editor, which has the terminal until it ends; resolves with its exit code. */
async function openInEditor(path: string, editor: string, env?: Env): Promise<number> {
  const [command, ...args] = Deno.build.os === "windows"
    ? ["cmd", "/d", "/c", `${editor} "${path}"`]
    // The shell outlives a Ctrl-C that is meant for the editor.
    : ["sh", "-c", `trap : INT; ${editor} "$@"`, editor, path];
  const io = "inherit";
  const streams = { stdin: io, stdout: io, stderr: io } as const;
  const its = env ? { clearEnv: true, env } : {};
  const child = new Deno.Command(command!, { args, ...streams, ...its }).spawn();
  return (await child.status).code;
}

/** Opens `text` in the editor, which has the terminal until it ends; resolves with what it saved. */
export async function editExternally(text: string, editor: string, env?: Env): Promise<Edited> {
  let path: string | undefined;
  try {
    path = await Deno.makeTempFile({ prefix: "narnat-", suffix: ".md" });
    await Deno.writeTextFile(path, text);
    const code = await openInEditor(path, editor, env);
    if (code !== 0) return { editor, code };
    const saved = (await Deno.readTextFile(path)).replaceAll("\r\n", "\n");
    // Editors end the last line.
    return { text: text.endsWith("\n") ? saved : saved.replace(/\n$/, "") };
  } catch (error) {
    return { editor, why: errorMessage(error) };
  } finally {
    if (path !== undefined) await Deno.remove(path).catch(() => {});
  }
}

/** Without a key for so long, what the first `@` needs is made ready: that takes the time of some keys. */
const IDLE_MS = 1000;

/** What the input line needs of the screen. */
export interface InputHost {
  readonly options: TerminalOptions;
  readonly live: LiveScreen;
  readonly look: Look;
  readonly queue: Queue;
  submit(line: Sent): void;
  tell(text: string): void;
  warn(text: string): void;
}

/** The line one types: the editor with its history, the queue and the external editor, and their keys. */
export class Input {
  readonly editor: PromptEditor;
  readonly #host: InputHost;
  readonly #history: History;
  readonly #files: FileIndex | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** The external editor has the terminal. */
  away = false;

  constructor(host: InputHost) {
    const { options, live, look } = host;
    this.#host = host;
    this.#history = new History(options.history && historyFile(options.history));
    this.editor = new PromptEditor(live, editorTheme(look.style), look, this.#history);
    this.editor.onLine = (line) => host.submit(line);
    const { commands, controller, searcher, workspace, env } = options;
    this.#files = searcher && new FileIndex(searcher, workspace, () => performance.now());
    if (this.#files) this.#files.onMore = () => this.editor.suggestAgain();
    this.editor.completer = new Completion({
      commands,
      controller,
      files: this.#files,
      home: env("HOME"),
    });
  }

  /** Fetches the history; the first frame does not wait for it. */
  start(): void {
    void this.#history.load();
    this.#prepareWhenIdle();
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#files?.close();
  }

  /** Returns true when the key has been dealt with. */
  takes(data: string): boolean {
    if (this.#idle !== undefined) this.#prepareWhenIdle();
    if (matchesKey(data, "ctrl+g")) {
      void this.editExternally();
      return true;
    }
    const { queue, options } = this.#host;
    const { newest } = queue;
    if (matchesKey(data, "up") && newest && this.editor.atStart) {
      options.bus.send({ type: "unqueue", lane: "main", text: newest.text });
      return true;
    }
    return false;
  }

  /** A waiting line was taken back: it stands in the editor again, above what is being written. */
  onUnqueued(text: string): void {
    const line = this.#host.queue.takeNewest(text);
    if (line) this.editor.putAbove(line.entry);
  }

  /** Takes all waiting lines back. */
  takeBackAll(): void {
    const { queue, options } = this.#host;
    for (const { text } of queue.all.toReversed()) {
      options.bus.send({ type: "unqueue", lane: "main", text });
    }
  }

  /** Starts the search workers when nobody has typed for a while. */
  #prepareWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#idle = undefined;
      this.#host.options.searcher?.start();
    }, IDLE_MS);
  }

  /** Opens a file in the user's editor, and says what came of it. */
  async editFile(path: string): Promise<void> {
    const { look, tell } = this.#host;
    const textOf = () => Deno.readTextFile(path).catch(() => "");
    const before = await textOf();
    await this.#lend(async (editor): Promise<Edited> => {
      try {
        const code = await openInEditor(path, editor, this.#host.options.childEnv);
        if (code !== 0) return { editor, code };
        const same = await textOf() === before;
        tell(
          look.t(
            same
              ? "{path} was left as it was"
              : "Saved {path}; a session that has begun sees it from the next one on (/compact or /clear starts one)",
            { path },
          ),
        );
        return { text: this.editor.fullText };
      } catch (error) {
        return { editor, why: errorMessage(error) };
      }
    });
  }

  /** Opens what is being written in the user's editor. */
  async editExternally(writing = this.editor): Promise<void> {
    const { childEnv } = this.#host.options;
    await this.#lend((editor) => editExternally(writing.fullText, editor, childEnv), writing);
  }

  /** Lends the terminal to the user's editor. */
  async #lend(edit: (editor: string) => Promise<Edited>, writing = this.editor): Promise<void> {
    if (this.away) return;
    this.away = true;
    const { live, look, options, warn } = this.#host;
    const before = writing.fullText;
    live.suspend();
    setRaw(false);
    const edited = await edit(editorFrom(options.env));
    this.away = false;
    setRaw(true);
    live.resume();
    if ("text" in edited) {
      if (edited.text !== before) writing.put(edited.text);
    } else if ("code" in edited && edited.code === 127) {
      warn(
        look.t(
          "Cannot open the editor: there is no {editor}. Set VISUAL or EDITOR; your text is unchanged",
          { editor: edited.editor },
        ),
      );
    } else {
      const why = "code" in edited ? look.t("exit {code}", { code: edited.code }) : edited.why;
      warn(
        look.t("The editor {editor} did not end well ({why}); your text is unchanged", {
          editor: edited.editor,
          why,
        }),
      );
    }
    live.requestRender();
  }
}

function setRaw(on: boolean): void {
  if (Deno.stdin.isTerminal()) Deno.stdin.setRaw(on);
}
