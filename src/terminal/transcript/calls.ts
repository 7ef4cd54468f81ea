/** A call as a person reads it, before it is known what comes of it. */
import { aboutCall, type JsonObject } from "../../base/about_call.ts";
import type { Json } from "../../base/types.ts";
import { clip, plainLine } from "../../base/control_characters.ts";
import { isRecord } from "../../base/is_record.ts";
import type { Look } from "./rows.ts";

const OF_SERVER = "mcp_";

/** A call as the screen knows it: callText's line, and all of what the call is about. */
export interface ShownCall {
  readonly text: string;
  readonly about: string;
}

/** `Edit src/a.ts`: a call in one line. */
export function callText(name: string, input: Json, look: Look): string {
  const about = clip(briefly(name, input, look));
  return look.style.bold(titleOf(name, look)) + (about === "" ? "" : " " + about);
}

/** All of what a call is about. */
export function wholeCall(name: string, input: Json, look: Look): string {
  if (isRecord(input)) {
    if (name === "Spawn" && typeof input["task"] === "string") return input["task"];
    if (name === "Plan" && Array.isArray(input["steps"])) return stepsText(input["steps"]);
    if (name === "Team" || name === "Send") return `${team(input)}${textOf(input)}`;
  }
  return aboutCall(input, look.workspace).text;
}

/** `server · tool` for a tool of a server, whose name alone does not say where the one ends. */
export function titleOf(name: string, { servers }: Look): string {
  if (!name.startsWith(OF_SERVER)) return clip(name, 60);
  const rest = name.slice(OF_SERVER.length);
  const all = (servers?.() ?? []).toSorted((a, b) => b.length - a.length);
  const server = all.find((one) => rest.startsWith(`${asNamed(one)}_`));
  if (server === undefined) return clip(name, 60);
  return clip(`${plainLine(server)} · ${rest.slice(asNamed(server).length + 1)}`, 80);
}

const asNamed = (server: string) => server.replace(/[^A-Za-z0-9_-]+/g, "_");

function briefly(name: string, input: Json, look: Look): string {
  if (isRecord(input)) {
    if (name === "Spawn" && typeof input["label"] === "string" && input["label"].trim() !== "") {
      return input["label"];
    }
    if (name === "Plan" && Array.isArray(input["steps"])) {
      return look.t("{n} {n:step|steps}", { n: input["steps"].length });
    }
  }
  return wholeCall(name, input, look);
}

const stepsText = (steps: readonly Json[]) =>
  steps.map((step, at) => `${at + 1}. ${typeof step === "string" ? step : JSON.stringify(step)}`)
    .join("\n");

/** `create ann, bob`, `→ ann: `, `broadcast: `. */
function team(input: JsonObject): string {
  const { action, members, to } = input;
  const word = typeof action === "string" && action !== "send" ? action : "";
  const names = Array.isArray(members)
    ? members.map((one) => isRecord(one) ? String(one["name"] ?? "") : "").join(", ")
    : "";
  const whom = typeof to === "string" && to !== "" ? `→ ${to}` : "";
  return [word, names, whom].filter((part) => part !== "").join(" ");
}

const textOf = ({ text }: JsonObject) => typeof text === "string" && text !== "" ? `: ${text}` : "";
