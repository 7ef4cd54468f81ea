/** Decides what may run: the delete gate, the interactive refusal, and the iron rule on file work. */
import type { Permission } from "../../base/types.ts";
import type { T, Text } from "../../base/t.ts";
import { DANGER_RULES, GUARDED_RULES, MAY_DELETE, MOVE_RULES } from "./rules/danger_rules.ts";
import { DELETE_RULES } from "./rules/delete_rules.ts";
import { fileWork } from "./file_work.ts";
import { type Fresh, freshIn } from "./rules/empty_rules.ts";
import { asksForHelp, INTERACTIVE_RULES } from "./rules/interactive_rules.ts";
import type { Invocation } from "./reader/invocation.ts";
import { readCommand, type Reading } from "./reader/read_command.ts";
import { type Part, type Rule, ruleIndex, rulesFor } from "./rules/rule.ts";
import { isOutside, type Sight, sightOf, targetsOf, thereFirst, visible } from "./targets.ts";

/** What the gate decides about a command. */
export interface Verdict {
  readonly verdict: "allow" | "ask" | "refuse";
  readonly kind: "none" | "delete" | "interactive" | "danger" | "file_work" | "unparsable";
  /** Why, for `say`; undefined when allowed. */
  readonly reason: Text | undefined;
  readonly values: { readonly [name: string]: string };
  /**
   * Absolute paths where known, wildcards matched against the real folders, variables as written;
   * control and invisible characters are written out.
   */
  readonly targets: readonly string[];
  /**
   * The targets as they are, wildcards not matched, for looking at, not for showing; a star or
   * question mark that is only a name stands in brackets.
   */
  readonly paths: readonly string[];
  /** Those of the paths that `rm`, `unlink` or `rmdir` take away; `rm …` where the text names none. */
  readonly unlinked: readonly string[];
  /** Which files below the targets go; all of them when undefined. */
  readonly part?: Part | undefined;
  /** Those of the targets that are known to lie outside the workspace. */
  readonly outside: readonly string[];
}

export interface CheckOptions {
  readonly permission: Permission;
  /** Folder in which the command would run, absolute. */
  readonly cwd: string;
  readonly home?: string | undefined;
  /** Absolute; with it the verdict tells which targets lie outside. */
  readonly workspace?: string | undefined;
  /** The shell that will run it: bash, or on Windows PowerShell or cmd; this machine's where not given. */
  readonly shell?: "bash" | "windows" | undefined;
  /** Apply the iron rule too: plain file work is refused with the tool that does it. */
  readonly fileWork?: boolean;
}

interface Hit {
  readonly names: string;
  readonly targets: readonly string[];
  readonly paths: readonly string[];
  readonly unlinked: readonly string[];
  readonly outside: readonly string[];
  readonly part?: Part | undefined;
  /** Why, where a rule knows better. */
  readonly reason?: Text | undefined;
  /** The system or a home goes, or may go. */
  readonly vital?: "sure" | "maybe" | undefined;
}

const GUARDED_REFUSAL =
  "the guarded mode forbids this command ({names}). Nothing was run; find a way that deletes nothing, or ask the user to run it";

/** A hit that is no file. */
const NOTHING: Hit = { names: "", targets: [], paths: [], unlinked: [], outside: [] };

type Index = ReadonlyMap<string, readonly Rule[]>;

const ALLOW: Verdict = {
  verdict: "allow",
  kind: "none",
  reason: undefined,
  values: {},
  targets: [],
  paths: [],
  unlinked: [],
  outside: [],
};

const DANGER: Index = ruleIndex(DANGER_RULES);
const DELETE: Index = ruleIndex(DELETE_RULES);
const MOVES: Index = ruleIndex(MOVE_RULES);
const GUARDED: Index = ruleIndex([...GUARDED_RULES, ...DANGER_RULES]);
const INTERACTIVE = ruleIndex(INTERACTIVE_RULES);
const GUESSES: ReadonlySet<string> = new Set([...DELETE.keys(), ...DANGER.keys()]);

const HOST_SHELL = Deno.build.os === "windows" ? "windows" : "bash";
const SHOWN_OUTSIDE = 5;
/** They only take names away, one by one: the content stays where it has another. */
const UNLINKERS = /^(?:rm|unlink|rmdir)$/;
const MOVERS = /\b(?:mv|rename|mmv|rsync)\b/;
/** Targets for which folders are looked into; a person reads no more of them. */
const MAX_LOOKED_UP = 100;

/** Control characters, odd blanks and invisible characters, the usual white space apart. */
const HIDDEN =
  // deno-lint-ignore no-control-regex -- these are what is looked for
  /[\x01-\x08\x0b-\x1f\x7f-\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

const DELETE_WORDS =
  /(^|[^\w-])(rm|rmdir|unlink|shred|srm|remove-item|ri|del|rd|erase|clear-content|clc|clear-recyclebin|format-volume|clear-disk|truncate|delete|drop|rmtree|rimraf|flushall|mkfs\S*|clean)($|[^\w-])/i;

/**
 * Reads `command` and decides. Never throws: what cannot be read and names a deleting word is asked
 * about, what cannot be read and names none is allowed (the shell will say what is wrong with it).
 * `bash`: what `readBash` has made of the command, where that is known.
 */
export function checkCommand(
  command: string,
  options: CheckOptions,
  bash?: Reading,
): Verdict {
  const reading = bash && isBash(options) ? bash : read(command, options);
  const calls = reading?.invocations ?? [];
  const bomb = reading?.forkBomb || /:\(\)\s*\{.*\};\s*:/s.test(command);

  if (options.permission === "guarded") {
    const denied = bomb
      ? { ...NOTHING, names: ":(){ :|:& };:" }
      : hit(calls, GUARDED, options, undefined);
    const kind = denied?.names === "rm" ? "delete" : "danger";
    if (denied) {
      return verdict(
        "refuse",
        kind,
        GUARDED_REFUSAL,
        denied,
      );
    }
  }
  for (const call of calls) {
    for (const rule of INTERACTIVE.get(call.name) ?? []) {
      if (!call.guessed && !asksForHelp(call) && rule.waits(call)) {
        return {
          ...ALLOW,
          verdict: "refuse",
          kind: "interactive",
          reason: rule.hint,
          values: { name: call.name },
        };
      }
    }
  }
  if (bomb) {
    return verdict(
      "ask",
      "danger",
      "the command is a fork bomb: it starts itself until the machine hangs",
      NOTHING,
    );
  }
  const sight = sightOf(command, calls, options.cwd, options.home);
  const dangerous = hit(calls, DANGER, options, sight);
  const fresh = freshIn(command, calls, options.home);
  const deleting = hit(calls, DELETE, options, sight, false, fresh);
  if (dangerous) {
    const reason = dangerous.reason ??
      "the command is dangerous ({names}): it can destroy a disk, or stop the machine or narnat itself";
    return verdict("ask", "danger", reason, both(dangerous, deleting));
  }
  const moving = hit(calls, MOVES, options, sight, true);
  const vital = deleting?.vital ? deleting : moving;
  if (vital) {
    if (options.permission === "guarded") {
      return verdict(
        "refuse",
        "danger",
        GUARDED_REFUSAL,
        vital,
      );
    }
    const reason = vital.vital === "maybe"
      ? MAY_DELETE
      : "the command deletes the whole system, a folder of it, or your whole home ({names})";
    return verdict("ask", "danger", vital.reason ?? reason, both(vital, deleting));
  }
  if (deleting) {
    return verdict(
      "ask",
      "delete",
      deleting.reason ?? "the command deletes files or data ({names})",
      deleting,
    );
  }
  if ((!reading || reading.doubtful) && namesDelete(command)) {
    return verdict(
      "ask",
      sight.blind ? "danger" : "unparsable",
      "the command cannot be read in full and names a deleting word",
      NOTHING,
    );
  }
  if (command.includes("\0")) {
    return verdict(
      "refuse",
      "unparsable",
      "the command holds a NUL character, which no shell can run. Send it again without",
      NOTHING,
    );
  }
  const hidden = hiddenDelete(command, options);
  if (hidden) {
    return verdict(
      "ask",
      hidden.vital ? "danger" : "unparsable",
      "the command holds characters that cannot be seen ({names}); read as it looks it deletes files or data",
      hidden,
    );
  }
  const tool = options.fileWork ? fileWork(reading?.script ?? command) : undefined;
  return tool ? { ...ALLOW, verdict: "refuse", kind: "file_work", reason: tool } : ALLOW;
}

/** The verdict in words; empty when the command may simply run. */
export function describeVerdict(t: T, verdict: Verdict): string {
  if (!verdict.reason) return "";
  const reason = t(verdict.reason, verdict.values);
  if (verdict.outside.length === 0) return reason;
  const shown = verdict.outside.slice(0, SHOWN_OUTSIDE).join(t(", "));
  const paths = verdict.outside.length > SHOWN_OUTSIDE ? `${shown} …` : shown;
  return reason + t("; outside the workspace: {paths}", { paths });
}

/** What `narnat check-command --json` prints. `rule`: what the rules that decided know it by. */
export interface VerdictJson {
  readonly verdict: Verdict["verdict"];
  readonly kind: Verdict["kind"];
  readonly rule: string;
  readonly reason: string;
  readonly targets: readonly string[];
  readonly outside: readonly string[];
}

export function verdictJson(t: T, verdict: Verdict): VerdictJson {
  return {
    verdict: verdict.verdict,
    kind: verdict.kind,
    rule: verdict.values.names || verdict.values.name || "",
    reason: describeVerdict(t, verdict),
    targets: verdict.targets,
    outside: verdict.outside,
  };
}

/** Reads a command as bash would; undefined where it cannot be read. */
export function readBash(
  command: string,
  { cwd, home }: Pick<CheckOptions, "cwd" | "home">,
): Reading | undefined {
  try {
    return readCommand(command, { cwd, home, guesses: GUESSES });
  } catch {
    return undefined;
  }
}

const isBash = ({ shell = HOST_SHELL }: CheckOptions) => shell === "bash";

function read(command: string, options: CheckOptions): Reading | undefined {
  if (isBash(options)) return readBash(command, options);
  const known = { cwd: options.cwd, home: options.home, guesses: GUESSES };
  const quoted = `'${command.replaceAll("'", "'\\''")}'`;
  try {
    // which of the two will run it is not known here: what either would do counts
    const powershell = readCommand(`powershell -Command ${quoted}`, known);
    const cmd = readCommand(`cmd /c ${quoted}`, known);
    const invocations = [...powershell.invocations, ...cmd.invocations];
    return { ...powershell, invocations, script: undefined };
  } catch {
    return undefined;
  }
}

/** What the rules find in the calls but what is `fresh`; with `vitalOnly` no more than what is vital. */
function hit(
  calls: readonly Invocation[],
  rules: Index,
  options: CheckOptions,
  sight: Sight | undefined,
  vitalOnly = false,
  fresh?: Fresh,
): Hit | undefined {
  // hardly any command is hit: nothing is made ready for one that is not
  if (!calls.some((call) => rulesFor(rules, call.name).some((rule) => rule.hits(call)))) {
    return undefined;
  }
  const names = new Set<string>();
  const targets = new Set<string>();
  const paths = new Set<string>();
  const unlinked = new Set<string>();
  const parts = new Set<Part | undefined>();
  const reasons = new Set<Text | undefined>();
  let vital: Hit["vital"];
  let looked = 0;
  for (const call of calls) {
    for (const rule of rulesFor(rules, call.name)) {
      const found = rule.hits(call);
      const hits = found && rule.empties && fresh ? fresh(call, found) : found;
      if (!hits) continue;
      const part = rule.part?.(call);
      // what git has of a file comes back
      const told = part === "changed" || rule.names === "*" && hits.length === 0;
      const since = vitalOnly ? MOVERS : undefined;
      const stake = told ? undefined : sight?.look(call, hits, since);
      if (vitalOnly && !stake) continue;
      names.add(call.name || ">");
      parts.add(part);
      reasons.add(rule.reason);
      if (rule.unseen || stake && (part || stake === "maybe")) vital ??= "maybe";
      else if (stake) vital = "sure";
      for (const arg of hits) {
        const look = looked++ < MAX_LOOKED_UP;
        for (const path of sight?.emptied(call, arg) ?? []) {
          targets.add(path);
          paths.add(path);
        }
        for (const path of targetsOf(arg, call.cwd, options.home, look)) targets.add(path);
        const named = targetsOf(arg, call.cwd, options.home, false);
        for (const path of named) paths.add(path);
        if (!UNLINKERS.test(call.name) || arg.text === "") continue;
        for (const path of named.length > 0 ? named : [`${call.name} …`]) unlinked.add(path);
      }
    }
  }
  if (names.size === 0) return undefined;
  const { workspace } = options;
  const shown = thereFirst([...targets], workspace);
  const outside = workspace === undefined
    ? []
    : shown.slice(0, MAX_LOOKED_UP).filter((path) => isOutside(path, workspace));
  return {
    names: [...names].map(visible).join(", "),
    targets: shown.map(visible),
    paths: [...paths],
    unlinked: [...unlinked],
    outside: outside.map(visible),
    // Where several go in part, each another, nothing is left out.
    part: parts.size === 1 ? [...parts][0] : undefined,
    reason: reasons.size === 1 ? [...reasons][0] : undefined,
    vital,
  };
}

/** What either finds; why, and in part, is the first one's. */
function both(first: Hit, second: Hit | undefined): Hit {
  if (!second || first === second) return first;
  const join = (key: "targets" | "paths" | "unlinked" | "outside") => [
    ...new Set([...first[key], ...second[key]]),
  ];
  return {
    ...first,
    names: [...new Set([...first.names.split(", "), ...second.names.split(", ")])].join(", "),
    targets: join("targets"),
    paths: join("paths"),
    unlinked: join("unlinked"),
    outside: join("outside"),
    part: first.paths.length === 0 ? second.part : first.part,
  };
}

/** A delete that shows itself when what cannot be seen is taken for a blank, a line end or nothing. */
function hiddenDelete(command: string, options: CheckOptions): Hit | undefined {
  const found = command.match(HIDDEN);
  if (!found || command.replaceAll("\r\n", "\n").search(HIDDEN) < 0) return undefined;
  const names = [...new Set(found)].map(visible).join(" ");
  for (const instead of ["", " ", "\n"]) {
    const reading = read(command.replace(HIDDEN, instead), options);
    const calls = reading?.invocations ?? [];
    const sight = sightOf(command, calls, options.cwd, options.home);
    const hits = hit(calls, DELETE, options, sight) ?? hit(calls, DANGER, options, sight);
    if (hits) return { ...hits, names };
  }
  return undefined;
}

function verdict(
  decision: Verdict["verdict"],
  kind: Verdict["kind"],
  reason: Text,
  { names, reason: _, vital: __, ...found }: Hit,
): Verdict {
  return { verdict: decision, kind, reason, values: { names }, ...found };
}

/** As written, and with quotes, backslashes and line ends taken away. */
function namesDelete(command: string): boolean {
  return DELETE_WORDS.test(command) || DELETE_WORDS.test(command.replace(/["'\\]|\\\n/g, ""));
}
