/** Decides what may run: the delete gate, the interactive refusal, and the iron rule on file work. */
import { isAbsolute, join, normalize, resolve } from "node:path";
import { type Lang, type Permission } from "../types.ts";
import { say, type TextKey } from "../text.ts";
import { DANGER_RULES, GUARDED_RULES } from "./danger_rules.ts";
import { DELETE_RULES } from "./delete_rules.ts";
import { fileWork } from "./file_work.ts";
import { INTERACTIVE_RULES } from "./interactive_rules.ts";
import { type Invocation, readCommand, type Reading } from "./read_command.ts";
import { type Rule, ruleIndex } from "./rule.ts";
import { type Arg, hasMarks } from "./words.ts";

/** What the gate decides about a command. */
export interface Verdict {
  readonly verdict: "allow" | "ask" | "refuse";
  readonly kind: "none" | "delete" | "interactive" | "danger" | "file_work" | "unparsable";
  /** Why, for `say`; undefined when allowed. */
  readonly reason: TextKey | undefined;
  readonly values: { readonly [name: string]: string };
  /** Absolute paths where known; wildcards and variables as written. */
  readonly targets: readonly string[];
}

export interface CheckOptions {
  readonly permission: Permission;
  /** Folder in which the command would run, absolute. */
  readonly cwd: string;
  readonly home?: string | undefined;
  /** Apply the iron rule too: plain file work is refused with the tool that does it. */
  readonly fileWork?: boolean;
}

interface Hit {
  readonly names: string;
  readonly targets: readonly string[];
}

type Index = ReadonlyMap<string, readonly Rule[]>;

const ALLOW: Verdict = {
  verdict: "allow",
  kind: "none",
  reason: undefined,
  values: {},
  targets: [],
};

const DANGER: Index = ruleIndex(DANGER_RULES);
const DELETE: Index = ruleIndex(DELETE_RULES);
const GUARDED: Index = ruleIndex([...GUARDED_RULES, ...DANGER_RULES]);
const INTERACTIVE = ruleIndex(INTERACTIVE_RULES);
const GUESSES: readonly string[] = [...DELETE.keys(), ...DANGER.keys()];

const DELETE_WORDS =
  /(^|[^\w-])(rm|rmdir|unlink|shred|srm|remove-item|del|rd|erase|truncate|delete|drop|rmtree|rimraf|mkfs\S*|clean)($|[^\w-])/i;

/**
 * Reads `command` and decides. Never throws: what cannot be read and names a deleting word is asked
 * about, what cannot be read and names none is allowed (the shell will say what is wrong with it).
 */
export function checkCommand(command: string, options: CheckOptions): Verdict {
  const reading = read(command, options);
  const calls = reading?.invocations ?? [];
  const bomb = reading?.forkBomb || /:\(\)\s*\{.*\};\s*:/s.test(command);

  if (options.permission === "guarded") {
    const denied = bomb ? { names: ":(){ :|:& };:", targets: [] } : hit(calls, GUARDED, options);
    const kind = denied?.names === "rm" ? "delete" : "danger";
    if (denied) return verdict("refuse", kind, "shell.guarded", denied);
  }
  for (const call of calls) {
    if (call.guessed) continue;
    for (const rule of INTERACTIVE.get(call.name) ?? []) {
      if (rule.waits(call)) {
        return {
          verdict: "refuse",
          kind: "interactive",
          reason: rule.hint,
          values: { name: call.name },
          targets: [],
        };
      }
    }
  }
  if (bomb) return verdict("ask", "danger", "shell.fork_bomb", { names: "", targets: [] });
  const dangerous = hit(calls, DANGER, options);
  if (dangerous) return verdict("ask", "danger", "shell.danger", dangerous);
  const deleting = hit(calls, DELETE, options);
  if (deleting) return verdict("ask", "delete", "shell.delete", deleting);
  if ((!reading || reading.doubtful) && namesDelete(command)) {
    return verdict("ask", "unparsable", "shell.unparsable", { names: "", targets: [] });
  }
  const tool = options.fileWork ? fileWork(command) : undefined;
  return tool ? { ...ALLOW, verdict: "refuse", kind: "file_work", reason: tool } : ALLOW;
}

/** The verdict in words; empty when the command may simply run. */
export function describeVerdict(lang: Lang, verdict: Verdict): string {
  return verdict.reason ? say(lang, verdict.reason, verdict.values) : "";
}

/** What `narnat check-command` prints. */
export function verdictJson(
  lang: Lang,
  verdict: Verdict,
): { verdict: string; kind: string; reason: string; targets: readonly string[] } {
  return {
    verdict: verdict.verdict,
    kind: verdict.kind,
    reason: describeVerdict(lang, verdict),
    targets: verdict.targets,
  };
}

function read(command: string, options: CheckOptions): Reading | undefined {
  try {
    return readCommand(command, { cwd: options.cwd, home: options.home, guesses: GUESSES });
  } catch {
    return undefined;
  }
}

function hit(calls: readonly Invocation[], rules: Index, options: CheckOptions): Hit | undefined {
  const names = new Set<string>();
  const targets = new Set<string>();
  for (const call of calls) {
    for (const rule of [...rules.get(call.name) ?? [], ...rules.get("*") ?? []]) {
      const hits = rule.hits(call);
      if (!hits) continue;
      names.add(call.name || ">");
      for (const arg of hits) {
        const path = target(arg, call.cwd, options.home);
        if (path !== undefined) targets.add(path);
      }
    }
  }
  return names.size > 0 ? { names: [...names].join(", "), targets: [...targets] } : undefined;
}

/** The path in words; undefined where not even the text of the command names it. */
function target(
  arg: Arg,
  cwd: string | undefined,
  home: string | undefined,
): string | undefined {
  const text = hasMarks(arg.text) ? arg.source : arg.text;
  if (text === "" || hasMarks(text)) return undefined;
  if (/[\\$`:]/.test(text) || cwd === undefined) return text;
  if (text.startsWith("~") && home !== undefined) return join(home, text.slice(1));
  return isAbsolute(text) ? normalize(text) : resolve(cwd, text);
}

function verdict(
  decision: Verdict["verdict"],
  kind: Verdict["kind"],
  reason: TextKey,
  { names, targets }: Hit,
): Verdict {
  return { verdict: decision, kind, reason, values: { names }, targets };
}

/** As written, and with quotes, backslashes and line ends taken away. */
function namesDelete(command: string): boolean {
  return DELETE_WORDS.test(command) || DELETE_WORDS.test(command.replace(/["'\\]|\\\n/g, ""));
}
