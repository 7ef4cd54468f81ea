/**
 * Lines that are not for the model: `/name arguments`, and `!command`, a shell line of the user's
 * own.
 */
import { errorMessage } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";
import { HOST_MARK, type T, type Text } from "../../base/t.ts";
import type { Command, EventBody, Line, SessionController } from "../../base/types.ts";
import { runTyped } from "../loop/calls.ts";
import type { CallHost } from "../middleware.ts";

export interface Slash {
  readonly name: string;
  readonly args: string;
}

/** A slash and one word, so that a pasted path is not taken for one. */
const SLASH = /^\/(\p{L}[\p{L}\p{N}_:：-]*)(?:\s+([^]*))?$/u;
/**
 * Any other word after a slash, unless it is or nearly is a command, may be the beginning of a
 * sentence about a path: 中文 needs no blank.
 */
const PLAIN = /^[A-Za-z][\w:-]*$/;

/** Whether the line can name a command. */
export const mayBeSlash = (line: string): boolean => SLASH.test(line.trim());

/** What a slash line says; undefined for any other line. */
export function readSlash(line: string, commands: () => readonly Command[]): Slash | undefined {
  const [, name, args = ""] = SLASH.exec(line.trim()) ?? [];
  if (name === undefined || !PLAIN.test(name) && !isNear(name, commands())) return undefined;
  if (commandNamed(name, commands()) === undefined && isPlace(name)) return undefined;
  return { name, args: args.trim() };
}

/** Whether there is such a file or folder: `/tmp looks full` is said of it. */
function isPlace(name: string): boolean {
  try {
    Deno.lstatSync(`/${name}`);
    return !Object.hasOwn(INSTEAD, name);
  } catch {
    return false;
  }
}

const ABOUT_PERMISSION =
  'Set it with narnat --permission open|guarded|ask, or "permission" in narnat.json; /status shows it';
const ABOUT_SETTINGS =
  "The settings are in ~/.narnat/narnat.json and .narnat/narnat.json; /status shows those in use";
const ABOUT_KEY =
  'The key is "api_key" in ~/.narnat/narnat.json, or NARNAT_API_KEY in the environment; narnat doctor tests it';

/** What to do where other programs have a command, by its name. */
const INSTEAD: { readonly [name: string]: Text } = {
  permissions: ABOUT_PERMISSION,
  permission: ABOUT_PERMISSION,
  approvals: ABOUT_PERMISSION,
  init:
    "narnat init writes starting files; for a description of the project, ask the model to write .narnat/narnat.md",
  review: "Ask the model, for example: review the uncommitted changes",
  diff: "!git diff shows the changes; /rewind previews those of a turn",
  config: ABOUT_SETTINGS,
  settings: ABOUT_SETTINGS,
  login: ABOUT_KEY,
  logout: ABOUT_KEY,
  doctor: "Run narnat doctor in a shell",
};

/** Whether the name is meant for one of those commands that people write in other letters. */
function isNear(name: string, commands: readonly Command[]): boolean {
  const names = commands.map((command) => command.name).filter((one) => !PLAIN.test(one));
  // of one character any other one would be a slip
  return names.includes(name) || name.length > 1 && nearest(name, names).length > 0;
}

export const commandNamed = (name: string, commands: readonly Command[]) =>
  commands.find((command) => command.name === name) ??
    commands.find((command) => command.aliases?.includes(name));

/** Runs its command and tells what it says; false when there is none of that name. */
export async function answerSlash(
  { name, args }: Slash,
  commands: readonly Command[],
  controller: SessionController,
  emit: (event: EventBody) => void,
): Promise<boolean> {
  const command = commandNamed(name, commands);
  if (!command) {
    emit({ type: "notice", level: "warn", text: unknown(name, commands, controller.t) });
    return false;
  }
  try {
    const text = await command.run(args, controller);
    if (text !== "") emit({ type: "notice", level: "info", text });
  } catch (error) {
    emit({ type: "notice", level: "warn", text: errorMessage(error) });
  }
  return true;
}

/** The line as it asks the model, when it is for the model; `failed` when why not has been told. */
export async function askedBy(
  { name, args }: Slash,
  line: Line,
  commands: readonly Command[],
  controller: SessionController,
  emit: (event: EventBody) => void,
  signal: AbortSignal,
): Promise<Line | "failed" | undefined> {
  try {
    const asking = await commandNamed(name, commands)?.asks?.(args, controller, signal);
    if (!asking) return undefined;
    const { notices = [], ...more } = asking;
    for (const text of notices) emit({ type: "notice", level: "warn", text });
    return { ...line, ...more };
  } catch (error) {
    if (!signal.aborted) emit({ type: "notice", level: "warn", text: errorMessage(error) });
    return "failed";
  }
}

function unknown(name: string, commands: readonly Command[], t: T): string {
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
  if (instead !== undefined) {
    return t("There is no command /{name}. {how}", { name, how: t(instead) });
  }
  const near = nearest(name, commands.map((command) => command.name))[0];
  return near === undefined
    ? t("There is no command /{name}; /help lists them all", { name })
    : t("There is no command /{name}; did you mean /{near}?", { name, near });
}

/** Two exclamation marks are emphasis. */
const SHELL = /^!(?!\s*!)\s*([^]*)$/;
const TIMEOUT_MS = 600_000;

/** The command of a shell line, empty for a lone exclamation mark; undefined for any other line. */
export function shellCommand(line: string): string | undefined {
  return SHELL.exec(line.trim())?.[1];
}

/**
 * Runs `command` by way of Bash, gate and questions included. What ran is told to the model with
 * the next prompt.
 */
export async function runShellLine(command: string, host: CallHost): Promise<void> {
  const { session, t } = host;
  if (command === "") {
    return host.emit({
      type: "notice",
      level: "info",
      text: t("Nothing to run: !command runs a shell line, for example !ls"),
    });
  }
  const id = `shell_${session.messages.length}`;
  const result = await runTyped("Bash", { command, timeout: TIMEOUT_MS }, host, id);
  if (!result) {
    return host.emit({
      type: "notice",
      level: "warn",
      text: t("Cannot run a shell line: there is no Bash here (no permission, or not chosen)"),
    });
  }
  // Refused or declined: nothing happened.
  if (result.detail?.kind !== "command" && !host.signal.aborted) return;
  const text = t("{mark} The user ran a shell command:\n$ {command}\n{output}", {
    mark: HOST_MARK,
    command,
    output: result.text,
  });
  session.append(
    { role: "user", text },
    result.cwd === undefined ? {} : { cwd: result.cwd },
  );
}
