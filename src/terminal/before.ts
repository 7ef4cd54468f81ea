/** Questions that come before a session: one list on the process's terminal, which is given back. */
import { matchesKey, type SelectItem, type Terminal } from "@earendil-works/pi-tui";
import type { T } from "../base/t.ts";
import { Asker } from "./panels/asker.ts";
import { capabilitiesFrom, Window } from "./device/window.ts";
import { plain, plainLine } from "../base/control_characters.ts";
import { choicesOf, LETTERS } from "./panels/question_rows.ts";
import { guardTerminal } from "./transcript/restore.ts";
import { createStyle, type Style, styleKind } from "./style.ts";

export interface BeforeOptions {
  readonly t: T;
  env(name: string): string | undefined;
}

/** Has one of `items` chosen, which typing narrows and of which the last always stays; undefined for none. */
export function pickBefore(
  title: string,
  items: readonly SelectItem[],
  options: BeforeOptions,
  terminal?: Terminal,
): Promise<string | undefined> {
  return onAsker(options, terminal, () => undefined, async (asker) => {
    const shown = items.map((item) => ({ ...item, label: plainLine(item.label) }));
    return (await asker.choose(title, shown, true))?.value;
  });
}

export interface TrustOptions extends BeforeOptions {
  readonly workspace: string;
  readonly notify: boolean;
}

/** Asks for the trust in what `rows` name, as the screen asks: `y` and `n` answer, all else is a No. */
export async function trustBefore(
  question: string,
  rows: readonly string[],
  options: TrustOptions,
  terminal?: Terminal,
): Promise<boolean> {
  const choices = choicesOf({ kind: "trust", question }, options.t);
  const letter = (data: string) => {
    const answer = LETTERS[data.toLowerCase()];
    return answer && (answer.value ? "yes" : "no");
  };
  let window: Window | undefined;
  const answer = await onAsker(options, terminal, letter, async (asker, style) => {
    window = new Window({
      ...options,
      capabilities: capabilitiesFrom(options.env),
      write: (sequence) => asker.send(sequence),
    });
    window.show("asking");
    window.asked();
    asker.tell(`${style.yellow(style.bold(`? ${plain(question)}`))}`);
    for (const row of rows) asker.tell(plain(row), "  ");
    asker.tell("");
    return (await asker.choose(`${options.t("Trust it and use it?")} (y/n)`, [...choices], false))
      ?.value;
  }, (asker, answer = "no") => {
    asker.tell(`  → ${choices.find(({ value }) => value === answer)?.label}\n`);
    window?.restore();
  });
  return answer === "yes";
}

async function onAsker(
  { env }: BeforeOptions,
  terminal: Terminal | undefined,
  keyed: (data: string) => string | undefined,
  ask: (asker: Asker, style: Style) => Promise<string | undefined>,
  end: (asker: Asker, answer: string | undefined) => void = () => {},
): Promise<string | undefined> {
  const left = Promise.withResolvers<string | undefined>();
  const style = createStyle(styleKind("auto", env));
  const asker = new Asker(style, terminal, (data) => {
    if (matchesKey(data, "ctrl+c") || matchesKey(data, "ctrl+d")) left.resolve(undefined);
    else if (matchesKey(data, "ctrl+z")) guard?.suspend();
    else {
      const answer = keyed(data);
      if (answer === undefined) return false;
      left.resolve(answer);
    }
    return true;
  });
  const guard = terminal === undefined
    ? guardTerminal({
      close: () => asker.close(),
      suspend: () => asker.suspend(),
      resume: () => asker.resume(),
      onSignal: (code) => Deno.exit(code),
    })
    : undefined;
  try {
    asker.start();
    const answer = await Promise.race([ask(asker, style), left.promise]);
    end(asker, answer);
    return answer;
  } finally {
    asker.close();
    guard?.end();
  }
}
