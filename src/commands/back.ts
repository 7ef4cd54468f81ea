import type { Command } from "../base/types.ts";
import { truncate } from "../base/strings.ts";

const LISTED = 20;

/** Goes back to an earlier prompt: what followed it stays in the old session. */
export const back: Command = {
  name: "back",
  usage: () => "[n]",
  help: (t) => t("go back to the nth last prompt; the old session stays"),
  complete: (controller) =>
    Promise.resolve(
      controller.current().prompts.toReversed().slice(0, LISTED).map((prompt, i) => ({
        value: String(i + 1),
        help: oneLine(prompt),
      })),
    ),
  async run(args, controller) {
    const { id, prompts } = controller.current();
    if (prompts.length === 0) {
      throw new Error(
        controller.t("Nothing has been asked in this session yet; there is nothing to go back to"),
      );
    }
    const n = args === "" ? 1 : Number(args);
    const index = prompts.length - n;
    if (!Number.isInteger(n) || n < 1 || index < 0) {
      throw new Error(
        `${
          controller.t(
            '/back takes a number from 1 to {n} (1 is the newest prompt), got "{found}":',
            {
              found: args,
              n: prompts.length,
            },
          )
        }\n${promptTable(prompts)}`,
      );
    }
    await controller.back(index);
    return controller.t(
      "Rewound to prompt {n}: edit and send it. The previous session is kept as {id}",
      {
        n: index + 1,
        id,
      },
    );
  },
};

/** One line per prompt, numbered from the newest as /back counts; the oldest of many are left out. */
function promptTable(prompts: readonly string[]): string {
  return prompts.toReversed().slice(0, LISTED)
    .map((prompt, i) => `${String(i + 1).padStart(4)}  ${oneLine(prompt)}`).join("\n");
}

function oneLine(prompt: string): string {
  const line = prompt.trim().replaceAll(/\s+/g, " ");
  return truncate(line, 70);
}
