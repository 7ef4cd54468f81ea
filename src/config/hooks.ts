/** Hooks as a configuration names them. */
import { isRecord } from "../base/is_record.ts";
import type { Check, Fault, Parts, Schema } from "./check.ts";
import { nearest } from "../base/nearest.ts";
import type { T } from "../base/t.ts";
import type { HookEvent } from "../base/types.ts";

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
function hookParts(value: unknown, t: T): Parts<HookSettings> {
  const good: HookSettings = {};
  const faults: Fault[] = [];
  if (!isRecord(value)) {
    return {
      good,
      faults: [{
        what: t(
          'it must be an object like {"before_tool": [{"match": "Edit|Write", "command": "…", "timeout": 10}]}',
        ),
        after: [],
      }],
    };
  }
  for (const [event, list] of Object.entries(value)) {
    const after = [event];
    if (!isEvent(event)) faults.push({ what: noEvent(event, t), after });
    else if (!Array.isArray(list)) {
      faults.push({ what: t('{event} must be a list, as in ["…"]', { event }), after });
    } else {
      good[event] = list.filter((hook, index) => {
        const fault = hookFault(event, hook, t);
        if (!fault) return true;
        const [key, expected, near] = fault;
        const at = `${event}[${index}]${key}`;
        faults.push({
          what: t("{at} must be {what}", { at, what: expected }),
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

function noEvent(event: string, t: T): string {
  const name = event.toLowerCase();
  const near = Object.hasOwn(OTHER_NAMES, name)
    ? OTHER_NAMES[name]
    : nearest(event, HOOK_EVENTS)[0];
  return t(
    near
      ? "there is no event {event}; did you mean {near}? There are {names}"
      : "there is no event {event}; there are {names}",
    {
      event: event.slice(0, 40),
      names: HOOK_EVENTS.join(", "),
      near: near ?? "",
    },
  );
}

/** Where in the hook, what is expected there, and what stands before it in the file. */
function hookFault(
  event: string,
  hook: unknown,
  t: T,
): [key: string, expected: string, near: string[]] | undefined {
  if (!isRecord(hook)) {
    return isText(hook)
      ? undefined
      : ["", t('a command, or an object of "match", "command", "timeout"'), []];
  }
  const { timeout, match, command } = hook;
  const strange = Object.keys(hook).find((key) => !HOOK_KEYS.includes(key));
  if (strange !== undefined) {
    const near = nearest(strange, HOOK_KEYS)[0] ?? "";
    const values = { names: HOOK_KEYS.join(", "), near };
    const expected = t(
      near
        ? "left out (did you mean {near}?): a hook has the keys {names}"
        : "left out: a hook has the keys {names}",
      values,
    );
    return [`.${strange.slice(0, 40)}`, expected, [strange]];
  }
  if (!isText(command)) return [".command", t("a non-empty string"), []];
  const near = [String(command)];
  const good = typeof timeout === "number" && timeout > 0 && timeout <= HOOK_SECONDS_AT_MOST;
  if (timeout !== undefined && !good) {
    return [
      ".timeout",
      t("seconds, more than 0 and at most {most}", { most: HOOK_SECONDS_AT_MOST }),
      near,
    ];
  }
  if (match === undefined) return undefined;
  const matchNear = typeof match === "string" ? [match] : near;
  if (!TOOL_EVENTS.includes(event)) {
    return [".match", t("left out: only before_tool and after_tool match tools"), matchNear];
  }
  if (typeof match === "string" && matcher(match)) return undefined;
  return [".match", t("a regular expression for the whole name of a tool; * for all"), matchNear];
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
