/** Watches over the window: what a request may count, and what happens when it would count more. */
import type { ContextHost, Message, ModelError } from "../../base/types.ts";
import { count } from "../../base/figures.ts";
import { limitIn, USUAL_WINDOW } from "../../models/model_facts.ts";
import { budgetOf, type RoomOptions } from "./gauge.ts";

export interface Room {
  /** Tokens of the model's window; undefined while nobody has told. */
  window(): number | undefined;
  /** Makes room where it is needed; returns the messages to send now. */
  beforeCall(host: ContextHost): Promise<readonly Message[]>;
  /** Makes room after a refusal; returns why there is none to make, in words for the user. */
  onOverflow(host: ContextHost, error: ModelError): Promise<string | undefined>;
}

/**
 * Makes it for one session; `told` is the window as far as it is known, `onLearnt` hears what a
 * refusal says of it.
 */
export function createRoom(
  told: number | undefined,
  options: Omit<RoomOptions, "failures">,
  onLearnt: (window: number) => void,
): Room {
  const o: RoomOptions = { ...options, failures: new Set() };
  const { gauge, t } = o;
  let window = told;
  let refused: Message | undefined;
  let times = 0;
  const load = () => import("./make_room.ts");

  return {
    window: () => window,
    async beforeCall(host) {
      const { session } = host;
      const most = window ?? USUAL_WINDOW;
      if (gauge.estimate(session) > budgetOf(most, o.maxOutputTokens)) {
        const { makeRoom, tooLong } = await load();
        if (!tooLong(session, window, o)) await makeRoom(host, most, o);
      }
      return session.view.slice();
    },
    async onOverflow(host, error) {
      const { session } = host;
      const [{ dropHalf, makeRoom, tooLong }, { foundOf, namesOverflow }] = await Promise.all([
        load(),
        import("../../models/errors.ts"),
      ]);
      const limit = limitIn(error.message);
      if (limit !== undefined && limit < (window ?? Infinity)) {
        window = limit;
        onLearnt(limit);
        host.notice(
          "info",
          t(
            "The model says that the conversation exceeds its window: from now on it counts as {window} tokens",
            { window: count(limit) },
          ),
        );
      }
      const never = tooLong(session, window, o);
      if (never !== undefined) return never;
      times = refused === session.messages.at(-1) ? times + 1 : 1;
      refused = session.messages.at(-1);
      const estimate = gauge.estimate(session);
      // a gateway that refuses bytes, or was confused, says nothing of the window
      const unnamed = error.status === 413 && !namesOverflow(error.message);
      if (unnamed && times === 1) {
        host.notice(
          "info",
          t("The server finds the request too large and says nothing of the window: it is sent once more"),
        );
        return undefined;
      }
      // else, whatever the estimate says, it is more than fits
      const most = Math.min(window ?? USUAL_WINDOW, unnamed ? 2 * estimate + 4096 : estimate);
      if (times === (unnamed ? 2 : 1) && await makeRoom(host, most, o)) return undefined;
      if (dropHalf(host, most, o)) return undefined;
      const found = foundOf(t, error).replace(/[.。]$/, "");
      // before the first answer there was no history
      const alone = !session.messages.some(({ role }) => role === "assistant");
      if (alone) {
        return t(
          "The request was refused as too large: {found}. There is nothing besides this prompt to leave out, and the session is unchanged: shorten the prompt, or look at the server's limit on requests",
          { found },
        );
      }
      host.notice(
        "warn",
        t("The request is still refused: {found}. The stored session is unchanged", { found }),
      );
      return t("What the model saw of the conversation has been cleared: describe the task anew");
    },
  };
}
