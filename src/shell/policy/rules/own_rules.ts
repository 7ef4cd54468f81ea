/** narnat started by one of its own commands: what a person decides stays a person's to decide. */
import { type Invocation, readOptions } from "../reader/invocation.ts";
import { noFiles, type Rule, verbs } from "./rule.ts";
import type { Arg } from "../reader/words.ts";
import { SHELLS } from "../reader/wrappers.ts";

const NO_ARGS: readonly Arg[] = [];
const TAKES = "-C --cwd --lang -m --model --base-url --api -r --resume --scope -s";
/** The file that a runtime or a shell is given to run narnat. */
const OWN_FILE = /(?:^|[/\\])(?:narnat[^/\\]*|main\.(?:ts|js|mjs))$/i;
const RUNTIMES = /^(?:deno|node|bun|tsx)$/;

/** What narnat is given, by whatever name it is started. */
function ownArgs({ name, args }: Invocation): readonly Arg[] | undefined {
  if (/^narnat(?:$|[-_.])/.test(name)) return args;
  if (!RUNTIMES.test(name) && !SHELLS.has(name)) return undefined;
  if (args[0]?.text === "task") return args.slice(args[2]?.text === "--" ? 3 : 2);
  const at = args.findIndex(({ text }) => OWN_FILE.test(text));
  return at < 0 ? undefined : args.slice(at + 1);
}

/** Applies when narnat's words begin with one of the sequences and one of them is like `told`. */
function own(sequences: readonly string[], told = /^/): Rule["hits"] {
  return noFiles((call) => {
    const args = ownArgs(call);
    if (!args?.some(({ text }) => told.test(text))) return undefined;
    return verbs(TAKES, ...sequences)({ ...call, args });
  });
}

/** Its questions are answered by what it reads. */
function answers(call: Invocation): readonly Arg[] | undefined {
  const texts = ownArgs(call)?.map(({ text }) => text) ?? [];
  const read = texts.some((text, i) =>
    /^--input-?format=stream-json$/i.test(text) ||
    /^--input-?format$/i.test(text) && texts[i + 1] === "stream-json"
  );
  return read ? NO_ARGS : undefined;
}

/** They delete, or undo what was done, without another question. */
export const OWN_DELETE_RULES: readonly Rule[] = [
  {
    names: "*",
    // the flag is narnat's whatever it goes by; a pattern to search for stands behind -e or --
    hits: noFiles((call) =>
      call.args.some(({ text }) => text.startsWith("--allow")) &&
        !/^(?:echo|printf)$/.test(call.name) &&
        readOptions(ownArgs(call) ?? call.args, "-e -m -S -G --regexp --grep --message").has(
          "--allow-delete",
          "--allowDelete",
        )
        ? NO_ARGS
        : undefined
    ),
    yes: [
      "narnat --model demo -p 'delete f.txt' --allow-delete",
      "narnat -p x --allow-delete=true",
      "./dist/nt -p x --allowDelete",
      `narnat tool Bash '{"command":"rm x"}' --allow-delete`,
      "deno run -A main.ts -p x --allow-delete",
      "deno task dev -- -p x --allow-delete",
      "timeout 60 sh ./narnat --allow-delete -p x",
    ],
    no: [
      "narnat -p 'what does --allow-delete do?'",
      "rg -- --allow-delete src",
      "grep -rn -e --allow-delete .",
      "echo --allow-delete",
    ],
  },
  {
    names: "*",
    hits: (call) => own(["trash empty", "sessions delete"])(call) ?? own(["undo"], /^--yes/)(call),
    yes: [
      "narnat trash empty",
      "narnat trash empty --yes",
      "narnat undo --yes --overwrite",
      "narnat -C sub undo 2 --yes",
      "/usr/local/bin/narnat-linux undo --redo --yes",
      "narnat sessions delete abcdef",
      "deno run -A --no-prompt ../narnat/main.ts undo --yes",
      "bash ./narnat trash empty --yes",
    ],
    no: [
      "narnat trash",
      "narnat trash restore abcdef",
      "narnat undo --list",
      "narnat sessions",
      "deno run -A main.ts sessions list",
      "node server.js undo --yes",
    ],
  },
];

/** They say Yes to what narnat asks a person only. */
export const OWN_DANGER_RULES: readonly Rule[] = [{
  names: "*",
  hits: (call) =>
    own(["trust add", "mcp accept"])(call) ??
      own(["mcp add", "mcp add-json"], /^(?:--user|--scope=user|user)$/)(call) ??
      answers(call),
  reason: "the command would give narnat a Yes that only you may give ({names})",
  yes: [
    "narnat trust add",
    "cd sub && narnat --lang zh trust add",
    "env -u NARNAT_JOB ~/bin/narnat trust add",
    "deno run -A main.ts trust add",
    "deno task dev trust add",
    "narnat mcp accept files",
    "narnat mcp add x --user -- sh run.sh",
    "narnat mcp add --scope user x -- sh run.sh",
    "narnat -p --input-format stream-json < lines.jsonl",
    "narnat --input-format=stream-json -p",
  ],
  no: [
    "narnat trust",
    "narnat trust remove",
    "narnat mcp add x -- sh run.sh",
    "narnat mcp list --user",
    "narnat -p hi --output-format stream-json",
    "git remote add trust x",
  ],
}];
