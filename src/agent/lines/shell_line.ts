/** `!command`: a shell line of the user's own. */
import { HOST_MARK } from "../../base/t.ts";
import type { CallHost } from "../middleware.ts";

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
  const { runTyped } = await import("../loop/typed_calls.ts");
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
