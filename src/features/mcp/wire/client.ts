/** The client library as narnat uses it: what a server may ask of us, what it may tell us. */
import type { Client } from "@modelcontextprotocol/client";
import type { T } from "../../../base/t.ts";
import type { Deadline } from "./deadline.ts";
import { formContent, formQuestion } from "./elicit.ts";
import { rootsFor } from "./roots.ts";
import type { Caller, Link, ServerConfig } from "../types.ts";

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
