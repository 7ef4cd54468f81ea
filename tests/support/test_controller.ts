import { NO_CHECKPOINTS, NO_MEMORY } from "../../src/agent/none.ts";
import { english, type T } from "../../src/base/t.ts";
import type {
  Agents,
  BudgetState,
  Servers,
  SessionController,
  SessionInfo,
  Skill,
} from "../../src/base/types.ts";
import { NO_USAGE } from "../../src/base/figures.ts";
import { SessionStore } from "../../src/session/store.ts";

/** A controller over an in-memory session and a fixed list of stored ones, noting what it was asked. */
export function testController(
  stored: readonly SessionInfo[] = [],
  t: T = english,
  skills: readonly Skill[] = [],
) {
  const store = new SessionStore({
    dir: undefined,
    workspace: "/w",
    t,
    now: () => new Date("2026-11-20T08:00:00Z"),
    random: () => 0.5,
  });
  let session = store.create();
  const asked: string[] = [];
  const pick = (which: string) => {
    const found = stored.find((info) => info.id === which || info.name === which);
    if (!found) throw new Error(`no ${which}`);
    return Promise.resolve(found);
  };
  const controller: SessionController = {
    t,
    model: "m",
    workspace: "/w",
    stop() {
      asked.push("stop");
      return false;
    },
    permission: "open",
    version: "1.2.3",
    endpoint: "llm.example",
    current: () => session,
    shares: () =>
      Promise.resolve([
        { kind: "prompt", name: "base", tokens: 1200 },
        { kind: "definitions", name: "", tokens: 900 },
        { kind: "tool", name: "Read", tokens: 300 },
      ]),
    search(words) {
      asked.push(`search ${words}`);
      const hit = { session: "20261120-080000-abcd", time: "2026-11-20T08:00:00Z" } as const;
      const hits = words === "none" ? [] : [
        { ...hit, who: "user", snippet: "which «port»?" } as const,
        { ...hit, who: "assistant", snippet: "«port» 8080" } as const,
      ];
      return Promise.resolve({ hits, more: words === "many" });
    },
    list: () => Promise.resolve(stored),
    save(name) {
      asked.push(`save ${name}`);
      session.rename(name);
      return Promise.resolve(session.info);
    },
    enter(which) {
      asked.push(`enter ${which}`);
      return pick(which);
    },
    remove(which) {
      asked.push(`remove ${which}`);
      return pick(which);
    },
    fresh(archived) {
      asked.push(archived ? "fresh, archived" : "fresh");
      const archiving = archived !== undefined && session.messages.length > 0;
      session = store.create();
      return Promise.resolve(archiving);
    },
    back(index) {
      asked.push(`back ${index}`);
      return Promise.resolve();
    },
    compact(focus) {
      asked.push(`compact ${focus}`);
      return Promise.resolve(session.info);
    },
    undoCompact() {
      asked.push("undo compact");
      return Promise.resolve(session.info);
    },
    theme: "dark",
    agents: NO_AGENTS,
    servers: NO_SERVERS,
    checkpoints: NO_CHECKPOINTS,
    planMode: false,
    usePlanMode: () => {},
    ask: () => Promise.resolve(false),
    skills: () => Promise.resolve(skills),
    withheld: () => Promise.resolve([]),
    models: () => Promise.resolve(["m", "n-large", "demo"]),
    useModel(name) {
      asked.push(`model ${name}`);
      return Promise.resolve();
    },
    memory: NO_MEMORY,
    edit: (path) => void asked.push(`edit ${path}`),
    note: (text) => void asked.push(`note ${text}`),
    backgroundUsage: NO_USAGE,
    budget: () => Promise.resolve(NO_BUDGET),
    background: () => void asked.push("beside"),
    stopBackground: () => void asked.push("stop beside"),
    copy: (text) => void asked.push(`copy ${text}`),
    useTheme(theme) {
      asked.push(`theme ${theme}`);
      return Promise.resolve(undefined);
    },
    exit: () => void asked.push("exit"),
  };
  return { controller, asked, session };
}

/** A stored session. */
export const info = (id: string, more: Partial<SessionInfo> = {}): SessionInfo => ({
  id,
  name: "",
  updated: "2026-11-20T08:00:00.000Z",
  turns: 2,
  messages: 4,
  title: "a question",
  ...more,
});

const refuse = (): never => {
  throw new Error("not in this test");
};

/** Where no agent works for anybody. */
export const NO_AGENTS: Agents = {
  start: refuse,
  run: refuse,
  keep: refuse,
  post: refuse,
  list: () => [],
  said: () => undefined,
  stop: () => false,
};

/** Nothing is spent, and there are no limits. */
export const NO_BUDGET: BudgetState = {
  spent: NO_USAGE,
  today: { usage: { ...NO_USAGE, cost: 0 }, unpriced: false, alone: false },
  session: {},
  day: {},
};

/** Where there are none. */
export const NO_SERVERS: Servers = {
  list: () => [],
  listed: () => Promise.resolve(),
  stderr: () => "",
  reconnect: (name) => Promise.reject(new RangeError(`no server ${name}`)),
  enable: (name) => Promise.reject(new RangeError(`no server ${name}`)),
  describe: () => [],
  resources: () => [],
  read: (name) => Promise.reject(new RangeError(`no server ${name}`)),
  prompts: () => [],
  ready: () => Promise.resolve(),
  prompt: (name) => Promise.reject(new RangeError(`no server ${name}`)),
};
