/**
 * The questions before a session: which one it is to be, and whether the project may name the model
 * that reads it.
 */
import { type AgentEnvironment, openEnvironment } from "../app/environment.ts";
import { ConfigError, errorMessage } from "../base/errors.ts";
import { complain, env, workspaceFrom } from "../base/host.ts";
import type { T } from "../base/t.ts";
import type { SessionInfo } from "../base/types.ts";
import type { Choices } from "../commands/environment.ts";
import { localTime, sessionList, sessionMark } from "../commands/sessions.ts";
import { untrustedRequests } from "../features/trust/mod.ts";
import { projectRequests, requestRows, trustRequests } from "../features/trust/requests.ts";
import { storeIn } from "../session/source.ts";
import { isScreen } from "../terminal/device/terminal.ts";

const NEW = "\0new";
const OFFERED = 200;

/**
 * The id of the session that the user chose on the terminal, empty for a new one, undefined when
 * the user left. Throws ConfigError with the list where nobody can choose.
 */
export async function pickSession(
  { cwd, print }: { readonly cwd?: string; readonly print?: boolean },
  t: T,
): Promise<string | undefined> {
  const all = storeIn(workspaceFrom(cwd, t), t).list();
  if (print || !isScreen(env)) {
    const list = sessionList(all, t);
    throw new ConfigError(
      `${
        t("Resume which session? narnat -r takes its number, name or ID; narnat -c continues the latest one")
      }\n${list}`,
    );
  }
  if (all.length === 0) {
    complain(`narnat: ${t("There is no session to go on with; starting a new one")}`);
    return "";
  }
  const { pickBefore } = await import("../terminal/before.ts");
  const picked = await pickBefore(t("Resume which session? (type to narrow the list, esc quits)"), [
    ...all.slice(0, OFFERED).map((info, at) => ({ value: info.id, label: rowOf(info, at, t) })),
    { value: NEW, label: t("Start a new session") },
  ], { t, env });
  return picked === NEW ? "" : picked;
}

function rowOf(info: SessionInfo, at: number, t: T): string {
  const number = String(at + 1).padStart(3);
  return `${number}  ${localTime(info.updated)}  ${sessionMark(info, t)}${
    info.name === "" ? info.title : `[${info.name}] ${info.title}`
  }`;
}

/** Asks on the terminal for the trust in all that the project wants, and keeps a Yes; all else is a No. */
export async function trustFirst(choices: Choices, t: T): Promise<boolean> {
  const environment = openEnvironment({ ...choices, refused: true }, t, "no model");
  try {
    const { config: { t }, workspace } = environment;
    environment.secrets.refresh();
    const open = untrustedRequests(environment, await projectRequests(environment));
    const question = t(
      "The configuration in {path} asks to run or use what follows. Trust it? (You are asked again when it changes; narnat trust shows it, narnat trust remove revokes it)",
      { path: workspace },
    );
    if (!await isTrusted(question, requestRows(environment, open), environment)) {
      complain(
        `narnat: ${
          t("They are not started and not used; /trust or narnat trust add changes that")
        }`,
      );
      return false;
    }
    await trustRequests(environment, open).catch((error) => {
      const why = errorMessage(error);
      throw new ConfigError(t("Cannot write trust.json: {why}", { why }));
    });
    return true;
  } finally {
    await environment.close();
  }
}

async function isTrusted(
  question: string,
  rows: readonly string[],
  { config: { t, notify }, workspace }: AgentEnvironment,
): Promise<boolean> {
  if (isScreen(env)) {
    const { trustBefore } = await import("../terminal/before.ts");
    return await trustBefore(question, rows, { t, env, notify, workspace });
  }
  complain([question, ...rows.map((row) => `  ${row}`)].join("\n"));
  return confirm(t("Trust it and use it?"));
}
