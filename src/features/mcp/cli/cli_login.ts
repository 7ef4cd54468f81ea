/** `narnat mcp login|logout`: OAuth with the user's browser. */
import { ConfigError, errorMessage } from "../../../base/errors.ts";
import { logIn, logOut } from "../auth/login.ts";
import type { Wanted } from "../auth/oauth.ts";
import { tokensFile } from "../places.ts";
import { inherited } from "../../../config/place.ts";
import type { Environment } from "../../../commands/environment.ts";
import { complain, granted, listenForSignals, put } from "../../../base/host.ts";
import { serverNamed, shownPath } from "./cli_named.ts";
import { configuredServers, fileRequests, mayStart } from "../config.ts";
import { untrustedRequests } from "../../trust/mod.ts";

/** Sends the user to the server's login and keeps what comes of it. */
export async function login(environment: Environment, name: string): Promise<number> {
  const { t } = environment.config;
  const wanted = wantedOf(environment, name);
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
        put(t("Log in with your browser (copy the address if none opens):\n{url}", { url }) + "\n");
        if (Deno.stdout.isTerminal()) openBrowser(url);
        if (!Deno.stdin.isTerminal()) return;
        put(
          t("A browser on another machine? After the login, paste the address it ends at (http://127.0.0.1:…) here and press Enter.") +
            "\n",
        );
        void readPasted(paste).catch(() => {});
      },
    });
    put(t("Logged in to {name}", { name }) + "\n");
    return 0;
  } catch (error) {
    if (ended) return ended;
    const why = errorMessage(error);
    complain(`narnat: ${t("Cannot log in to {name}: {why}", { name, why })}`);
    return 1;
  }
}

/** Forgets what was kept. */
export async function logout(environment: Environment, name: string): Promise<number> {
  const had = await logOut(wantedOf(environment, name));
  put(
    environment.config.t(had ? "Logged out of {name}" : "There was no login to {name}", { name }) +
      "\n",
  );
  return 0;
}

function wantedOf(environment: Environment, name: string): Wanted {
  const { config: { t }, prompt: { userDir } } = environment;
  const server = serverNamed(configuredServers(environment).servers, name, t);
  const { reach, fault, file } = server;
  const tokens = tokensFile(userDir);
  if (tokens === undefined) {
    throw new ConfigError(t("There is no home folder for --user to write to"));
  }
  if (fault !== "") throw new ConfigError(fault);
  untrustedRequests(environment, fileRequests(environment));
  if (!mayStart(environment)(server)) {
    throw new ConfigError(
      t(
        "{name} was not tried: {file} is not trusted (narnat trust shows what it starts, narnat trust add trusts it)",
        { name, file: shownPath(file, environment) },
      ),
    );
  }
  if (reach === undefined || reach.type === "stdio") {
    throw new ConfigError(t("{name} is a program and no HTTP server: there is no login", { name }));
  }
  return { server: name, reach, tokens, t };
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
