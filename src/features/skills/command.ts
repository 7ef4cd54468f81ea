import { nearest } from "../../base/nearest.ts";
import { WHERE } from "../../commands/flags.ts";
import type { SharedCommand } from "../../commands/shell_command.ts";
import { table } from "../../commands/table.ts";
import { truncate } from "../../base/strings.ts";

const DESCRIPTION_CHARS = 100;

/** Lists the skills, or asks the model with one of them: `/skill name words` is a turn like `$name words`. */
export const skill: SharedCommand = {
  name: "skill",
  aliases: ["skills"],
  usage: (t) => t("[name] [words]"),
  help: (t) => t("list the skills, or ask with one ($name in a line does the same)"),
  async complete(controller) {
    return (await controller.skills()).map(({ name, description }) => ({
      value: name,
      help: description,
    }));
  },
  async asks(args, controller) {
    const name = nameIn(args);
    return (await controller.skills()).some((one) => one.name === name) ? {} : undefined;
  },
  async run(args, controller) {
    const { t } = controller;
    const all = await controller.skills();
    if (args !== "") {
      const name = nameIn(args);
      const off = (await controller.withheld()).find((one) => one.name === name);
      if (off) throw new Error(t("The skill {name} was not loaded: {why}", { ...off }));
      const near = nearest(name, all.map((one) => one.name))[0];
      throw new Error(
        t(
          near
            ? "There is no skill {name}. Did you mean {near}?"
            : "There is no skill {name}; /skill lists them",
          { name, near: near ?? "" },
        ),
      );
    }
    if (all.length === 0) {
      return t(
        "No skills. A skill is .narnat/skills/NAME/SKILL.md (.agents/skills and .claude/skills are read too, and the same folders in your home)",
      );
    }
    const rows = all.map(({ name, description, always, missing }) => [
      `$${name}`,
      missing.length > 0
        ? t("needs {names}", { names: missing.join(", ") })
        : always
        ? t("always loaded")
        : "",
      truncate(description, DESCRIPTION_CHARS),
    ]);
    return [
      ...table(rows).map((row) => row.trimEnd()),
      t("/skill NAME words, or $NAME in a line, asks with one; narnat skills shows all there is"),
    ].join("\n");
  },
  shell: {
    brief: "list skills and their status",
    flags: {
      ...WHERE,
      name: { is: "text", brief: "skills add: what narnat is to call it", placeholder: "NAME" },
    },
    words: {
      brief: "list, show NAME, add GIT-URL [NAME], update [NAME] or remove NAME",
      placeholder: "list|show|add|update|remove",
    },
    load: async () => (await import("./cli.ts")).skills,
  },
};

const nameIn = (args: string) => args.split(/\s+/, 1)[0]!.replace(/^\$/, "");
