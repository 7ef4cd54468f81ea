/** `/memory`, `/remember`, `/dream`, `/dream-log`, `/dream-restore`. */
import { under } from "../../base/path.ts";
import type { Command } from "../../base/types.ts";
import { MEMORY_CAPS, MEMORY_FILES, memoryText } from "../../session/memory_files.ts";
import { remember as keep } from "./store.ts";

/** Shows the memory files, or opens one in the user's editor. */
export const memory: Command = {
  name: "memory",
  usage: (t) => t("[edit [file]]"),
  help: (t) => t("show or edit the memory"),
  complete: () =>
    Promise.resolve(
      MEMORY_FILES.toReversed().map((name) => ({ value: `edit ${name}`, help: "" })),
    ),
  run(args, controller) {
    const { t, memory: { dir } } = controller;
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
      controller.edit(under(dir, name));
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

/** Adds a line to MEMORY.md and tells the model, so that it counts at once. */
export const remember: Command = {
  name: "remember",
  usage: (t) => t("TEXT"),
  help: (t) => t("remember a line"),
  run(args, controller) {
    const { t, memory } = controller;
    const added = keep(memory, args, t);
    const path = under(memory.dir!, "MEMORY.md");
    if (!added) return t("It is in the memory already: {path}", { path });
    controller.note(t("The user asks you to remember: {text}", { text: args }));
    const cap = MEMORY_CAPS["MEMORY.md"];
    const bytes = Deno.statSync(path).size;
    return [
      t("Added to {path}; takes effect now, and in later sessions", { path }),
      ...bytes > cap
        ? [
          t(
            "{name} has {bytes} bytes, more than the {cap} that the model reads: lines in its middle are left out of the prompt. /dream tidies it, /memory edit shortens it",
            { name: "MEMORY.md", bytes, cap },
          ),
        ]
        : [],
    ].join("\n");
  },
};

/** Works what earlier conversations taught into the memory files, beside the conversation. */
export const dream: Command = {
  name: "dream",
  usage: () => "[stop]",
  help: (t) => t("update the memory (Dream): read the new history, edit the memory files"),
  run(args, controller) {
    const { t, memory, model } = controller;
    if (args === "stop") {
      if (!memory.dreaming) return t("No Dream is running here");
      controller.stopBackground();
      return "";
    }
    if (args !== "") {
      throw new Error(
        t("/dream tidies the memory, /dream stop ends it; got {found}", { found: args }),
      );
    }
    if (model === "demo") {
      throw new Error(t("Dream needs a real model; the demo cannot. Take another one with /model"));
    }
    if (memory.dir === undefined) {
      throw new Error(
        t("There is no memory: this session keeps nothing (--no-session, or .narnat cannot be written)"),
      );
    }
    if (memory.dreaming) {
      return t(
        "A Dream is at work already; you will be told when it is done (/dream stop ends it)",
      );
    }
    const why = memory.whyNoDream();
    if (why !== "") return why;
    controller.background((signal) => memory.dream(signal));
    return t("Dreaming: the memory is tidied in the background; go on (/dream stop ends it)");
  },
};

const SHOWN = 5;
const MOST = 100;

/** Shows what Dreams, and people between them, changed in the memory. */
export const dreamLog: Command = {
  name: "dream-log",
  usage: (t) => t("[count]"),
  anytime: true,
  help: (t) => t("the last changes of the memory"),
  async run(args, controller) {
    const count = args === "" ? SHOWN : Number(args);
    if (!Number.isInteger(count) || count < 1 || count > MOST) {
      throw new Error(
        controller.t("/dream-log [count]: a count from 1 to 100, got {found}", { found: args }),
      );
    }
    return await controller.memory.log(count) ||
      controller.t("There is no record yet: no Dream has changed anything");
  },
};

/** Undoes what one Dream changed; what was changed since stays. */
export const dreamRestore: Command = {
  name: "dream-restore",
  usage: (t) => t("[id]"),
  help: (t) => t("undo the changes of a Dream (the last one)"),
  async run(args, controller) {
    const what = await controller.memory.restore(args === "" ? undefined : args);
    return controller.t("Undone: {what}. It takes effect in the next session", { what });
  },
};
