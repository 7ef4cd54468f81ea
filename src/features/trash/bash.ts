/** What Bash does so that a delete can be taken back. */
import { everyMatch } from "../../shell/policy/target_facts.ts";
import { isOutside, visible } from "../../shell/policy/targets.ts";
import type { T, Text } from "../../base/t.ts";
import type { Deletes, KeptDeletes, ToolContext } from "../../base/types.ts";
import { keepInTrash } from "../../files/trash/keep.ts";
import type { Lost, LostWhy, TrashRecord } from "../../files/trash/record.ts";
import { pruneTrash } from "../../files/trash/restore.ts";
import { whyOf } from "../../base/file_why.ts";
import { size } from "../../base/figures.ts";

/** Programs that empty no file before its name is taken away. */
const GENTLE = /^(?:rm|unlink|rmdir|find|git)$/;
/** Paths that one wildcard is followed to. */
const MAX_MATCHES = 50_000;
const SHOWN = 5;
const WHY: { readonly [why in LostWhy]: Text } = {
  device: "on another file system",
  kind: "neither file, folder nor link",
  many: "more than 50,000 entries",
  large: "too large",
  own: "the trash itself goes with it",
  mixed: "the command deletes in another way too",
  outside: "outside of the workspace",
  unknown: "what it names was not known before",
  failed: "the system did not let it",
};

/** Keeps what `rm` in a command is about to take away, as far as that can be; never rejects but on a stop. */
export async function keepDeleted(
  { unlinked, values }: Deletes,
  command: string,
  context: ToolContext,
): Promise<KeptDeletes | undefined> {
  const { trash, workspace, t, signal } = context;
  if (!trash) return undefined;
  const lost: Lost[] = [];
  const inside = new Set<string>();
  const gentle = (values.names ?? "").split(", ").every((name) => GENTLE.test(name));
  for (const target of unlinked) {
    const { paths, more } = everyMatch(target, MAX_MATCHES);
    if (!target.startsWith("/")) lost.push({ path: target, why: "unknown" });
    else if (!gentle) lost.push({ path: target, why: "mixed" });
    else if (more) lost.push({ path: target, why: "many" });
    else {
      for (const path of paths) {
        if (!isOutside(path, workspace)) inside.add(path);
        else if (isThere(path)) lost.push({ path, why: "outside" });
      }
    }
  }
  try {
    await pruneTrash(trash.dir, Date.now());
    const hidden = context.hide?.(command) ?? command;
    const mark = { session: trash.session, turn: trash.turn, command: hidden };
    const kept = await keepInTrash(trash.dir, [...inside], mark, signal);
    return {
      begun: () => told(kept?.record, lost, kept?.record.lost ?? [], t),
      async ended() {
        const gone = [...lost, ...kept?.record.lost ?? []]
          .filter(({ path, why }) => why === "own" || !isThere(path));
        try {
          return told(await kept?.settle(), gone, [], t);
        } catch {
          // it stays as it is, which may be more than was deleted
          return told(kept?.record, gone, [], t);
        }
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    const why = whyOf(t, error);
    const text = t("[trash] What was deleted could not be kept ({why}); it was deleted as asked", {
      why,
    });
    return { begun: () => text, ended: () => Promise.resolve(text) };
  }
}

function told(
  record: TrashRecord | undefined,
  lost: readonly Lost[],
  more: readonly Lost[],
  t: T,
): string | undefined {
  const lines: string[] = [];
  if (record) {
    const { id, files, bytes } = record;
    lines.push(
      t(
        "[trash] Restore with: narnat trash restore {id} ({files} {files:file|files}, {size}; /trash lists it)",
        { id, files, size: size(bytes) },
      ),
    );
  }
  const all = [...lost, ...more];
  if (all.length > 0) {
    const shown = all.slice(0, SHOWN)
      .map(({ path, why }) => `${visible(path)} (${t(WHY[why])})`);
    if (all.length > SHOWN) shown.push("…");
    lines.push(
      t("[trash] Not kept, and not to be brought back from it: {paths}", {
        paths: shown.join(t(", ")),
      }),
    );
  }
  return lines.length === 0 ? undefined : lines.join("\n");
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
