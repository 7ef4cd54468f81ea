/** `narnat undo`: takes back what turns did to files, outside of a session. */
import { limitsOf, NothingToDo } from "./types.ts";
import { openService, type Service } from "./service.ts";
import { askText, previewText, takeBack, turnTable } from "./answer.ts";
import type { RestorePreview } from "../../base/types.ts";
import { ConfigError } from "../../base/errors.ts";
import { gitPlaces } from "../../search/walk/git_settings.ts";
import type { T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import type { CommandHost } from "../../commands/environment.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import { complain, demand, env, put, translatorFor } from "../../base/host.ts";
import { readPlace } from "../../config/place.ts";

/** Lists the turns, or undoes the last one, or all up to the one named by its number in the list. */
export async function undo(
  flags: Flags,
  words: readonly string[],
  host: CommandHost,
): Promise<number> {
  const { cwd, settings } = choicesFrom(flags);
  const { config, workspace } = readPlace(cwd, settings, translatorFor(flags), true);
  const { t } = config;
  const dir = under(workspace, ".narnat", "checkpoints");
  const found = words.join(" ");
  const nothing = () =>
    new ConfigError(
      found !== "" && !isCount(found)
        ? t(
          "How many turns are to be undone? A number, not {found}; no turn here can be undone yet",
          { found },
        )
        : t(
          config.checkpoints === false
            ? "Nothing can be undone: checkpoints are off in the configuration (checkpoints: false)"
            : "No turn has changed files here yet",
        ),
    );
  try {
    if (!Deno.statSync(dir).isDirectory) throw nothing();
  } catch (error) {
    throw error instanceof Deno.errors.NotFound ? nothing() : error;
  }
  demand("write", dir);
  const limits = limitsOf(config);
  const print = (text: string) => put(text + "\n");
  let service: Service | undefined;
  try {
    service = openService({ dir, workspace, places: gitPlaces(env), limits });
    const turns = service.turns();
    if (flags.list) {
      print(turns.length === 0 ? nothing().message : turnTable(turns, t));
      return 0;
    }
    const [word] = words;
    const open = turns.filter(({ undone }) => !undone);
    const turn = open[Number(word) - 1];
    if (words.length > 1 || word !== undefined && (!turn || flags.redo)) {
      if (open.length === 0 && !isCount(found)) throw nothing();
      const which = { n: open.length, found };
      throw new ConfigError(
        t(
          open.length > 0
            ? "How many turns are to be undone? A number from 1 to {n}, not {found}"
            : "Nothing to undo: no turn has changed a file, or all of them are undone",
          which,
        ),
      );
    }
    const what = flags.redo ? "redo" : "undo";
    const { ok, text } = await takeBack(turn ? { what, to: turn.id } : { what }, {
      t,
      checkpoints: service,
      inShell: true,
      ask: (preview) => confirmed(preview, flags, t, host),
    });
    print(text);
    return ok ? 0 : 1;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (error instanceof NothingDone) {
      complain(`narnat: ${error.message}`);
      return 1;
    }
    if (error instanceof NothingToDo && error.why === "undo" && config.checkpoints === false) {
      throw nothing();
    }
    throw new ConfigError(
      error instanceof NothingToDo
        ? error.told(t)
        : t("Cannot undo: {why}", { why: (error as Error).message }),
    );
  } finally {
    service?.close();
  }
}

/** Prints the preview and asks; undefined after a No, and where nothing would be done. */
async function confirmed(
  preview: RestorePreview,
  flags: Flags,
  t: T,
  host: CommandHost,
): Promise<readonly string[] | undefined> {
  put(`${askText(preview, t)}\n${previewText(preview, t, undefined, flags.overwrite)}\n`);
  const { conflicts, fixed, rows } = preview;
  const overwrite = flags.overwrite ? conflicts.map(({ path }) => path) : [];
  const left = conflicts.length - overwrite.length;
  if (rows.length + overwrite.length === 0 && left + fixed.length > 0) {
    throw new NothingDone(
      t(
        left > 0
          ? "Nothing was undone: all of it was changed by others since. --overwrite changes it back all the same (what it holds is kept first, and can be brought back)"
          : "Nothing was undone: the files are too large to be kept first",
      ),
    );
  }
  const unasked =
    "There is no terminal to ask at: run it again with --yes if this is what you want";
  return flags.yes || await host.confirm(t, unasked) ? overwrite : undefined;
}

/** Everything stands in the way; the message is for the user. */
class NothingDone extends Error {}

const isCount = (text: string) => /^[1-9]\d*$/.test(text);
