import type { Choice, ServerInfo, SessionController } from "../../base/types.ts";
import { nearest } from "../../base/nearest.ts";
import type { T } from "../../base/t.ts";
import { truncate } from "../../base/strings.ts";
import { comma, facts, serverState, stateOf } from "./server_text.ts";
import { commandName } from "./prompt_commands.ts";
import { WHERE } from "../../commands/flags.ts";
import type { SharedCommand } from "../../commands/shell_command.ts";
import { table } from "../../commands/table.ts";

const DESCRIPTION_CHARS = 100;
const WHY_CHARS = 120;
/** How long to wait until it is known which servers there are, and for those that are connecting. */
const LISTED_MS = 10_000;
const READY_MS = 2000;
const VERBS = ["reconnect", "enable", "disable"] as const;

/** Lists the servers of tools, shows one, connects it again, or switches it for this session. */
export const mcp: SharedCommand = {
  name: "mcp",
  usage: (t) => t("[name | reconnect|enable|disable name]"),
  // the tools of a turn stay as they are: what changes counts from the next one on
  anytime: true,
  help: (t) => t("MCP servers: status, tools, reconnect, switch on or off"),
  async run(args, controller) {
    const { t, servers } = controller;
    const whole = args.trim();
    await servers.listed(AbortSignal.timeout(LISTED_MS));
    const soon = AbortSignal.timeout(READY_MS);
    const opening = servers.list().filter(({ state }) => state === "connecting");
    await Promise.all(opening.map(({ name }) => servers.ready(name, soon)));
    if (whole === "") return overview(servers.list(), t);
    const verb = VERBS.find((one) => whole.split(/\s/)[0] === one);
    // a name may have spaces in it
    const given = verb === undefined ? whole : whole.slice(verb.length).trim();
    if (given === "") {
      throw new Error(t("Usage: /mcp [NAME | reconnect NAME | enable NAME | disable NAME]"));
    }
    const { name } = named(given, servers.list(), t);
    if (verb === undefined) return shown(name, controller);
    const info = verb === "reconnect"
      ? await servers.reconnect(name)
      : await servers.enable(name, verb === "enable");
    if (info.state === "untrusted") {
      throw new Error(
        t(
          "The MCP server {name} comes from a file of this project that was not trusted yet; /trust asks again",
          { name },
        ),
      );
    }
    if (info.state === "error") throw new Error(serverState(info, t));
    return `${serverState(info, t)}${t("; ")}${
      t("what changes of its tools counts from the next turn on")
    }`;
  },
  complete: ({ servers, t }) => Promise.resolve(choices(servers.list(), t)),
  shell: {
    brief: "MCP servers: list, add, try, log in",
    flags: {
      ...WHERE,
      url: { is: "text", brief: "the server's address (HTTP)", placeholder: "URL" },
      header: {
        is: "texts",
        brief: "a header of each request, NAME:VALUE; may be repeated",
        placeholder: "NAME:VALUE",
      },
      env: {
        is: "texts",
        brief: "a variable of the program, NAME=VALUE; may be repeated",
        placeholder: "NAME=VALUE",
      },
      user: { is: "yes", brief: "write to ~/.narnat/mcp.json, for all projects" },
      project: { is: "yes", brief: "write to the project's .narnat/mcp.json (the default)" },
      // as other agents spell them
      scope: {
        is: "choice",
        brief: "the same as --user or --project",
        values: ["user", "project", "local"],
      },
      transport: {
        is: "choice",
        brief: "the kind of server (optional)",
        values: ["stdio", "http", "sse"],
      },
    },
    words: {
      brief:
        "list, get NAME, test [NAME], add NAME -- PROGRAM ARGUMENTS…, add-json NAME JSON, remove|enable|disable|accept|login|logout NAME",
      placeholder: "list|get|test|add|remove|enable|disable|accept|login|logout",
    },
    args: async (args, t) => (await import("./cli/cli.ts")).addWords(args, t),
    load: async () => (await import("./cli/cli.ts")).mcp,
  },
};

function overview(all: readonly ServerInfo[], t: T): string {
  if (all.length === 0) {
    return t(
      "No MCP servers are configured; narnat mcp add NAME -- PROGRAM ARGUMENTS… or narnat mcp add NAME --url URL adds one",
    );
  }
  const rows = all.map((info) => [
    info.name,
    stateOf(info, t),
    [facts(info, t).join(comma(t)), truncate(info.why.split("\n")[0]!, WHY_CHARS)]
      .filter((text) => text !== "").join(t("; ")),
  ]);
  return table(rows).map((row) => row.trimEnd()).join("\n");
}

function shown(name: string, { t, servers }: SessionController): string {
  const info = servers.list().find((one) => one.name === name)!;
  const tools = servers.describe(name).map(({ name, description }) => [
    `  ${name}`,
    truncate(description.split("\n")[0]!, DESCRIPTION_CHARS),
  ]);
  const prompts = servers.prompts().filter(({ server }) => server === name).map((prompt) => [
    `  /${commandName(prompt)}`,
    truncate(prompt.description.split("\n")[0]!, DESCRIPTION_CHARS),
  ]);
  const stderr = servers.stderr(name).trim();
  return [
    serverState(info, t),
    `${info.what} (${info.file})`,
    ...table(tools).map((row) => row.trimEnd()),
    ...table(prompts).map((row) => row.trimEnd()),
    ...stderr === "" ? [] : ["", t("the end of its stderr:"), stderr],
  ].join("\n");
}

/** Throws in words for the user. */
function named(name: string, all: readonly ServerInfo[], t: T): ServerInfo {
  const found = all.find((one) => one.name === name);
  if (found) return found;
  if (all.length === 0) {
    throw new Error(
      t("No MCP servers are configured; narnat mcp add NAME -- PROGRAM ARGUMENTS… or narnat mcp add NAME --url URL adds one"),
    );
  }
  const names = all.map((one) => one.name);
  const near = nearest(name, names)[0];
  const values = { name, near: near ?? "", names: names.join(", ") };
  throw new Error(
    t(
      near === undefined
        ? "There is no MCP server {name} (there are: {names})"
        : "There is no MCP server {name}; did you mean {near}?",
      values,
    ),
  );
}

function choices(all: readonly ServerInfo[], t: T): readonly Choice[] {
  const help = (info: ServerInfo) => stateOf(info, t);
  const off = all.filter(({ state }) => state === "off");
  const on = all.filter(({ state }) => state !== "off");
  return [
    ...all.map((info) => ({ value: info.name, help: help(info) })),
    ...on.map((info) => ({ value: `reconnect ${info.name}`, help: help(info) })),
    ...on.map((info) => ({ value: `disable ${info.name}`, help: help(info) })),
    ...off.map((info) => ({ value: `enable ${info.name}`, help: help(info) })),
  ];
}
