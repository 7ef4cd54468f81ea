/** Whatever a session holds, and however often room is made in it, what is sent can be answered. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { messagesBody } from "../../src/models/wire/anthropic.ts";
import { chatBody } from "../../src/models/wire/openai.ts";
import { worded } from "../models/setup.ts";
import { type Message, ModelError } from "../../src/base/types.ts";
import { pairingErrorsOf } from "../support/fake_wire.ts";
import { addStep, addTurn, contextStage } from "./stage.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs } from "../support/soak.ts";

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("turn" as const),
      sizes: fc.array(fc.nat(9000), { maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("question" as const), size: fc.nat(12_000) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("step" as const), size: fc.nat(20_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("open" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("call" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("refused" as const),
      times: fc.integer({ min: 1, max: 8 }),
    }),
  },
);
const answers = fc.array(
  fc.constantFrom("a summary", "", "(nothing)", "long ".repeat(9000), "fail"),
  {
    minLength: 1,
  },
);

const config = { apiKey: undefined, maxOutputTokens: undefined, images: false, prices: {} };
const chat = chatBody({ ...config, baseUrl: "http://x/v1" });
const wire = messagesBody({ ...config, baseUrl: "http://x/anthropic" });

function assertAnswerable(messages: readonly Message[]): void {
  const request = { model: "m", system: "s", tools: [], messages };
  assert.deepEqual(pairingErrorsOf(JSON.parse(worded(chat(request)))), []);
  assert.deepEqual(pairingErrorsOf(JSON.parse(worded(wire(request)))), []);
  assert.equal(messages[0]?.role ?? "user", "user");
}

Deno.test("every view pairs calls and results, begins with a user, and loses nothing that is stored", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4096, max: 40_000 }),
      answers,
      fc.array(action, { minLength: 3, maxLength: 25 }),
      async (contextWindow, script, actions) => {
        await withWorkspace({}, async (root) => {
          const dir = join(root, ".narnat");
          Deno.mkdirSync(join(dir, "sessions"), { recursive: true });
          let n = 0;
          const answer = () => {
            const text = script[n++ % script.length]!;
            if (text === "fail") throw new ModelError("network", "no route");
            return text;
          };
          const stage = contextStage(root, answer, { contextWindow, dir });
          const { session, contextManager, host } = stage;
          session.append({ role: "user", text: "begin" }, { asked: true });
          const stored: Message[] = [];
          for (const [at, one] of actions.entries()) {
            if (one.do === "turn") addTurn(session, `t${at}`, one.sizes);
            else if (one.do === "question") {
              session.append({ role: "user", text: `q${at} ${"x ".repeat(one.size / 2)}` }, {
                asked: true,
              });
            } else if (one.do === "step") addStep(session, `s${at}`, one.size);
            else if (one.do === "open") {
              const calls = [{ id: `o${at}`, name: "Look", input: "{}" }];
              session.append({ role: "assistant", text: "", thinking: [], calls });
              session.pair();
            } else if (one.do === "call") {
              const sent = await contextManager.beforeCall(host);
              if (sent.length > 0) assertAnswerable(sent);
            } else if (one.do === "refused") {
              for (let i = 0; i < one.times; i++) {
                await contextManager.onOverflow(host, new ModelError("overflow", "too long"));
                if (session.view.length > 0) assertAnswerable(session.view);
                // a turn that found no room has ended
                else session.append({ role: "user", text: "again" }, { asked: true });
              }
            }
            assert.deepEqual(session.messages.slice(0, stored.length), stored);
            stored.push(...session.messages.slice(stored.length));
          }
          const seen = session.view.map(({ role, text }) => [role, text]);
          session.close();
          const store = sessionStore(join(dir, "sessions"), { workspace: root });
          const again = store.open(session.id).session;
          assert.deepEqual(again.messages, stored);
          assert.deepEqual(again.view.map(({ role, text }) => [role, text]), seen);
          again.close();
        });
      },
    ),
    { numRuns: runs(100) },
  );
});
