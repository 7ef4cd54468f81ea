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
import { ConfigError } from "../base/errors.ts";
import type { CommandHost } from "../commands/environment.ts";
import { nearest } from "../base/nearest.ts";
import { type T, translator } from "../base/t.ts";
import { askedLang, complain, env, put, translatorFor, writeAll } from "../base/host.ts";
import { aligned, textFor } from "./stricli_text.ts";
import { plain } from "../base/control_characters.ts";
import { type FirstFrame, SIGNAL_CODES } from "../terminal/panels/options.ts";
import { isTerminalGone } from "../terminal/device/tty.ts";
import { type Flags, VERSION } from "../commands/flags.ts";
import type { Flag, ShellCommand } from "../commands/shell_command.ts";
import { runCommand, SHELL_COMMANDS } from "./shell_commands.ts";

/** Loaded when a command asks for it. */
const HOST: CommandHost = {
  open: async (...choices) => (await import("../app/environment.ts")).openEnvironment(...choices),
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

/** The names of the commands, behind that of the one that needs none. */
const NAMES = Object.keys(SHELL_COMMANDS);

/** A flag as stricli knows it. */
function flagFor(flag: Flag, t: T) {
  const brief = t(flag.brief);
  const text = { kind: "parsed", parse: (input: string) => input, brief, optional: true } as const;
  switch (flag.is) {
    case "text":
      return { ...text, placeholder: flag.placeholder, ...flag.bare && { inferEmpty: true } };
    case "texts":
      return { ...text, placeholder: flag.placeholder, variadic: true };
    case "number":
    case "whole":
      return { ...text, placeholder: "N", parse: (input: string) => numberIn(input, flag, t) };
    case "choice":
      return { kind: "enum", values: flag.values, brief, optional: true };
    case "yes":
      return { kind: "boolean", brief, optional: true, withNegated: false };
    case "on":
      return { kind: "boolean", brief, default: true };
  }
}

function numberIn(input: string, { is, least }: Flag & { is: "number" | "whole" }, t: T): number {
  const value = Number(input);
  if (input.trim() !== "" && value >= least && (is === "number" || Number.isInteger(value))) {
    return value;
  }
  throw new SyntaxError(t(
    is === "whole"
      ? "expected a whole number of at least {least}"
      : "expected a number of at least {least}",
    { least },
  ));
}

/** A command as stricli knows it. */
function commandFor(
  { brief, flags, words, load }: ShellCommand,
  t: T,
  firstFrame: FirstFrame | undefined,
): Command<Context> {
  const aliases = Object.entries(ALIASES).filter(([, flag]) => flag in flags);
  const built = {
    docs: { brief: t(brief) },
    parameters: {
      flags: Object.fromEntries(
        Object.entries(flags).map(([name, flag]) => [name, flagFor(flag, t)]),
      ),
      aliases: Object.fromEntries(aliases),
      positional: words
        ? {
          kind: "array",
          parameter: {
            brief: t(words.brief),
            parse: (input: string) => input,
            placeholder: words.placeholder,
          },
        }
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
}

/** To build all commands takes stricli 3 ms; only help and completion speak of others than the one meant. */
async function commandsFor(
  args: readonly string[],
  run: ShellCommand,
): Promise<{ readonly [name: string]: ShellCommand }> {
  const all = args[0] === "__complete" || args.some((arg) => /^(?:-h|--help)/.test(arg));
  const named = (name: string) => SHELL_COMMANDS[name]!();
  if (all) {
    const others = await Promise.all(NAMES.map(async (name) => [name, await named(name)]));
    return { run, ...Object.fromEntries(others) };
  }
  const [meant] = args;
  if (meant === undefined || !NAMES.includes(meant)) return { run };
  return { [meant]: await named(meant) };
}

function appFor(
  commands: { readonly [name: string]: ShellCommand },
  t: T,
  firstFrame: FirstFrame | undefined,
): Application<Context> {
  const brief = t(
    "A coding agent for the terminal. Without a command it starts a session; -p answers once",
  );
  const entries = Object.entries(commands);
  const root = buildRouteMap({
    routes: Object.fromEntries(
      entries.map(([name, command]) => [name, commandFor(command, t, firstFrame)]),
    ),
    ...("run" in commands && { defaultCommand: "run" }),
    docs: { brief, ...("run" in commands && { hideRoute: { run: true } }) },
  });
  return buildApplication(root, {
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
  { flags }: ShellCommand,
): readonly string[] {
  const valued = Object.entries(flags).filter(([, { is }]) => is !== "yes" && is !== "on")
    .map(([name]) => name);
  const takesValue = (arg: string) => {
    const name = arg.startsWith("--")
      ? arg.slice(2).replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase())
      : ALIASES[arg.slice(1) as keyof typeof ALIASES];
    return valued.includes(name);
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--" || arg === "-p" || arg === "--print") return args;
    if (arg.startsWith("-")) {
      if (takesValue(arg)) at++;
      continue;
    }
    if (!NAMES.includes(arg)) return args;
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
  const runs = runCommand(firstFrame);
  args = commandFirst(args, runs);
  const commands = await commandsFor(args, runs);
  const app = appFor(commands, t, firstFrame);
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
    const first = args.length === 2 ? NAMES.filter((name) => name.startsWith(args[1]!)) : [];
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
    args.length === 1 && word !== undefined && /^[a-z-]{4,}$/.test(word) && !NAMES.includes(word)
  ) {
    const near = nearest(word, NAMES)[0];
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
  const given = await commands[word ?? ""]?.args?.(args, t) ?? args;
  if (typeof given === "string") {
    complain(`narnat: ${given}`);
    return 2;
  }
  await run(app, given, context);
  const code = Number(context.process.exitCode ?? 0);
  // stricli's own codes for words it could not parse are negative.
  return code < 0 ? 2 : code;
}
