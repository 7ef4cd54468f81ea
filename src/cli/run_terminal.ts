/** `narnat [prompt]`. */
import type { FirstFrame, TerminalOptions } from "../terminal/panels/options.ts";
import { under } from "../base/path.ts";
import { assemble } from "../app/app.ts";
import { type Flags, VERSION } from "../commands/flags.ts";
import type { Ground } from "../app/environment.ts";
import type { Choices } from "../commands/environment.ts";
import { complain, env, granted, userDir } from "../base/host.ts";
import { demandPerson, insideJob } from "../shell/process/stop_tree.ts";
import { checkBudget, resume } from "./run_session.ts";

/** Runs on the screen; returns the exit code. Throws ConfigError. */
export async function runTerminal(
  flags: Flags,
  choices: Choices,
  ground: Ground,
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
  for (const warning of ground.warnings) tell(`narnat: ${warning}`);
  await checkBudget(ground);
  const { t } = ground.config;
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
  const answering = person ? "ask" : flags.allowDelete ? "allow_delete" : "deny";
  const assembled = await assemble(ground, choices, {
    kind: "terminal",
    answering,
    commands: true,
    onExit: () => leave.abort(),
    tell,
  });
  const { agent } = assembled;
  for (const note of await resume(flags, ground, agent)) tell(`narnat: ${note}`);
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
    desk: agent.desk,
    commands: assembled.commands,
    t: ground.config.t,
    theme: ground.config.theme,
    notify: ground.config.notify,
    model: ground.config.model,
    workspace: ground.workspace,
    version: VERSION,
    env,
    ...flags.plain && { plain: true },
    ...firstFrame && { firstFrame },
    ...historyOf(choices, ground),
    hide: ground.secrets.hide,
    childEnv: ground.childEnv,
    searcher: ground.searcher,
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
  { secrets }: Ground,
): Pick<TerminalOptions, "history"> {
  const dir = userDir();
  if (dir === undefined) return {};
  const path = under(dir, "history.jsonl");
  const mask = (text: string) => {
    // the first line comes before the first turn
    secrets.refresh();
    return secrets.mask(text);
  };
  const write = session && granted({ name: "write", path: dir });
  return { history: { path, write, mask } };
}
