/** `narnat -r` without a session: which one is it to be? */
import { localTime, sessionList, sessionMark } from "../commands/show.ts";
import { ConfigError } from "../base/errors.ts";
import type { T } from "../base/t.ts";
import type { SessionInfo } from "../base/types.ts";
import { isScreen } from "../terminal/device/terminal.ts";
import { complain, env, workspaceFrom } from "../base/host.ts";
import { storeIn } from "../session/source.ts";

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
