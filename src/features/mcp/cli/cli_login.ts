/** `narnat mcp login|logout`: OAuth with the user's browser. */
import { ConfigError } from "../../../base/config_error.ts";
import { logIn, logOut } from "../auth/login.ts";
import type { Wanted } from "../auth/oauth.ts";
import { tokensFile } from "../places.ts";
import { inherited } from "../../../config/place.ts";
import { say } from "../../../base/text.ts";
import type { Environment } from "../../../commands/environment.ts";
import { complain, granted, listenForSignals, put } from "../../../base/host.ts";
import { errorMessage } from "../../../base/error_message.ts";
import { serverNamed, shownPath } from "./cli_named.ts";
import { configuredServers, fileRequests, mayStart } from "../trust.ts";
import { untrustedRequests } from "../../trust/mod.ts";

/** Sends the user to the server's login and keeps what comes of it. */
export async function login(ground: Environment, name: string): Promise<number> {
  const { lang } = ground.config;
  const wanted = wantedOf(ground, name);
  const stop = new AbortController();
  let ended = 0;
  listenForSignals((code) => {
    ended = code;
    stop.abort();
  });
  try {
    await logIn(wanted, {
      signal: stop.signal,
      show(url, paste) {
        put(say(lang, "mcp.login_open", { url }) + "\n");
        if (Deno.stdout.isTerminal()) openBrowser(url);
        if (!Deno.stdin.isTerminal()) return;
        put(say(lang, "mcp.login_paste") + "\n");
        void readPasted(paste).catch(() => {});
      },
    });
    put(say(lang, "mcp.logged_in", { name }) + "\n");
    return 0;
  } catch (error) {
    if (ended) return ended;
    const why = errorMessage(error);
    complain(`narnat: ${say(lang, "mcp.login_failed", { name, why })}`);
    return 1;
  }
}

/** Forgets what was kept. */
export async function logout(ground: Environment, name: string): Promise<number> {
  const had = await logOut(wantedOf(ground, name));
  put(say(ground.config.lang, had ? "mcp.logged_out" : "mcp.no_login", { name }) + "\n");
  return 0;
}

function wantedOf(ground: Environment, name: string): Wanted {
  const { config: { lang }, prompt: { userDir } } = ground;
  const server = serverNamed(configuredServers(ground).servers, name, lang);
  const { reach, fault, file } = server;
  const tokens = tokensFile(userDir);
  if (tokens === undefined) throw new ConfigError(say(lang, "mcp.no_home"));
  if (fault !== "") throw new ConfigError(fault);
  untrustedRequests(ground, fileRequests(ground));
  if (!mayStart(ground)(server)) {
    throw new ConfigError(say(lang, "mcp.not_tried", { name, file: shownPath(file, ground) }));
  }
  if (reach === undefined || reach.type === "stdio") {
    throw new ConfigError(say(lang, "mcp.login_no_url", { name }));
  }
  return { server: name, reach, tokens, lang };
}

/** Goes on until narnat ends. */
async function readPasted(paste: (address: string) => string): Promise<void> {
  // a terminal hands over whole lines
  for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const wrong = piece.split("\n").filter((line) => line.trim() !== "").map(paste);
    for (const text of wrong) if (text !== "") complain(`narnat: ${text}`);
  }
}

/** Tries to; whoever sees no browser has the address. */
function openBrowser(url: string): void {
  const [command, ...args] = Deno.build.os === "windows"
    ? ["rundll32", "url.dll,FileProtocolHandler", url]
    : [Deno.build.os === "darwin" ? "open" : "xdg-open", url];
  if (!granted({ name: "run", command: command! })) return;
  try {
    const io = { stdin: "null", stdout: "null", stderr: "null" } as const;
    new Deno.Command(command!, { args, ...io, ...inherited(), detached: true }).spawn().unref();
  } catch { /* there is none */ }
}
