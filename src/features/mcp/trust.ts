/** The servers that are configured, and the trust that the project's need before they start. */
import { shownUrl } from "../../base/git_url.ts";
import { env, readText } from "../../base/host.ts";
import type { Environment, TrustRequest } from "../../commands/environment.ts";
import { isSecretName } from "../secrets/mod.ts";
import { untrustedRequests } from "../trust/mod.ts";
import { type ConfiguredServers, readServers } from "./config.ts";
import type { ServerConfig } from "./types.ts";

/** The servers that are configured, with their variables put in; what is not trusted hides none of the others. */
export function configuredServers(ground: Environment): ConfiguredServers {
  const { childEnv } = ground;
  untrustedRequests(ground, fileRequests(ground));
  // what a project's file names may not be given the provider's key
  return readServers({
    ...placeOf(ground),
    trusted: (path) => ground.trusted.has(relative(path, ground)),
    env: (name, scope) => scope === "user" ? env(name) : childEnv[name],
    withheld: (name) => childEnv[name] === undefined && env(name) !== undefined,
  });
}

/** Whether a server may start; one with a fault starts nothing, and says so without any trust. */
export function mayStart(ground: Environment): (config: ServerConfig) => boolean {
  return ({ scope, file, fault }) =>
    scope === "user" || fault !== "" || ground.trusted.has(relative(file, ground));
}

const placeOf = ({ workspace, prompt: { userDir }, config: { t } }: Environment) => ({
  workspace,
  userDir,
  t,
  readText: (path: string) => readText(path, t),
});

/** As people name it. */
const relative = (file: string, { workspace }: Environment) =>
  file.startsWith(workspace) ? file.slice(workspace.length).replace(/^[/\\]/, "") : file;

/** The project's files that name servers. */
export function fileRequests(ground: Environment): TrustRequest[] {
  // a variable stands for itself, as far as it has a value: it may be a secret
  const shown = (name: string) => ground.childEnv[name] && `\${${name}}`;
  const { servers, hidden, files } = readServers({ ...placeOf(ground), env: shown });
  const all = [...servers, ...hidden];
  return files.filter(({ scope }) => scope === "project").map(({ path, hash }) => {
    const own = all.filter(({ file, enabled, what }) =>
      file === path && enabled && what.trim() !== ""
    );
    return { what: relative(path, ground), hash, rows: own.map((one) => serverRow(one, ground)) };
  });
}

function serverRow({ name, what, reach }: ServerConfig, ground: Environment): string {
  const { workspace, config: { t } } = ground;
  if (reach === undefined) return `${name}: ${what} (${t("faulty")})`;
  if (reach.type !== "stdio") {
    const headers = Object.entries(reach.headers).map(([key, value]) =>
      ` [${key}: ${hinted(value)}]`
    );
    return `${name}: ${reach.url}${headers.join("")}`;
  }
  const set = Object.entries(reach.env).map(([key, value]) =>
    `${key}=${isSecretName(key) && !GIT_KEY.test(key) ? hinted(value) : quoted(shownUrl(value))}`
  );
  const words = [...set, quoted(reach.command), ...reach.args.map(quoted)];
  return `${name}: ${words.join(" ")}${reach.cwd === workspace ? "" : ` (${reach.cwd})`}`;
}

/** Which variables go into a value; the rest of it may be a secret. */
const hinted = (value: string) => value.match(/\$\{\w+\}/g)?.join("") ?? "…";

/** Names a setting of git's, and settings of git's name programs. */
const GIT_KEY = /^GIT_CONFIG_KEY_\d+$/i;

const quoted = (word: string) => /^[\w@%+=:,./${}~-]+$/.test(word) ? word : JSON.stringify(word);
