/** `narnat skills`: which there are, and what the model is told of them. */
import { table } from "../../commands/table.ts";
import { ConfigError } from "../../base/errors.ts";
import { stateOf } from "./skill_state.ts";
import { findSkills, type FoundSkill, skillBody } from "./skills.ts";
import { nearest } from "../../base/nearest.ts";
import type { T } from "../../base/t.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import type { CommandHost } from "../../commands/environment.ts";
import { untrustedSkills } from "./git_skills.ts";
import { lookUpTrust } from "../trust/mod.ts";
import { put, putData, tellWarnings, translatorFor } from "../../base/host.ts";

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
  const environment = await host.open(
    choicesFrom(flags),
    translatorFor(flags),
    "no model",
  );
  tellWarnings(environment);
  await lookUpTrust(environment);
  try {
    const { t } = environment.config;
    const all = await findSkills(environment.prompt);
    const [verb = "list", name, ...more] = words;
    if (verb === "show" && name !== undefined && more.length === 0) {
      putData(show(name, all, t));
      return 0;
    }
    if (verb !== "list" || name !== undefined) {
      throw new ConfigError(
        t("Usage: narnat skills [list | show NAME | add GIT-URL [NAME] [--name NAME] | update [NAME] | remove NAME]"),
      );
    }
    const untrusted = untrustedSkills(environment);
    if (all.length > 0) put(list(all, t));
    else if (untrusted.length === 0) {
      put(
        t("No skills. A skill is .narnat/skills/NAME/SKILL.md (.agents/skills and .claude/skills are read too, and the same folders in your home)") +
          "\n",
      );
    }
    if (untrusted.length > 0) {
      put(
        t(
          "Not trusted and not used: the skills this project lists, {names} (narnat trust shows them, narnat trust add trusts them)",
          { names: untrusted.join(", ") },
        ) + "\n",
      );
    }
    for (const one of unknownDisabled(environment.config.disabledSkills ?? [], all, t)) {
      put(one + "\n");
    }
    return 0;
  } finally {
    await environment.close();
  }
}

/** What is to be said of names that disable nothing. */
function unknownDisabled(
  disabled: readonly string[],
  all: readonly FoundSkill[],
  t: T,
): string[] {
  const names = all.map(({ name }) => name);
  return disabled.filter((name) => !names.includes(name)).map((name) => {
    const near = nearest(name, names)[0];
    return near === undefined
      ? t("{name} in disabled_skills is no skill's name", { name })
      : t("{name} in disabled_skills is no skill's name. Did you mean {near}?", { name, near });
  });
}

function list(all: readonly FoundSkill[], t: T): string {
  const rows = all.map((skill) => [
    skill.name,
    stateOf(skill, all, t),
    String(skill.bytes),
    skill.path,
  ]);
  const head = [
    "name",
    "state",
    "bytes",
    "where",
  ] as const;
  return table([head.map((text) => t(text)), ...rows], [2]).map((row) => row + "\n").join("");
}

function show(name: string, all: readonly FoundSkill[], t: T): string {
  const skill = all.find((one) => one.name === name);
  if (!skill) {
    const near = nearest(name, all.map((one) => one.name))[0];
    const key = near
      ? "There is no skill {name}. Did you mean {near}?"
      : "There is no skill {name}; narnat skills lists them";
    throw new ConfigError(t(key, { name, near: near ?? "" }));
  }
  const body = skill.file === "" ? undefined : skillBody(skill);
  if (!body) {
    throw new ConfigError(
      t("The file of the skill {name}, {path}, can no longer be read; it was not loaded", {
        name,
        path: skill.path,
      }),
    );
  }
  // a JSON skill's guidance begins with it
  const description = skill.file.endsWith(".json") ? "" : skill.description;
  const facts = [skill.path, stateOf(skill, all, t), description];
  const cut = body.cut > 0
    ? [
      t("{name} is long: {bytes} bytes of it are not in the prompt (narnat prompt shows what is)", {
        name: skill.path,
        bytes: body.cut,
      }),
    ]
    : [];
  return [...facts.filter((fact) => fact !== ""), "", body.text, ...cut].join("\n") + "\n";
}
