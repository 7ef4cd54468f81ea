/** What a project wants to start on its user's machine, and what of it the user has trusted. */
import type { SkillItem } from "../../config/load.ts";
import type { Hook } from "../../config/hooks.ts";
import type { EndpointSettings } from "../../config/project.ts";
import { findSkills, hasProjectSkills, isLoadable, saidBy } from "../skills/skills.ts";
import { shownUrl } from "../../base/git_url.ts";
import { type ConfiguredServers, hashOf, readServers } from "../mcp/config.ts";
import type { ServerConfig } from "../mcp/types.ts";
import { isSecretName } from "../secrets/worth.ts";
import { say } from "../../base/text.ts";
import { visible } from "../../base/control_characters.ts";
import { isTrusted, type Trusted, trustedBefore } from "../../config/trusted.ts";
import { trust } from "./store.ts";
import type { Environment } from "../../commands/environment.ts";
import { demand, env, readText } from "../../base/host.ts";
import { trustedEndpoint } from "../../config/place.ts";

/** One thing that is trusted as a whole. */
export interface Want extends Trusted {
  /** What it starts, fetches or says, in full, a row each. */
  readonly rows: readonly string[];
  /** Rows that a question shows of it; all of them when left out. */
  readonly brief?: number;
}

/** The servers that are configured, with their variables put in; what is not trusted hides none of the others. */
export function configuredServers(ground: Environment): ConfiguredServers {
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
export async function projectWants(ground: Environment): Promise<Want[]> {
  const { projectHooks = [], projectSkills = [], projectEndpoint } = ground.config;
  return [
    ...projectEndpoint ? [endpointWant(projectEndpoint)] : [],
    ...fileWants(ground),
    hookWant(projectHooks),
    skillWant(projectSkills),
    ...await alwaysWants(ground),
  ]
    // those that are off want nothing
    .filter(({ rows }) => rows.length > 0)
    .map((want) => shownWant(want, ground));
}

/** The same as people may see it, and as it is kept. */
const shownWant = (want: Want, { secrets }: Environment): Want => ({
  ...want,
  rows: want.rows.map((row) => oneRow(secrets.hideOwn(row))),
});

/** No part of a command can pass for a row of narnat's own, or hide. */
const oneRow = (text: string) => visible(text).replaceAll("\n", "␊");

/** What of it the user has not trusted; `ground.trusted` takes in what they have. */
export function untrustedWants(ground: Environment, wants: readonly Want[]): Want[] {
  const { userDir } = ground.prompt;
  return wants.filter((want) => {
    if (userDir === undefined || !isTrusted(userDir, ground.workspace, want)) return true;
    ground.trusted.set(want.what, want.hash);
    return false;
  });
}

/** Trusts for this session, and from now on. Rejects with why it could not be kept. */
export async function trustWants(ground: Environment, wants: readonly Want[]): Promise<void> {
  for (const { what, hash } of wants) ground.trusted.set(what, hash);
  const { userDir } = ground.prompt;
  if (userDir === undefined) return;
  demand("write", userDir);
  await trust(userDir, ground.workspace, wants.map((want) => shownWant(want, ground)));
}

/** What is wanted, a row each; of what was trusted before and has changed, what has. */
export function wantRows(ground: Environment, wants: readonly Want[], all = false): string[] {
  const { prompt: { userDir }, workspace, config: { lang } } = ground;
  return wants.flatMap((want) => {
    const { what, rows, hash, brief = Infinity } = want;
    const before = userDir === undefined ? undefined : trustedBefore(userDir, workspace, what);
    if (before && before.hash !== hash) {
      const changes = before.rows ? changed(before.rows, rows) : rows.map((row) => `  ${row}`);
      const unseen = before.rows !== undefined && changes.length === 0;
      return [
        `${what} ${say(lang, "trust.changed")}:`,
        ...unseen ? [`  ${say(lang, "trust.changed_unseen")}`] : changes,
      ];
    }
    const most = all ? Infinity : brief;
    return [
      `${what}:`,
      ...rows.slice(0, most).map((row) => `  ${row}`),
      ...rows.length > most ? [`  ${say(lang, "trust.more_rows", { n: rows.length - most })}`] : [],
    ];
  });
}

/** The rows that are gone, then those that have come. */
function changed(before: readonly string[], now: readonly string[]): string[] {
  return [
    ...before.filter((row) => !now.includes(row)).map((row) => `- ${row}`),
    ...now.filter((row) => !before.includes(row)).map((row) => `+ ${row}`),
  ];
}

/** Whether a server may start; one with a fault starts nothing, and says so without any trust. */
export function mayStart(ground: Environment): (config: ServerConfig) => boolean {
  return ({ scope, file, fault }) =>
    scope === "user" || fault !== "" || ground.trusted.has(relative(file, ground));
}

const placeOf = ({ workspace, prompt: { userDir }, config: { lang } }: Environment) => ({
  workspace,
  userDir,
  lang,
  readText: (path: string) => readText(path, lang),
});

/** As people name it. */
const relative = (file: string, { workspace }: Environment) =>
  file.startsWith(workspace) ? file.slice(workspace.length).replace(/^[/\\]/, "") : file;

/** The project's files that name servers. */
export function fileWants(ground: Environment): Want[] {
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
  const { workspace, config: { lang } } = ground;
  if (reach === undefined) return `${name}: ${what} (${say(lang, "mcp.state_faulty")})`;
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

function endpointWant(endpoint: EndpointSettings): Want {
  const { hash, what } = trustedEndpoint(endpoint);
  const rows = Object.entries(endpoint).map(([key, value]) =>
    // of a key as much as tells it from another one
    `${key}: ${key === "api_key" ? `… (sha256 ${hashOf(value).slice(0, 8)})` : shownUrl(value)}`
  );
  return { what, hash, rows };
}

/** The project's skills that would stand in every prompt. */
async function alwaysWants(ground: Environment): Promise<Want[]> {
  const { prompt: { gitSkills: _theirs, ...prompt }, config: { lang } } = ground;
  if (!hasProjectSkills(prompt)) return [];
  // those of the user's own come behind them, hide none of them, and may be hundreds
  const skills = await findSkills({ ...prompt, userDir: undefined, trustsAlways: () => false });
  // a name that could pass for a row of narnat's own is never trusted
  const asked = skills.filter((skill) =>
    skill.untrusted && isLoadable(skill) && oneRow(skill.path) === skill.path
  );
  return asked.map((skill) => {
    const said = saidBy(skill);
    const head = say(lang, "trust.always", { name: skill.name, bytes: skill.bytes });
    const lines = said.slice(skill.name.length + 1).split("\n")
      .filter((line) => line.trim() !== "");
    return {
      what: skill.path,
      hash: hashOf(said),
      rows: [head, ...lines],
      brief: SKILL_ROWS,
    };
  });
}

/** A skill can be as long as a book. */
const SKILL_ROWS = 6;

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
