/** What a command makes another program run: wrappers, shells, `-exec`, remote shells. */
import { type Options, readOptions } from "./options.ts";
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

interface Wrapper {
  /** Options whose value may be the next argument. */
  readonly takes?: string;
  /** Operands before the command (`timeout 5 cmd`). */
  readonly operands?: number;
  /** `NAME=value` may stand before the command. */
  readonly assigns?: boolean;
  readonly remote?: boolean;
}

/** Programs whose operands are a command. */
const WRAPPERS: { readonly [name: string]: Wrapper } = {
  sudo: {
    takes:
      "-u -g -p -C -T -R -D -h -r -t -U --user --group --prompt --close-from --chdir --chroot" +
      " --host --role --type --other-user --command-timeout",
    assigns: true,
  },
  doas: { takes: "-u -C", assigns: true },
  env: { takes: "-u -C --unset --chdir", assigns: true },
  timeout: { takes: "-k -s --kill-after --signal", operands: 1 },
  gtimeout: { takes: "-k -s --kill-after --signal", operands: 1 },
  nice: { takes: "-n --adjustment" },
  ionice: { takes: "-c -n -p --class --classdata" },
  nohup: {},
  setsid: {},
  stdbuf: { takes: "-i -o -e --input --output --error" },
  time: { takes: "-f -o --format --output" },
  builtin: {},
  exec: { takes: "-a" },
  chroot: { takes: "--userspec --groups", operands: 1 },
  unshare: { takes: "-S -G --setuid --setgid --root --wd" },
  nsenter: { takes: "-t -S -G --target --setuid --setgid" },
  strace: { takes: "-o -e -p -s -u -E -P -a -b -I -O -S -X" },
  ltrace: { takes: "-o -e -p -s -u -a -A -D -F -l -n -w -x" },
  valgrind: {},
  taskset: { operands: 1 },
  chrt: { takes: "-T -P -D", operands: 1 },
  prlimit: {},
  "systemd-run": { takes: "-p -u -t --unit --property --uid --gid --slice --description" },
  "systemd-inhibit": { takes: "--what --who --why --mode" },
  unbuffer: {},
  busybox: {},
  toybox: {},
  caffeinate: { takes: "-t -w" },
  arch: {},
  faketime: { operands: 1 },
  proxychains: { takes: "-f" },
  proxychains4: { takes: "-f" },
  torsocks: {},
  torify: {},
  "dbus-run-session": {},
  "xvfb-run": { takes: "-n -s -e -f -p -w --server-num --server-args" },
  firejail: {},
  fakeroot: {},
  setpriv: { takes: "--reuid --regid --groups --pdeathsig" },
  entr: {},
  rlwrap: {},
  npx: { takes: "-p --package" },
  bunx: {},
  pnpx: {},
  uvx: { takes: "--from --with -p --python" },
  wsl: { takes: "-d -u --distribution --user" },
};

const SHELLS = new Set("sh bash dash zsh ksh mksh ash rbash fish".split(" "));

/** Programs that run a text given with an option as shell. */
const TEXT_OPTIONS: { readonly [name: string]: string } = {
  su: "-c --command --session-command",
  runuser: "-c --command --session-command",
  script: "-c --command",
  flock: "-c --command",
  sg: "-c",
  vagrant: "-c --command",
  tar: "--to-command --checkpoint-action -I --use-compress-program --info-script -F",
  rsync: "--rsync-path -e --rsh",
  hyperfine: "-p -s -c --prepare --setup --cleanup --conclude",
  env: "-S --split-string",
  rg: "--pre",
};

/** Options of docker and its kin whose value may be the next argument. */
export const CONTAINER_TAKES =
  "-v -e -p -w -u -l -h -m --volume --env --publish --workdir --user --name " +
  "--network --net --mount --entrypoint --label --env-file --platform --cpus --memory --hostname " +
  "--add-host --device --gpus --ulimit --restart --pull --shm-size --link --cap-add --cap-drop " +
  "--security-opt --tmpfs --ipc --pid --index -f --file --project-name --profile";

/** Everything that `layer` runs in turn; empty for a program that runs nothing else. */
export function innerOf(layer: Layer): Inner[] {
  const { name, args } = layer;
  const inners: Inner[] = [];
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]! : undefined;
  if (wrapper) inners.push(...unwrap(layer, wrapper));
  if (SHELLS.has(name)) inners.push(...shell(layer));
  if (Object.hasOwn(TEXT_OPTIONS, name)) {
    const names = TEXT_OPTIONS[name]!.split(" ");
    const source = readOptions(args, TEXT_OPTIONS[name]!).value(...names);
    if (source) inners.push({ kind: "shell", source: source.replace(/^exec=/, "") });
  }
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name]! : undefined;
  if (special) inners.push(...special(layer));
  return inners;
}

function unwrap(layer: Layer, wrapper: Wrapper): Inner[] {
  const options = readOptions(layer.args, wrapper.takes, true);
  let rest = options.operands.slice(wrapper.operands ?? 0);
  if (wrapper.assigns) {
    const at = rest.findIndex((arg) => !/^\w+=/.test(arg.text));
    rest = at < 0 ? [] : rest.slice(at);
  }
  return rest.length > 0 ? [argv(rest)] : [];
}

function shell(layer: Layer): Inner[] {
  const options = readOptions(layer.args, "-o -O +o +O --rcfile --init-file", true);
  const [first, ...rest] = options.operands.filter((arg) => !/^\+[a-z]/i.test(arg.text));
  if (options.has("-c", "--command")) {
    if (!first) return [];
    const self = rest[0]?.text ?? layer.name;
    return [{
      kind: "shell",
      source: first.text,
      positional: rest.slice(1).map((arg) => arg.text),
      self,
    }];
  }
  const positional = (options.has("-s") && first ? [first, ...rest] : rest).map((arg) => arg.text);
  const texts = [...layer.files];
  const reads = !first || options.has("-s") || /^(-|\/dev\/(stdin|fd\/0))$/.test(first.text);
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
  find: ({ args }) => find(args),
  fd: ({ args }) => fd(args),
  fdfind: ({ args }) => fd(args),
  ssh: ({ args, stdin }) => {
    const takes = "-p -i -l -o -F -J -L -R -D -b -c -e -m -w -E -I -O -Q -S -W -B";
    const operands = readOptions(args, takes, true).operands.slice(1);
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
  npm: ({ args }) => afterWord(args, "exec", "x"),
  pnpm: ({ args }) => afterWord(args, "exec", "dlx"),
  yarn: ({ args }) => afterWord(args, "exec", "dlx"),
  bun: ({ args }) => afterWord(args, "x"),
  uv: ({ args }) => afterWord(args, "run"),
  poetry: ({ args }) => afterWord(args, "run"),
  pipenv: ({ args }) => afterWord(args, "run"),
  bundle: ({ args }) => afterWord(args, "exec"),
  conda: ({ args }) => afterWord(args, "run"),
  mise: ({ args }) => afterWord(args, "exec", "x"),
  direnv: ({ args }) => afterWord(args, "exec").map(dropFirst),
  tmux: ({ args }) => args.filter((arg) => arg.text.includes(" ")).map((arg) => text([arg])),
  screen: ({ args }) => [{
    ...argv(readOptions(args, "-S -c -t -T -h -s -p -X", true).operands),
    terminal: true,
  }],
  at: ({ stdin }) => stdin === undefined ? [] : [{ kind: "shell", source: stdin }],
  batch: ({ stdin }) => stdin === undefined ? [] : [{ kind: "shell", source: stdin }],
  flock: ({ args }) => [argv(readOptions(args, "-w -E -c --timeout", true).operands.slice(1))],
  cmd: ({ args }) => {
    const at = args.findIndex((arg) => /^\/{1,2}[ck]$/i.test(arg.text));
    return at < 0 ? [] : [text(args.slice(at + 1))];
  },
  "%": ({ args }) => block(args),
  "foreach-object": ({ args }) => block(args),
  vim: ({ args }) => editorCommands(args),
  vi: ({ args }) => editorCommands(args),
  nvim: ({ args }) => editorCommands(args),
  ex: ({ args }) => editorCommands(args),
  git: ({ args }) => git(args),
};

function git(args: readonly Arg[]): Inner[] {
  const inners: Inner[] = [];
  args.forEach(({ text: value }, i) => {
    const setting = args[i - 1]?.text === "-c" ? value : undefined;
    const found = setting && /^(alias\.\S+?=!|\S*(editor|pager|command|cmd)=)(.*)$/is.exec(setting);
    if (found) inners.push({ kind: "shell", source: found[3]! });
    const previous = args[i - 1]?.text ?? "";
    if (/^(-x|--exec|--\w+-filter|foreach)$/.test(previous)) {
      inners.push(previous === "foreach" ? text(args.slice(i)) : text([args[i]!]));
    }
    const glued = /^(?:--exec|--\w+-filter)=(.*)$/s.exec(value);
    if (glued) inners.push({ kind: "shell", source: glued[1]! });
    if (previous === "run" && args[i - 2]?.text === "bisect") inners.push(argv(args.slice(i)));
  });
  return inners;
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

function parallel(args: readonly Arg[], stdin: string | undefined): Inner[] {
  const { operands } = readOptions(args, "-j -N -n -S -a --jobs --colsep --delay --timeout", true);
  const at = operands.findIndex((arg) => /^:::/.test(arg.text));
  const command = at < 0 ? operands : operands.slice(0, at);
  const given = at < 0 ? [plainArg(stdin ?? UNKNOWN)] : operands.slice(at + 1);
  return given.slice(0, 64).map((item) => {
    const source = command.map((arg) => arg.text).join(" ");
    const filled = /\{[^}]*\}/.test(source)
      ? source.replace(/\{[^}]*\}/g, () => item.text)
      : `${source} ${item.text}`;
    return { kind: "shell", source: filled };
  });
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

function dropFirst(inner: Inner): Inner {
  return inner.kind === "argv" ? { ...inner, argv: inner.argv.slice(1) } : inner;
}

function argv(args: readonly Arg[]): Extract<Inner, { kind: "argv" }> {
  return { kind: "argv", argv: args };
}

function text(args: readonly Arg[]): Extract<Inner, { kind: "shell" }> {
  return { kind: "shell", source: args.map((arg) => arg.text).join(" ") };
}

function remote(inner: Inner): Inner {
  return { ...inner, remote: true };
}
