import { localTime, sessionMark } from "./show.ts";
import type { Choice, Desk } from "../base/types.ts";

const OFFERED = 50;

/** The stored sessions but the current one, newest first, as values of an argument. */
export async function sessionChoices(desk: Desk): Promise<readonly Choice[]> {
  const current = desk.current().id;
  const others = (await desk.list()).filter(({ id }) => id !== current);
  return others.slice(0, OFFERED).map((info) => ({
    value: info.id,
    help: [
      localTime(info.updated),
      sessionMark(info, desk.t) + (info.name === "" ? "" : `[${info.name}] `) + info.title,
    ].join("  "),
  }));
}
