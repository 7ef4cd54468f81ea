import { english } from "../../src/base/t.ts";
import { NO_AGENTS, NO_BUDGET, NO_SERVERS } from "../support/test_controller.ts";
import { NO_CHECKPOINTS, NO_MEMORY } from "../../src/agent/none.ts";
import { NO_USAGE } from "../../src/base/figures.ts";
import type {
  AgentEvent,
  Bus,
  Command,
  EventBody,
  Inbound,
  Session,
  SessionController,
} from "../../src/base/types.ts";

/** A bus without an agent: remembers what is sent, emits what a test says. */
export class FakeBus implements Bus {
  readonly sent: Inbound[] = [];
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  onSend: (inbound: Inbound) => void = () => {};

  send(inbound: Inbound): void {
    this.sent.push(inbound);
    this.onSend(inbound);
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  emit(...bodies: EventBody[]): void {
    for (const body of bodies) {
      this.emitStamped({ ...body, session: "s1", turn: 1, time: "2026-01-01T00:00:00Z" });
    }
  }

  emitStamped(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

const session: Session = {
  id: "s1",
  name: "",
  messages: [],
  turns: 0,
  todos: [],
  seen: new Map(),
  cwd: "/space",
  view: [],
  viewFrom: 0,
  changed: new Map(),
  skills: new Set(),
  usage: { input: 0, output: 0, cached: 0, cost: null },
  prompts: [],
};

const refuse = () => Promise.reject(new Error("not in this test"));

/** A controller with an empty session. */
export const fakeController: SessionController = {
  t: english,
  model: "demo",
  workspace: "/space",
  permission: "open",
  version: "0.1.0",
  endpoint: "",
  current: () => session,
  shares: () => Promise.resolve([]),
  search: refuse,
  list: () => Promise.resolve([]),
  save: refuse,
  enter: refuse,
  remove: refuse,
  fresh: refuse,
  back: refuse,
  compact: refuse,
  undoCompact: refuse,
  skills: () => Promise.resolve([]),
  agents: NO_AGENTS,
  servers: NO_SERVERS,
  checkpoints: NO_CHECKPOINTS,
  planMode: false,
  usePlanMode: () => {},
  ask: () => Promise.resolve(false),
  withheld: () => Promise.resolve([]),
  memory: NO_MEMORY,
  edit: () => {},
  note: () => {},
  backgroundUsage: NO_USAGE,
  budget: () => Promise.resolve(NO_BUDGET),
  background: () => {},
  stopBackground: () => false,
  models: refuse,
  stop: () => false,
  useModel: refuse,
  copy: () => {},
  theme: "auto",
  useTheme: () => Promise.resolve(undefined),
  exit: () => {},
};

export const fakeCommands: readonly Command[] = [
  {
    name: "help",
    help: (t) => t.lang === "zh" ? "显示帮助" : "show help",
    run: () => "",
  },
  {
    name: "save",
    usage: (t) => t.lang === "zh" ? "[名称]" : "[name]",
    help: (t) => t.lang === "zh" ? "保存会话" : "save the session",
    run: () => "",
  },
  {
    name: "show",
    help: (t) => t.lang === "zh" ? "列出会话" : "list sessions",
    run: () => "",
  },
];

/** What every screen and plain session of the tests is started with. */
export function fakeOptions(bus: FakeBus) {
  return {
    bus,
    controller: fakeController,
    commands: () => fakeCommands,
    t: english,
    model: "demo",
    workspace: "/space",
    version: "0.1.0",
    env: (_name: string): string | undefined => undefined,
  } as const;
}

export const done = {
  type: "turn_end",
  reason: "done",
  iterations: 1,
  ms: 1200,
} as const satisfies EventBody;
