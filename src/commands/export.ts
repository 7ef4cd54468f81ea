import { resolve } from "../base/path.ts";
import type { Command } from "../base/types.ts";
import { say } from "../base/text.ts";
import { whyOf } from "../base/file_why.ts";
import { sessionMarkdown } from "./session_markdown.ts";

/** Writes the session as markdown, never over a file that is there. */
export const exportSession: Command = {
  name: "export",
  usage: { zh: "[文件]", en: "[file]" },
  help: {
    zh: "把当前会话导出为 markdown 文件",
    en: "write this session to a markdown file",
  },
  async run(args, desk) {
    const { lang, workspace } = desk;
    const session = desk.current();
    if (session.messages.length === 0 && !session.carried) {
      throw new Error(say(lang, "export.nothing"));
    }
    const text = sessionMarkdown(session, { lang, model: desk.model, workspace });
    const given = args.replace(/^(["'])(.*)\1$/, "$2");
    const names = given === ""
      ? Array.from({ length: 99 }, (_, i) => `narnat-${session.id}${i === 0 ? "" : `-${i + 1}`}.md`)
      : [given];
    for (const name of names) {
      const path = resolve(workspace, name);
      try {
        await write(path, text);
        const count = session.messages.length;
        return say(lang, "export.done", { path, count });
      } catch (error) {
        if (given === "" && error instanceof Deno.errors.AlreadyExists) continue;
        const why = error instanceof Deno.errors.AlreadyExists
          ? say(lang, "export.exists")
          : whyOf(lang, error);
        throw new Error(say(lang, "export.failed", { path, why }));
      }
    }
    throw new Error(
      say(lang, "export.failed", { path: workspace, why: say(lang, "export.exists") }),
    );
  },
};

/** What was said is private. */
async function write(path: string, text: string): Promise<void> {
  if (Deno.permissions.querySync({ name: "write", path }).state !== "granted") {
    throw new Deno.errors.NotCapable("--allow-write");
  }
  await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
}
