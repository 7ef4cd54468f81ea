/** The terminal over a bus that plays scripts: what the end-to-end tests run in tmux. */
import { chinese } from "../support/chinese.ts";
import type { EventBody, Inbound } from "../../src/base/types.ts";
import { runSetup } from "../../src/terminal/panels/setup.ts";
import { startTerminal } from "../../src/terminal/device/terminal.ts";
import { done, FakeBus, fakeOptions } from "./fake_bus.ts";

const bus = new FakeBus();
let stopped = false;
let answered: ((value: boolean) => void) | undefined;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function stream(text: string, ms: number): Promise<void> {
  for (const delta of text.match(/[\s\S]{1,12}/gu) ?? []) {
    if (stopped) return;
    bus.emit({ type: "text", delta });
    await pause(ms);
  }
}

async function play(text: string): Promise<void> {
  stopped = false;
  bus.emit({ type: "turn_start", text });
  if (text === "long") {
    await stream(Array.from({ length: 400 }, (_, i) => `段落 ${i} of text.\n\n`).join(""), 10);
  } else if (text === "para") {
    await stream(Array.from({ length: 140 }, (_, i) => `词${i} word `).join("") + "PARAEND", 14);
  } else if (text === "tall") {
    await stream(Array.from({ length: 40 }, (_, i) => `段落 ${i} of text.\n\n`).join(""), 4);
  } else if (text === "ask") {
    const answer = new Promise<boolean>((resolve) => answered = resolve);
    bus.emit({
      type: "ask",
      id: "q",
      kind: "delete",
      question: "删除这些文件？",
      command: "trash \x1b[8mbuild",
      targets: ["/space/build"],
    });
    bus.emit({ type: "text", delta: `answer was ${await answer}` });
  } else if (text === "throw") setTimeout(() => throwHere("boom"));
  else if (text === "reject") void Promise.reject(new Error("boom"));
  else if (text === "exit") Deno.exit(7);
  else bus.emit({ type: "text", delta: `got ${JSON.stringify(text)}` });
  if (["throw", "reject"].includes(text)) return;
  const end: EventBody = stopped ? { ...done, reason: "interrupted" } : done;
  bus.emit({ type: "usage", input: 1200, output: 34, cached: 0, cost: null }, end);
}

function throwHere(text: string): never {
  throw new Error(text);
}

bus.onSend = (inbound: Inbound) => {
  if (inbound.type === "line") void play(inbound.text);
  else if (inbound.type === "stop") stopped = true;
  else if (inbound.type === "answer") answered?.(inbound.value !== false);
};

if (Deno.args[0] === "setup") {
  const result = await runSetup({
    t: chinese,
    env: (name) => Deno.env.get(name),
    providers: [{
      id: "deepseek",
      name: "DeepSeek",
      baseUrl: "https://api.deepseek.com",
      models: ["deepseek-chat"],
      needsKey: true,
    }],
    test: () => Promise.resolve(undefined),
    save: () => Promise.resolve("narnat.json"),
  });
  console.log(`SETUP ${result}`);
  Deno.exit(0);
}

const code = await startTerminal({
  ...fakeOptions(bus),
  t: chinese,
  env: (name) => Deno.env.get(name),
});
Deno.exit(code);
