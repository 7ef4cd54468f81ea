import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { complaint } from "../../src/headless/output.ts";
import type { AgentEvent, EventBody } from "../../src/base/types.ts";

const controller = { t: english } as Parameters<typeof complaint>[1];
const told = (event: EventBody) =>
  complaint({ ...event, session: "s", turn: 1, time: "" } as AgentEvent, controller);

Deno.test("what is refused for want of a person, and what is taken back, are told as what they are", () => {
  const delete_ = { type: "ask", id: "1", kind: "delete", command: "rm a" } as const;
  assert.equal(
    told({ ...delete_, question: "Deletes a. Run it?", answered: false }),
    "narnat: nobody is there to confirm, so it is refused (--allow-delete allows deletes): Deletes a. Run it? rm a",
  );
  const lost = { ...delete_, question: "It deleted a. Leave it so?", done: "It deleted a" };
  assert.equal(
    told({ ...lost, answered: false }),
    "narnat: nobody is there to say that it may stay so, so it is brought back (--allow-delete leaves it so): It deleted a: rm a",
  );
  assert.equal(
    told({ ...lost, answered: true }),
    "narnat: allowed by --allow-delete: It deleted a: rm a",
  );
});
