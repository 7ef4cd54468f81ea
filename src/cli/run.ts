/** `narnat [prompt]` and `narnat -p`. */
import { ConfigError } from "../base/errors.ts";
import { type FirstFrame, SIGNAL_CODES } from "../terminal/panels/options.ts";
import { isTerminalGone } from "../terminal/device/tty.ts";
import { notConfigured, openEnvironment } from "../app/environment.ts";
import { choicesFrom, type Flags } from "../commands/flags.ts";
import { complain, env, translatorFor, writeAll } from "../base/host.ts";
import { wantsModel } from "../config/place.ts";

/** Runs a session, on the screen from `firstFrame` on; returns the exit code. Throws ConfigError. */
export async function start(
  flags: Flags,
  words: string[],
  firstFrame: FirstFrame | undefined,
): Promise<number> {
  if (!flags.print && isTerminalGone()) return SIGNAL_CODES.SIGHUP;
  // what comes through a pipe is text for the model; its lines are run only where --plain says so
  const print = flags.print || !flags.plain && !Deno.stdin.isTerminal();
  try {
    return await run({ ...flags, print }, words, firstFrame);
  } catch (error) {
    const { outputFormat = "text" } = flags;
    if (error instanceof ConfigError && print && outputFormat !== "text") {
      const { notBegun } = await import("../headless/output.ts");
      try {
        writeAll(Deno.stdout, JSON.stringify(notBegun(error.message)) + "\n");
      } catch { /* stderr says it too */ }
    }
    throw error;
  }
}

async function run(
  flags: Flags,
  words: string[],
  firstFrame: FirstFrame | undefined,
): Promise<number> {
  const t = translatorFor(flags);
  let choices = choicesFrom(flags);
  const prompt = words.join(" ");
  if (!flags.print && flags.inputFormat !== undefined) {
    throw new ConfigError(t("--input-format goes with -p"));
  }
  if (flags.resume === "") {
    const { pickSession } = await import("./before_session.ts");
    const id = await pickSession(flags, t);
    if (id === undefined) return 0;
    flags = { ...flags, resume: id || undefined };
  }
  // where there is a first frame nothing has been left out
  const mayAsk = !flags.print && !firstFrame && Deno.stdin.isTerminal();
  if (mayAsk && wantsModel(choices, t)) {
    const { trustFirst } = await import("./before_session.ts");
    choices = { ...choices, refused: !await trustFirst(choices, t) };
  }
  let environment = openEnvironment(choices, t);
  const screen = !flags.print && !flags.plain &&
    (await import("../terminal/device/terminal.ts")).isScreen(env);
  const { userFile } = environment;
  if (!environment.configured && !(screen && userFile)) {
    throw new ConfigError(notConfigured(environment));
  }
  if (flags.print) {
    const { runHeadless } = await import("./run_headless.ts");
    return await runHeadless(flags, choices, environment, prompt);
  }
  if (!environment.configured) {
    const { firstRun } = await import("./setup.ts");
    const outcome = await firstRun(environment);
    if (outcome === "quit") {
      complain(
        `narnat: ${
          environment.config.t(
            "Nothing is set up yet. narnat --model demo tries it offline; narnat alone asks again, or write {path}",
            { path: userFile! },
          )
        }`,
      );
      return 0;
    }
    if (outcome === "demo") {
      choices = { ...choices, settings: { ...choices.settings, model: "demo" } };
    }
    environment = openEnvironment(choices, t);
  }
  const { runTerminal } = await import("./run_terminal.ts");
  return await runTerminal(flags, choices, environment, prompt, firstFrame);
}
