import type { Command, Desk } from "../base/types.ts";
import type { Text } from "../base/t.ts";
import { cachedShare, dollars, labelled, number } from "./cost.ts";

const PERMISSIONS = {
  open: "open (only deletes are asked about)",
  guarded: "guarded (deletes are asked about, dangerous commands refused)",
  ask: "ask (every change is asked about)",
} as const;

/** Says where one is: model, session, folder, and what was used. */
export const status: Command = {
  name: "status",
  anytime: true,
  help: (t) => t("model, endpoint, permission, session, usage, folder, version"),
  async run(_args, desk) {
    const { t } = desk;
    const session = desk.current();
    const { usage, lastUsage } = session;
    const { USUAL_WINDOW, windowOf } = await import("../models/model_facts.ts");
    const known = desk.window ?? windowOf(desk.model);
    const window = known ?? USUAL_WINDOW;
    const held = (lastUsage?.input ?? 0) + (lastUsage?.output ?? 0);
    const rows: [Text, string][] = [
      ["model", desk.model],
      ["endpoint", desk.endpoint || t("none (the demo model, no network)")],
      ["permission", t(PERMISSIONS[desk.permission])],
      ...sandboxRow(desk),
      ["session", session.name === "" ? session.id : `${session.id} [${session.name}]`],
      ["turns", String(session.turns)],
      [
        "tokens",
        t("{input} in{share}, {output} out", {
          input: number(usage.input),
          share: cachedShare(usage, t),
          output: number(usage.output),
        }),
      ],
      [
        "context window",
        `${number(held)} / ${number(window)} (${Math.round(100 * held / window)}%)` +
        (known === undefined
          ? t(" (window unknown, assuming {window}; set context_window)", {
            window: number(window),
          })
          : ""),
      ],
      ["cost", dollars(usage, t)],
      ["folder", desk.workspace],
      ["version", `narnat ${desk.version}`],
    ];
    return rows.map(([key, value]) => labelled(t(key), value, t)).join("\n");
  },
};

function sandboxRow({ sandbox, t }: Desk): [Text, string][] {
  if (!sandbox) return [];
  return [[
    "sandbox",
    t(sandbox.network ? "on" : "on, without network"),
  ]];
}
