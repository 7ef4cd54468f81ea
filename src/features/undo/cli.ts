/** `narnat undo`: takes back what turns did to files, outside of a session. */
import { limitsOf } from "./limits.ts";
import { NothingToDo } from "./restore/restore_error.ts";
import { openService, type Service } from "./service.ts";
import { askText, outcomeText, previewText, turnTable } from "./text.ts";
import { ConfigError } from "../../base/config_error.ts";
import { gitPlaces } from "../../search/walk/git_settings.ts";
import { langFrom, say } from "../../base/text.ts";
import { under } from "../../base/under.ts";
import type { CommandHost } from "../../commands/environment.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import { complain, demand, env, put } from "../../base/host.ts";
import { readPlace } from "../../config/place.ts";

/** Lists the turns, or undoes the last one, or all up to the one named by its number in the list. */
export async function undo(
  flags: Flags,
  words: readonly string[],
  host: CommandHost,
): Promise<number> {
  const { cwd, settings } = choicesFrom(flags);
  const asked = flags.lang ?? langFrom(env);
  const { config, workspace } = readPlace(cwd, settings, asked, true);
  const { lang } = config;
  const dir = under(workspace, ".narnat", "checkpoints");
  const found = words.join(" ");
  const nothing = () =>
    new ConfigError(
      found !== "" && !isCount(found)
        ? say(lang, "undo.no_number", { found })
        : say(lang, config.checkpoints === false ? "undo.none_off" : "undo.none_listed"),
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
      print(turns.length === 0 ? nothing().message : turnTable(turns, lang));
      return 0;
    }
    const [word] = words;
    const open = turns.filter(({ undone }) => !undone);
    const turn = open[Number(word) - 1];
    if (words.length > 1 || word !== undefined && (!turn || flags.redo)) {
      if (open.length === 0 && !isCount(found)) throw nothing();
      const which = { n: open.length, found };
      throw new ConfigError(say(lang, open.length > 0 ? "undo.which" : "undo.no_undo", which));
    }
    const what = flags.redo ? "redo" : "undo";
    const preview = service.preview(turn ? { what, to: turn.id } : { what });
    print(askText(preview, lang));
    print(previewText(preview, lang, undefined, flags.overwrite));
    const { conflicts, fixed, rows } = preview;
    const overwrite = flags.overwrite ? conflicts.map(({ path }) => path) : [];
    const left = conflicts.length - overwrite.length;
    if (rows.length + overwrite.length === 0 && left + fixed.length > 0) {
      complain(`narnat: ${say(lang, left > 0 ? "undo.in_the_way" : "undo.all_fixed")}`);
      return 1;
    }
    if (!flags.yes && !await host.confirm(lang, "undo.unasked")) return 1;
    const outcome = service.restore(preview.id, overwrite);
    print(outcomeText(preview, outcome, lang, true));
    return outcome.failed.length === 0 ? 0 : 1;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (error instanceof NothingToDo && error.why === "undo" && config.checkpoints === false) {
      throw nothing();
    }
    throw new ConfigError(
      error instanceof NothingToDo
        ? say(lang, `undo.no_${error.why}`)
        : say(lang, "undo.failed", { why: (error as Error).message }),
    );
  } finally {
    service?.close();
  }
}

const isCount = (text: string) => /^[1-9]\d*$/.test(text);
