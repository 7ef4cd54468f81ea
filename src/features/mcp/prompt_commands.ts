import type { Command, ServerPrompt } from "../../base/types.ts";
import { wordsOf } from "../../base/strings.ts";
import { HOST_MARK } from "../../base/t.ts";

/** The prompts of servers as commands: `/server:prompt` with its arguments by place or as `name=value`. */
export function serverPrompts(
  prompts: readonly ServerPrompt[],
  taken: readonly string[],
): readonly Command[] {
  const commands = new Map<string, Command>();
  for (const prompt of prompts) {
    const name = commandName(prompt);
    if (taken.includes(name) || commands.has(name)) continue;
    commands.set(name, commandOf(name, prompt));
  }
  return [...commands.values()];
}

/** What a prompt is called by. */
export function commandName({ server, name }: ServerPrompt): string {
  return [server, name].map(slashName).join(":");
}

/** Such that a slash line can name it. */
function slashName(text: string): string {
  const name = text.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-");
  return /^\p{L}/u.test(name) ? name : `mcp-${name}`;
}

function commandOf(name: string, prompt: ServerPrompt): Command {
  const { server, arguments: wanted, description } = prompt;
  const usage = wanted.map((one) => one.required ? one.name : `[${one.name}]`).join(" ");
  const help = description.split("\n")[0]! || `${server}: ${prompt.name}`;
  return {
    name,
    usage: () => usage,
    help: () => help,
    async asks(args, { t, servers }, signal) {
      const given = argumentsIn(args, wanted.map((one) => one.name));
      const missing = wanted.filter((one) => one.required && given[one.name] === undefined);
      if (missing.length > 0) {
        const names = missing.map((one) => one.name).join(", ");
        throw new Error(
          t("/{command} needs {names} too. Usage: /{command} {usage}", {
            command: name,
            names,
            usage,
          }),
        );
      }
      const head = t(
        "{mark} The user asks with the prompt {name} of the MCP server {server}; it says:",
        { mark: HOST_MARK, server, name: prompt.name },
      );
      const text = await servers.prompt(server, prompt.name, given, signal);
      // what the server says names no file of the user's
      return { typed: args, behind: [`${head}\n\n${text}`] };
    },
    // all its lines are for the model
    run: () => "",
    complete: () =>
      Promise.resolve(
        wanted.map((one) => ({ value: `${one.name}=`, help: one.description })),
      ),
  };
}

/** The words by the names of the arguments; those without a name take the places left, the last one the rest. */
export function argumentsIn(
  args: string,
  names: readonly string[],
): { readonly [name: string]: string } {
  const given: { [name: string]: string } = {};
  const others: string[] = [];
  let open: string | undefined;
  for (const word of wordsOf(args)) {
    const name = names.find((one) => word.startsWith(`${one}=`));
    if (name !== undefined) {
      const value = word.slice(name.length + 1);
      if (value === "") open = name;
      else given[name] = value;
    } else if (open !== undefined) {
      given[open] = word;
      open = undefined;
    } else {
      others.push(word);
    }
  }
  const left = names.filter((name) => given[name] === undefined && name !== open);
  left.forEach((name, at) => {
    const value = at === left.length - 1 ? others.slice(at).join(" ") : others[at] ?? "";
    if (value !== "") given[name] = value;
  });
  return given;
}
