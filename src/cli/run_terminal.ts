/** `narnat [prompt]`. */
import type { FirstFrame, TerminalOptions } from "../terminal/panels/options.ts";
import { under } from "../base/path.ts";
import { assemble } from "../app/app.ts";
import { type Flags, VERSION } from "../commands/flags.ts";
import type { AgentEnvironment } from "../app/environment.ts";
import type { Choices } from "../commands/environment.ts";
import { complain, env, granted, userDir } from "../base/host.ts";
import { demandPerson, insideJob } from "../shell/process/stop_tree.ts";
import { checkBudget, resume } from "./run_session.ts";

/** Runs on the screen; returns the exit code. Throws ConfigError. */
export async function runTerminal(
  flags: Flags,
  choices: Choices,
  environment: AgentEnvironment,
  prompt: string,
  firstFrame: FirstFrame | undefined,
): Promise<number> {
  const late: string[] = [];
  let drawn = false;
  // A line on stderr would tear the screen.
  const tell = (text: string) => {
    if (drawn) return void late.push(text);
    firstFrame?.end();
    complain(text);
  };
  for (const warning of environment.warnings) tell(`narnat: ${warning}`);
  await checkBudget(environment);
  const { t } = environment.config;
  if (flags.allowDelete) demandPerson("--allow-delete", t);
  const inside = insideJob();
  if (inside) {
    tell(
      `narnat: ${
        t("a command that narnat has started has started this narnat: whatever it asks is answered No; to answer yourself start it in a terminal of your own")
      }`,
    );
  }
  const { startTerminal } = await import("../terminal/device/terminal.ts");
  const leave = new AbortController();
  // Piped text was written before any question: nobody is there to answer one.
  const person = Deno.stdin.isTerminal() && !inside;
  const consentPolicy = person ? "ask" : flags.allowDelete ? "allow_delete" : "deny";
  const assembled = await assemble(environment, choices, {
    kind: "terminal",
    consentPolicy,
    commands: true,
    onExit: () => leave.abort(),
    tell,
  });
  const { agent } = assembled;
  for (const note of await resume(flags, environment, agent)) tell(`narnat: ${note}`);
  drawn = true;
  let dreaming: ReturnType<typeof setTimeout> | undefined;
  // opening a folder sends nothing: its history may be anybody's
  const first = agent.bus.subscribe((event) => {
    if (event.type !== "turn_start") return;
    first();
    dreaming = assembled.dreamWhenDue();
  }, "main");
  let beginning: ReturnType<typeof setTimeout> | undefined;
  const code = await startTerminal({
    bus: agent.bus,
    controller: agent.controller,
    commands: assembled.commands,
    t: environment.config.t,
    theme: environment.config.theme,
    notify: environment.config.notify,
    model: environment.config.model,
    workspace: environment.workspace,
    version: VERSION,
    env,
    ...flags.plain && { plain: true },
    ...firstFrame && { firstFrame },
    ...historyOf(choices, environment),
    redact: environment.secrets.redact,
    childEnv: environment.childEnv,
    searcher: environment.searcher,
    ended: leave.signal,
    begun: () => void (beginning = setTimeout(() => assembled.begin(), BEGIN_AFTER_MS)),
    ...(prompt.trim() === "" ? {} : { firstPrompt: prompt }),
  });
  clearTimeout(dreaming);
  clearTimeout(beginning);
  // what is dropped with the session is told where the screen was
  agent.bus.subscribe((event) => {
    if (event.type === "notice" && event.turn === 0) tell(`narnat: ${event.text}`);
  }, "main");
  await assembled.close();
  for (const text of late) complain(text);
  return code;
}

/** The first keys come before the programs that are started then. */
const BEGIN_AFTER_MS = 200;

/** The user's own history; without a session nothing is written to it, and never a key. */
function historyOf(
  { session }: Choices,
  { secrets }: AgentEnvironment,
): Pick<TerminalOptions, "history"> {
  const dir = userDir();
  if (dir === undefined) return {};
  const path = under(dir, "history.jsonl");
  const redactAlways = (text: string) => {
    // the first line comes before the first turn
    secrets.refresh();
    return secrets.redactAlways(text);
  };
  const write = session && granted({ name: "write", path: dir });
  return { history: { path, write, redactAlways } };
}
