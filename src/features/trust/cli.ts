/** `narnat trust`: what a project wants to start, and whether the user lets it. */
import { ConfigError } from "../../base/config_error.ts";
import { langFrom, say } from "../../base/text.ts";
import type { Lang } from "../../base/types.ts";
import { whyOf } from "../../base/file_why.ts";
import { untrust } from "./store.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import type { CommandHost, Environment, TrustRequest } from "../../commands/environment.ts";
import { complain, demand, env, put, tellWarnings } from "../../base/host.ts";
import { insideJob } from "../../shell/process/inside_job.ts";
import { projectRequests, requestRows, trustRequests } from "./requests.ts";
import { untrustedRequests } from "./mod.ts";

/** Lists it, trusts all of it, or takes the trust back; 1 when that cannot be kept. */
export async function trustCommand(
  flags: Flags,
  words: readonly string[],
  host: CommandHost,
): Promise<number> {
  // what is not trusted is listed below
  const choices = { ...choicesFrom(flags), refused: true };
  const ground = await host.open(choices, flags.lang ?? langFrom(env), "no model");
  tellWarnings(ground);
  ground.secrets.refresh();
  const { config: { lang }, workspace, prompt: { userDir } } = ground;
  const [verb = "list", ...more] = words;
  try {
    if (!["list", "add", "remove"].includes(verb) || more.length > 0) {
      throw new ConfigError(say(lang, "trust.usage"));
    }
    // a model may have started it
    if (verb === "add" && insideJob()) {
      throw new ConfigError(say(lang, "trust.inside"));
    }
    const wants = await projectRequests(ground);
    if (verb === "list") {
      list(ground, wants, lang);
      return 0;
    }
    if (userDir === undefined) throw new ConfigError(say(lang, "trust.no_home"));
    demand("write", userDir);
    if (verb === "add") {
      await trustRequests(ground, wants);
      list(ground, wants, lang);
    } else {
      const gone = await untrust(userDir, workspace);
      const key = gone.length === 0 ? "trust.none" : "trust.removed";
      print(say(lang, key, { path: workspace, names: gone.join(", ") }));
    }
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    complain(`narnat: ${say(lang, "trust.not_written", { why: whyOf(lang, error) })}`);
    return 1;
  } finally {
    await ground.close();
  }
}

const print = (text: string) => put(text + "\n");

function list(ground: Environment, wants: readonly TrustRequest[], lang: Lang): void {
  if (wants.length === 0) print(say(lang, "trust.nothing", { path: ground.workspace }));
  const open = untrustedRequests(ground, wants);
  for (const want of wants) {
    print(`${want.what}: ${say(lang, open.includes(want) ? "trust.no" : "trust.yes")}`);
    const [head, ...rows] = requestRows(ground, [want], true);
    if (head !== `${want.what}:`) print(`  ${say(lang, "trust.changed")}`);
    for (const row of rows) print(row);
  }
  if (open.length > 0) print(say(lang, "trust.how"));
}
