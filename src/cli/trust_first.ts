/** The question that comes before a session: whether the project may name the model that reads it. */
import { ConfigError, errorMessage } from "../base/errors.ts";
import type { T } from "../base/t.ts";
import { isScreen } from "../terminal/device/terminal.ts";
import { type Ground, layGround } from "../app/environment.ts";
import type { Choices } from "../commands/environment.ts";
import { complain, env } from "../base/host.ts";
import { projectRequests, requestRows, trustRequests } from "../features/trust/requests.ts";
import { untrustedRequests } from "../features/trust/mod.ts";

/** Asks on the terminal for the trust in all that the project wants, and keeps a Yes; all else is a No. */
export async function trustFirst(choices: Choices, t: T): Promise<boolean> {
  const ground = layGround({ ...choices, refused: true }, t, "no model");
  try {
    const { config: { t }, workspace } = ground;
    ground.secrets.refresh();
    const open = untrustedRequests(ground, await projectRequests(ground));
    const question = t(
      "The configuration in {path} asks to run or use what follows. Trust it? (You are asked again when it changes; narnat trust shows it, narnat trust remove revokes it)",
      { path: workspace },
    );
    if (!await isTrusted(question, requestRows(ground, open), ground)) {
      complain(
        `narnat: ${
          t("They are not started and not used; /trust or narnat trust add changes that")
        }`,
      );
      return false;
    }
    await trustRequests(ground, open).catch((error) => {
      const why = errorMessage(error);
      throw new ConfigError(t("Cannot write trust.json: {why}", { why }));
    });
    return true;
  } finally {
    await ground.close();
  }
}

async function isTrusted(
  question: string,
  rows: readonly string[],
  { config: { t, notify }, workspace }: Ground,
): Promise<boolean> {
  if (isScreen(env)) {
    const { trustBefore } = await import("../terminal/before.ts");
    return await trustBefore(question, rows, { t, env, notify, workspace });
  }
  complain([question, ...rows.map((row) => `  ${row}`)].join("\n"));
  return confirm(t("Trust it and use it?"));
}
