/** Which commands of a script may fail without its exit telling so. */
import {
  type CommandNode,
  eachChild,
  type Node,
  type ParsedScript,
  type Statement,
  wordsOf,
} from "./syntax.ts";

/** What the shell has been told to take for a failure. */
interface Heeds {
  errexit: boolean;
  pipefail: boolean;
  /** Here errexit is without effect. */
  readonly idle: boolean;
  /** Somewhere in the script they are, or may be, taken back: neither counts. */
  readonly void: { now: boolean };
}

/**
 * Adds to `lost` the commands of `script` whose failure is not the script's own; `options` are the
 * words behind the shell that runs it. In doubt a failure is lost.
 */
export function findLostExits(
  script: ParsedScript,
  options: readonly string[],
  lost: Set<Node>,
): void {
  const heeds = { errexit: false, pipefail: false, idle: false, void: { now: false } };
  takeOptions(options, heeds);
  walk(script, true, heeds, lost);
}

/** `told`: the exit of `node` is the script's. */
function walk(node: Node, told: boolean, heeds: Heeds, lost: Set<Node>): void {
  switch (node.type) {
    case "Script":
    case "CompoundList":
      return list(node.commands, told, heeds, lost);
    case "Command":
      return command(node, told, heeds, lost);
    case "Statement":
      return walk(
        node.command,
        told && !node.background,
        node.background ? { ...heeds } : heeds,
        lost,
      );
    case "Subshell":
      return walk(node.body, told, { ...heeds }, lost);
    case "Function":
      return walk(node.body, true, { ...heeds, idle: true }, lost);
    case "BraceGroup":
      return walk(node.body, told, heeds, lost);
    case "Redirected":
      node.redirects.forEach((one) => walk(one, false, { ...heeds }, lost));
      return walk(node.command, told, heeds, lost);
    case "Pipeline": {
      const kept = told && !node.prefixes.some(({ type }) => type === "Negation");
      const last = node.commands.length - 1;
      return node.commands.forEach((part, i) =>
        walk(
          part,
          kept && (i === last || heeds.pipefail && !heeds.void.now),
          last > 0 ? { ...heeds } : heeds,
          lost,
        )
      );
    }
    case "AndOr": {
      const kept = told && !node.operators.includes("||");
      return node.commands.forEach((part, i) => {
        // before a && the shell goes on after a failure, whatever set -e says
        const own = { ...heeds, idle: heeds.idle || i < node.commands.length - 1 };
        walk(part, kept, own, lost);
        // what comes first is certain to be run
        if (i === 0) Object.assign(heeds, { errexit: own.errexit, pipefail: own.pipefail });
      });
    }
    case "Word":
    case "DoubleQuoted":
    case "Assignment":
      return eachChild(node, (child) => walk(child, told, heeds, lost));
    case "CommandExpansion":
      return eachChild(node, (child) => walk(child, told, { ...heeds, errexit: false }, lost));
    default:
      return eachChild(node, (child) => walk(child, false, { ...heeds }, lost));
  }
}

function list(all: readonly Statement[], told: boolean, heeds: Heeds, lost: Set<Node>): void {
  all.forEach((one, i) => {
    const ends = heeds.errexit && !heeds.idle && !heeds.void.now && one.command.type !== "AndOr";
    walk(one, told && (i === all.length - 1 || ends), heeds, lost);
  });
}

function command(node: CommandNode, told: boolean, heeds: Heeds, lost: Set<Node>): void {
  if (!told) lost.add(node);
  const [name, ...words] = wordsOf(node).map(({ value }) => value);
  if (name === "set") takeOptions(words, heeds);
  if (name === "eval") heeds.void.now = true;
  // the exit of `x=$(make)` is that of make
  const passed = told && !node.name && node.prefix.length === 1;
  eachChild(node, (child) => walk(child, passed, { ...heeds }, lost));
}

/** What `set` and the shells take: `-e`, `-euo pipefail`. */
function takeOptions(words: readonly string[], heeds: Heeds): void {
  for (let i = 0; /^[-+]/.test(words[i] ?? ""); i++) {
    const word = words[i]!;
    if (word.startsWith("--")) continue;
    if (word.startsWith("+")) heeds.void.now = true;
    if (word.includes("e")) heeds.errexit = true;
    if (!word.includes("o")) continue;
    const option = words[++i];
    if (option === "errexit" || option === "pipefail") heeds[option] = true;
  }
}
