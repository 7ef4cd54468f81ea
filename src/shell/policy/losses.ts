/** Asks about work that a command has taken away with nobody's Yes, and brings it back. */
import type { Verdict } from "./gate.ts";
import { everyMatch } from "./target_facts.ts";
import { visible } from "./targets.ts";
import type { T } from "../../base/t.ts";
import type { DiskWatch, Loss, Question, RunCommand, SeenFile } from "../../base/types.ts";
import { under } from "../../base/path.ts";

const HOWS = {
  deleted: "deleted",
  emptied: "emptied",
  reverted: "put an older version over",
  overwritten: "put another file over",
} as const;

/** Paths that one wildcard is followed to. */
const MAX_MATCHES = 50_000;
const SHOWN = 20;

/** The command, with what may go by the answer to its question. Before it is run, as wildcards match what is there. */
export function agreedCommand(verdict: Verdict, command: string, cwd: string): RunCommand {
  return { command, cwd, agreed: verdict.verdict === "ask" ? agreedBy(verdict) : [] };
}

/** A Yes to a command that does not name what it deletes is one to all that it does. */
function agreedBy({ paths }: Verdict): RunCommand["agreed"] {
  const matched = paths.map((path) => everyMatch(path, MAX_MATCHES));
  const named = paths.length > 0 && paths.every((path) => path.startsWith("/"));
  if (!named || matched.some(({ more }) => more)) return "all";
  return matched.flatMap((one) => one.paths);
}

/** Where losses are asked about. */
export interface LossHost {
  readonly disk: DiskWatch;
  readonly workspace: string;
  readonly t: T;
  /** By its absolute path, a file that the model has seen. */
  readonly seen: ReadonlyMap<string, SeenFile>;
  ask(question: Question): Promise<boolean>;
}

/** Came of what was lost. */
export interface LossOutcome {
  /** For the model. */
  readonly text: string;
  /** For the person. */
  readonly note: string;
  /** Paths that were brought back. */
  readonly restored: readonly string[];
}

/** Asks once about all of it; undefined where nothing was lost, or it may stay so. */
export async function settleLosses(
  found: readonly Loss[],
  command: string | undefined,
  { disk, workspace, t, seen, ask }: LossHost,
): Promise<LossOutcome | undefined> {
  const losses = found.filter(({ path, unread }) => !unread || !seen.has(under(workspace, path)));
  const lines: string[] = [];
  const listed = (paths: readonly string[]) =>
    paths.slice(0, SHOWN).map(visible).concat(paths.length > SHOWN ? ["…"] : [])
      .join(t(", "));
  const unkept = losses.filter(({ kept }) => !kept).map(({ path }) => path);
  if (unkept.length > 0) {
    lines.push(
      t("[lost] The command deleted or emptied these, of which there is no copy: {paths}", {
        paths: listed(unkept),
      }),
    );
  }
  const kept = losses.filter((one) => one.kept);
  let restored: readonly string[] = [];
  if (kept.length > 0 && !await ask(questionOf(kept, command, workspace, t))) {
    const paths = kept.map(({ path }) => path);
    const back = await disk.bringBack(paths);
    restored = back.paths;
    const failed = paths.filter((path) => !restored.includes(path));
    if (restored.length > 0) {
      lines.push(
        t(
          "[brought back] Deleted, emptied, reverted or overwritten by the command, which nobody agreed to: {paths}",
          { paths: listed(restored) },
        ),
      );
    }
    if (failed.length > 0) {
      lines.push(
        t(
          "[not brought back] The command deleted or emptied these, and they could not be put back: {paths}. /undo can try again",
          { paths: listed(failed) },
        ),
      );
    }
    if (back.aside.length > 0) {
      lines.push(
        t("[kept beside] What stood in their place: {paths}", { paths: listed(back.aside) }),
      );
    }
  }
  if (lines.length === 0) return undefined;
  const note = lines.join("\n");
  const advice = restored.length > 0
    ? `\n${
      t("git could not bring them back. Do not try it in another form: rm asks the user, or ask")
    }`
    : "";
  return { text: note + advice, note, restored };
}

function questionOf(
  losses: readonly Loss[],
  command: string | undefined,
  workspace: string,
  t: T,
): Question {
  const hows = [...new Set(losses.map(({ how }) => how))].map((how) => t(HOWS[how]));
  const n = losses.length;
  const done = t(
    "This command {how} {n} {n:file|files} whose content neither git nor another file holds, and nobody agreed to it",
    { n, how: hows.join(t(" or ")) },
  );
  return {
    kind: "delete",
    question: t("{done}. Leave it so? (No brings {n:it|them} back)", { n, done }),
    done,
    ...command === undefined ? {} : { command },
    targets: losses.map(({ path }) => visible(under(workspace, path))),
  };
}
