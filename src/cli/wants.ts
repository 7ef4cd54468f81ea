/** What a project wants to start on its user's machine, and what of it the user has trusted. */
import type { SkillItem } from "../config.ts";
import type { Hook } from "../config_hooks.ts";
import { shownUrl } from "../context/git_url.ts";
import { hider } from "../log.ts";
import { type ConfiguredServers, hashOf, readServers } from "../mcp/config.ts";
import type { ServerConfig } from "../mcp/types.ts";
import { say } from "../text.ts";
import { visible } from "../ui/clean.ts";
import { isTrusted, trust, type Trusted } from "../workspace/trust.ts";
import type { Ground } from "./ground.ts";
import { demand, env, readText } from "./host.ts";

/** One thing that is trusted as a whole. */
export interface Want extends Trusted {
  /** What it starts or fetches, in full, a row each. */
  readonly rows: readonly string[];
}

/** The servers that are configured, with their variables put in; what is not trusted hides none of the others. */
export function configuredServers(ground: Ground): ConfiguredServers {
  const { childEnv } = ground;
  untrustedWants(ground, fileWants(ground));
  // what a project's file names may not be given the provider's key
  return readServers({
    ...placeOf(ground),
    trusted: (path) => ground.trusted.has(relative(path, ground)),
    env: (name, scope) => scope === "user" ? env(name) : childEnv[name],
    withheld: (name) => childEnv[name] === undefined && env(name) !== undefined,
  });
}

/** What the project wants; empty for most. */
export function projectWants(ground: Ground): Want[] {
  const { projectHooks = [], projectSkills = [] } = ground.config;
  const hide = hider(ground.secrets);
  return [...fileWants(ground), hookWant(projectHooks), skillWant(projectSkills)]
    // those that are off want nothing
    .filter(({ rows }) => rows.length > 0)
    .map((want) => ({ ...want, rows: want.rows.map((row) => oneRow(hide(row))) }));
}

/** No part of a command can pass for a row of narnat's own, or hide. */
const oneRow = (text: string) => visible(text).replaceAll("\n", "␊");

/** What of it the user has not trusted; `ground.trusted` takes in what they have. */
export function untrustedWants(
  ground: Ground,
  wants: readonly Want[] = projectWants(ground),
): Want[] {
  const { userDir } = ground.prompt;
  return wants.filter((want) => {
    if (userDir === undefined || !isTrusted(userDir, ground.workspace, want)) return true;
    ground.trusted.add(want.what);
    return false;
  });
}

/** Trusts for this session, and from now on. Rejects with why it could not be kept. */
export async function trustWants(ground: Ground, wants: readonly Want[]): Promise<void> {
  for (const { what } of wants) ground.trusted.add(what);
  const { userDir } = ground.prompt;
  if (userDir === undefined) return;
  demand("write", userDir);
  await trust(userDir, ground.workspace, wants);
}

/** Whether a server may start. */
export function mayStart(ground: Ground): (config: ServerConfig) => boolean {
  return ({ scope, file }) => scope === "user" || ground.trusted.has(relative(file, ground));
}

const placeOf = ({ workspace, prompt: { userDir }, config: { lang } }: Ground) => ({
  workspace,
  userDir,
  lang,
  readText,
});

/** As people name it. */
const relative = (file: string, { workspace }: Ground) =>
  file.startsWith(workspace) ? file.slice(workspace.length).replace(/^[/\\]/, "") : file;

/** The project's files that name servers. */
export function fileWants(ground: Ground): Want[] {
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

function serverRow({ name, what, reach }: ServerConfig, ground: Ground): string {
  const { workspace, config: { lang } } = ground;
  if (reach === undefined) return `${name}: ${what} (${say(lang, "mcp.state_faulty")})`;
  if (reach.type !== "stdio") {
    const headers = Object.entries(reach.headers).map(([key, value]) =>
      ` [${key}: ${hinted(value)}]`
    );
    return `${name}: ${reach.url}${headers.join("")}`;
  }
  const set = Object.entries(reach.env).map(([key, value]) => `${key}=${hinted(value)}`);
  const words = [...set, quoted(reach.command), ...reach.args.map(quoted)];
  return `${name}: ${words.join(" ")}${reach.cwd === workspace ? "" : ` (${reach.cwd})`}`;
}

/** Which variables go into a value; the rest of it may be a secret. */
const hinted = (value: string) => value.match(/\$\{\w+\}/g)?.join("") ?? "…";

const quoted = (word: string) => /^[\w@%+=:,./${}~-]+$/.test(word) ? word : JSON.stringify(word);

function hookWant(hooks: readonly Hook[]): Want {
  const plain = hooks.map(({ event, command, match, timeoutMs }) => ({
    event,
    command,
    match: match.source,
    timeoutMs,
  }));
  const rows = hooks.map(({ event, command }) => `${event}: ${command}`);
  return { what: HOOKS, hash: hashOf(JSON.stringify(plain)), rows };
}

function skillWant(items: readonly SkillItem[]): Want {
  const rows = items.filter(({ enabled }) => enabled !== false)
    .map(({ name, repo, skill }) => `${name}: ${[shownUrl(repo), skill ?? ""].join(" ").trim()}`);
  return { what: SKILLS, hash: hashOf(JSON.stringify(items)), rows };
}

/** The names under which hooks and skills are trusted. */
export const HOOKS = "hooks";
export const SKILLS = "skills";
