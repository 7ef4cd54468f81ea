/** Whether a command can have shown that a change works: a test, a build, a run. */
import { readOptions } from "./options.ts";
import { type Invocation, readCommand } from "./read_command.ts";

/** Programs that move, show or fetch things and prove nothing about the code. */
const LOOKS = new Set(
  ("ls dir cd pwd pushd popd echo printf cat head tail less more wc sort uniq cut tr tee sed awk grep rg find fd" +
    " git gh mkdir touch cp mv ln rm rmdir chmod chown stat file du df tree which type whereis date sleep true" +
    " false : export set unset alias source . trap eval command builtin exec env sudo doas timeout nice nohup" +
    " time xargs sh bash zsh curl wget ssh scp rsync tar zip unzip gzip kill pkill ps top whoami id uname" +
    " hostname history read test [ jq yq diff cmp apt apt-get brew dnf yum apk pip pip3 uname nproc free" +
    " basename dirname realpath readlink md5sum sha256sum base64 xxd od seq yes wait exit return")
    .split(" "),
);

/** Package managers and the like prove something only when they run something. */
const RUNS =
  /^(test|t|run|start|exec|x|dlx|build|check|lint|fmt|bench|typecheck|tsc|vet|clippy|doc|package|verify|compile|up|install-test|it|coverage|ci-test)$/;
const MANAGERS = new Set(
  "npm pnpm yarn bun poetry uv pipenv bundle composer conda docker podman".split(" "),
);

/** True when one of the programs that `command` runs can verify a change. */
export function canVerify(command: string, cwd: string): boolean {
  try {
    return readCommand(command, { cwd, guesses: [] }).invocations.some(verifies);
  } catch {
    return false;
  }
}

function verifies({ name, args, guessed }: Invocation): boolean {
  if (name === "" || guessed || LOOKS.has(name)) return false;
  if (args.length === 1 && /^(--version|-v|-V|--help|-h)$/.test(args[0]!.text)) return false;
  if (!MANAGERS.has(name)) {
    return !(/^(cargo|go|deno)$/.test(name) &&
      /^(add|get|mod|install|remove)$/.test(args[0]?.text ?? ""));
  }
  const [verb] = readOptions(args, "-C --prefix --cwd -w --workspace --filter -f --file").operands;
  return verb !== undefined &&
    (RUNS.test(verb.text) ||
      (name === "yarn" && !/^(add|remove|install|up|init|why)$/.test(verb.text)));
}
