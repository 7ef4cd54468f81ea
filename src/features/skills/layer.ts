/** Puts the skills that a person's line names before the model. */
import type { Middleware } from "../../agent/middleware.ts";

export function skillsLayer(): Middleware {
  return {
    name: "skills",
    async afterLine(text, host) {
      // loaded when it is needed: many projects have no skill
      if (!/\$|^\s*\/skill/.test(text)) return;
      await (await import("./mention.ts")).loadSkills(text, host);
    },
  };
}
