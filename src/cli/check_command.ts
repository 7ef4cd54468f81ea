/** `narnat check-command`: what the delete gate decides. */
import { choicesFrom, type Flags } from "../commands/flags.ts";
import { ConfigError } from "../base/errors.ts";
import { checkCommand, type VerdictJson, verdictJson } from "../shell/policy/gate.ts";
import type { T } from "../base/t.ts";
import { eachLine } from "../headless/lines.ts";
import { stdinPieces } from "./stdin.ts";
import { openEnvironment } from "../app/environment.ts";
import { env, put, putData, translatorFor } from "../base/host.ts";

/** Judges one command, or with --jsonl one per line of stdin; text at a terminal, JSON elsewhere. */
export async function checkCommands(flags: Flags, words: string[]): Promise<number> {
  const t = translatorFor(flags);
  const { config, workspace, searcher } = openEnvironment(choicesFrom(flags), t, "no model");
  await searcher.close();
  const judge = (command: string) =>
    verdictJson(
      t,
      checkCommand(command, {
        permission: config.permission,
        cwd: workspace,
        workspace,
        ...(env("HOME") ? { home: env("HOME")! } : {}),
      }),
    );
  const print = (value: unknown) => putData(JSON.stringify(value) + "\n");
  if (!flags.jsonl) {
    if (words.length === 0) {
      throw new ConfigError(t("Usage: narnat check-command '<shell command>'"));
    }
    const judged = judge(words.join(" "));
    if (Deno.stdout.isTerminal()) put(asText(t, judged));
    else print(judged);
    return 0;
  }
  await eachLine(stdinPieces(t), (line, number) => {
    let value: { command?: unknown };
    try {
      value = JSON.parse(line);
    } catch {
      value = {};
    }
    if (typeof value?.command === "string") print(judge(value.command));
    else print({ error: t('Line {n}: expected {"command":"…"}', { n: number }) });
  });
  return 0;
}

/** The verdict for people: one line each for decision, reason and targets. */
export function asText(t: T, judged: VerdictJson): string {
  const { verdict, kind, rule, reason, targets, outside } = judged;
  const head = [verdict, ...kind === "none" ? [] : [kind], ...rule === "" ? [] : [rule]].join(
    " · ",
  );
  const lines = targets.map((target) =>
    "  " + (outside.includes(target) ? t("{target} (outside the workspace)", { target }) : target)
  );
  return [head, ...reason === "" ? [] : [reason], ...lines].join("\n") + "\n";
}
