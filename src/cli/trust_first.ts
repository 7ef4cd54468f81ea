/** The question that comes before a session: whether the project may name the model that reads it. */
import { ConfigError } from "../base/config_error.ts";
import { say } from "../base/text.ts";
import type { Lang } from "../base/types.ts";
import { isScreen } from "../terminal/device/terminal.ts";
import { type Ground, layGround } from "../app/environment.ts";
import type { Choices } from "../commands/environment.ts";
import { complain, env } from "../base/host.ts";
import { errorMessage } from "../base/error_message.ts";
import { projectRequests, requestRows, trustRequests } from "../features/trust/requests.ts";
import { untrustedRequests } from "../features/trust/mod.ts";

/** Asks on the terminal for the trust in all that the project wants, and keeps a Yes; all else is a No. */
export async function trustFirst(choices: Choices, lang: Lang): Promise<boolean> {
  const ground = layGround({ ...choices, refused: true }, lang, "no model");
  try {
    const { config: { lang }, workspace } = ground;
    ground.secrets.refresh();
    const open = untrustedRequests(ground, await projectRequests(ground));
    const question = say(lang, "trust.ask", { path: workspace });
    if (!await isTrusted(question, requestRows(ground, open), ground)) {
      complain(`narnat: ${say(lang, "trust.refused")}`);
      return false;
    }
    await trustRequests(ground, open).catch((error) => {
      const why = errorMessage(error);
      throw new ConfigError(say(lang, "trust.not_written", { why }));
    });
    return true;
  } finally {
    await ground.close();
  }
}

async function isTrusted(
  question: string,
  rows: readonly string[],
  { config: { lang, notify }, workspace }: Ground,
): Promise<boolean> {
  if (isScreen(env)) {
    const { trustBefore } = await import("../terminal/before.ts");
    return await trustBefore(question, rows, { lang, env, notify, workspace });
  }
  complain([question, ...rows.map((row) => `  ${row}`)].join("\n"));
  return confirm(say(lang, "trust.first"));
}
