import { english } from "../../src/base/t.ts";
import { PromptEditor } from "../../src/terminal/input/editor.ts";
import { History } from "../../src/terminal/input/history.ts";
import { LiveScreen } from "../../src/terminal/live.ts";
import type { Sent } from "../../src/terminal/input/queue.ts";
import { createStyle, editorTheme } from "../../src/terminal/style.ts";
import { VirtualTerminal } from "../support/virtual_terminal.ts";

/** The editor alone on a terminal. */
export interface PromptStage {
  readonly editor: PromptEditor;
  readonly terminal: VirtualTerminal;
  readonly sent: Sent[];
  readonly history: History;
  /** Presses keys one after the other. */
  keys(...data: string[]): void;
}

export const KEY = {
  enter: "\r",
  escape: "\x1b",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  backspace: "\x7f",
  delete: "\x1b[3~",
  tab: "\t",
  undo: "\x1f",
} as const;

/** Ctrl with a letter. */
export const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 31);
export const alt = (key: string) => `\x1b${key}`;

export async function onPrompt(
  play: (stage: PromptStage) => Promise<void> | void,
  { size = [80, 24], history = new History() }: {
    size?: [number, number];
    history?: History;
  } = {},
): Promise<void> {
  const terminal = new VirtualTerminal(...size);
  const live = new LiveScreen(terminal);
  const style = createStyle("none");
  const look = { style, t: english, workspace: "/space" };
  const editor = new PromptEditor(live, editorTheme(style), look, history);
  const sent: Sent[] = [];
  editor.onLine = (line) => sent.push(line);
  live.addChild(editor);
  live.setFocus(editor);
  live.start();
  try {
    const keys = (...data: string[]) => data.forEach((key) => terminal.key(key));
    await play({ editor, terminal, sent, history, keys });
  } finally {
    live.close();
  }
}
