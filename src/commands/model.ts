import type { Command, SessionController } from "../base/types.ts";
import { isAmong } from "../models/model_facts.ts";
import { nearest } from "../base/nearest.ts";

/** A terminal's worth; some routers offer hundreds. */
const LISTED = 60;

/**
 * Lists the provider's models, or takes another one from the next turn on: for this run of narnat,
 * in every session of it. The system prompt names the model, so it is made anew; the provider has
 * no cached prefix for the new model that this could cost.
 */
export const model: Command = {
  name: "model",
  aliases: ["models"],
  usage: (t) => t("[name]"),
  help: (t) => t("list the models, or switch to another one"),
  async complete(controller) {
    const known = await names(controller);
    const all = known instanceof Error ? [controller.model, "demo"] : known;
    return all.map((value) => ({ value, help: value === controller.model ? "*" : "" }));
  },
  async run(args, controller) {
    const { t } = controller;
    if (args === "") return await table(controller);
    if (args === controller.model) return t("{name} is in use already", { name: args });
    const known = args === "demo" ? undefined : await names(controller);
    if (known instanceof Array && !isAmong(args, known)) {
      const near = nearest(args, known);
      throw new Error(
        t(
          near.length > 0
            ? "There is no model {name}; near it: {near}. /model lists them all"
            : "There is no model {name}; /model lists them",
          {
            name: args,
            near: near.join(", "),
          },
        ),
      );
    }
    await controller.useModel(args);
    const unsure = known instanceof Error
      ? `\n${
        t("The list of models could not be had, so nobody knows yet whether there is such a model")
      }`
      : "";
    return t(
      'Model: {name} from the next turn (this run only; set "model" in narnat.json to keep it)',
      { name: args },
    ) + unsure;
  },
};

/** The names there are, or why they are not to be had. */
async function names(controller: SessionController): Promise<readonly string[] | Error> {
  try {
    return await controller.models();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function table(controller: SessionController): Promise<string> {
  const { t } = controller;
  const known = await names(controller);
  const all = known instanceof Error ? [controller.model, "demo"] : [controller.model, ...known];
  const unique = [...new Set(all)];
  const shown = unique.slice(0, LISTED).map((name) =>
    `${name === controller.model ? "*" : " "} ${name}`
  );
  const more = unique.length - shown.length;
  return [
    ...shown,
    ...more > 0 ? [t("… {n} more", { n: more })] : [],
    ...known instanceof Error ? [known.message] : [],
    t("/model <name> switches (tab completes)"),
  ].join("\n");
}
