/** A controller whose checkpoints note what they are asked. */
import { NO_CHECKPOINTS } from "../../../src/agent/none.ts";
import type {
  Answer,
  CheckpointTurn,
  RestoreOutcome,
  RestorePreview,
} from "../../../src/base/types.ts";
import { testController } from "../../support/test_controller.ts";

export const CHANGED: CheckpointTurn = {
  id: "t3",
  session: "s",
  turn: 3,
  prompt: 0,
  text: "fix the parser",
  ended: "2026-11-20T08:00:00.000Z",
  created: 1,
  changed: 2,
  deleted: 0,
  paths: ["src/a.ts"],
  more: 0,
  undone: false,
  interrupted: false,
};

export const previewOf = (more: Partial<RestorePreview>): RestorePreview => ({
  id: "p1",
  what: "undo",
  rest: false,
  turns: [CHANGED],
  rows: [{ path: "src/a.ts", does: "change", added: 1, removed: 1 }],
  conflicts: [],
  fixed: [],
  uncovered: [],
  others: false,
  ...more,
});

export function undoController(
  preview: RestorePreview,
  answer: Answer = true,
  failed: RestoreOutcome["failed"] = [],
  turns: readonly CheckpointTurn[] = [CHANGED],
  kept: readonly string[] = [],
) {
  const { controller: plain, session, asked } = testController();
  const controller = Object.assign(Object.create(plain) as typeof plain, {
    ask: ({ question }: { question: string }) => {
      asked.push(`ask: ${question}`);
      return Promise.resolve(answer);
    },
    checkpoints: {
      ...NO_CHECKPOINTS,
      turns: () => Promise.resolve(turns),
      preview({ what, count, to, session: of }) {
        const own = of === session.id ? "this session" : "all";
        asked.push(`preview ${what} ${to ?? count} of ${own}`);
        return Promise.resolve(preview);
      },
      restore(id, overwrite) {
        asked.push(`restore ${id}: ${overwrite.join(", ")}`);
        return Promise.resolve({ paths: ["src/a.ts"], failed, kept });
      },
    } satisfies typeof plain.checkpoints,
  });
  return { controller, session, asked };
}
