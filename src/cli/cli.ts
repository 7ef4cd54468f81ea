/** The command line: flags, subcommands, help. What they do is loaded when it is needed. */
import {
  type Application,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Command,
  type CommandBuilderArguments,
  proposeCompletions,
  run,
} from "@stricli/core";
import { ConfigError } from "../base/config_error.ts";
import type { CommandHost } from "../commands/environment.ts";
import { nearest } from "../base/nearest.ts";
import { langFrom, say, type TextKey } from "../base/text.ts";
import type { Lang } from "../base/types.ts";
import { askedLang, complain, env, put, writeAll } from "../base/host.ts";
import { aligned, textFor } from "./stricli_text.ts";
import { plain } from "../base/control_characters.ts";
import { type FirstFrame, SIGNAL_CODES } from "../terminal/panels/options.ts";
import { isTerminalGone } from "../terminal/device/terminal_gone.ts";
import { type Flags, VERSION } from "../commands/flags.ts";

/** Loaded when a command asks for it. */
const HOST: CommandHost = {
  open: async (...choices) => (await import("../app/environment.ts")).layGround(...choices),
  confirm: async (...question) => (await import("./confirm.ts")).confirmed(...question),
  async printer(options) {
    const { sessionPrinter } = await import("../terminal/replay_view.ts");
    return await sessionPrinter({ ...options, env, write: put });
  },
  laneParts: async (options) => (await import("../app/features.ts")).lonelyLaneParts(options),
};

interface Context {
  readonly process: {
    stdout: { write(text: string): void };
    stderr: { write(text: string): void };
    exitCode?: number | string | null;
  };
}

function application(lang: Lang, firstFrame: FirstFrame | undefined) {
  const t = (key: TextKey) => say(lang, key);
  const text = (input: string) => input;
  const words = (key: TextKey, placeholder: string) =>
    ({ kind: "parsed", parse: text, brief: t(key), placeholder, optional: true }) as const;
  const many = (key: TextKey, placeholder: string) =>
    ({ ...words(key, placeholder), variadic: true }) as const;
  const number = (key: TextKey, whole: boolean, least: number) =>
    ({
      kind: "parsed",
      parse: (input: string) => {
        const value = Number(input);
        if (input.trim() === "" || !(value >= least) || (whole && !Number.isInteger(value))) {
          throw new SyntaxError(say(lang, whole ? "cli.want_whole" : "cli.want_number", { least }));
        }
        return value;
      },
      brief: t(key),
      placeholder: "N",
      optional: true,
    }) as const;
  const choice = <T extends string>(key: TextKey, values: readonly T[]) =>
    ({ kind: "enum", values, brief: t(key), optional: true }) as const;
  const yes = (key: TextKey) =>
    ({ kind: "boolean", brief: t(key), optional: true, withNegated: false }) as const;

  const where = { cwd: words("flag.cwd", "DIR"), lang: choice("flag.lang", ["zh", "en"]) };
  const modelFlags = {
    model: words("flag.model", "NAME"),
    baseUrl: words("flag.base_url", "URL"),
    api: choice("flag.api", ["auto", "openai", "anthropic"]),
  };
  const toolFlags = {
    tools: words("flag.tools", "A,B"),
    permission: choice("flag.permission", ["open", "guarded", "ask"]),
    allowDelete: yes("flag.allow_delete"),
    workspaceOnly: yes("flag.workspace_only"),
  };
  const list = (brief: TextKey, placeholder: string) =>
    ({ kind: "array", parameter: { brief: t(brief), parse: text, placeholder } }) as const;

  type Work = (flags: Flags, words: string[], host: CommandHost) => Promise<number>;
  const command = (
    brief: TextKey,
    flags: Readonly<Record<string, unknown>>,
    positional: { text: TextKey; placeholder: string } | undefined,
    load: () => Promise<Work>,
  ): Command<Context> => {
    const aliases = Object.entries(ALIASES).filter(([, flag]) => flag in flags);
    const built = {
      docs: { brief: t(brief) },
      parameters: {
        flags,
        aliases: Object.fromEntries(aliases),
        positional: positional
          ? list(positional.text, positional.placeholder)
          : { kind: "tuple", parameters: [] },
      },
      async func(this: Context, given: Flags, ...rest: string[]) {
        this.process.exitCode = await guarded(
          async () => (await load())(given, rest, HOST),
          firstFrame,
        );
      },
    };
    // Which flags a command has is data here, so its static type cannot be told to stricli.
    return buildCommand(built as unknown as CommandBuilderArguments<Flags, string[], Context>);
  };

  const jsonl = { jsonl: yes("flag.jsonl") };
  const runFlags = {
    print: yes("flag.print"),
    plain: yes("flag.plain"),
    ...modelFlags,
    ...where,
    continue: yes("flag.continue"),
    resume: { ...words("flag.resume", "ID"), inferEmpty: true },
    inputFormat: choice("flag.input_format", ["text", "stream-json"]),
    outputFormat: choice("flag.output_format", ["text", "json", "stream-json"]),
    ...toolFlags,
    plan: yes("flag.plan"),
    maxIterations: number("flag.max_iterations", true, 1),
    maxCost: number("flag.max_cost", false, 0),
    maxTotalTokens: number("flag.max_total_tokens", true, 1),
    appendSystemPrompt: words("flag.append_system_prompt", "TEXT"),
    verbose: yes("flag.verbose"),
    session: { kind: "boolean", brief: t("flag.session"), default: true },
  };
  const commands: { readonly [name: string]: () => Command<Context> } = {
    run: () =>
      command(
        "cli.run",
        runFlags,
        { text: "cli.prompt_words", placeholder: "prompt" },
        async () => {
          const { start } = await import("./run.ts");
          return (flags, words) => start(flags, words, firstFrame);
        },
      ),
    init: () => command("cli.init", where, undefined, async () => (await import("./init.ts")).init),
    doctor: () =>
      command(
        "cli.doctor",
        { ...where, ...modelFlags, workspaceOnly: toolFlags.workspaceOnly },
        undefined,
        async () => (await import("../app/doctor.ts")).doctor,
      ),
    prompt: () =>
      command(
        "cli.prompt",
        {
          ...where,
          ...modelFlags,
          tools: toolFlags.tools,
          workspaceOnly: toolFlags.workspaceOnly,
          outputFormat: choice("flag.output_format", ["text", "json"]),
        },
        undefined,
        async () => (await import("./prompt.ts")).prompt,
      ),
    tool: () =>
      command(
        "cli.tool",
        { ...where, ...toolFlags, ...jsonl },
        { text: "cli.tool_words", placeholder: "Name json" },
        async () => (await import("./tool.ts")).tool,
      ),
    "check-command": () =>
      command(
        "cli.check_command",
        { ...where, permission: toolFlags.permission, ...jsonl },
        { text: "cli.check_words", placeholder: "command" },
        async () => (await import("./check_command.ts")).checkCommands,
      ),
    sessions: () =>
      command(
        "cli.sessions",
        {
          ...where,
          redacted: yes("flag.redacted"),
          output: words("flag.output", "FILE"),
          jsonl: yes("flag.sessions_jsonl"),
        },
        { text: "cli.sessions_words", placeholder: "list|show|search|export|delete" },
        async () => (await import("../features/sessions/cli.ts")).sessions,
      ),
    replay: () =>
      command(
        "cli.replay",
        {
          ...where,
          speed: number("flag.speed", false, 0.01),
          rerun: yes("flag.rerun"),
          yes: yes("flag.rerun_yes"),
        },
        { text: "cli.replay_words", placeholder: "session" },
        async () => (await import("../features/replay/mod.ts")).replay,
      ),
    skills: () =>
      command(
        "cli.skills",
        { ...where, name: words("flag.skill_name", "NAME") },
        { text: "cli.skills_words", placeholder: "list|show|add|update|remove" },
        async () => (await import("../features/skills/cli.ts")).skills,
      ),
    agents: () =>
      command(
        "cli.agents",
        where,
        { text: "cli.agents_words", placeholder: "list|show" },
        async () => (await import("./agent_kinds.ts")).agents,
      ),
    mcp: () =>
      command(
        "cli.mcp",
        {
          ...where,
          url: words("flag.mcp_url", "URL"),
          header: many("flag.mcp_header", "NAME:VALUE"),
          env: many("flag.mcp_env", "NAME=VALUE"),
          user: yes("flag.mcp_user"),
          project: yes("flag.mcp_project"),
          // as other agents spell them
          scope: choice("flag.mcp_scope", ["user", "project", "local"]),
          transport: choice("flag.mcp_transport", ["stdio", "http", "sse"]),
        },
        {
          text: "cli.mcp_words",
          placeholder: "list|get|test|add|remove|enable|disable|accept|login|logout",
        },
        async () => (await import("../features/mcp/cli/cli.ts")).mcp,
      ),
    trash: () =>
      command(
        "cli.trash",
        { ...where, yes: yes("flag.trash_yes") },
        { text: "cli.trash_words", placeholder: "words" },
        async () => (await import("../features/trash/cli.ts")).trash,
      ),
    undo: () =>
      command(
        "cli.undo",
        {
          ...where,
          list: yes("flag.undo_list"),
          redo: yes("flag.undo_redo"),
          yes: yes("flag.undo_yes"),
          overwrite: yes("flag.undo_overwrite"),
        },
        { text: "cli.undo_words", placeholder: "N" },
        async () => (await import("../features/undo/cli.ts")).undo,
      ),
    trust: () =>
      command(
        "cli.trust",
        where,
        { text: "cli.trust_words", placeholder: "list|add|remove" },
        async () => (await import("../features/trust/cli.ts")).trustCommand,
      ),
    completions: () =>
      command(
        "cli.completions",
        { lang: where.lang },
        { text: "cli.completions_words", placeholder: "bash|zsh|fish" },
        async () => (await import("./completions.ts")).completions,
      ),
  };
  const rootOf = (names: readonly string[]) =>
    buildRouteMap({
      routes: Object.fromEntries(names.map((name) => [name, commands[name]!()])),
      ...(names.includes("run") && { defaultCommand: "run" }),
      docs: { brief: t("cli.brief"), ...(names.includes("run") && { hideRoute: { run: true } }) },
    });
  const names = Object.keys(commands).filter((name) => name !== "run");
  return {
    names,
    valueFlags: Object.entries(runFlags).filter(([, flag]) => flag.kind !== "boolean")
      .map(([name]) => name),
    /** To build all commands takes stricli 3 ms; only help and completion speak of others than the one meant. */
    appFor: (args: readonly string[]) => {
      const all = args[0] === "__complete" || args.some((arg) => /^(?:-h|--help)/.test(arg));
      const meant = args[0] !== undefined && names.includes(args[0]) ? args[0] : "run";
      return buildApplication(rootOf(all ? Object.keys(commands) : [meant]), {
        name: "narnat",
        versionInfo: { currentVersion: VERSION },
        scanner: {
          caseStyle: "allow-kebab-for-camel",
          allowArgumentEscapeSequence: true,
          // stricli's own threshold takes --tools for a misspelt --bogus.
          distanceOptions: {
            threshold: 3,
            weights: { insertion: 1, deletion: 1, substitution: 2, transposition: 0 },
          },
        },
        localization: { text: textFor(lang) },
        documentation: {
          useAliasInUsageLine: true,
          onlyRequiredInUsageLine: true,
          disableAnsiColor: true,
        },
      });
    },
  };
}

const ALIASES = {
  p: "print",
  m: "model",
  C: "cwd",
  c: "continue",
  r: "resume",
  e: "env",
  o: "output",
  s: "scope",
  t: "transport",
} as const;

/** A configuration the user can mend is one line and exit code 2; a bug shows itself. */
async function guarded(
  work: () => Promise<number>,
  firstFrame: FirstFrame | undefined,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    firstFrame?.end();
    if (isTerminalGone()) return SIGNAL_CODES.SIGHUP;
    if (error instanceof ConfigError) {
      complain(`narnat: ${error.message}`);
      return 2;
    }
    const why = error instanceof Error ? error : new Error(String(error));
    const at = why.stack?.split("\n").find((line) => line.trim().startsWith("at "))?.trim() ?? "";
    complain(`narnat: ${say(langFrom(env), "cli.bug", { why: why.message, at })}`);
    return 1;
  }
}

/** stricli shows the flags of the default command only under its own name; a user looks for them here. */
async function rootHelp(app: Application<Context>, lang: Lang): Promise<string> {
  const sections = async (args: string[]) => {
    let text = "";
    const out = { write: (part: string) => void (text += part) };
    await run(app, args, { process: { stdout: out, stderr: out } });
    return text.split(/\n(?=[^\s].*\n {2})/);
  };
  const heads = textFor(lang).headers;
  const find = (all: string[], head: string) => all.find((part) => part.startsWith(head)) ?? "";
  const map = await sections(["--help"]);
  const command = await sections(["run", "--help"]);
  return [
    `${heads.usage}\n  narnat [${
      say(lang, "cli.usage_flags")
    }] [prompt...]\n  narnat -p "prompt"\n  narnat <command> --help`,
    say(lang, "cli.brief"),
    find(map, heads.commands).trim(),
    find(command, heads.flags).trimEnd().replace(
      /^( *)-h {2}--help {3}( +).*$/m,
      (row, indent, gap) => `${row}\n${indent}-v  --version${gap}${textFor(lang).briefs.version}`,
    ),
  ].join("\n\n") + "\n";
}

/**
 * `narnat -C dir doctor` means the command, not a question that says "doctor": a command behind
 * flags is put in front of them. With -p the words are a prompt.
 */
function commandFirst(
  args: readonly string[],
  names: readonly string[],
  valueFlags: readonly string[],
): readonly string[] {
  const takesValue = (arg: string) => {
    const name = arg.startsWith("--")
      ? arg.slice(2).replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase())
      : ALIASES[arg.slice(1) as keyof typeof ALIASES];
    return valueFlags.includes(name);
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--" || arg === "-p" || arg === "--print") return args;
    if (arg.startsWith("-")) {
      if (takesValue(arg)) at++;
      continue;
    }
    if (!names.includes(arg)) return args;
    return [arg, ...args.slice(0, at), ...args.slice(at + 1)];
  }
  return args;
}

/** Runs the command line, on a screen from `firstFrame` on; returns the exit code. */
export async function runCli(args: readonly string[], firstFrame?: FirstFrame): Promise<number> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
    put(`narnat ${VERSION}\n`);
    return 0;
  }
  const lang = askedLang(args);
  const { appFor, names, valueFlags } = application(lang, firstFrame);
  args = commandFirst(args, names, valueFlags);
  const app = appFor(args);
  const context: Context = {
    process: {
      stdout: { write: (text) => put(aligned(text)) },
      stderr: {
        write(text) {
          firstFrame?.end();
          writeAll(Deno.stderr, plain(`narnat: ${text}`));
        },
      },
    },
  };
  if (args[0] === "__complete") {
    // With a default command stricli proposes no subcommands.
    const first = args.length === 2 ? names.filter((name) => name.startsWith(args[1]!)) : [];
    const found = await proposeCompletions(app, args.slice(1), context);
    const words = [...first, ...found.map((one) => one.completion)];
    put(words.map((word) => `${word}\n`).join(""));
    return 0;
  }
  const bare = args.filter((arg, i) => !/^--lang(?:=|$)/.test(arg) && args[i - 1] !== "--lang");
  if (bare.length === 1 && /^(?:--help|-h)$/.test(bare[0]!)) {
    put(aligned(await rootHelp(app, lang)));
    return 0;
  }
  const word = args[0];
  if (
    args.length === 1 && word !== undefined && /^[a-z-]{4,}$/.test(word) && !names.includes(word)
  ) {
    const near = nearest(word, names)[0];
    if (near !== undefined && Math.abs(near.length - word.length) <= 2) {
      complain(`narnat: ${say(lang, "cli.not_a_command", { word, near })}`);
      return 2;
    }
  }
  if (word === "mcp") {
    const { addWords } = await import("../features/mcp/cli/cli_args.ts");
    const given = addWords(args, lang);
    if (typeof given === "string") {
      complain(`narnat: ${given}`);
      return 2;
    }
    args = given;
  }
  await run(app, args, context);
  const code = Number(context.process.exitCode ?? 0);
  // stricli's own codes for words it could not parse are negative.
  return code < 0 ? 2 : code;
}
