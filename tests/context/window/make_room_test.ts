import assert from "node:assert/strict";
import fc from "fast-check";
import { groupEnd, trimCount } from "../../../src/context/window/make_room.ts";
import { type Message, ModelError } from "../../../src/base/types.ts";
import { addStep, contextStage } from "../stage.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { runs } from "../../support/soak.ts";

const of = (messages: readonly Message[]) =>
  messages.reduce((sum, { text }) => sum + Math.ceil(text.length / 3), 0);

/** Questions, answers, and calls with one to three results. */
const history = fc.array(
  fc.tuple(fc.constantFrom("user", "answer", "calls"), fc.nat(400), fc.integer({ min: 1, max: 3 })),
  { maxLength: 40 },
).map((groups) =>
  groups.flatMap(([kind, size, calls], at): Message[] => {
    const text = "x".repeat(size);
    if (kind === "user") return [{ role: "user", text }];
    const ids = kind === "calls" ? Array.from({ length: calls }, (_, i) => `${at}-${i}`) : [];
    return [
      {
        role: "assistant",
        text,
        thinking: [],
        calls: ids.map((id) => ({ id, name: "Look", input: "{}" })),
      },
      ...ids.map((id): Message => ({ role: "tool", id, name: "Look", ok: true, text })),
    ];
  })
);

Deno.test("Feature: agent-system-optimization, Property 13: trimming keeps the system message, and the oldest go", () => {
  fc.assert(
    fc.property(
      history,
      fc.integer({ min: 1, max: 20_000 }),
      fc.nat(2000),
      (messages, max, size) => {
        const system = "s".repeat(size);
        const fixed = Math.ceil(size / 3);
        const most = Math.floor(max * 0.8) - fixed;
        const count = trimCount(messages, most, of);
        const request = { system, messages: messages.slice(count) };
        assert.equal(request.system, system);
        // what is left is the end of what was, so what went was the oldest
        assert.deepEqual([...messages.slice(0, count), ...request.messages], messages);
        if (of(messages) <= most) assert.equal(count, 0, "no need, no loss");
        else {
          assert.ok(of(request.messages) <= most || request.messages.length === 0);
          // and no more went than had to
          const groups = [0];
          while (groups.at(-1)! < messages.length) groups.push(groupEnd(messages, groups.at(-1)!));
          const before = groups[groups.indexOf(count) - 1]!;
          assert.ok(of(messages.slice(before)) > most);
        }
        assert.notEqual(request.messages[0]?.role, "tool", "no result without its call");
      },
    ),
    { numRuns: runs(300) },
  );
});

Deno.test("Feature: agent-system-optimization, Property 13: a refused request is halved from its oldest end, the prompt stays", async () => {
  await withWorkspace({}, async (root) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 30 }),
        async (sizes) => {
          const failing = () => Promise.reject(new ModelError("overflow", "too long"));
          const stage = contextStage(root, failing, { model: "who-knows" });
          const { session, contextManager, host } = stage;
          session.append({ role: "user", text: "begin" }, { asked: true });
          for (const [at, size] of sizes.entries()) addStep(session, `s${at}`, size);
          const system = contextManager.system();
          for (let seen = session.view.slice(); seen.length > 0;) {
            const gone = await contextManager.onOverflow(
              host,
              new ModelError("overflow", "too long"),
            );
            assert.equal(contextManager.system(), system);
            assert.equal(gone !== undefined, session.view.length === 0);
            const now = session.view.filter(({ text }) =>
              !/^\[narnat\] The (?:first|earlier)/.test(text)
            );
            const kept = seen.slice(seen.length - now.length);
            assert.deepEqual(now.map(({ role }) => role), kept.map(({ role }) => role));
            assert.notEqual(session.view[0]?.role, "tool");
            assert.notEqual(session.view[0]?.role, "assistant");
            seen = session.view.slice();
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
