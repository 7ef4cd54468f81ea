/** Keeps what is there before a lane's call may change it. */
import { onlyReads } from "../../agent/loop/calls.ts";
import type { Middleware } from "../../agent/middleware.ts";

/** Waits for the checkpoint before each call that may change something, and tells it of changes. */
export function undoLayer(): Middleware {
  return {
    name: "undo",
    async aroundCall(call, host, next) {
      const { watch, signal } = host;
      const { tool } = call.what;
      if (!watch || tool.needs.length === 0) return await next(call, host);
      if (!await onlyReads(call.what, host)) {
        await watch.before(signal, {
          progress: (text) => host.emit({ type: "tool_progress", id: call.id, text }),
          warn: (text) => host.emit({ type: "notice", level: "warn", text }),
        });
      }
      const result = await next(call, host);
      // Bash looks for itself, and tells what is lost
      if (!tool.readOnly && tool.name !== "Bash") watch.changed(result.changed);
      return result;
    },
  };
}
