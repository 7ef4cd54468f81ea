import type { Command, Desk } from "../base/types.ts";
import { say, type TextKey } from "../base/text.ts";
import { cachedShare, dollars, labelled, number } from "./cost.ts";

/** Says where one is: model, session, folder, and what was used. */
export const status: Command = {
  name: "status",
  usage: { zh: "", en: "" },
  anytime: true,
  help: {
    zh: "模型、端点、权限、会话、用量、文件夹、版本",
    en: "model, endpoint, permission, session, usage, folder, version",
  },
  async run(_args, desk) {
    const { lang } = desk;
    const session = desk.current();
    const { usage, lastUsage } = session;
    const { USUAL_WINDOW, windowOf } = await import("../models/model_facts.ts");
    const known = desk.window ?? windowOf(desk.model);
    const window = known ?? USUAL_WINDOW;
    const held = (lastUsage?.input ?? 0) + (lastUsage?.output ?? 0);
    const rows: [TextKey, string][] = [
      ["status.model", desk.model],
      ["status.endpoint", desk.endpoint || say(lang, "status.offline")],
      ["status.permission", say(lang, `permission.${desk.permission}`)],
      ...sandboxRow(desk),
      ["status.session", session.name === "" ? session.id : `${session.id} [${session.name}]`],
      ["status.turns", String(session.turns)],
      [
        "status.tokens",
        say(lang, "status.in_out", {
          input: number(usage.input),
          share: cachedShare(usage, lang),
          output: number(usage.output),
        }),
      ],
      [
        "status.window",
        `${number(held)} / ${number(window)} (${Math.round(100 * held / window)}%)` +
        (known === undefined ? say(lang, "status.window_assumed", { window: number(window) }) : ""),
      ],
      ["cost.cost", dollars(usage, lang)],
      ["status.folder", desk.workspace],
      ["status.version", `narnat ${desk.version}`],
    ];
    return rows.map(([key, value]) => labelled(say(lang, key), value, lang)).join("\n");
  },
};

function sandboxRow({ sandbox, lang }: Desk): [TextKey, string][] {
  if (!sandbox) return [];
  return [[
    "status.sandbox",
    say(lang, sandbox.network ? "sandbox.set" : "sandbox.set_offline"),
  ]];
}
