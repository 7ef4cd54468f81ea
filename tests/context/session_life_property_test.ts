/** A session's whole life: images, parallel and open calls, refusals, lines taken back, reloads, forks, handovers. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { createHistory } from "../../src/session/history.ts";
import { createContextManager } from "../../src/context/mod.ts";
import type { SessionFile } from "../../src/session/store.ts";
import { messagesBody } from "../../src/models/wire/anthropic.ts";
import { chatBody } from "../../src/models/wire/openai.ts";
import {
  type ContextHost,
  type ContextManager,
  type Message,
  ModelError,
} from "../../src/base/types.ts";
import { worded } from "../models/setup.ts";
import { pairingErrorsOf } from "../support/fake_wire.ts";
import { promptOptions, sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs } from "../support/soak.ts";

const HAPPENINGS = {
  turn: 5,
  line: 3,
  stopped: 2,
  request: 4,
  refused: 2,
  "taken back": 2,
  reload: 2,
  "hand over": 1,
  fork: 1,
};
type What = keyof typeof HAPPENINGS;

const action = fc.record({
  what: fc.constantFrom(
    ...Object.entries(HAPPENINGS).flatMap(([what, often]) => Array<What>(often).fill(what as What)),
  ),
  few: fc.nat(4),
  chars: fc.nat(8000),
  steps: fc.array(fc.array(fc.nat(12_000), { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
});
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
const answers = fc.array(
  fc.constantFrom("a summary", "", "(nothing)", "long ".repeat(9000), "fail"),
  { minLength: 1 },
);

const config = { apiKey: undefined, maxOutputTokens: undefined, images: true, prices: {} };
const chat = chatBody({ ...config, baseUrl: "http://x/v1" });
const wire = messagesBody({ ...config, baseUrl: "http://x/anthropic" });

function assertAnswerable(messages: readonly Message[]): void {
  const request = { model: "m", system: "s", tools: [], messages };
  // chat completions take several user messages in a row
  const errors = pairingErrorsOf(JSON.parse(worded(chat(request))));
  assert.deepEqual(errors.filter((text) => !text.endsWith("two user messages in a row")), []);
  assert.deepEqual(pairingErrorsOf(JSON.parse(worded(wire(request)))), []);
  assert.equal(messages[0]?.role ?? "user", "user");
}

const pictures = (count: number) =>
  count === 0
    ? {}
    : { images: Array(count).fill({ mediaType: "image/png", data: "iVBORw0KGgo=" }) };

Deno.test("whatever becomes of a session, each request can be answered, and a reload changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2500, max: 40_000 }),
      answers,
      fc.array(action, { minLength: 3, maxLength: 30 }),
      async (contextWindow, script, actions) => {
        await withWorkspace({}, async (root) => {
          const dir = join(root, ".narnat");
          Deno.mkdirSync(join(dir, "sessions"), { recursive: true });
          const store = sessionStore(join(dir, "sessions"), { workspace: root });
          const history = createHistory(join(dir, "memory"), () => new Date(0));
          const { signal } = new AbortController();
          let session: SessionFile;
          let contextManager: ContextManager;
          let host: ContextHost;
          let asked = 0;
          const open = (next: SessionFile) => {
            session = next;
            const summary = next.carried?.summary ?? "";
            const options = { history, contextWindow, dir, summary };
            contextManager = createContextManager({ ...promptOptions(root), ...options });
            host = {
              session,
              signal,
              outputDir: join(root, "outputs"),
              ask(messages) {
                assertAnswerable(messages);
                const text = script[asked++ % script.length]!;
                if (text === "fail") return Promise.reject(new ModelError("network", "no route"));
                const usage = { input: 5000, output: 20, cached: 0, cost: 0 };
                return Promise.resolve({ text, usage, stop: "end" });
              },
              show: (view) => session.show(view),
              notice() {},
            };
          };
          const line = (text: string, images = 0) =>
            session.append({ role: "user", text, ...pictures(images) }, { asked: true });
          const calls = (ids: readonly string[]) =>
            session.append({
              role: "assistant",
              text: "",
              thinking: [{ text: "hm", signature: "s" }],
              calls: ids.map((id) => ({ id, name: "Read", input: "{}" })),
            }, { usage: { input: 4000, output: 10, cached: 0, cost: 0 } });
          const result = (id: string, chars: number, images = 0) =>
            session.append({
              role: "tool",
              id,
              name: "Read",
              ok: true,
              text: "z ".repeat(chars / 2),
              ...pictures(images),
            }, { seen: [{ path: `/${id}`, hash: "h", shown: [[1, 2]] }] });

          const live: { [what in What]: (action: Action) => unknown } = {
            turn({ steps, few }) {
              line("question");
              for (const sizes of steps) {
                const ids = sizes.map(() => `c${asked++}_${session.messages.length}`);
                calls(ids);
                ids.forEach((id, i) => result(id, sizes[i]!, i < few ? 2 : 0));
              }
              session.append({ role: "assistant", text: "done", calls: [], thinking: [] });
            },
            line: ({ chars, few }) => line("x ".repeat(chars / 2), few >> 1),
            stopped({ few, chars }) {
              const ids = Array.from(
                { length: 1 + few % 3 },
                (_, i) => `o${asked++}_${session.messages.length}_${i}`,
              );
              calls(ids);
              for (const id of ids.slice(0, chars % 3)) result(id, 5000);
              session.pair();
            },
            async request() {
              const sent = await contextManager.beforeCall(host);
              if (sent.length > 0) assertAnswerable(sent);
            },
            async refused({ few }) {
              for (let i = 0; i <= few; i++) {
                await contextManager.onOverflow(host, new ModelError("overflow", "too long"));
                if (session.view.length === 0) line("again");
              }
            },
            async "taken back"() {
              line("gone", 1);
              await contextManager.beforeCall(host);
              session.retract();
            },
            reload() {
              const { messages, turns, viewFrom, seen } = session;
              const view = session.view.slice();
              session.close();
              open(store.open(session.id).session);
              assert.deepEqual(session.messages, messages);
              assert.deepEqual(session.view, view);
              assert.deepEqual([session.turns, [...session.seen]], [turns, [...seen]]);
              if (view.length > 0) assert.equal(session.viewFrom, viewFrom);
            },
            async "hand over"() {
              if (session.view.length === 0) return;
              const carried = await contextManager.handOver(host, "").catch((error) => {
                if (error.name === "HandoverFailed" || error instanceof ModelError) return;
                throw error;
              });
              if (!carried) return;
              const next = store.create();
              next.inherit(carried, undefined);
              session.close();
              contextManager.settled(carried.summary);
              assert.equal(Deno.readTextFileSync(join(dir, "last_session_summary.md")), "");
              open(next);
              line("go on");
            },
            fork(action) {
              if (session.prompts.length === 0) return;
              const fork = store.fork(session, action.chars % session.prompts.length);
              session.close();
              open(fork);
              if (fork.messages.length > 0) live.reload(action);
              line("go on");
            },
          };
          open(store.create());
          line("begin");
          for (const each of actions) {
            await live[each.what](each);
            if (session!.view.length > 0) assertAnswerable(session!.view);
          }
          session!.close();
        });
      },
    ),
    { numRuns: runs(100) },
  );
});
