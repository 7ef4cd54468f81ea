/** Where a lane's calls get the secrets that their placeholders stand for, and their results lose them. */
import { unbroken } from "../../agent/loop/calls.ts";
import type { Middleware } from "../../agent/middleware.ts";
import { preparedCall } from "../../tools/toolbox.ts";

/** Redacts what comes back from a call, where it enters; the first result of a session that had secrets says what stands for them. */
export function redactResults(): Middleware {
  return {
    name: "redact",
    async aroundCall(call, host, next) {
      // what is thrown on the way is a result too
      const result = await unbroken(call.what, host, () => next(call, host));
      const safe = host.secrets.hideIn(result);
      if (safe.text === result.text) return safe;
      const note = host.t(
        "(«secret:…» stands for a secret that is hidden from you; the real value is there. In Edit and Write of the same file use it as it stands.)",
      );
      const known = host.session.messages.some(({ text }) => text.endsWith(note));
      return known ? safe : { ...safe, text: `${safe.text}\n\n${note}` };
    },
  };
}

/** Gives a call the secrets that its placeholders stand for, on the file they come from only. */
export function restorePlaceholders(): Middleware {
  return {
    name: "restore",
    async aroundCall(call, host, next) {
      const { secrets } = host;
      let { what } = call;
      if (secrets.placeholdersIn(JSON.stringify(what.input)).length > 0) {
        const { restoreSecrets } = await import("./restore.ts");
        const restored = await restoreSecrets(what, host);
        if (typeof restored === "string") return { ok: false, text: restored };
        // with its secrets the command is another text: here, and nowhere else, it is analysed again
        if (restored !== what) what = preparedCall(restored.tool, restored.input);
      }
      const result = await next(what === call.what ? call : { ...call, what }, host);
      // it may have brought a file with secrets into being, and shown it
      if (!what.tool.readOnly && what.tool.needs.length > 0) secrets.refresh();
      return result;
    },
  };
}
