/** `narnat -p`. */
import { headless } from "../headless/headless.ts";
import { ConfigError } from "../base/errors.ts";
import { mayBeSlash } from "../agent/lines/command_lines.ts";
import { assemble } from "../app/app.ts";
import type { Flags } from "../commands/flags.ts";
import type { AgentEnvironment } from "../app/environment.ts";
import type { Choices } from "../commands/environment.ts";
import { complain, listenForSignals, tellWarnings, writeAll } from "../base/host.ts";
import { plain } from "../base/control_characters.ts";
import { checkBudget, resume } from "./run_session.ts";
import { readStdin, stdinPieces } from "./stdin.ts";

/** Runs without a screen; returns the exit code. Throws ConfigError. */
export async function runHeadless(
  flags: Flags,
  choices: Choices,
  environment: AgentEnvironment,
  words: string,
): Promise<number> {
  const { t } = environment.config;
  const lines = flags.inputFormat === "stream-json";
  if (flags.allowDelete) {
    (await import("../shell/process/stop_tree.ts")).demandPerson("--allow-delete", t);
  }
  let prompt = words;
  let typed: string | undefined;
  if (!lines && !Deno.stdin.isTerminal()) {
    const piped = await readStdin(
      Deno.stdin,
      words === "",
      t,
      () =>
        complain(
          `narnat: ${
            t("stdin gave nothing for three seconds; only the words on the command line are used")
          }`,
        ),
    );
    typed = words;
    prompt = [words, piped.trimEnd()].filter((part) => part !== "").join("\n\n");
  }
  if (!lines && prompt.trim() === "") {
    throw new ConfigError(t("-p needs a prompt: on the command line or on stdin"));
  }
  tellWarnings(environment);
  await checkBudget(environment);
  let stop = () => {};
  const mayAnswer = async () =>
    lines && !(await import("../shell/process/stop_tree.ts")).insideJob();
  const consentPolicy = flags.allowDelete ? "allow_delete" : await mayAnswer() ? "ask" : "deny";
  const assembled = await assemble(environment, choices, {
    kind: "script",
    consentPolicy,
    commands: lines || mayBeSlash(typed ?? prompt),
    onExit: () => stop(),
  });
  const { agent } = assembled;
  for (const note of await resume(flags, environment, agent)) {
    complain(`narnat: ${note}`);
  }
  const leaving = new AbortController();
  const channel = headless({
    controller: agent.controller,
    prompt: prompt.trim() === "" ? undefined : prompt,
    ...(typed === undefined ? {} : { typed }),
    input: lines ? stdinPieces(t) : undefined,
    format: flags.outputFormat ?? "text",
    write: (text) => writeAll(Deno.stdout, text),
    complain,
    plain,
    watched: Deno.stderr.isTerminal(),
    verbose: flags.verbose === true,
    outfit: async () => ({
      ...await assembled.outfit(leaving.signal),
      ...await counted(flags, environment),
    }),
    usageByModel: () => assembled.usageByModel(),
    idle: agent.idle,
    now: () => performance.now(),
  });
  stop = () => void channel.stop();
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    const why = event.reason instanceof Error ? event.reason : new Error(String(event.reason));
    assembled.log.error("main", why.stack ?? why.message);
    complain(
      environment.secrets.redact(
        `narnat: ${
          t("internal error: {why} (see the log {log})", {
            why: why.message,
            log: assembled.log.path ?? "-",
          })
        }`,
      ),
    );
    Deno.exit(1);
  });
  let signalled = 0;
  listenForSignals((code) => {
    // A second signal does not wait for manners.
    if (signalled !== 0) Deno.exit(code);
    signalled = code;
    leaving.abort();
    agent.bus.send({ type: "stop", lane: "main", leaving: true });
    void channel.stop();
  });
  assembled.begin();
  const code = await channel.start(agent.bus);
  await assembled.close();
  return signalled || code;
}

/** How many rules and skills there are, where somebody wants to know. */
async function counted({ verbose }: Flags, { prompt }: AgentEnvironment) {
  if (!verbose) return { rules: 0, skills: 0 };
  const { promptParts } = await import("../context/mod.ts");
  const skills = await prompt.sources?.skills(prompt);
  const rules = promptParts(prompt, skills).find(({ name }) => name === "rules")?.files ?? [];
  return { rules: rules.length, skills: skills?.loadable.length ?? 0 };
}
