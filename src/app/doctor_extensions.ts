/** What the doctor says of servers of tools, hooks and trust. */
import type { T, Text } from "../base/t.ts";
import type { ServerInfo } from "../base/types.ts";
import { VERSION } from "../commands/flags.ts";
import type { AgentEnvironment } from "./environment.ts";
import { hasServers } from "../features/mcp/places.ts";
import { shellName } from "../features/mcp/cli/cli_named.ts";
import { connectedServers } from "../features/mcp/tools.ts";
import { projectRequests } from "../features/trust/requests.ts";
import { HOOKS } from "../features/hooks/trust.ts";
import { untrustedRequests } from "../features/trust/mod.ts";

/** A line of the doctor's. */
export interface Finding {
  readonly name: Text;
  readonly state: "ok" | "warn" | "bad";
  readonly text: string;
}

/** A line each; connects to the servers that may start. */
export async function doctorFindings(environment: AgentEnvironment, t: T): Promise<Finding[]> {
  const wants = await projectRequests(environment);
  const open = untrustedRequests(environment, wants).map(({ what }) => what);
  const findings = hasServers(environment) ? await serverFindings(environment, t) : [];
  const { hooks = [], projectHooks = [] } = environment.config;
  const all = [...hooks, ...environment.trusted.has(HOOKS) ? projectHooks : []];
  const events = [...new Set(all.map(({ event }) => event))]
    .map((event) => `${event} ${all.filter((hook) => hook.event === event).length}`);
  if (events.length > 0) {
    findings.push({ name: "hooks", state: "ok", text: events.join(", ") });
  }
  if (open.length > 0) {
    const text = t("not trusted: {names} (narnat trust shows them, narnat trust add trusts them)", {
      names: open.join(", "),
    });
    findings.push({ name: "trust", state: "warn", text });
  } else if (wants.length > 0) {
    const text = wants.map(({ what }) => what).join(", ");
    findings.push({ name: "trust", state: "ok", text });
  }
  return findings;
}

async function serverFindings(environment: AgentEnvironment, t: T): Promise<Finding[]> {
  const never = new AbortController().signal;
  const { servers, warnings } = await connectedServers(environment, VERSION, never);
  const findings = servers.list().map((info) => serverFinding(info, t));
  await servers.shutdown();
  return [
    ...warnings.map((text): Finding => ({ name: "MCP server", state: "warn", text })),
    ...findings,
  ];
}

function serverFinding({ name, state, why, tools, ms = 0 }: ServerInfo, t: T): Finding {
  const at = { name: "MCP server" } as const;
  if (state === "ready") {
    const values = { name, n: tools.length, ms: Math.round(ms) };
    return { ...at, state: "ok", text: t("{name}: {n} {n:tool|tools}, {ms} ms", values) };
  }
  if (state === "off") return { ...at, state: "ok", text: t("{name}: off", { name }) };
  const untrusted = state === "untrusted";
  const text = t(
    untrusted
      ? "{name}: not trusted (narnat trust add)"
      : "{name}: {why} (narnat mcp test {shell} shows more)",
    {
      name,
      why,
      shell: shellName(name),
    },
  );
  return { ...at, state: "warn", text };
}
