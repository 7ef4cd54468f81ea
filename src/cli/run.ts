/** `narnat [prompt]` and `narnat -p`. */
import { choicesFrom, type Flags, VERSION } from "./flags.ts";
import { ConfigError } from "../config.ts";
import { langFrom, say } from "../text.ts";
import { assemble, type Choices, type Ground, layGround } from "./assemble.ts";
import { complain, env, listenForSignals, writeAll } from "./host.ts";
import { readStdin } from "./stdin.ts";

/** Runs a session; returns the exit code. Throws ConfigError. */
export async function start(flags: Flags, words: string[]): Promise<number> {
  const lang = flags.lang ?? langFrom(env);
  const choices = choicesFrom(flags);
  const prompt = words.join(" ");
  if (!flags.print && flags.inputFormat !== undefined) {
    throw new ConfigError(say(lang, "cli.wants_stream_json"));
  }
  let ground = layGround(choices, lang);
  if (flags.print) return await runHeadless(flags, choices, ground, prompt);
  if (!ground.configured && (await import("../ui/terminal.ts")).isScreen(env)) {
    const { firstRun } = await import("./setup.ts");
    const outcome = await firstRun(ground);
    if (outcome === "quit") return 0;
    if (outcome === "saved") ground = layGround(choices, lang);
  }
  return await runTerminal(flags, choices, ground, prompt);
}

function warn(ground: Ground): void {
  for (const warning of ground.warnings) complain(`narnat: ${warning}`);
  if (!ground.configured) complain(`narnat: ${say(ground.config.lang, "cli.demo_used")}`);
}

async function checkBudget(ground: Ground): Promise<void> {
  const { config } = ground;
  if (config.maxCost === undefined || config.model === "demo") return;
  const { priceOf } = await import("../model/price.ts");
  if (priceOf(config.model, config.prices, config.baseUrl, new Date()) === null) {
    throw new ConfigError(say(config.lang, "cli.price_unknown", { model: config.model }));
  }
}

/** Opens the session the flags name; complaints go to `tell`. */
async function resume(
  flags: Flags,
  ground: Ground,
  agent: Awaited<ReturnType<typeof assemble>>["agent"],
): Promise<string[]> {
  const { lang } = ground.config;
  const notes: string[] = [];
  const open = (id: string) => {
    let bad: number;
    try {
      bad = agent.resume(id);
    } catch (error) {
      throw new ConfigError((error as Error).message);
    }
    if (bad > 0) notes.push(say(lang, "cli.bad_lines", { n: bad }));
  };
  if (flags.resume !== undefined) open(flags.resume);
  else if (flags.continue) {
    const [newest] = await agent.desk.list();
    if (newest) open(newest.id);
    else notes.push(say(lang, "cli.no_session_to_continue"));
  }
  return notes;
}

async function runHeadless(
  flags: Flags,
  choices: Choices,
  ground: Ground,
  words: string,
): Promise<number> {
  const { lang } = ground.config;
  const lines = flags.inputFormat === "stream-json";
  let prompt = words;
  if (!lines && !Deno.stdin.isTerminal()) {
    const piped = await readStdin(
      Deno.stdin.readable,
      words === "",
      lang,
      () => complain(`narnat: ${say(lang, "cli.stdin_silent")}`),
    );
    prompt = [words, piped.trimEnd()].filter((part) => part !== "").join("\n\n");
  }
  if (!lines && prompt.trim() === "") throw new ConfigError(say(lang, "cli.need_prompt"));
  warn(ground);
  await checkBudget(ground);
  const { headless } = await import("../channels/headless.ts");
  let stop = () => {};
  const answering = flags.allowDelete ? "allow_delete" : lines ? "ask" : "deny";
  const assembled = await assemble(
    ground,
    choices,
    answering,
    () => stop(),
  );
  const { agent } = assembled;
  for (const note of await resume(flags, ground, agent)) {
    complain(`narnat: ${note}`);
  }
  const channel = headless({
    desk: agent.desk,
    answering,
    prompt: prompt.trim() === "" ? undefined : prompt,
    input: lines ? Deno.stdin.readable : undefined,
    format: flags.outputFormat ?? "text",
    write: (text) => writeAll(Deno.stdout, text),
    complain,
    watched: Deno.stderr.isTerminal(),
    idle: agent.idle,
    now: () => performance.now(),
  });
  stop = () => void channel.stop();
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    const why = event.reason instanceof Error ? event.reason : new Error(String(event.reason));
    assembled.log.error("main", why.stack ?? why.message);
    complain(
      `narnat: ${say(lang, "turn.bug", { why: why.message, log: assembled.log.path ?? "-" })}`,
    );
    Deno.exit(1);
  });
  let signalled = 0;
  listenForSignals((code) => {
    // A second signal does not wait for manners.
    if (signalled !== 0) Deno.exit(code);
    signalled = code;
    agent.bus.send({ type: "stop", session: "main" });
    if (lines) void channel.stop();
  });
  const code = await channel.start(agent.bus);
  await assembled.close();
  return signalled || code;
}

async function runTerminal(
  flags: Flags,
  choices: Choices,
  ground: Ground,
  prompt: string,
): Promise<number> {
  warn(ground);
  await checkBudget(ground);
  const [{ startTerminal }, { commands }] = await Promise.all([
    import("../ui/terminal.ts"),
    import("../commands/mod.ts"),
  ]);
  const leave = new AbortController();
  const late: string[] = [];
  let drawn = false;
  const assembled = await assemble(
    ground,
    choices,
    "ask",
    () => leave.abort(),
    // A line on stderr would tear the screen.
    (text) => drawn ? void late.push(text) : complain(text),
  );
  const { agent } = assembled;
  for (const note of await resume(flags, ground, agent)) {
    complain(`narnat: ${note}`);
  }
  drawn = true;
  const code = await startTerminal({
    bus: agent.bus,
    desk: agent.desk,
    commands,
    lang: ground.config.lang,
    model: ground.config.model,
    workspace: ground.workspace,
    version: VERSION,
    env,
    ended: leave.signal,
    ...(prompt.trim() === "" ? {} : { firstPrompt: prompt }),
  });
  await assembled.close();
  for (const text of late) complain(text);
  return code;
}
