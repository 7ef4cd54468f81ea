/** Where the user's programs hear of what a lane does, and may forbid it. */
import { HOST_MARK } from "../../base/t.ts";
import type { HookEvent, Hooks } from "../../base/types.ts";
import { HOOK, toolsOf } from "../../agent/lines/queue.ts";
import { interrupted } from "../../agent/loop/calls.ts";
import type { LaneHost, Middleware } from "../../agent/middleware.ts";

/** Runs the hooks of a lane. They see placeholders, not secrets. */
export function hooksLayer(lane: LaneHost, hooks: Hooks): Middleware {
  /** A program that is no part of narnat hears of it. */
  const run = (event: HookEvent, signal: AbortSignal) => {
    const at = { session: lane.session().id, lane: lane.key };
    return hooks.run(lane.secrets.redactIn(event), at, signal, lane.warn);
  };
  return {
    name: "hooks",
    async sessionStart(signal) {
      const said = await run({ event: "session_start" }, signal);
      return said === undefined ? undefined : `${HOST_MARK} session_start:\n${said}`;
    },
    async aroundCall(call, host, next) {
      const { signal, session } = host;
      const about = { tool: call.what.tool.name, input: call.shown };
      if (hooks.has("before_tool")) {
        // a program of the user's may change something
        session.sync();
        const why = await run({ event: "before_tool", ...about }, signal);
        if (signal.aborted) return interrupted(host.t);
        if (why !== undefined) return { ok: false, text: why };
        // what the user's own programs do is no command's
        host.watch?.changed(undefined);
      }
      const result = await next(call, host);
      if (!hooks.has("after_tool")) return result;
      const { ok, text } = result;
      const said = await run({ event: "after_tool", ...about, ok, result: text }, signal);
      host.watch?.changed(undefined);
      return said === undefined ? result : { ...result, text: `${result.text}\n\n${said}` };
    },
    async afterTurn({ line, steps, answer, signal, mayHaveChanged }) {
      if (steps || line.from === HOOK || lane.queue.hasPlan || !hooks.has("turn_end")) return [];
      lane.emit({ type: "hook", event: "turn_end" });
      const event = { event: "turn_end", reason: "done", text: answer } as const;
      const why = await run(event, signal);
      mayHaveChanged();
      return why === undefined ? [] : [{ text: why, from: HOOK, ...toolsOf(line) }];
    },
    notify(text) {
      if (!hooks.has("notify")) return;
      const never = new AbortController().signal;
      void run({ event: "notify", text }, never);
    },
  };
}
