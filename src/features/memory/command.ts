import type { Command } from "../../base/types.ts";
import { MEMORY_FILES, memoryText } from "../../session/memory_files.ts";
import { under } from "../../base/path.ts";

/** Shows the memory files, or opens one in the user's editor. */
export const memory: Command = {
  name: "memory",
  usage: (t) => t("[edit [file]]"),
  help: (t) => t("show or edit the memory"),
  complete: () =>
    Promise.resolve(
      MEMORY_FILES.toReversed().map((name) => ({ value: `edit ${name}`, help: "" })),
    ),
  run(args, desk) {
    const { t, memory: { dir } } = desk;
    if (dir === undefined) {
      throw new Error(
        t("There is no memory: this session keeps nothing (--no-session, or .narnat cannot be written)"),
      );
    }
    const [word, which = "MEMORY"] = args.split(/\s+/);
    if (word === "edit") {
      const name = MEMORY_FILES.find((one) =>
        one.toLowerCase().replace(/\.md$/, "") === which.toLowerCase().replace(/\.md$/, "")
      );
      const names = MEMORY_FILES.join(", ");
      if (!name) {
        throw new Error(
          t("There is no memory file {found}; there are {names}", { found: which, names }),
        );
      }
      Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
      desk.edit(under(dir, name));
      return "";
    }
    if (word !== "") {
      throw new Error(
        t("There is no memory file {found}; there are {names}", { found: word!, names: "edit" }),
      );
    }
    const files = MEMORY_FILES.map((name) => {
      const text = memoryText(dir, name, t)?.trim();
      return `${name}\n${text || t("(none yet)")}`;
    });
    return [
      ...files,
      t("The files are in {dir} and yours to edit; /remember adds, /dream tidies", { dir }),
    ].join("\n\n");
  },
};
