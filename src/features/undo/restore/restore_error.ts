/** Why there is nothing to do; the caller has the words. */
export class NothingToDo extends Error {
  override readonly name = "NothingToDo";
  constructor(readonly why: "undo" | "redo" | "busy" | "stale" | "locked") {
    super(why);
  }
}
