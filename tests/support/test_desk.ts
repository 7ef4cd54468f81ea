import { SessionStore } from "../../src/core/session.ts";
import type { Desk, SessionInfo } from "../../src/types.ts";

/** A desk over an in-memory session and a fixed list of stored ones, noting what it was asked. */
export function testDesk(stored: readonly SessionInfo[] = [], lang: "zh" | "en" = "en") {
  const store = new SessionStore({
    dir: undefined,
    workspace: "/w",
    lang,
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
  const desk: Desk = {
    lang,
    model: "m",
    workspace: "/w",
    permission: "open",
    version: "1.2.3",
    endpoint: "llm.example",
    current: () => session,
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
    fresh() {
      asked.push("fresh");
      session = store.create();
      return Promise.resolve();
    },
    back(index) {
      asked.push(`back ${index}`);
      return Promise.resolve();
    },
    theme: "dark",
    models: () => Promise.resolve(["m", "n-large", "demo"]),
    useModel(name) {
      asked.push(`model ${name}`);
      return Promise.resolve();
    },
    copy: (text) => void asked.push(`copy ${text}`),
    useTheme(theme) {
      asked.push(`theme ${theme}`);
      return undefined;
    },
    exit: () => void asked.push("exit"),
  };
  return { desk, asked, session };
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
