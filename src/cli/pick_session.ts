/** `narnat -r` without a session: which one is it to be? */
import { localTime, sessionList, sessionMark } from "../commands/show.ts";
import { ConfigError } from "../base/config_error.ts";
import { say } from "../base/text.ts";
import type { Lang, SessionInfo } from "../base/types.ts";
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
  lang: Lang,
): Promise<string | undefined> {
  const all = storeIn(workspaceFrom(cwd, lang), lang).list();
  if (print || !isScreen(env)) {
    const list = sessionList(all, lang);
    throw new ConfigError(`${say(lang, "cli.resume_which")}\n${list}`);
  }
  if (all.length === 0) {
    complain(`narnat: ${say(lang, "cli.no_session_to_continue")}`);
    return "";
  }
  const { pickBefore } = await import("../terminal/before.ts");
  const picked = await pickBefore(say(lang, "cli.resume_pick"), [
    ...all.slice(0, OFFERED).map((info, at) => ({ value: info.id, label: rowOf(info, at, lang) })),
    { value: NEW, label: say(lang, "cli.resume_new") },
  ], { lang, env });
  return picked === NEW ? "" : picked;
}

function rowOf(info: SessionInfo, at: number, lang: Lang): string {
  const number = String(at + 1).padStart(3);
  return `${number}  ${localTime(info.updated)}  ${sessionMark(info, lang)}${
    info.name === "" ? info.title : `[${info.name}] ${info.title}`
  }`;
}
