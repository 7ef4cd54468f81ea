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
import { type T, type Text, translator } from "../base/t.ts";
import { askedLang, complain, env, put, translatorFor, writeAll } from "../base/host.ts";
import { aligned, textFor } from "./stricli_text.ts";
import { plain } from "../base/control_characters.ts";
import { type FirstFrame, SIGNAL_CODES } from "../terminal/panels/options.ts";
import { isTerminalGone } from "../terminal/device/tty.ts";
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

function application(t: T, firstFrame: FirstFrame | undefined) {
  const text = (input: string) => input;
  const words = (key: Text, placeholder: string) =>
    ({ kind: "parsed", parse: text, brief: t(key), placeholder, optional: true }) as const;
  const many = (text: Text, placeholder: string) =>
    ({ ...words(text, placeholder), variadic: true }) as const;
  const number = (text: Text, whole: boolean, least: number) =>
    ({
      kind: "parsed",
      parse: (input: string) => {
        const value = Number(input);
        if (input.trim() === "" || !(value >= least) || (whole && !Number.isInteger(value))) {
          throw new SyntaxError(t(
            whole
              ? "expected a whole number of at least {least}"
              : "expected a number of at least {least}",
            { least },
          ));
        }
        return value;
      },
      brief: t(text),
      placeholder: "N",
      optional: true,
    }) as const;
  const choice = <V extends string>(text: Text, values: readonly V[]) =>
    ({ kind: "enum", values, brief: t(text), optional: true }) as const;
  const yes = (text: Text) =>
    ({ kind: "boolean", brief: t(text), optional: true, withNegated: false }) as const;

  const where = {
    cwd: words("workspace (the current folder)", "DIR"),
    lang: choice("language of narnat's own texts", ["zh", "en"]),
  };
  const modelFlags = {
    model: words("model; demo is the built-in offline model", "NAME"),
    baseUrl: words("endpoint of the model", "URL"),
    api: choice("protocol; auto speaks Messages when the path ends in /anthropic", [
      "auto",
      "openai",
      "anthropic",
    ]),
  };
  const toolFlags = {
    tools: words("only these tools", "A,B"),
    permission: choice(
      "open: only deletes ask; guarded: a deny list too; ask: ask before every change",
      ["open", "guarded", "ask"],
    ),
    allowDelete: yes("headless: allow deletes that would ask"),
    workspaceOnly: yes(
      "file tools keep to the workspace; Bash runs in a sandbox that does too, or is not offered",
    ),
  };
  const list = (brief: Text, placeholder: string) =>
    ({ kind: "array", parameter: { brief: t(brief), parse: text, placeholder } }) as const;

  type Work = (flags: Flags, words: string[], host: CommandHost) => Promise<number>;
  const command = (
    brief: Text,
    flags: Readonly<Record<string, unknown>>,
    positional: { text: Text; placeholder: string } | undefined,
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

  const jsonl = { jsonl: yes("read JSON lines, answer JSON lines") };
  const runFlags = {
    print: yes("headless: answer once and exit"),
    plain: yes("line by line, no redraw, no escape sequence (screen readers, serial lines)"),
    ...modelFlags,
    ...where,
    continue: yes("continue the latest session"),
    resume: { ...words("resume a session (ID, name or number)", "ID"), inferEmpty: true },
    inputFormat: choice("format of stdin", ["text", "stream-json"]),
    outputFormat: choice("format of the output", ["text", "json", "stream-json"]),
    ...toolFlags,
    plan: yes("plan first, then carry out the steps one by one"),
    maxIterations: number("model calls per turn (200)", true, 1),
    maxCost: number("budget of the session in US dollars", false, 0),
    maxTotalTokens: number("token budget of the session", true, 1),
    appendSystemPrompt: words("text added at the end of the system prompt", "TEXT"),
    verbose: yes(
      "headless: name model, tools, rules, skills, servers and each tool call on stderr",
    ),
    session: {
      kind: "boolean",
      brief: t("keep the session on disk (--no-session: keep nothing)"),
      default: true,
    },
  };
  const commands: { readonly [name: string]: () => Command<Context> } = {
    run: () =>
      command(
        "start a session, or answer once with -p",
        runFlags,
        { text: "what to say", placeholder: "prompt" },
        async () => {
          const { start } = await import("./run.ts");
          return (flags, words) => start(flags, words, firstFrame);
        },
      ),
    init: () =>
      command(
        "write starting files into .narnat/ (never overwrites)",
        where,
        undefined,
        async () => (await import("./init.ts")).init,
      ),
    doctor: () =>
      command(
        "check configuration, key, endpoint, permissions, secrets, sandbox, terminal, git",
        { ...where, ...modelFlags, workspaceOnly: toolFlags.workspaceOnly },
        undefined,
        async () => (await import("../app/doctor.ts")).doctor,
      ),
    prompt: () =>
      command(
        "print the system prompt and tool definitions with their sizes",
        {
          ...where,
          ...modelFlags,
          tools: toolFlags.tools,
          workspaceOnly: toolFlags.workspaceOnly,
          outputFormat: choice("format of the output", ["text", "json"]),
        },
        undefined,
        async () => (await import("./prompt.ts")).prompt,
      ),
    tool: () =>
      command(
        "run one tool call as the model would and print the result",
        { ...where, ...toolFlags, ...jsonl },
        { text: "the tool's name and its JSON input", placeholder: "Name json" },
        async () => (await import("./tool.ts")).tool,
      ),
    "check-command": () =>
      command(
        "print what the delete gate decides about a command",
        { ...where, permission: toolFlags.permission, ...jsonl },
        { text: "the shell command to judge", placeholder: "command" },
        async () => (await import("./check_command.ts")).checkCommands,
      ),
    sessions: () =>
      command(
        "the stored sessions of this workspace",
        {
          ...where,
          redacted: yes("hide folders, user and host names and images too"),
          output: words("write to this file (standard output)", "FILE"),
          jsonl: yes("show: a line of JSON per message, for scripts"),
        },
        {
          text: "list, show ID, search WORD… or delete ID",
          placeholder: "list|show|search|export|delete",
        },
        async () => (await import("../features/sessions/cli.ts")).sessions,
      ),
    replay: () =>
      command(
        "show a stored session again; --rerun runs it again in a copy of the workspace",
        {
          ...where,
          speed: number("play at N times the speed it had (at once when left out)", false, 0.01),
          rerun: yes(
            "the model as recorded, the tools for real; stops at the first difference (exit 1)",
          ),
          yes: yes(
            "with --rerun: run commands in no sandbox; what they did outside of the copy they do again",
          ),
        },
        { text: "session", placeholder: "session" },
        async () => (await import("../features/replay/mod.ts")).replay,
      ),
    skills: () =>
      command(
        "list skills and their status",
        { ...where, name: words("skills add: what narnat is to call it", "NAME") },
        {
          text: "list, show NAME, add GIT-URL [NAME], update [NAME] or remove NAME",
          placeholder: "list|show|add|update|remove",
        },
        async () => (await import("../features/skills/cli.ts")).skills,
      ),
    agents: () =>
      command(
        "the kinds of agents that can be started",
        where,
        { text: "list | show NAME", placeholder: "list|show" },
        async () => (await import("./agent_kinds.ts")).agents,
      ),
    mcp: () =>
      command(
        "MCP servers: list, add, try, log in",
        {
          ...where,
          url: words("the server's address (HTTP)", "URL"),
          header: many("a header of each request, NAME:VALUE; may be repeated", "NAME:VALUE"),
          env: many("a variable of the program, NAME=VALUE; may be repeated", "NAME=VALUE"),
          user: yes("write to ~/.narnat/mcp.json, for all projects"),
          project: yes("write to the project's .narnat/mcp.json (the default)"),
          // as other agents spell them
          scope: choice("the same as --user or --project", ["user", "project", "local"]),
          transport: choice("the kind of server (optional)", ["stdio", "http", "sse"]),
        },
        {
          text:
            "list, get NAME, test [NAME], add NAME -- PROGRAM ARGUMENTS…, add-json NAME JSON, remove|enable|disable|accept|login|logout NAME",
          placeholder: "list|get|test|add|remove|enable|disable|accept|login|logout",
        },
        async () => (await import("../features/mcp/cli/cli.ts")).mcp,
      ),
    trash: () =>
      command(
        "what Bash deleted with rm: list, bring back, empty",
        { ...where, yes: yes("empty without asking") },
        { text: "list | restore ID [PATH…] | empty", placeholder: "words" },
        async () => (await import("../features/trash/cli.ts")).trash,
      ),
    undo: () =>
      command(
        "undo what a turn did to files",
        {
          ...where,
          list: yes("list the turns that can be undone"),
          redo: yes("redo what was undone last"),
          yes: yes("do not ask (the preview is printed all the same)"),
          overwrite: yes("files that others have changed since are overwritten too"),
        },
        {
          text: "number in --list: that turn and all after it; the last one when left out",
          placeholder: "N",
        },
        async () => (await import("../features/undo/cli.ts")).undo,
      ),
    trust: () =>
      command(
        "what the project wants to start or use, and whether you trust it",
        where,
        {
          text: "list (default), add to trust all of it, or remove",
          placeholder: "list|add|remove",
        },
        async () => (await import("../features/trust/cli.ts")).trustCommand,
      ),
    completions: () =>
      command(
        "print the completion script of a shell",
        { lang: where.lang },
        { text: "bash, zsh or fish", placeholder: "bash|zsh|fish" },
        async () => (await import("./completions.ts")).completions,
      ),
  };
  const rootOf = (names: readonly string[]) =>
    buildRouteMap({
      routes: Object.fromEntries(names.map((name) => [name, commands[name]!()])),
      ...(names.includes("run") && { defaultCommand: "run" }),
      docs: {
        brief: t(
          "A coding agent for the terminal. Without a command it starts a session; -p answers once",
        ),
        ...(names.includes("run") && { hideRoute: { run: true } }),
      },
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
        localization: { text: textFor(t) },
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
    const t = translatorFor({});
    complain(`narnat: ${t("internal error: {why} {at}", { why: why.message, at })}`);
    return 1;
  }
}

/** stricli shows the flags of the default command only under its own name; a user looks for them here. */
async function rootHelp(app: Application<Context>, t: T): Promise<string> {
  const sections = async (args: string[]) => {
    let text = "";
    const out = { write: (part: string) => void (text += part) };
    await run(app, args, { process: { stdout: out, stderr: out } });
    return text.split(/\n(?=[^\s].*\n {2})/);
  };
  const heads = textFor(t).headers;
  const find = (all: string[], head: string) => all.find((part) => part.startsWith(head)) ?? "";
  const map = await sections(["--help"]);
  const command = await sections(["run", "--help"]);
  return [
    `${heads.usage}\n  narnat [${
      t("flags")
    }] [prompt...]\n  narnat -p "prompt"\n  narnat <command> --help`,
    t("A coding agent for the terminal. Without a command it starts a session; -p answers once"),
    find(map, heads.commands).trim(),
    find(command, heads.flags).trimEnd().replace(
      /^( *)-h {2}--help {3}( +).*$/m,
      (row, indent, gap) => `${row}\n${indent}-v  --version${gap}${textFor(t).briefs.version}`,
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
  const t = translator(askedLang(args));
  const { appFor, names, valueFlags } = application(t, firstFrame);
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
    put(aligned(await rootHelp(app, t)));
    return 0;
  }
  const word = args[0];
  if (
    args.length === 1 && word !== undefined && /^[a-z-]{4,}$/.test(word) && !names.includes(word)
  ) {
    const near = nearest(word, names)[0];
    if (near !== undefined && Math.abs(near.length - word.length) <= 2) {
      complain(
        `narnat: ${
          t("There is no command {word}; did you mean {near}? (To ask it as a question use -p)", {
            word,
            near,
          })
        }`,
      );
      return 2;
    }
  }
  if (word === "mcp") {
    const { addWords } = await import("../features/mcp/cli/cli_args.ts");
    const given = addWords(args, t);
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
