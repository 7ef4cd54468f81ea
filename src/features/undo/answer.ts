/** How `/undo`, `/redo`, `/rewind` and `narnat undo` take turns back: preview, question, restore. */
import type { RestoreOutcome, RestorePreview, RestoreWish } from "../../base/types.ts";
import type { T } from "../../base/t.ts";
import { noteText, outcomeText } from "./text.ts";

/** Where turns are taken back. */
export interface UndoPlace {
  readonly t: T;
  readonly checkpoints: {
    preview(wish: RestoreWish): RestorePreview | Promise<RestorePreview>;
    restore(
      id: string,
      overwrite: readonly string[],
    ): RestoreOutcome | Promise<RestoreOutcome>;
  };
  /** In a shell, and not in a session. */
  readonly inShell?: boolean;
  /** Shows what would be done, and asks; returns the conflicts to be overwritten, undefined after a No. */
  ask(preview: RestorePreview): Promise<readonly string[] | undefined>;
  /** The model is to know of it. */
  note?(text: string): void;
}

/** `ok`: all of it was restored. Throws in words for the user where there is nothing to take back. */
export async function takeBack(
  wish: RestoreWish,
  { t, checkpoints, inShell, ask, note }: UndoPlace,
): Promise<{ readonly done: boolean; readonly ok: boolean; readonly text: string }> {
  const preview = await checkpoints.preview(wish);
  const overwrite = await ask(preview);
  if (overwrite === undefined) return { done: false, ok: false, text: t("Nothing was undone") };
  const outcome = await checkpoints.restore(preview.id, overwrite);
  if (outcome.paths.length > 0) note?.(noteText(preview, outcome, t));
  const text = outcomeText(preview, outcome, t, inShell);
  return { done: true, ok: outcome.failed.length === 0, text };
}
