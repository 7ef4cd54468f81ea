/** Hooks as a configuration names them. */
import { isRecord } from "../base/is_record.ts";
import type { Check, Fault, Parts, Schema } from "./check.ts";
import { nearest } from "../base/nearest.ts";
import { say } from "../base/text.ts";
import type { HookEvent, Lang } from "../base/types.ts";

/** What a hook may be for. */
const HOOK_EVENTS: readonly HookEvent["event"][] = [
  "session_start",
  "before_tool",
  "after_tool",
  "turn_end",
  "notify",
];

/** A program that hears of an event. */
export interface Hook {
  readonly event: HookEvent["event"];
  /** For the shell. */
  readonly command: string;
  /** Matches the whole name of a tool. */
  readonly match: RegExp;
  readonly timeoutMs: number;
}

/** Hooks as a file gives them: a command, or what else there is to say of it. */
export type HookSettings = {
  [event in HookEvent["event"]]?:
    (string | { command: string; match?: string; timeout?: number })[];
};

const HOOK_SECONDS = 10;
const HOOK_SECONDS_AT_MOST = 600;
const HOOK_KEYS = ["match", "command", "timeout"];
const TOOL_EVENTS = ["before_tool", "after_tool"];

const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";

/** What other agents call the events. */
const OTHER_NAMES: { readonly [name: string]: HookEvent["event"] } = {
  pretooluse: "before_tool",
  posttooluse: "after_tool",
  stop: "turn_end",
  sessionstart: "session_start",
  notification: "notify",
};

const HOOK_LIST: Schema = {
  type: "array",
  items: {
    anyOf: [{ type: "string", minLength: 1 }, {
      type: "object",
      additionalProperties: false,
      properties: {
        command: { type: "string", minLength: 1 },
        match: { type: "string" },
        timeout: { type: "number", exclusiveMinimum: 0, maximum: HOOK_SECONDS_AT_MOST },
      },
      required: ["command"],
    }],
  },
};

export const hookSettings: Check<HookSettings> = {
  expected: () => undefined,
  schema: {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(HOOK_EVENTS.map((event) => [event, HOOK_LIST])),
  },
  parts: hookParts,
};

/** Reads `hooks`: those that are right, and what is wrong with the others. */
function hookParts(value: unknown, lang: Lang): Parts<HookSettings> {
  const good: HookSettings = {};
  const faults: Fault[] = [];
  if (!isRecord(value)) {
    return { good, faults: [{ what: say(lang, "expect.hooks"), after: [] }] };
  }
  for (const [event, list] of Object.entries(value)) {
    const after = [event];
    if (!isEvent(event)) faults.push({ what: noEvent(event, lang), after });
    else if (!Array.isArray(list)) {
      faults.push({ what: say(lang, "expect.hook_list", { event }), after });
    } else {
      good[event] = list.filter((hook, index) => {
        const fault = hookFault(event, hook, lang);
        if (!fault) return true;
        const [key, expected, near] = fault;
        const at = `${event}[${index}]${key}`;
        faults.push({
          what: say(lang, "expect.hook", { at, what: expected }),
          after: [...after, ...near],
        });
        return false;
      });
    }
  }
  return { good, faults };
}

const isEvent = (name: string): name is HookEvent["event"] =>
  (HOOK_EVENTS as readonly string[]).includes(name);

function noEvent(event: string, lang: Lang): string {
  const name = event.toLowerCase();
  const near = Object.hasOwn(OTHER_NAMES, name)
    ? OTHER_NAMES[name]
    : nearest(event, HOOK_EVENTS)[0];
  return say(lang, near ? "expect.hook_event_near" : "expect.hook_event", {
    event: event.slice(0, 40),
    names: HOOK_EVENTS.join(", "),
    near: near ?? "",
  });
}

/** Where in the hook, what is expected there, and what stands before it in the file. */
function hookFault(
  event: string,
  hook: unknown,
  lang: Lang,
): [key: string, expected: string, near: string[]] | undefined {
  if (!isRecord(hook)) {
    return isText(hook) ? undefined : ["", say(lang, "expect.hook_item"), []];
  }
  const { timeout, match, command } = hook;
  const strange = Object.keys(hook).find((key) => !HOOK_KEYS.includes(key));
  if (strange !== undefined) {
    const near = nearest(strange, HOOK_KEYS)[0] ?? "";
    const values = { names: HOOK_KEYS.join(", "), near };
    const expected = say(lang, near ? "expect.hook_key_near" : "expect.hook_key", values);
    return [`.${strange.slice(0, 40)}`, expected, [strange]];
  }
  if (!isText(command)) return [".command", say(lang, "expect.text"), []];
  const near = [String(command)];
  const good = typeof timeout === "number" && timeout > 0 && timeout <= HOOK_SECONDS_AT_MOST;
  if (timeout !== undefined && !good) {
    return [".timeout", say(lang, "expect.hook_timeout", { most: HOOK_SECONDS_AT_MOST }), near];
  }
  if (match === undefined) return undefined;
  const matchNear = typeof match === "string" ? [match] : near;
  if (!TOOL_EVENTS.includes(event)) return [".match", say(lang, "expect.hook_no_match"), matchNear];
  if (typeof match === "string" && matcher(match)) return undefined;
  return [".match", say(lang, "expect.hook_match"), matchNear];
}

/** Matches the whole name; undefined where it is no pattern. */
function matcher(match: string): RegExp | undefined {
  try {
    return new RegExp(match === "" || match === "*" ? "" : `^(?:${match})$`);
  } catch {
    return undefined;
  }
}

/** The hooks of settings that have no fault, in the order of the events. */
export function hooksOf(settings: HookSettings = {}): Hook[] {
  return HOOK_EVENTS.flatMap((event) =>
    (settings[event] ?? []).map((given): Hook => {
      const { command, match = "", timeout = HOOK_SECONDS } = typeof given === "string"
        ? { command: given }
        : given;
      return { event, command, match: matcher(match)!, timeoutMs: timeout * 1000 };
    })
  );
}
