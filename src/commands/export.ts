import { resolve } from "../base/path.ts";
import type { Command } from "../base/types.ts";
import { whyOf } from "../base/file_why.ts";
import { sessionMarkdown } from "./session_markdown.ts";

/** Writes the session as markdown, never over a file that is there. */
export const exportSession: Command = {
  name: "export",
  usage: (t) => t("[file]"),
  help: (t) => t("write this session to a markdown file"),
  async run(args, desk) {
    const { t, workspace } = desk;
    const session = desk.current();
    if (session.messages.length === 0 && !session.carried) {
      throw new Error(t("The session is empty; there is nothing to export"));
    }
    const text = sessionMarkdown(session, { t, model: desk.model, workspace });
    const given = args.replace(/^(["'])(.*)\1$/, "$2");
    const names = given === ""
      ? Array.from({ length: 99 }, (_, i) => `narnat-${session.id}${i === 0 ? "" : `-${i + 1}`}.md`)
      : [given];
    for (const name of names) {
      const path = resolve(workspace, name);
      try {
        await write(path, text);
        const count = session.messages.length;
        return t("Wrote {count} {count:message|messages} to {path}", { path, count });
      } catch (error) {
        if (given === "" && error instanceof Deno.errors.AlreadyExists) continue;
        const why = error instanceof Deno.errors.AlreadyExists
          ? t("the file exists and is not overwritten; choose another name")
          : whyOf(t, error);
        throw new Error(t("Cannot export to {path}: {why}", { path, why }));
      }
    }
    throw new Error(
      t("Cannot export to {path}: {why}", {
        path: workspace,
        why: t("the file exists and is not overwritten; choose another name"),
      }),
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
