/** The client library as narnat uses it: what a server may ask of us, what it may tell us. */
import type { Client } from "@modelcontextprotocol/client";
import { pathToFileURL } from "node:url";
import { isRecord } from "../../../base/is_record.ts";
import { basename, resolve } from "../../../base/path.ts";
import type { T } from "../../../base/t.ts";
import type { Field, Filled, Json, Question } from "../../../base/types.ts";
import type { Caller, Link, ServerConfig } from "../types.ts";

/** The question for a form that a server asks for. */
function formQuestion(
  server: string,
  params: { readonly [key: string]: unknown },
  t: T,
): Question {
  const schema = isRecord(params["requestedSchema"]) ? params["requestedSchema"] : {};
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const message = String(params["message"] ?? "");
  return {
    kind: "input",
    question: t("The MCP server {server} asks you: {message}", { server, message }),
    fields: Object.entries(properties).flatMap(([name, property]) =>
      isRecord(property) ? [fieldOf(name, property, required.includes(name))] : []
    ),
  };
}

/** What was filled in, which the fields take; what was left empty is left out. */
function formContent(
  fields: readonly Field[],
  filled: Filled,
): { [name: string]: string | number | boolean | string[] } {
  type Content = string | number | boolean | string[];
  return Object.fromEntries(fields.flatMap(({ name }): [string, Content][] => {
    const value = Object.hasOwn(filled, name) ? filled[name] : undefined;
    return value === undefined || value === null || value === "" ? [] : [[name, value as Content]];
  }));
}

function fieldOf(
  name: string,
  property: { readonly [key: string]: unknown },
  required: boolean,
): Field {
  const title = typeof property["title"] === "string" ? property["title"] : name;
  const more = typeof property["description"] === "string" ? property["description"] : "";
  const { type, choices } = kindOf(property);
  const [least, most] = BOUNDS[type] ?? ["minimum", "maximum"];
  const { [least]: minimum, [most]: maximum, format } = property;
  return {
    name,
    label: more === "" || more === title ? title : `${title} (${more})`,
    type,
    ...choices ? { choices } : {},
    ...property["default"] === undefined ? {} : { value: property["default"] as Json },
    ...required ? { required } : {},
    ...typeof minimum === "number" ? { minimum } : {},
    ...typeof maximum === "number" ? { maximum } : {},
    ...type === "text" && isFormat(format) ? { format } : {},
  };
}

const BOUNDS: { readonly [type in Field["type"]]?: readonly [least: string, most: string] } = {
  text: ["minLength", "maxLength"],
  lines: ["minItems", "maxItems"],
  choices: ["minItems", "maxItems"],
};
const isFormat = (format: unknown): format is NonNullable<Field["format"]> =>
  ["email", "uri", "date", "date-time"].includes(format as string);

function kindOf(property: { readonly [key: string]: unknown }): Pick<Field, "type" | "choices"> {
  const choices = choicesOf(property);
  if (choices) return { type: "choice", choices };
  if (property["type"] === "array") {
    const items = isRecord(property["items"]) ? choicesOf(property["items"]) : undefined;
    return items ? { type: "choices", choices: items } : { type: "lines" };
  }
  const { type } = property;
  return { type: type === "number" || type === "integer" || type === "boolean" ? type : "text" };
}

function choicesOf(schema: { readonly [key: string]: unknown }): Field["choices"] {
  const titled = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(titled)) {
    return titled.filter(isRecord).filter((one) => typeof one["const"] === "string").map((one) => ({
      value: String(one["const"]),
      label: typeof one["title"] === "string" ? one["title"] : String(one["const"]),
    }));
  }
  if (!Array.isArray(schema["enum"])) return undefined;
  const names = Array.isArray(schema["enumNames"]) ? schema["enumNames"] : [];
  return schema["enum"].map((value, at) => ({
    value: String(value),
    label: String(names[at] ?? value),
  }));
}

/**
 * The folders that the server's own arguments name, else the workspace: some servers
 * (server-filesystem) forget their arguments for what they are told here.
 */
async function rootsFor(
  { reach }: ServerConfig,
  workspace: string,
): Promise<{ uri: string; name: string }[]> {
  const named: string[] = [];
  if (reach?.type === "stdio") {
    for (const arg of reach.args.filter((each) => /[/\\]|^\.{1,2}$/.test(each))) {
      const path = resolve(reach.cwd, arg);
      const folder = await Deno.stat(path).then((found) => found.isDirectory, () => false);
      if (folder) named.push(path);
    }
  }
  return (named.length > 0 ? named : [workspace]).map((path) => ({
    uri: pathToFileURL(path).href,
    name: basename(path),
  }));
}

/** They do so for as many limits at most: who is busy for ever holds nobody. */
const MOST_LIMITS = 10;

/** Aborts `signal` when `ms` have gone by since it began, or since `reset`; after ten times that, whatever comes. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #ms: number;
  /** What is left of all limits together, and since when it runs. */
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paused = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.#left = ms * MOST_LIMITS;
    this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time that is over, once it is. */
  get ms(): number {
    return this.#left < this.#ms ? this.#ms * MOST_LIMITS : this.#ms;
  }

  reset(): void {
    if (this.#paused > 0) return;
    this.#pause();
    this.#start();
  }

  /** No time counts while `work` goes on; it counts anew after it. */
  async without<T>(work: Promise<T>): Promise<T> {
    if (this.#paused++ === 0) this.#pause();
    try {
      return await work;
    } finally {
      this.#paused--;
      if (this.#paused === 0 && !this.#controller.signal.aborted) this.#start();
    }
  }

  /** It does not matter any more. */
  stop(): void {
    this.#paused = Infinity;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#since = performance.now();
    const ms = Math.min(this.#ms, this.#left);
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }
}

/** A tool call that goes on. */
export interface RunningCall {
  readonly caller: Caller;
  readonly deadline: Deadline;
}

export interface ClientHost {
  readonly config: ServerConfig;
  readonly t: T;
  /** narnat's. */
  readonly version: string;
  readonly workspace: string;
  /** The call that was made last of those that go on. */
  running(): RunningCall | undefined;
  /** The server says that a list has changed. */
  relist(what: "tools" | "resources" | "prompts"): void;
  closed(): void;
}

const RELIST_AFTER_MS = 100;

/** Takes every result: what is of use in it is looked for where it is used. */
export const ANYTHING = {
  "~standard": {
    version: 1 as const,
    vendor: "narnat",
    validate: (value: unknown) => ({ value: value as { readonly [key: string]: unknown } }),
  },
};

/** Makes a client that is not connected yet. */
export async function newClient(link: Link, host: ClientHost): Promise<Client> {
  const { config, version, workspace, t } = host;
  const { Client } = await import("@modelcontextprotocol/client");
  const relist = (what: Parameters<ClientHost["relist"]>[0]) => ({
    autoRefresh: false,
    debounceMs: RELIST_AFTER_MS,
    onChanged: () => host.relist(what),
  });
  const client = new Client({ name: "narnat", version }, {
    // It may not sample: the user's tokens are not the server's.
    capabilities: { elicitation: { form: {} }, roots: {} },
    versionNegotiation: { mode: link.negotiation },
    listChanged: {
      tools: relist("tools"),
      resources: relist("resources"),
      prompts: relist("prompts"),
    },
  });
  client.setRequestHandler("roots/list", async () => ({
    roots: await rootsFor(config, workspace),
  }));
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    // Which call it is about is not told.
    const call = host.running();
    if (!call) return { action: "decline" };
    const question = formQuestion(config.name, params, t);
    const filled = await call.deadline.without(call.caller.fill(question));
    if (call.caller.signal.aborted) return { action: "cancel" };
    return filled === undefined
      ? { action: "decline" }
      : { action: "accept", content: formContent(question.fields ?? [], filled) };
  });
  client.onclose = () => host.closed();
  return client;
}
