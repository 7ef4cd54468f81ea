/** `narnat skills`: which there are, and what the model is told of them. */
import { table } from "../../commands/table.ts";
import { ConfigError } from "../../base/config_error.ts";
import { stateOf } from "./skill_state.ts";
import { findSkills, type FoundSkill, skillBody } from "./skills.ts";
import { nearest } from "../../base/nearest.ts";
import { langFrom, say } from "../../base/text.ts";
import type { Lang } from "../../base/types.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";

import type { CommandHost } from "../../commands/environment.ts";
import { untrustedSkills } from "./git_skills.ts";
import { lookUpTrust } from "../trust/mod.ts";
import { env, put, putData, tellWarnings } from "../../base/host.ts";

/** Lists the skills, those that are off too, or prints one as the model gets it; the rest is git's. */
export async function skills(
  flags: Flags,
  words: string[],
  host: CommandHost,
): Promise<number> {
  if (words[0] === "add" || words[0] === "update" || words[0] === "remove") {
    const { changeSkills } = await import("./cli_git.ts");
    return await changeSkills(flags, words, host);
  }
  const ground = await host.open(choicesFrom(flags), flags.lang ?? langFrom(env), "no model");
  tellWarnings(ground);
  await lookUpTrust(ground);
  try {
    const { lang } = ground.config;
    const all = await findSkills(ground.prompt);
    const [verb = "list", name, ...more] = words;
    if (verb === "show" && name !== undefined && more.length === 0) {
      putData(show(name, all, lang));
      return 0;
    }
    if (verb !== "list" || name !== undefined) throw new ConfigError(say(lang, "cli.skills_usage"));
    const untrusted = untrustedSkills(ground);
    if (all.length > 0) put(list(all, lang));
    else if (untrusted.length === 0) put(say(lang, "skill.none") + "\n");
    if (untrusted.length > 0) {
      put(say(lang, "skill.untrusted", { names: untrusted.join(", ") }) + "\n");
    }
    for (const one of unknownDisabled(ground.config.disabledSkills ?? [], all, lang)) {
      put(one + "\n");
    }
    return 0;
  } finally {
    await ground.close();
  }
}

/** What is to be said of names that disable nothing. */
function unknownDisabled(
  disabled: readonly string[],
  all: readonly FoundSkill[],
  lang: Lang,
): string[] {
  const names = all.map(({ name }) => name);
  return disabled.filter((name) => !names.includes(name)).map((name) => {
    const near = nearest(name, names)[0];
    return near === undefined
      ? say(lang, "skill.disabled_unknown", { name })
      : say(lang, "skill.disabled_near", { name, near });
  });
}

function list(all: readonly FoundSkill[], lang: Lang): string {
  const rows = all.map((skill) => [
    skill.name,
    stateOf(skill, all, lang),
    String(skill.bytes),
    skill.path,
  ]);
  const head = [
    "skill.head_name",
    "skill.head_state",
    "skill.head_bytes",
    "skill.head_path",
  ] as const;
  return table([head.map((key) => say(lang, key)), ...rows], [2]).map((row) => row + "\n").join("");
}

function show(name: string, all: readonly FoundSkill[], lang: Lang): string {
  const skill = all.find((one) => one.name === name);
  if (!skill) {
    const near = nearest(name, all.map((one) => one.name))[0];
    const key = near ? "skill.unknown_near" : "skill.unknown_shell";
    throw new ConfigError(say(lang, key, { name, near: near ?? "" }));
  }
  const body = skill.file === "" ? undefined : skillBody(skill);
  if (!body) {
    throw new ConfigError(say(lang, "skill.unreadable", { name, path: skill.path }));
  }
  // a JSON skill's guidance begins with it
  const description = skill.file.endsWith(".json") ? "" : skill.description;
  const facts = [skill.path, stateOf(skill, all, lang), description];
  const cut = body.cut > 0 ? [say(lang, "prompt.cut", { name: skill.path, bytes: body.cut })] : [];
  return [...facts.filter((fact) => fact !== ""), "", body.text, ...cut].join("\n") + "\n";
}
