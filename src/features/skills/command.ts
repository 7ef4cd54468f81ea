import type { Command } from "../../base/types.ts";
import { nearest } from "../../base/nearest.ts";
import { say } from "../../base/text.ts";
import { table } from "../../commands/table.ts";
import { truncate } from "../../base/truncate.ts";

const DESCRIPTION_CHARS = 100;

/** Lists the skills, or asks the model with one of them: `/skill name words` is a turn like `$name words`. */
export const skill: Command = {
  name: "skill",
  aliases: ["skills"],
  usage: { zh: "[名称] [要说的话]", en: "[name] [words]" },
  help: {
    zh: "列出技能，或用一个技能提问（在话里写 $名称 也可以）",
    en: "list the skills, or ask with one ($name in a line does the same)",
  },
  async complete(desk) {
    return (await desk.skills()).map(({ name, description }) => ({
      value: name,
      help: description,
    }));
  },
  async asks(args, desk) {
    const name = nameIn(args);
    return (await desk.skills()).some((one) => one.name === name) ? {} : undefined;
  },
  async run(args, desk) {
    const { lang } = desk;
    const all = await desk.skills();
    if (args !== "") {
      const name = nameIn(args);
      const off = (await desk.withheld()).find((one) => one.name === name);
      if (off) throw new Error(say(lang, "skill.withheld", { ...off }));
      const near = nearest(name, all.map((one) => one.name))[0];
      throw new Error(
        say(lang, near ? "skill.unknown_near" : "skill.unknown", { name, near: near ?? "" }),
      );
    }
    if (all.length === 0) return say(lang, "skill.none");
    const rows = all.map(({ name, description, always, missing }) => [
      `$${name}`,
      missing.length > 0
        ? say(lang, "skill.state_missing", { names: missing.join(", ") })
        : always
        ? say(lang, "skill.state_always")
        : "",
      truncate(description, DESCRIPTION_CHARS),
    ]);
    return [...table(rows).map((row) => row.trimEnd()), say(lang, "skill.how")].join("\n");
  },
};

const nameIn = (args: string) => args.split(/\s+/, 1)[0]!.replace(/^\$/, "");
