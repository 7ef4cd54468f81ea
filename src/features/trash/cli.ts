/** `narnat trash`, outside of a session. */
import { ConfigError, errorMessage } from "../../base/errors.ts";
import { under } from "../../base/path.ts";
import { choicesFrom } from "../../commands/flags.ts";
import { demand, put, translatorFor } from "../../base/host.ts";
import type { RunInShell } from "../../commands/shell_command.ts";
import { readPlace } from "../../config/place.ts";
import { answerTrash } from "./answer.ts";

/** 1 when something could not be brought back, or after a No. */
export const trash: RunInShell = async (flags, words, host) => {
  const { cwd, settings } = choicesFrom(flags);
  const asked = translatorFor(flags);
  const { config: { t }, workspace } = readPlace(cwd, settings, asked, true);
  const path = under(workspace, ".narnat", "trash");
  const print = (text: string) => put(text + "\n");
  demand("read", path);
  try {
    const { text, ok } = await answerTrash(words, {
      trash: path,
      workspace,
      t,
      called: "narnat trash",
      mayChange: () => demand("write", path),
      async ask(question) {
        if (flags.yes) return true;
        print(question);
        return await host.confirm(
          t,
          "Emptying the trash needs your Yes, and there is no terminal to ask at; add --yes if you mean it",
        );
      },
    });
    print(text);
    return ok ? 0 : 1;
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(errorMessage(error));
  }
};
