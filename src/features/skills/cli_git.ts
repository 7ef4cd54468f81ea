/** `narnat skills add|update|remove`: skills of git repositories. */
import { ConfigError } from "../../base/errors.ts";
import type { SkillItem } from "../../config/check.ts";
import { saveUserSettings } from "../../config/json_text.ts";
import {
  type Clone,
  contentFile,
  MOST_FOLDERS,
  MOST_SKILLS,
  namedFile,
  skillFolders,
} from "./clones.ts";
import { type Change, cloneRepo, dropClone, type Fetched, URL_FAULTS } from "./git_clone.ts";
import { ownerAndName, repoName, shownUrl, urlFault } from "../../base/git_url.ts";
import { findSkills, type FoundSkill } from "./skills.ts";
import type { T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { whyOf } from "../../base/file_why.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import { untrustedSkills } from "./git_skills.ts";
import type { CommandHost, Environment } from "../../commands/environment.ts";
import { lookUpTrust } from "../trust/mod.ts";
import {
  complain,
  demand,
  env,
  listenForSignals,
  put,
  tellWarnings,
  translatorFor,
} from "../../base/host.ts";

/** What the verbs work on. */
interface Work {
  readonly environment: Environment;
  readonly t: T;
  readonly userDir: string;
  readonly userFile: string;
  readonly signal: AbortSignal;
  /** What the user wants an added one to be called. */
  readonly as: string | undefined;
}

/** Adds, updates or removes; what cannot be had is told, with exit code 1. */
export async function changeSkills(
  flags: Flags,
  words: readonly string[],
  host: CommandHost,
): Promise<number> {
  const environment = await host.open(
    choicesFrom(flags),
    translatorFor(flags),
    "no model",
  );
  tellWarnings(environment);
  await lookUpTrust(environment);
  const { t } = environment.config;
  const stop = new AbortController();
  let ended = 0;
  listenForSignals((code) => {
    ended = code;
    stop.abort();
  });
  try {
    const { userFile, prompt: { userDir } } = environment;
    if (userDir === undefined || userFile === undefined) {
      throw new ConfigError(
        t("There is no home folder to keep settings and skill repositories in"),
      );
    }
    const work = { environment, t, userDir, userFile, signal: stop.signal, as: flags.name };
    const [verb, one, two, ...more] = words;
    const tooMany = more.length > 0 || two !== undefined && verb !== "add";
    const tooFew = one === undefined && verb !== "update";
    if (tooMany || tooFew || flags.name !== undefined && verb !== "add") {
      throw new ConfigError(
        t("Usage: narnat skills [list | show NAME | add GIT-URL [NAME] [--name NAME] | update [NAME] | remove NAME]"),
      );
    }
    if (verb === "add") await add(one!, two, work);
    else if (verb === "remove") await remove(one!, work);
    else return await update(one, work) ? 0 : ended || 1;
    return 0;
  } catch (error) {
    if (error instanceof ConfigError || !(error instanceof Error)) throw error;
    complain(`narnat: ${error.message}`);
    return ended || 1;
  } finally {
    await environment.close();
  }
}

const print = (text: string) => put(text + "\n");

async function add(given: string, name: string | undefined, work: Work): Promise<void> {
  const { environment, t, userDir } = work;
  const items = environment.config.skills ?? [];
  const repo = addressOf(given, environment.workspace, t);
  const as = freeName(repo, name, items, work);
  const clone = await cloneRepo(repo, optionsOf(work));
  let item: SkillItem;
  try {
    item = { ...await itemIn(clone, repo, name, work), name: as };
    save([...items, item], work);
  } catch (error) {
    if (clone.fresh) await dropClone(repo, userDir);
    throw error;
  }
  print(t("Added {name}: {repo}", { name: item.name, repo: shownUrl(repo) }));
  await tell(clone, item, work);
}

/** What it is to be called, known before anything is fetched. Throws where all names are taken. */
function freeName(
  repo: string,
  skill: string | undefined,
  items: readonly SkillItem[],
  { as, userFile, t }: Work,
): string {
  if (as !== undefined && !/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(as)) {
    throw new ConfigError(
      t(
        "--name {name}: a name is made of letters, digits, _, - and ., begins with a letter or digit, and has 64 characters at most",
        { name: as },
      ),
    );
  }
  const same = (one: SkillItem) =>
    one.repo === repo && (skill === undefined ? !one.skill : one.skill?.split("/").includes(skill));
  const there = items.find(same);
  if (there) {
    throw new ConfigError(
      t("{name} is there already; narnat skills update {name} fetches it anew", {
        name: there.name,
      }),
    );
  }
  const usual = skill ?? repoName(repo);
  const names = as !== undefined
    ? [as]
    : [usual, `${ownerAndName(repo)}${skill ? `-${skill}` : ""}`];
  const free = names.find((name) => !items.some((one) => one.name === name));
  if (free !== undefined) return free;
  const taken = items.find((one) => one.name === names[0])!;
  const values = { name: taken.name, file: userFile, repo: shownUrl(taken.repo) };
  throw new ConfigError(
    t(
      "There is a skill {name} already in skills of {file} ({repo}); give this one another with --name, or narnat skills remove {name} first",
      values,
    ),
  );
}

/** The address as it is kept: a folder of this machine in full. */
function addressOf(given: string, workspace: string, t: T): string {
  const fault = urlFault(given);
  if (fault === undefined) return given;
  if (fault === "form") {
    const home = env("HOME");
    const path = home && given.startsWith("~/") ? under(home, given.slice(2)) : given;
    try {
      return Deno.realPathSync(path === given ? under(workspace, given) : path);
    } catch {
      if (/^[\w-]+\/[\w.-]+$/.test(given)) {
        throw new ConfigError(
          t(
            "{repo} is no address and no repository on this machine. Did you mean https://github.com/{repo}?",
            { repo: given },
          ),
        );
      }
    }
  }
  throw new ConfigError(t(URL_FAULTS[fault], { repo: shownUrl(given) }));
}

/** The repository's skill of that name, or all there are in it. */
async function itemIn(
  clone: Clone,
  repo: string,
  name: string | undefined,
  work: Work,
): Promise<SkillItem> {
  const { t } = work;
  const whole = { name: name ?? repoName(repo), repo, enabled: true };
  const inside = await skillsIn(whole, work);
  const readable = inside.some(({ source }) => source) &&
    (contentFile(clone.dir, "") !== undefined || skillFolders(clone.dir).folders.length > 0);
  if (!readable && (name === undefined || namedFile(clone.dir, name) === undefined)) {
    throw new Error(
      t("There is no SKILL.md, README.md or other .md in {repo}; it was not added", {
        repo: shownUrl(repo),
      }),
    );
  }
  if (name === undefined) return whole;
  const { folders } = skillFolders(clone.dir, Infinity);
  const named = folders.length > 0 && inside.find((skill) => skill.name === name);
  const folder = named
    ? named.folder.slice(clone.place.length + 1)
    : folders.find((folder) => folder.split("/").at(-1) === name);
  if (folder !== undefined) {
    const file = folder === "" ? "SKILL.md" : `${folder}/SKILL.md`;
    const skill = namedFile(clone.dir, name) === file ? name : folder || "SKILL.md";
    return { ...whole, skill };
  }
  if (namedFile(clone.dir, name) !== undefined) return { ...whole, skill: name };
  if (folders.length === 0 && name === repoName(repo)) return whole;
  const names = folders.length === 0
    ? contentFile(clone.dir, "")!
    : few(inside.map((skill) => skill.name), 50);
  throw new Error(
    t("There is no skill {name} in {repo}. There are: {names}", {
      name,
      repo: shownUrl(repo),
      names,
    }),
  );
}

/** The skills that one item brings. */
async function skillsIn(item: SkillItem, { environment }: Work): Promise<FoundSkill[]> {
  const gitSkills = { items: () => [item], fetch: () => Promise.resolve([]) };
  const all = await findSkills({ ...environment.prompt, gitSkills });
  return all.filter(({ source }) => source?.item === item.name);
}

/** What was got, and what becomes of it. */
async function tell(clone: Fetched, item: SkillItem, work: Work): Promise<void> {
  const { t } = work;
  const { place, files, bytes, scripts, links, submodules, loadedAt } = clone;
  print(
    t("{commit}, {files} {files:file|files}, {bytes} bytes, in {place}", {
      commit: short(clone.commit),
      files,
      bytes,
      place,
    }),
  );
  if (!clone.fresh) {
    const date = new Date(loadedAt).toISOString().slice(0, 10);
    print(
      t("(cloned on {date}, not fetched again; narnat skills update {name} does)", {
        date,
        name: item.name,
      }),
    );
  }
  const skills = (await skillsIn(item, work)).filter(({ off }) => off === undefined);
  for (const skill of skills.filter(({ always }) => always)) {
    print(
      t("{path} stands in the prompt of each session in full ({bytes} bytes)", {
        path: skill.path,
        bytes: skill.bytes,
      }),
    );
  }
  const listed = skills.filter(({ always, hidden }) => !always && !hidden).map(({ name }) => name);
  if (listed.length > 0) {
    print(
      t("{n} {n:skill|skills} for the index, which the model reads when a task fits: {names}", {
        n: listed.length,
        names: few(listed, 20),
      }),
    );
  }
  tellMore(clone, item, t);
  print(
    scripts.length === 0 ? t("There are no scripts in it; nothing in it has been run") : t(
      "Scripts or programs in it: {n} ({names}). Nothing in it has been run; a model that follows a skill may run them",
      { n: scripts.length, names: few(scripts) },
    ),
  );
  if (links.length > 0) {
    print(
      t("Taken out: {n} {n:link|links} that {n:leads|lead} out of it: {names}", {
        n: links.length,
        names: few(links),
      }),
    );
  }
  if (submodules.length > 0) {
    print(t("Submodules are not fetched: {names}", { names: few(submodules) }));
  }
  print(t("It counts from the next session on"));
}

/** What of the repository is not taken. */
function tellMore({ dir }: Clone, { repo, skill }: SkillItem, t: T): void {
  const { more, unseen } = skillFolders(dir);
  if (skill) return;
  const values = { n: more, most: MOST_SKILLS, repo: shownUrl(repo) };
  if (more > 0) {
    print(
      t(
        "{n} more {n:skill is|skills are} left out (a repository brings {most} at most); narnat skills add {repo} NAME takes one of them",
        values,
      ),
    );
  }
  if (unseen) {
    print(
      t("{repo} has too many folders: only the first {n} were looked through for skills", {
        n: MOST_FOLDERS,
        repo: shownUrl(repo),
      }),
    );
  }
}

/** Fetches anew; false when anything could not be had. */
async function update(name: string | undefined, work: Work): Promise<boolean> {
  const { environment, t, userFile } = work;
  const items = environment.prompt.gitSkills?.items() ?? [];
  const wanted = name === undefined
    ? items.filter(({ enabled }) => enabled !== false)
    : items.filter((item) => item.name === name);
  if (wanted.length === 0 && name !== undefined) {
    const comes = (await findSkills(environment.prompt)).find((one) => one.name === name)?.source
      ?.item;
    const whole = items.find((item) => item.name === comes);
    if (!whole) throw unknown(name, items, userFile, t);
    wanted.push(whole);
  }
  const untrusted = untrustedSkills(environment);
  if (untrusted.length > 0) {
    print(
      t(
        "Not trusted and not used: the skills this project lists, {names} (narnat trust shows them, narnat trust add trusts them)",
        { names: untrusted.join(", ") },
      ),
    );
  } else if (wanted.length === 0) {
    print(t("There are no skills from git; narnat skills add <git URL> adds one"));
  }
  let good = true;
  for (const repo of new Set(wanted.map((item) => item.repo))) {
    const ofRepo = wanted.filter((item) => item.repo === repo);
    const names = ofRepo.map((item) => item.name).join(", ");
    try {
      const clone = await cloneRepo(repo, { ...optionsOf(work), anew: true });
      tellUpdate(names, clone, t);
      for (const item of ofRepo) tellMore(clone, item, t);
      for (const { name, skill } of ofRepo.filter((item) => isGone(clone, item))) {
        const values = { name, skill: skill || "SKILL.md / README.md / *.md" };
        complain(
          `narnat: ${
            t(
              "{name}: in the repository there is no {skill} any more; narnat skills remove {name} takes the item out",
              values,
            )
          }`,
        );
        good = false;
      }
    } catch (error) {
      complain(`narnat: ${names}: ${(error as Error).message}`);
      good = false;
    }
    if (work.signal.aborted) break;
  }
  return good;
}

/** Whether nothing of it is left in the repository, or only what it does not mean. */
const isGone = ({ dir }: Clone, { skill }: SkillItem) =>
  skill
    ? namedFile(dir, skill) === undefined
    : skillFolders(dir).folders.length === 0 && contentFile(dir, "") === undefined;

const FILES_SHOWN = 10;

function tellUpdate(name: string, clone: Fetched, t: T): void {
  const { before, files, bytes, place } = clone;
  const commit = short(clone.commit);
  if (!before) {
    print(
      `${name}: ${
        t("{commit}, {files} {files:file|files}, {bytes} bytes, in {place}", {
          commit,
          files,
          bytes,
          place,
        })
      }`,
    );
  } else if (before.commit === clone.commit && before.changes.length === 0) {
    print(t("{name}: no change ({commit})", { name, commit }));
  } else {
    const { changes } = before;
    const sum = (key: "added" | "removed") =>
      changes.reduce((all, change) => all + (change[key] ?? 0), 0);
    const values = { name, old: short(before.commit), commit, files: changes.length };
    const counts = { added: sum("added"), removed: sum("removed") };
    print(
      t("{name}: {old}..{commit}, {files} {files:file|files} changed, +{added} -{removed}", {
        ...values,
        ...counts,
      }),
    );
    for (const change of changes.slice(0, FILES_SHOWN)) print(`  ${counted(change)}`);
    const n = changes.length - FILES_SHOWN;
    if (n > 0) print(`  ${t("{n} more {n:file|files}", { n })}`);
  }
  const changed = new Set(before?.changes.map(({ path }) => path));
  const scripts = clone.scripts.filter((path) => !before || changed.has(path));
  if (scripts.length > 0) {
    print(
      `  ${
        t(
          "Scripts or programs in it: {n} ({names}). Nothing in it has been run; a model that follows a skill may run them",
          { n: scripts.length, names: few(scripts) },
        )
      }`,
    );
  }
}

const counted = ({ path, added, removed }: Change) =>
  added === undefined ? path : `${path}  +${added} -${removed}`;

async function remove(name: string, work: Work): Promise<void> {
  const { environment, t, userDir, userFile } = work;
  const { skills: items = [], projectSkills = [] } = environment.config;
  const item = items.find((one) => one.name === name);
  if (!item) {
    if (projectSkills.some((one) => one.name === name)) {
      const file = under(environment.workspace, ".narnat", "narnat.json");
      throw new ConfigError(
        t("{name} is named by this project's {file}; take it out there", { name, file }),
      );
    }
    const comes = (await findSkills(environment.prompt)).find((one) => one.name === name)?.source
      ?.item;
    if (comes) {
      throw new ConfigError(
        t(
          "{name} comes with the whole repository {item}; narnat skills remove {item} takes all of it away, {name} in disabled_skills turns it off",
          { name, item: comes },
        ),
      );
    }
    throw unknown(name, items, userFile, t);
  }
  const left = items.filter((one) => one !== item);
  save(left, work);
  if ([...left, ...projectSkills].some(({ repo }) => repo === item.repo)) {
    print(t("Removed {name}", { name }));
    return;
  }
  await dropClone(item.repo, userDir);
  print(t("Removed {name} and its clone", { name }));
}

function unknown(name: string, items: readonly SkillItem[], file: string, t: T): ConfigError {
  if (items.length === 0) {
    return new ConfigError(t("There are no skills from git; narnat skills add <git URL> adds one"));
  }
  const names = few(items.map((item) => item.name), 50);
  return new ConfigError(
    t("There is no {name} in skills of {file}. There are: {names}", { name, file, names }),
  );
}

function save(skills: readonly SkillItem[], { userFile, t }: Work): void {
  try {
    demand("write", userFile);
    saveUserSettings(userFile, { skills: [...skills] });
  } catch (error) {
    throw new Error(
      t(
        "Cannot write {file}: {why}. Check what it holds and its mode; nothing was added or removed",
        { file: userFile, why: whyOf(t, error) },
      ),
    );
  }
}

function optionsOf({ environment, t, userDir, signal }: Work) {
  return { userDir, t, signal, env: environment.ownEnv, now: environment.prompt.now };
}

const short = (commit: string) => commit.slice(0, 7);
const few = (names: readonly string[], most = 5) =>
  names.slice(0, most).join(", ") + (names.length > most ? ", …" : "");
