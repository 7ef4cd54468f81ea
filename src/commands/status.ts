/** `/status` and `/cost`: where one is, and what was used. */
import { spent } from "../base/figures.ts";
import type { T, Text } from "../base/t.ts";
import type {
  Allowance,
  BudgetState,
  Command,
  SessionController,
  Share,
  Usage,
} from "../base/types.ts";
import { table } from "./table.ts";

const SHARES = {
  prompt: "prompt: {name}",
  tool: "{name}, calls and results",
  user: "your messages",
  thinking: "thinking",
  answer: "answers",
  host: "narnat's own words",
  definitions: "tool definitions",
} as const;

/** Says what the session has used and cost. */
export const cost: Command = {
  name: "cost",
  aliases: ["context", "usage", "tokens"],
  anytime: true,
  help: (t) => t("tokens and cost of this session, and what fills its window"),
  async run(_args, controller) {
    const { usage } = controller.current();
    const { backgroundUsage, t } = controller;
    const background = backgroundUsage.input + backgroundUsage.output === 0 ? [] : [
      labelled(
        controller.t("background (Dreams and summaries for the memory, this run)"),
        spent(backgroundUsage, controller.t),
        controller.t,
      ),
    ];
    return [
      labelled(t("input tokens"), number(usage.input) + cachedShare(usage, t), t),
      labelled(t("output tokens"), number(usage.output), t),
      labelled(t("cost"), dollars(usage, t), t),
      ...background,
      ...budgetLines(await controller.budget(), controller.t),
      ...shareTable(await controller.shares(), controller.t),
    ].join("\n");
  },
};

/** What the day has cost, and the limits there are. */
function budgetLines({ today, session, day }: BudgetState, t: T): string[] {
  const text = today.alone ? "today (this narnat alone)" : "today (all narnats)";
  const unpriced = today.unpriced ? t(" (excludes requests with unknown pricing)") : "";
  const amounts = ({ cost, tokens }: Allowance) => [
    ...cost === undefined ? [] : [`$${Number(cost.toFixed(4))}`],
    ...tokens === undefined ? [] : [t("{n} tokens", { n: number(tokens) })],
  ];
  const limits = [
    ...amounts(session).map((limit) => t("session {limit}", { limit })),
    ...amounts(day).map((limit) => t("day {limit}", { limit })),
  ];
  return [
    labelled(t(text), spent(today.usage, t) + unpriced, t),
    ...limits.length === 0 ? [] : [labelled(t("limits"), limits.join(" · "), t)],
  ];
}

/** What the next request is made of, a row each. */
function shareTable(shares: readonly Share[], t: T): string[] {
  const all = shares.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = shares.map(({ kind, name, tokens }) => [
    `  ${t(SHARES[kind], { name: kind === "prompt" ? partName(name, t) : name })}`,
    number(tokens),
    `${Math.round(100 * tokens / all)}%`,
  ]);
  return [t("next request: ~{tokens} tokens", { tokens: number(all) }), ...table(rows, [1, 2])];
}

/** What the parts of the prompt are called that are no files. */
const PARTS = [
  "base",
  "environment",
  "iron rules",
  "rules",
  "skills",
  "skill index",
  "previous context",
  "last session",
] as const;

/** A part of the prompt as people call it; a file has its own name. */
export function partName(name: string, t: T): string {
  const part = PARTS.find((one) => one === name);
  return part === undefined ? name : t(part);
}

/** `label: value`, with the colon of the language. */
const labelled = (label: string, value: string, t: T): string => `${label}${t(": ")}${value}`;

/** ` (68% cached)`; nothing where nothing was sent. */
function cachedShare({ input, cached }: Usage, t: T): string {
  if (input === 0) return "";
  return t(" ({percent}% cached)", { percent: Math.round(100 * cached / input) });
}

/** What it cost, or that it is not known, or that nothing was used. */
function dollars({ input, output, cost }: Usage, t: T): string {
  if (input + output === 0) return t("none");
  return cost === null ? t('unknown (set "prices" in narnat.json)') : `$${cost.toFixed(4)}`;
}

/** `1,234,567`, in every language. */
const number = (n: number): string => n.toLocaleString("en-US");

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
  async run(_args, controller) {
    const { t } = controller;
    const session = controller.current();
    const { usage, lastUsage } = session;
    const { USUAL_WINDOW, windowOf } = await import("../models/model_facts.ts");
    const known = controller.window ?? windowOf(controller.model);
    const window = known ?? USUAL_WINDOW;
    const held = (lastUsage?.input ?? 0) + (lastUsage?.output ?? 0);
    const rows: [Text, string][] = [
      ["model", controller.model],
      ["endpoint", controller.endpoint || t("none (the demo model, no network)")],
      ["permission", t(PERMISSIONS[controller.permission])],
      ...sandboxRow(controller),
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
      ["folder", controller.workspace],
      ["version", `narnat ${controller.version}`],
    ];
    return rows.map(([key, value]) => labelled(t(key), value, t)).join("\n");
  },
};

function sandboxRow({ sandbox, t }: SessionController): [Text, string][] {
  if (!sandbox) return [];
  return [[
    "sandbox",
    t(sandbox.network ? "on" : "on, without network"),
  ]];
}
