/** The context: what watching over the window costs at each step. */
import { createContextManager } from "../src/context/mod.ts";
import type { SessionFile } from "../src/session/store.ts";
import type { ContextHost } from "../src/base/types.ts";
import { promptOptions, sessionStore } from "../tests/support/parts.ts";
import { script } from "./bundle.ts";

const STEPS = 200;
const AIM_MS = 2;
const RESULT = "export const value = 1; // 求和\n".repeat(60);

/** Prints what a request's estimate and its messages cost early and late in a session. */
export async function benchRoom(): Promise<void> {
  console.log("beforeCall and estimate, a step");
  for (const counts of [true, false]) {
    const early = await stepMs(100, counts);
    const late = await stepMs(2000, counts);
    const over = late > AIM_MS ? " !" : "  ";
    const label = counts ? "  at 2,000 messages" : "  the same, of a provider that does not count";
    console.log(`${label.padEnd(49)}${late.toFixed(3).padStart(7)} ms${over} ≤ ${AIM_MS} ms`);
    console.log(
      `${"    to that at 100 messages".padEnd(49)}${(late / early).toFixed(1).padStart(7)} ×`,
    );
  }
}

/** Mean of the steps behind so many messages; the first of them is not counted. */
async function stepMs(messages: number, counts: boolean): Promise<number> {
  const session = sessionStore(undefined).create();
  const contextManager = createContextManager(
    promptOptions("/nowhere", { model: "claude-opus-5-5" }),
  );
  await contextManager.ready();
  const host = { session } as unknown as ContextHost;
  session.append({ role: "user", text: "begin" }, { asked: true });
  while (session.messages.length < messages) {
    step(session, counts ? contextManager.estimate(session) : 0);
  }
  await contextManager.beforeCall(host);
  let spent = 0;
  for (let i = 0; i < STEPS; i++) {
    step(session, counts ? contextManager.estimate(session) : 0);
    const began = performance.now();
    await contextManager.beforeCall(host);
    contextManager.estimate(session);
    spent += performance.now() - began;
  }
  return spent / STEPS;
}

function step(session: SessionFile, input: number): void {
  const id = `c${session.messages.length}`;
  const calls = [{ id, name: "Read", input: '{"file_path":"src/a.ts"}' }];
  const usage = { input, output: 20, cached: 0, cost: 0 };
  session.append({ role: "assistant", text: "", thinking: [], calls }, { usage });
  session.append({ role: "tool", id, name: "Read", ok: true, text: RESULT });
}

if (import.meta.main) await script(benchRoom);
