/**
 * What a command is for: whether it can have shown that a change works (a test, a build, a run),
 * and how its job is named.
 */
import { basename, realOf, resolve, within } from "../../base/path.ts";
import { readOptions } from "./reader/invocation.ts";
import { type Invocation, readCommand, type Reading } from "./reader/read_command.ts";
import { type Arg, hasMarks } from "./reader/words.ts";

/** Interpreters: options that take code, options that name a module, others that take a value. */
const INTERPRETERS: readonly (readonly [RegExp, code: string, module: string, takes: string])[] = [
  [/^python[\d.]*$/, "-c", "-m", "-W -X"],
  [/^(node|nodejs|tsx|ts-node)$/, "-e --eval -p --print", "--test", "-r --require --import"],
  [/^perl$/, "-e -E", "", "-I"],
  [/^ruby$/, "-e", "", "-r -I"],
  [/^php$/, "-r", "", "-d"],
];
/** Code that runs other code than itself, and code that writes files. */
const LOADS = /\b(import|require|require_once|include|use|load|exec|runpy)\b/;
const WRITES =
  /\bopen\s*\([^\n]{0,200}?,\s*(mode\s*=\s*)?["'][rb]*[wax+]|\bwrite_(text|bytes)\s*\(|[wW]rite\w*File|\bfile_put_contents\b|\bFile\.(write|open)\b/;

/** Programs that move, rewrite, show or fetch things and prove nothing about the code. */
const LOOKS = new Set(
  ("ls dir cd pwd pushd popd echo printf cat head tail less more wc sort uniq cut tr tee sed awk grep rg find fd" +
    " git gh mkdir touch cp mv ln rm rmdir chmod chown stat file du df tree which type whereis date sleep true" +
    " false : export set unset alias source . trap eval command builtin exec env sudo doas timeout nice nohup" +
    " time xargs sh bash zsh curl wget ssh scp rsync tar zip unzip gzip kill pkill ps top whoami id uname" +
    " hostname history read test [ jq yq diff cmp apt apt-get brew dnf yum apk pip pip3 uname nproc free" +
    " basename dirname realpath readlink md5sum sha256sum base64 xxd od seq yes wait exit return" +
    " patch ed install truncate dd split paste column comm nl tac iconv dos2unix unix2dos envsubst mktemp" +
    " pgrep killall lsof ss ping dig printenv umask ulimit locale man systemctl journalctl jobs -")
    .split(" "),
);

/** Package managers and the like prove something only when they run something. */
const RUNS =
  /^(test|t|run|start|exec|x|dlx|build|check|lint|fmt|bench|typecheck|tsc|vet|clippy|doc|package|verify|compile|up|install-test|it|coverage|ci-test)$/;
const MANAGERS = new Set(
  "npm pnpm yarn bun poetry uv pipenv bundle composer conda docker podman".split(" "),
);

/** Flags with which a program only tells what it would run. */
const TELLS_ONLY =
  /^--(dry-?run|just-print|recon|question|collect-only|co|list|list-?tests|show-only|showConfig|setup-plan|fixtures)(=|$)/;

export interface Verification {
  /** It ran a test, a build or the like. */
  readonly verified?: true;
  /** As in Detail. */
  readonly masked?: true;
}

/**
 * Whether `command` can have shown that a change works, and whether its exit says so: it does where
 * none of the programs that verify can fail without it. What runs elsewhere than in `workspace`, and
 * names nothing of it, shows nothing.
 */
export function verificationOf(
  command: string,
  cwd: string,
  workspace: string,
  reading?: Reading,
): Verification {
  try {
    const { invocations, doubtful } = reading ??
      readCommand(command, { cwd, guesses: new Set() });
    const top = realOf(workspace);
    const named = command.includes(workspace) || command.includes(top);
    const here = ({ cwd, args }: Invocation) =>
      named || cwd === undefined || within(realOf(cwd), top) ||
      args.some(({ text }) => !hasMarks(text) && within(resolve(cwd, text), top));
    const found = invocations.filter((one) => verifies(one) && here(one));
    if (found.length === 0) return {};
    const ends = (word: string) => invocations.some(({ name }) => name === word);
    const masked = doubtful || found.some(({ untold }) => untold) ||
      // `trap 'exit 0' EXIT`
      ends("trap") && ends("exit");
    return { verified: true, ...masked ? { masked } : {} };
  } catch {
    return {};
  }
}

function verifies({ name, args, stdin, guessed }: Invocation): boolean {
  if (name === "" || guessed) return false;
  if (LOOKS.has(name)) return /^(ba|z)?sh$/.test(name) && runsFile(args);
  if (args.length === 1 && /^(--version|-v|-V|--help|-h)$/.test(args[0]!.text)) return false;
  if (name === "perl" && args.some(({ text }) => /^-\w*i/.test(text))) return false;
  const code = codeIn(name, args, stdin);
  if (code !== undefined) return typeof code === "string" ? runsOther(code) : code;
  if (args.some(({ text }) => TELLS_ONLY.test(text)) || tellsOnly(name, args)) return false;
  if (!MANAGERS.has(name)) {
    return !(/^(cargo|go|deno)$/.test(name) &&
      /^(add|get|mod|install|remove)$/.test(args[0]?.text ?? ""));
  }
  const [verb] = readOptions(args, "-C --prefix --cwd -w --workspace --filter -f --file").operands;
  return verb !== undefined &&
    (RUNS.test(verb.text) ||
      (name === "yarn" && !/^(add|remove|install|up|init|why)$/.test(verb.text)));
}

/** Whether a shell is given a script to run: what stands behind -c is a command of its own. */
const runsFile = (args: readonly Arg[]) =>
  !args.some(({ text }) => /^-\w*c/.test(text)) && args.some(({ text }) => /^[^-]/.test(text));

/**
 * The code that an interpreter is given in the command itself, or whether what it runs instead
 * verifies; undefined where the other arguments tell.
 */
function codeIn(name: string, args: readonly Arg[], stdin: string | undefined) {
  if (name === "deno" && args[0]?.text === "eval") return args[1]?.text;
  const known = INTERPRETERS.find(([programs]) => programs.test(name));
  if (!known) return undefined;
  const [, code, module, takes] = known;
  const options = readOptions(args, `${code} ${module} ${takes}`, true);
  if (module && options.has(module)) {
    return /^(pip|venv|http\.server|json\.tool)$/.test(options.value(module) ?? "")
      ? false
      : undefined;
  }
  const given = options.value(...code.split(" "));
  if (given !== undefined) return given;
  const [script] = options.operands;
  return script && script.text !== "-" ? true : stdin ?? true;
}

const runsOther = (code: string) => LOADS.test(code) && !WRITES.test(code);

/** `make -n`, `ninja -n`, `go test -n`, `ctest -N`. */
function tellsOnly(name: string, args: readonly Arg[]): boolean {
  const flags = /^g?make$/.test(name)
    ? /^-[BbdeikrRsSvw]*[nqt][BbdeikrRsSvwnqtj\d]*$/
    : name === "go"
    ? /^-(n|list)(=|$)/
    : /^(ninja|samu)$/.test(name)
    ? /^-n$/
    : name === "ctest"
    ? /^-N$/
    : undefined;
  return flags !== undefined && args.some(({ text }) => flags.test(text));
}

const MAX_NAME = 32;
/** Programs that only start another one, or set its stage. */
const STAGE =
  /^(cd|pushd|popd|export|unset|set|shopt|ulimit|umask|source|\.|env|nohup|exec|time|nice|setsid|sudo|timeout|sleep|wait|echo|printf|true|false|:|test|\[|\[\[|trap|disown|jobs|kill|exit|mkdir|bash|sh|zsh)$/;
/** Those of them that take time. */
const WRAPS = /^(sleep|timeout|bash|sh|zsh)$/;

/** A short name for a command that none of `taken` is: its first telling program with its first words. */
export function jobName(command: string, taken: readonly string[], reading?: Reading): string {
  const base = slug(words(command, reading)) || "job";
  let name = base;
  for (let n = 2; taken.includes(name); n++) name = `${base}-${n}`;
  return name;
}

function words(command: string, reading?: Reading): string {
  try {
    const { invocations } = reading ?? readCommand(command, { cwd: "/", guesses: new Set() });
    const calls = invocations.filter(({ name, guessed }) => name !== "" && !guessed);
    const call = calls.find(({ name }) => !STAGE.test(name)) ??
      calls.findLast(({ name }) => WRAPS.test(name)) ?? calls[0];
    if (call) {
      const args = call.args.map((arg) => arg.source).filter((arg) => !arg.startsWith("-"));
      return [call.name, ...args.slice(0, 2).map((arg) => basename(arg))].join(" ");
    }
  } catch { /* not a command, then its letters */ }
  return command;
}

function slug(text: string): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  const short = [...plain].slice(0, MAX_NAME + 1).join("");
  if (short === plain && [...plain].length <= MAX_NAME) return plain;
  // Whole words only: half a number would be another number.
  const words = short.replace(/-[^-]*$/, "");
  return [...words].slice(0, MAX_NAME).join("");
}
