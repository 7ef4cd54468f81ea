/** `narnat trust`: what a project wants to start, and whether the user lets it. */
import { ConfigError } from "../../base/errors.ts";
import type { T } from "../../base/t.ts";
import { whyOf } from "../../base/file_why.ts";
import { projectRequests, requestRows, trustRequests, untrust } from "./requests.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import type { CommandHost, Environment, TrustRequest } from "../../commands/environment.ts";
import { complain, demand, put, tellWarnings, translatorFor } from "../../base/host.ts";
import { insideJob } from "../../shell/process/stop_tree.ts";
import { untrustedRequests } from "./mod.ts";

/** Lists it, trusts all of it, or takes the trust back; 1 when that cannot be kept. */
export async function trustCommand(
  flags: Flags,
  words: readonly string[],
  host: CommandHost,
): Promise<number> {
  // what is not trusted is listed below
  const choices = { ...choicesFrom(flags), refused: true };
  const environment = await host.open(choices, translatorFor(flags), "no model");
  tellWarnings(environment);
  environment.secrets.refresh();
  const { config: { t }, workspace, prompt: { userDir } } = environment;
  const [verb = "list", ...more] = words;
  try {
    if (!["list", "add", "remove"].includes(verb) || more.length > 0) {
      throw new ConfigError(t("Usage: narnat trust [list | add | remove]"));
    }
    // a model may have started it
    if (verb === "add" && insideJob()) {
      throw new ConfigError(
        t("narnat trust add is for you to run, and this is a command that narnat has started; run it in a terminal of your own, or use /trust in the session"),
      );
    }
    const wants = await projectRequests(environment);
    if (verb === "list") {
      list(environment, wants, t);
      return 0;
    }
    if (userDir === undefined) {
      throw new ConfigError(
        t("There is no home directory to keep the trust in; set HOME and try again"),
      );
    }
    demand("write", userDir);
    if (verb === "add") {
      await trustRequests(environment, wants);
      list(environment, wants, t);
    } else {
      const gone = await untrust(userDir, workspace);
      const text = gone.length === 0
        ? "Nothing in {path} was trusted"
        : "The trust in {path} is taken back: {names}";
      print(t(text, { path: workspace, names: gone.join(", ") }));
    }
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    complain(`narnat: ${t("Cannot write trust.json: {why}", { why: whyOf(t, error) })}`);
    return 1;
  } finally {
    await environment.close();
  }
}

const print = (text: string) => put(text + "\n");

function list(environment: Environment, wants: readonly TrustRequest[], t: T): void {
  if (wants.length === 0) {
    print(t("Nothing in {path} needs trust", { path: environment.workspace }));
  }
  const open = untrustedRequests(environment, wants);
  for (const want of wants) {
    print(`${want.what}: ${t(open.includes(want) ? "not trusted, not used" : "trusted")}`);
    const [head, ...rows] = requestRows(environment, [want], true);
    if (head !== `${want.what}:`) print(`  ${t("(changed since you trusted it)")}`);
    for (const row of rows) print(row);
  }
  if (open.length > 0) print(t("narnat trust add trusts all of it, until it changes"));
}
