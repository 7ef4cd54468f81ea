/** What a command makes another program run: wrappers, shells, `-exec`, remote shells. */
import { recipesOf } from "./makefile.ts";
import { type Options, readOptions } from "./invocation.ts";
import { sedScripts, substitution, withoutSubstitutions } from "./produce.ts";
import { CONTAINER_TAKES, SHELLS, TEXT_OPTIONS, type Wrapper, WRAPPERS } from "./wrappers.ts";
import { type Arg, hasMarks, plainArg, splitFields, UNKNOWN } from "./words.ts";

/** A command as the programs see it, wrappers peeled one at a time. */
export interface Layer {
  /** Base name of the program, lower case, without `.exe`. */
  readonly name: string;
  /** Arguments after the program's name. */
  readonly args: readonly Arg[];
  /** What it reads from stdin; undefined when that is not known. */
  readonly stdin: string | undefined;
  /** Texts of files the same command line wrote and handed to this command. */
  readonly files: readonly string[];
}

/** One thing that a layer runs. `remote`: not on this machine's files; `terminal`: it gets its own. */
export type Inner =
  | {
    readonly kind: "argv";
    readonly argv: readonly Arg[];
    readonly remote?: boolean;
    readonly terminal?: boolean;
  }
  | {
    readonly kind: "shell";
    readonly source: string;
    readonly positional?: readonly string[];
    readonly self?: string;
    readonly remote?: boolean;
  };

/** Everything that `layer` runs in turn; empty for a program that runs nothing else. */
export function innerOf(layer: Layer): Inner[] {
  const { name, args } = layer;
  const inners: Inner[] = [];
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]! : undefined;
  if (wrapper) inners.push(...unwrap(layer, wrapper));
  if (SHELLS.has(name)) inners.push(...shell(layer));
  if (Object.hasOwn(TEXT_OPTIONS, name)) {
    const options = readOptions(args, TEXT_OPTIONS[name]!);
    for (const option of TEXT_OPTIONS[name]!.split(" ")) {
      const source = options.value(option);
      if (source) inners.push({ kind: "shell", source: source.replace(/^exec=/, "") });
    }
  }
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name]! : undefined;
  if (special) inners.push(...special(layer));
  return inners;
}

function unwrap(layer: Layer, wrapper: Wrapper): Inner[] {
  const split = layer.name === "env" ? splitString(layer.args, wrapper) : undefined;
  if (split) return [split];
  const options = readOptions(layer.args, wrapper.takes, true);
  let rest = options.operands.slice(wrapper.operands ?? 0);
  if (wrapper.assigns) {
    // env's lone dash empties the environment
    if (layer.name === "env" && rest[0]?.text === "-") rest = rest.slice(1);
    const at = rest.findIndex((arg) => !/^[^=]+=/.test(arg.text));
    rest = at < 0 ? [] : rest.slice(at);
  }
  // how often, or how long
  if (/^\d+$/.test(rest[0]?.text ?? "")) rest = rest.slice(1);
  // a whole command line in one argument
  if (rest.length === 1 && /\s/.test(rest[0]!.text)) return [text(rest)];
  if (rest.length > 0) return [argv(wrapper.versions ? withoutVersion(rest) : rest)];
  return startsShell(layer, options) ? stdinShell(layer) : [];
}

/** `env -S`: a text that is env's own arguments, and what stands behind it. */
function splitString(args: readonly Arg[], { takes }: Wrapper): Inner | undefined {
  const at = args.findIndex(({ text }) => /^(?:-[iv0]*S|--s)/.test(text));
  if (at < 0 || readOptions(args.slice(0, at), takes, true).operands.length > 0) return undefined;
  const glued = args[at]!.text.replace(/^(?:-[iv0]*S|--s[\w-]*=?)/, "");
  const [source, ...rest] = glued === "" ? args.slice(at + 1) : [
    plainArg(glued),
    ...args.slice(at + 1),
  ];
  if (!source) return undefined;
  const quoted = rest.map(({ text }) => ` '${text.replaceAll("'", "'\\''")}'`).join("");
  return shellSource(`env ${source.text.replaceAll("\\_", " ")}${quoted}`);
}

/** The command behind a word. */
function behind(args: readonly Arg[], word: string): Inner[] {
  const at = args.findIndex(({ text }) => text === word);
  return at < 0 ? [] : [argv(args.slice(at + 1))];
}

/** Without a command they start a shell. */
function startsShell({ name }: Layer, options: Options): boolean {
  if (/^(?:sudo|doas)$/.test(name)) return options.has("-s", "-i", "--shell", "--login");
  return /^(?:unshare|nsenter|chroot|runuser|fakeroot|dbus-run-session|setarch)$/.test(name);
}

/** A shell that reads what the layer is given. */
function stdinShell({ args, stdin }: Layer): Inner[] {
  const source = stdin === undefined || readOptions(args).has("-c", "--command") ? [] : [stdin];
  return source.map(shellSource);
}

/** `rimraf@5` and `npm:rimraf@5` start `rimraf`, `@scope/rimraf@5` starts `@scope/rimraf`. */
function withoutVersion([first, ...rest]: readonly Arg[]): Arg[] {
  const name = first && plainArg(first.text.replace(/^npm:/, "").replace(/(.)@[^@/]*$/, "$1"));
  return name ? [name, ...rest] : [];
}

function shellArgs(args: readonly Arg[]) {
  const options = readOptions(args, "-o -O +o +O --rcfile --init-file", true);
  const operands = options.operands.filter((arg) => !/^\+[a-z]/i.test(arg.text));
  const [first] = operands;
  const reads = !first || options.has("-s") || /^(-|\/dev\/(stdin|fd\/0))$/.test(first.text);
  return { options, operands, reads };
}

/** Whether a shell takes its commands from stdin. */
export function readsCommands(args: readonly Arg[]): boolean {
  const { options, reads } = shellArgs(args);
  return reads && !options.has("-c", "--command", "-n", "--version", "--help");
}

/** Whether the code or script that a shell is given cannot be told. */
export function runsUnknown(args: readonly Arg[]): boolean {
  return shellArgs(args).operands[0]?.text.includes(UNKNOWN) === true;
}

function shell(layer: Layer): Inner[] {
  const { options, operands, reads } = shellArgs(layer.args);
  const [first, ...rest] = operands;
  // -n only reads
  if (options.has("-n")) return [];
  if (options.has("-c", "--command")) {
    if (!first) return [];
    const self = rest[0]?.text ?? layer.name;
    const before = options.has("--init-file", "--rcfile") ? layer.files.map(shellSource) : [];
    return [...before, {
      kind: "shell",
      source: first.text,
      positional: rest.slice(1).map((arg) => arg.text),
      self,
    }];
  }
  const positional = (options.has("-s") && first ? [first, ...rest] : rest).map((arg) => arg.text);
  const texts = [...layer.files];
  if (reads && layer.stdin !== undefined) texts.push(layer.stdin);
  return texts.map((source) => ({ kind: "shell", source, positional }));
}

const SPECIAL: { readonly [name: string]: (layer: Layer) => Inner[] } = {
  eval: ({ args }) => [text(args)],
  source: ({ files, stdin, args }) => sourced(files, stdin, args),
  ".": ({ files, stdin, args }) => sourced(files, stdin, args),
  trap: ({ args }) => {
    const { operands } = readOptions(args);
    return operands.length > 1 ? [text(operands.slice(0, 1))] : [];
  },
  command: ({ args }) => {
    const options = readOptions(args, "", true);
    return options.has("-v", "-V") ? [] : [argv(options.operands)];
  },
  xargs: ({ args, stdin }) => xargs(args, stdin),
  parallel: ({ args, stdin }) => parallel(args, stdin),
  sem: ({ args, stdin }) => parallel(args, stdin),
  pueue: ({ args }) => args[0]?.text === "add" ? [text(readOptions(args).operands.slice(1))] : [],
  find: ({ args }) => find(args),
  fd: ({ args }) => fd(args),
  fdfind: ({ args }) => fd(args),
  bfs: ({ args }) => find(args),
  ssh: ({ args, stdin }) => {
    const takes = "-p -i -l -o -F -J -L -R -D -b -c -e -m -w -E -I -O -Q -S -W -B";
    const after = readOptions(args, takes, true).operands.slice(1);
    const operands = after[0]?.text === "--" ? after.slice(1) : after;
    if (operands.length > 0) return [remote(text(operands))];
    return stdin === undefined ? [] : [{ kind: "shell", source: stdin, remote: true }];
  },
  watch: ({ args }) => [text(readOptions(args, "-n --interval", true).operands)],
  hyperfine: ({ args }) =>
    readOptions(args, "-p -s -c -w -r -m -M -N --prepare --setup --cleanup --warmup --runs")
      .operands.map((arg) => text([arg])),
  docker: ({ args }) => container(args),
  podman: ({ args }) => container(args),
  nerdctl: ({ args }) => container(args),
  "docker-compose": ({ args }) => container([plainArg("compose"), ...args]),
  kubectl: ({ args }) => pod(args),
  oc: ({ args }) => pod(args),
  adb: ({ args }) => {
    const at = args.findIndex((arg) => arg.text === "shell");
    return at < 0 ? [] : [remote(text(args.slice(at + 1)))];
  },
  npm: ({ args }) => packageProgram(args, "exec", "x"),
  pnpm: ({ args }) => [...packageProgram(args, "exec", "dlx"), ...ownProgram(args)],
  yarn: ({ args }) => [
    ...packageProgram(args, "exec", "dlx"),
    ...ownProgram(args),
    ...args[1]?.text === "foreach" ? behind(args, "exec") : [],
  ],
  bun: ({ args }) => args[0]?.text === "exec" ? [text(args.slice(1))] : packageProgram(args, "x"),
  pipx: ({ args }) => packageProgram(args, "run"),
  uv: ({ args }) => afterWord(args, "run"),
  poetry: ({ args }) => afterWord(args, "run"),
  pipenv: ({ args }) => afterWord(args, "run"),
  bundle: ({ args }) => afterWord(args, "exec"),
  op: ({ args }) => afterWord(args, "run"),
  heroku: ({ args }) =>
    afterWord(args, "run").map((one) => remote(one.kind === "argv" ? text(one.argv) : one)),
  perf: ({ args }) => afterWord(args, "stat", "record", "trace"),
  nix: ({ args }) => {
    const at = args.findIndex((arg) => /^(-c|--command)$/.test(arg.text));
    return at < 0 ? [] : [argv(args.slice(at + 1))];
  },
  "aws-vault": ({ args }) => {
    const at = args.findIndex((arg) => arg.text === "--");
    return at < 0 ? [] : [argv(args.slice(at + 1))];
  },
  fly: ({ args }) => remoteConsole(args),
  flyctl: ({ args }) => remoteConsole(args),
  concurrently: ({ args }) =>
    args.filter((arg) => !arg.text.startsWith("-")).map((arg) => text([arg])),
  deno: ({ args }) => {
    const at = args.findIndex((arg) => arg.text.startsWith("npm:"));
    return at < 1 ? [] : [argv(withoutVersion(args.slice(at)))];
  },
  crontab: ({ stdin }) =>
    stdin === undefined ? [] : [shellSource(
      stdin.replaceAll(UNKNOWN, "\n").replace(/^\s*(@\w+|(\S+\s+){4}\S+)\s+/gm, ""),
    )],
  conda: ({ args }) => afterWord(args, "run"),
  mamba: ({ args }) => afterWord(args, "run"),
  micromamba: ({ args }) => afterWord(args, "run"),
  asdf: ({ args }) => afterWord(args, "exec"),
  cmake: ({ args }) =>
    args[0]?.text === "-E" && /^(?:env|time|chdir)$/.test(args[1]?.text ?? "")
      ? [
        argv(
          args.slice(args[1]!.text === "chdir" ? 3 : 2).filter(({ text }) =>
            !/^(?:--|\w+=|--unset)/.test(text)
          ),
        ),
      ]
      : [],
  mise: ({ args }) => afterWord(args, "exec", "x"),
  direnv: ({ args }) => afterWord(args, "exec").map(dropFirst),
  coreutils: ({ args }) => multicall(args),
  tmux: ({ args }) => typed(args),
  byobu: ({ args }) => typed(args),
  zellij: ({ args }) => typed(args),
  wezterm: ({ args }) => typed(args),
  kitty: ({ args }) => typed(args),
  kitten: ({ args }) => typed(args),
  xdotool: ({ args }) => typed(args),
  ydotool: ({ args }) => typed(args),
  wtype: ({ args }) => typed(args),
  screen: ({ args }) => {
    const options = readOptions(args, "-S -c -t -T -h -s -p -X", true);
    return options.has("-X") ? typed(args) : [{ ...argv(options.operands), terminal: true }];
  },
  su: stdinShell,
  script: stdinShell,
  newgrp: stdinShell,
  "nix-shell": stdinShell,
  at: ({ stdin }) => stdin === undefined ? [] : [{ kind: "shell", source: stdin }],
  batch: ({ stdin }) => stdin === undefined ? [] : [{ kind: "shell", source: stdin }],
  flock: ({ args }) => [argv(readOptions(args, "-w -E -c --timeout", true).operands.slice(1))],
  cmd: ({ args }) => {
    const at = args.findIndex((arg) => /^\/{1,2}[ck]$/i.test(arg.text));
    return at < 0 ? [] : [shellSource(cmdAsShell(text(args.slice(at + 1)).source))];
  },
  forfiles: ({ args }) => {
    const at = args.findIndex((arg) => /^\/c$/i.test(arg.text));
    return at < 0 ? [] : [text(args.slice(at + 1, at + 2))];
  },
  "%": ({ args }) => block(args),
  "foreach-object": ({ args }) => block(args),
  vim: ({ args, stdin }) => [...editorCommands(args), ...editorLines(stdin)],
  vi: ({ args }) => editorCommands(args),
  nvim: ({ args }) => editorCommands(args),
  ex: ({ args, stdin }) => [...editorCommands(args), ...editorLines(stdin)],
  git: ({ args }) => git(args),
  yadm: ({ args }) => [argv([plainArg("git"), ...args])],
  hg: ({ args }) => mercurial(args),
  chg: ({ args }) => mercurial(args),
  ed: ({ stdin }) => editorLines(stdin),
  make: (layer) => recipesOf(layer).map(shellSource),
  just: (layer) => recipesOf(layer).map(shellSource),
  gmake: (layer) => recipesOf(layer).map(shellSource),
  sed: ({ args }) => sed(args),
  gsed: ({ args }) => sed(args),
};

/** Settings whose value git runs. */
const GIT_RUNS =
  /^(?!alias\.)\S*(?:editor|pager|command|cmd|fsmonitor|external|clean|smudge|process|textconv|driver|helper|program|askpass|gitproxy|packobjectshook)$/i;
/** Git's options whose value it runs. */
const GIT_TAKES =
  /^(?:--upload-pack|--receive-pack|--sendmail-cmd|--to-cmd|--cc-cmd|--header-cmd)(?:=(.+))?$/s;

/** A git alias is a shell's command behind an exclamation mark, or a git command. */
export function gitAlias(text: string): Extract<Inner, { kind: "shell" }> {
  const source = text.startsWith("!") ? text.slice(1) : `git ${text}`;
  return { kind: "shell", source };
}

function git(args: readonly Arg[]): Inner[] {
  const inners: Inner[] = [];
  args.forEach(({ text: value }, i) => {
    const setting = args[i - 1]?.text === "-c" ? value : undefined;
    const [, key = "", given = ""] = /^([^=]+)=(.*)$/s.exec(setting ?? "") ?? [];
    if (GIT_RUNS.test(key)) inners.push(shellSource(given.replace(/^!/, "")));
    else if (/^alias\./i.test(key)) inners.push(gitAlias(given));
    if (args[0]?.text === "config" && GIT_RUNS.test(value) && args[i + 1]) {
      inners.push(shellSource(args[i + 1]!.text.replace(/^!/, "")));
    }
    const previous = args[i - 1]?.text ?? "";
    if (/^(-x|--exec|--\w+-filter|foreach)$/.test(previous)) {
      inners.push(previous === "foreach" ? text(args.slice(i)) : text([args[i]!]));
    }
    const [option, program] = GIT_TAKES.exec(value) ?? [];
    if (option) {
      inners.push(
        ...program ? [shellSource(program)] : args.slice(i + 1, i + 2).map((arg) => text([arg])),
      );
    }
    if (previous === "-u" && args.some(({ text }) => text === "clone")) {
      inners.push(shellSource(value));
    }
    // its transport, in which a percent sign escapes a blank
    const transport = /^ext::(.+)$/s.exec(value)?.[1];
    if (transport) inners.push(shellSource(transport.replaceAll("% ", "\\ ")));
    const glued = /^(?:--exec|--\w+-filter|--extcmd|--open-files-in-pager|-O)=?(.+)$/s.exec(value);
    if (glued) inners.push({ kind: "shell", source: glued[1]! });
    if (previous === "run" && args[i - 2]?.text === "bisect") inners.push(argv(args.slice(i)));
  });
  return inners;
}

/** Mercurial's hooks, aliases and programs, set for one command. */
function mercurial(args: readonly Arg[]): Inner[] {
  return args.flatMap(({ text }, i): Inner[] => {
    const setting = args[i - 1]?.text === "--config" ? text : text.replace(/^--config=/, "");
    const source = /^(?:alias|hooks|extdiff|merge-tools|ui\.(?:editor|ssh|merge))[^=]*=!?(.+)$/s
      .exec(setting)?.[1];
    return source ? [shellSource(source)] : [];
  });
}

/** A program that is many, told by an option which of them it is. */
function multicall(args: readonly Arg[]): Inner[] {
  const at = args.findIndex(({ text }) => text.startsWith("--coreutils-prog"));
  const name = args[at]?.text.replace(/^[^=]*=/, "");
  return [argv(name ? [plainArg(name), ...args.slice(at + 1)] : args)];
}

/** Text that is typed into another terminal's shell. */
function typed(args: readonly Arg[]): Inner[] {
  return args.filter(({ text }) => text.includes(" "))
    .map(({ text }) => shellSource(text.replace(/\\[nr]|\\01[25]|\^[MJ]/g, "\n")));
}

/** Lines of an editor's script that begin with an exclamation mark. */
function editorLines(stdin = ""): Inner[] {
  return [...stdin.matchAll(/^\s*:?(?:\d*r\s*|sil\w*!?\s+)?!([^\n]+)/gm)].map(([, source]) =>
    shellSource(source!)
  );
}

/** GNU sed's `e` command and the `e` flag of `s`. */
function sed(args: readonly Arg[]): Inner[] {
  return sedScripts(args).flatMap((script): Inner[] => {
    const command = /(?:^|[;{}\n\d$/!])\s*e\s+([^\n]+)/.exec(withoutSubstitutions(script))?.[1];
    const swap = substitution(script);
    const filled = swap?.flags.includes("e") ? [shellSource(swap.text)] : [];
    return command ? [shellSource(command), ...filled] : filled;
  });
}

/** The commands in the braces of PowerShell's `% { … }`. */
function block(args: readonly Arg[]): Inner[] {
  const at = args.findIndex((arg) => arg.text === "{");
  return at < 0 ? [] : [argv(args.slice(at + 1))];
}

/** `-c '!cmd'` and `+!cmd`. */
function editorCommands(args: readonly Arg[]): Inner[] {
  return args.flatMap((arg): Inner[] => {
    const found = /^\+?:?(?:sil\w*!?\s+|%|\d+)?!(.+)$/s.exec(arg.text);
    return found ? [{ kind: "shell", source: found[1]! }] : [];
  });
}

function xargs(args: readonly Arg[], stdin: string | undefined): Inner[] {
  const takes = "-I -n -P -L -d -E -s -a --max-args --max-procs --max-lines --delimiter --arg-file";
  const options = readOptions(args, takes, true);
  const items = stdin === undefined ? undefined : splitFields(stdin.replace(/['"\\]/g, ""));
  const given = items?.map(plainArg) ?? [plainArg(UNKNOWN)];
  const mark = options.value("-I", "--replace") ?? (options.has("-i", "--replace") ? "{}" : "");
  if (mark === "") return [argv([...options.operands, ...given])];
  return given.slice(0, 64).map((item) =>
    argv(options.operands.map((arg) => ({
      text: arg.text.replaceAll(mark, () => item.text),
      source: arg.source.replaceAll(mark, () => item.source),
    })))
  );
}

const PARALLEL_TAKES =
  "-j -P -N -n -L -S -a -C -d -E -I -i -s --jobs --max-procs --max-args --max-replace-args --colsep" +
  " --delay --timeout --retries --joblog --results --res --tmpdir --workdir --wd --sshlogin --slf" +
  " --sshloginfile --arg-file --delimiter --tagstring --load --memfree --nice --env --halt" +
  " --basefile --bf --return --block --recstart --recend --header --profile --template --limit --rpl" +
  " --compress-program --transferfile --trc --termseq";

function parallel(args: readonly Arg[], stdin: string | undefined): Inner[] {
  const { operands } = readOptions(args, PARALLEL_TAKES, true);
  const at = operands.findIndex((arg) => /^:::/.test(arg.text));
  const command = at < 0 ? operands : operands.slice(0, at);
  const given = at < 0 ? [plainArg(stdin ?? UNKNOWN)] : operands.slice(at + 1);
  const lines: Inner[] = command.filter((arg) => /\s/.test(arg.text)).map((arg) => text([arg]));
  return lines.concat(
    given.slice(0, 64).map((item) => {
      const source = command.map((arg) => arg.text).join(" ");
      const filled = /\{[^}]*\}/.test(source)
        ? source.replace(/\{[^}]*\}/g, () => item.text)
        : `${source} ${item.text}`;
      return { kind: "shell", source: filled };
    }),
  );
}

/** The folders in which `find` begins. */
export function findRoots(args: readonly Arg[]): readonly Arg[] {
  const from = args.findIndex((arg) => !/^-([HLP]|O\d*|D)$/.test(arg.text));
  if (from < 0) return [plainArg(".")];
  const rest = args.slice(from);
  const end = rest.findIndex((arg) => /^[-(!]/.test(arg.text));
  const roots = end < 0 ? rest : rest.slice(0, end);
  return roots.length > 0 ? roots : [plainArg(".")];
}

function find(args: readonly Arg[]): Inner[] {
  // what it finds is not known, the folder it lies in is
  const found = findRoots(args).map(({ text, source }) => ({
    text: UNKNOWN,
    source: hasMarks(text) ? source : text,
  }));
  const inners: Inner[] = [];
  args.forEach((arg, i) => {
    if (!/^-(exec|ok)(dir)?$/.test(arg.text)) return;
    const rest = args.slice(i + 1);
    const end = rest.findIndex((one) => one.text === ";" || one.text === "+");
    inners.push(argv(
      rest.slice(0, end < 0 ? undefined : end).flatMap((one) => {
        if (one.text === "{}") return found;
        if (!one.text.includes("{}")) return [one];
        const text = one.text.replaceAll("{}", UNKNOWN);
        return found.map(({ source }) => ({ text, source }));
      }),
    ));
  });
  return inners;
}

function fd(args: readonly Arg[]): Inner[] {
  const at = args.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)$/.test(arg.text));
  const found = (arg: Arg) => {
    const text = arg.text.replace(/\{(\/{0,2}|\.|\/\.)\}/g, UNKNOWN);
    return text === arg.text ? arg : plainArg(text);
  };
  return at < 0 ? [] : [argv(args.slice(at + 1).map(found))];
}

function container(args: readonly Arg[]): Inner[] {
  const { operands } = readOptions(args, `-H -c --host --context ${CONTAINER_TAKES}`, true);
  const [verb, ...rest] = operands;
  if (verb?.text === "compose" || verb?.text === "container") return container(rest);
  if (verb?.text === "unshare") return [argv(rest)];
  if (verb?.text !== "exec" && verb?.text !== "run") return [];
  const options: Options = readOptions(rest, CONTAINER_TAKES, true);
  const entry = options.value("--entrypoint");
  const command = options.operands.slice(1);
  return [{ ...argv(entry ? [plainArg(entry), ...command] : command), remote: true }];
}

function pod(args: readonly Arg[]): Inner[] {
  const at = args.findIndex((arg) => arg.text === "exec");
  if (at < 0) return [];
  const dashes = args.findIndex((arg) => arg.text === "--");
  const takes = "-n -c --namespace --container --context";
  const command = dashes >= 0
    ? args.slice(dashes + 1)
    : readOptions(args.slice(at + 1), takes, true).operands.slice(1);
  return [{ ...argv(command), remote: true }];
}

function sourced(
  files: readonly string[],
  stdin: string | undefined,
  args: readonly Arg[],
): Inner[] {
  const reads = /^\/dev\/(stdin|fd\/0)$/.test(args[0]?.text ?? "") && stdin !== undefined;
  return (reads ? [...files, stdin] : files).map((source) => ({ kind: "shell", source }));
}

function afterWord(args: readonly Arg[], ...words: readonly string[]): Inner[] {
  const { operands } = readOptions(args, "-p --package -n --name -w --filter --with", true);
  if (!words.includes(operands[0]?.text ?? "")) return [];
  const takes = "-p --package -c --call -n --with";
  const options = readOptions(operands.slice(1), takes, true);
  const call = options.value("-c", "--call");
  return call ? [{ kind: "shell", source: call }] : [argv(options.operands)];
}

function packageProgram(args: readonly Arg[], ...words: readonly string[]): Inner[] {
  return afterWord(args, ...words).map((inner) =>
    inner.kind === "argv" ? argv(withoutVersion(inner.argv)) : inner
  );
}

function remoteConsole(args: readonly Arg[]): Inner[] {
  const source = readOptions(args, "-C --command -a").value("-C", "--command");
  return source === undefined ? [] : [remote(shellSource(source))];
}

/** `yarn rimraf` starts a program that the project brought along. */
function ownProgram(args: readonly Arg[]): Inner[] {
  return /^(?:rimraf|del-cli|trash|prisma|sequelize(?:-cli)?|typeorm|knex|drizzle-kit|supabase|wrangler|cdk|firebase|convex)$/
      .test(args[0]?.text ?? "")
    ? [argv(args)]
    : [];
}

function dropFirst(inner: Inner): Inner {
  return inner.kind === "argv" ? { ...inner, argv: inner.argv.slice(1) } : inner;
}

function argv(args: readonly Arg[]): Extract<Inner, { kind: "argv" }> {
  return { kind: "argv", argv: args };
}

function text(args: readonly Arg[]): Extract<Inner, { kind: "shell" }> {
  return { kind: "shell", source: args.map((arg) => arg.text).join(" ") };
}

/** cmd's own escape, and the words that stand before a command in `if` and `for`. */
function cmdAsShell(source: string): string {
  return source.replaceAll("^", "")
    .replace(/(^|[&|(\n]|\bdo)\s*@/g, "$1 ")
    .replace(
      /\bif\s+(?:\/i\s+)?(?:not\s+)?(?:(?:exist|defined|errorlevel)\s+(?:"[^"]*"|\S+)|\S+\s*==\s*\S+)\s+/gi,
      "true; ",
    )
    .replace(/\bfor\s+(?:\/\w\s+(?:"[^"]*"\s+)?)*%%?\w\s+in\s*\([^)]*\)\s*do\s+/gi, "true; ")
    .replace(/\)\s*else\b/gi, ") ;");
}

function shellSource(source: string): Inner {
  return { kind: "shell", source };
}

function remote(inner: Inner): Inner {
  return { ...inner, remote: true };
}
