/** Which calls of databases, git and containers wait for a person. */
import { gitVerb } from "./git_rules.ts";
import { type Invocation, readOptions } from "../reader/invocation.ts";
import type { Arg } from "../reader/words.ts";
import { CONTAINER_TAKES } from "../reader/wrappers.ts";

/** A database client that was given no statement. */
export function databaseWaits(call: Invocation): boolean {
  const { name, args, hasInput } = call;
  if (hasInput) return false;
  const takes = "-U -h -p -d -u -P -H -D -S -n -a -v -F --user --host --port --database --username";
  const options = readOptions(args, takes);
  const batch = args.some((arg) =>
    /^(-[a-zA-Z]*[cefqQlV]|-e.+|-c.+|--(execute|command|file|query|eval|version|help|list|batch)(=.*)?)$/
      .test(arg.text)
  );
  if (batch || options.has("-?")) return false;
  const count = options.operands.length;
  if (name === "redis-cli") return count === 0 && !options.has("--scan", "--bigkeys", "--stat");
  if (name === "sqlite3" || name === "duckdb") return count <= 1 && !options.has("-init", "-cmd");
  if (name.startsWith("mongo")) return !options.operands.some((arg) => arg.text.endsWith(".js"));
  return true;
}

/** Git asking piece by piece. */
export function gitAsks(call: Invocation): boolean {
  const found = gitVerb(call.args);
  if (!found || call.hasInput) return false;
  const options = readOptions(found.args, "-m -F -C -c -t -S --author --date --message --file");
  if (options.has("--help", "-h")) return false;
  switch (found.verb) {
    case "add":
      return options.has("-p", "--patch", "-i", "--interactive", "-e", "--edit");
    case "clean":
      return options.has("-i", "--interactive");
    case "stash":
      return options.has("-p", "--patch") &&
        !/^(?:show|list|pop|apply|drop|clear|branch)$/.test(options.operands[0]?.text ?? "");
    case "checkout":
    case "reset":
    case "restore":
    case "commit":
      return options.has("-p", "--patch");
    default:
      return false;
  }
}

/** Git opening an editor. */
export function gitWaits(call: Invocation): boolean {
  const found = gitVerb(call.args);
  if (!found) return false;
  const options = readOptions(
    found.args,
    "-m -F -C -c -t -S --author --date --message --file -x -s",
  );
  if (options.has("--help", "-h")) return false;
  const editor = [...call.assigns].some((name) => /EDITOR$/.test(name)) ||
    call.args.some((arg) => /^(core|sequence)\.editor=/.test(arg.text));
  switch (found.verb) {
    case "rebase":
      return !editor && options.has("-i", "--interactive", "--continue", "--edit-todo");
    case "commit":
      return !editor && (options.has("-e", "--edit") ||
        !options.has(
          "-m",
          "--message",
          "-F",
          "--file",
          "-C",
          "--reuse-message",
          "--no-edit",
          "--fixup",
          "--dry-run",
        ));
    case "tag":
      return !editor && options.has("-a", "-s", "--annotate", "--sign") &&
        !options.has("-m", "--message", "-F", "--file");
    case "config":
      return !editor && options.has("-e", "--edit");
    case "branch":
      return !editor && options.has("--edit-description");
    case "notes":
      return !editor && /^(edit|add)$/.test(options.operands[0]?.text ?? "") &&
        !options.has("-m", "-F");
    case "mergetool":
    case "gui":
    case "citool":
      return true;
    case "difftool":
      return !options.has("-y", "--no-prompt");
    default:
      return false;
  }
}

/** `docker logs -f` and its kin. */
export function followsLogs(call: Invocation): boolean {
  if (call.bounded) return false;
  const takes = "-n --namespace --context -s --kubeconfig -H --host -f --file -p --project-name";
  let [verb, ...rest] = readOptions(call.args, takes, true).operands;
  if (verb?.text === "compose") [verb, ...rest] = readOptions(rest, takes, true).operands;
  const options = readOptions(rest, "-n --tail --since --until -c -l -p");
  return verb?.text === "logs" && options.has("-f", "--follow") && !options.has("--help");
}

/** A container that is given a terminal. */
export function containerWaits(call: Invocation): boolean {
  const verb = call.args.find((arg) => /^(run|exec|attach|edit|login|start)$/.test(arg.text));
  if (!verb) return false;
  const rest = call.args.slice(call.args.indexOf(verb) + 1);
  const kube = call.name === "kubectl" || call.name === "oc";
  if (verb.text === "attach") return kube ? hasTerminal(rest, kube) : !call.hasInput;
  if (verb.text === "edit") return kube && !call.assigns.has("KUBE_EDITOR");
  if (verb.text === "login") return false;
  return hasTerminal(rest, kube);
}

/** `-i` and `-t` for docker before the image, for kubectl before the `--`. */
function hasTerminal(rest: readonly Arg[], kube: boolean): boolean {
  const dashes = rest.findIndex((arg) => arg.text === "--");
  const options = kube
    ? readOptions(dashes < 0 ? rest : rest.slice(0, dashes), "-n -c")
    : readOptions(rest, CONTAINER_TAKES, true);
  return options.has("-i", "--interactive", "--stdin") && options.has("-t", "--tty");
}
