/** Placeholders that a model uses: turned back into the secrets they stand for, on the same file only. */
import type { PreparedCall, Secrets, Session, ToolInput } from "../../base/types.ts";
import type { T } from "../../base/t.ts";
import { realTarget, resolvePath } from "../../files/paths.ts";
import { decodeText } from "../../files/text_file.ts";

const WHYS = {
  command:
    "Nothing was run: {names} is the placeholder of a secret, and is turned back only in a command that names the file which holds it. Have the command read it itself, such as from the environment ($NAME) or by `. ./.env && …`, or ask the user to run it with a line that begins with !.",
  file:
    "Nothing was done: {names} is the placeholder of a secret, and {path} does not hold the value it stands for; written as it is, it would destroy or replace the real one. Leave those lines as they are (keep them out of old_string and new_string), or ask the user to fill them in; to put the secret into another file, use a Bash command that names both files.",
  shell:
    "Nothing was run: the value that {names} stands for has characters that a shell reads in ways of its own. Have the command read it from the file or the environment.",
  other:
    "Nothing was done: {names} is the placeholder of a secret, and this tool is never given the value. Change the file that holds it with Edit or Write, or use a Bash command that reads it itself; to find where it is used, search for its name.",
  two:
    "Nothing was done: {names} may stand for more than one value here, and which one is meant cannot be told. Leave those lines out and change the others.",
} as const;

/** Who carries the call out. */
export interface RestoreHost {
  readonly secrets: Secrets;
  /** Key of the lane. */
  readonly lane: string;
  readonly session: Pick<Session, "cwd">;
  readonly workspace: string;
  readonly env: { readonly [name: string]: string };
  readonly t: T;
}

/** A larger file is hardly edited for its keys. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Files of a command that are looked into. */
const MOST_FILES = 40;
/** What stands between the words of a command, however they are quoted. */
const BETWEEN_WORDS = /[\s"'`=<>|;&(){}[\],]+/;
/** What no shell reads as anything but itself, within quotes and without. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** The call as it is to be carried out; a text says why it may not be. */
export async function restoreSecrets(
  what: PreparedCall,
  host: RestoreHost,
): Promise<PreparedCall | string> {
  const { tool, input } = what;
  // what needs nothing of the machine changes nothing there: words for people, or for another model
  if (tool.needs.length === 0) return what;
  const names = placeholders(input, host);
  if (names.length === 0) return what;
  if (tool.givenSecrets === undefined) return refused(names, "other", host);
  return tool.givenSecrets === "file" ? await intoFile(what, host) : await intoCommand(what, host);
}

type Why = "other" | "file" | "command" | "two" | "shell";

function refused(names: readonly string[], why: Why, host: RestoreHost, path = ""): string {
  return host.t(WHYS[why], { names: names.join(", "), path });
}

const placeholders = (input: ToolInput, { secrets }: RestoreHost) =>
  secrets.placeholdersIn(Object.values(input).map((value) => JSON.stringify(value)).join("\n"));

async function intoFile(
  { tool, input }: PreparedCall,
  host: RestoreHost,
): Promise<PreparedCall | string> {
  const { secrets, lane } = host;
  const { file_path: path, ...rest } = input;
  const names = placeholders(rest, host);
  if (names.length === 0) return { tool, input };
  const content = await textOf(String(path), host.workspace, host) ?? "";
  const there = secrets.valuesIn(content);
  const typed = secrets.heard(lane);
  const values = new Map<string, string>();
  for (const name of names) {
    const value = there.has(name) ? there.get(name) : typed.get(name);
    // what a file says in so many words stays that
    if (content.includes(name)) {
      if (there.has(name)) return refused([name], "two", host, path);
    } else if (value !== undefined) values.set(name, value);
    else return refused([name], there.has(name) ? "two" : "file", host, path);
  }
  return { tool, input: { ...withValues(rest, values), file_path: path } };
}

async function intoCommand(
  { tool, input }: PreparedCall,
  host: RestoreHost,
): Promise<PreparedCall | string> {
  const names = placeholders(input, host);
  const command = String(input["command"] ?? "");
  const words = new Set(command.split(BETWEEN_WORDS).filter((word) => word !== ""));
  const values = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const word of [...words].slice(0, MOST_FILES)) {
    const content = await textOf(word, host.session.cwd, host);
    if (content === undefined) continue;
    for (const [name, value] of host.secrets.valuesIn(content)) {
      if (value === undefined || (values.get(name) ?? value) !== value) ambiguous.add(name);
      else values.set(name, value);
    }
  }
  for (const name of names) {
    if (ambiguous.has(name)) return refused([name], "two", host);
    const value = values.get(name);
    if (value === undefined) return refused([name], "command", host);
    if (!PLAIN.test(value)) return refused([name], "shell", host);
  }
  return { tool, input: withValues(input, values) };
}

/** The text of a file; undefined where there is none. */
async function textOf(given: string, base: string, host: RestoreHost): Promise<string | undefined> {
  try {
    const path = await realTarget(resolvePath(given, base, host.env["HOME"]));
    const { isFile, size } = await Deno.stat(path);
    if (!isFile || size > MOST_BYTES) return undefined;
    return decodeText(await Deno.readFile(path)).text;
  } catch {
    return undefined;
  }
}

/** The input with each placeholder of these in its texts replaced. */
function withValues(input: ToolInput, values: ReadonlyMap<string, string>): ToolInput {
  const change = (value: unknown): unknown => {
    if (typeof value === "string") {
      return [...values].reduce((text, [name, to]) => text.split(name).join(to), value);
    }
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]));
  };
  return change(input) as ToolInput;
}
