import type { Command, Desk, Session } from "../base/types.ts";

/** Starts an empty session. */
export const clear: Command = {
  name: "clear",
  aliases: ["reset"],
  help: (t) => t("start a new session (the old one is kept)"),
  async run(_args, desk) {
    const old = desk.current();
    await desk.fresh();
    return cleared(old, desk);
  },
};

/** What is said of the session that was left. */
export function cleared({ id, messages }: Session, { t, memory }: Desk): string {
  if (messages.length === 0) return t("New session");
  const kept = memory.dir !== undefined;
  return t(
    kept
      ? "New session; the old one is stored as {id}"
      : "New session. The old one, {id}, is there until narnat ends: nothing is kept on disk, and there is no memory",
    { id },
  );
}
