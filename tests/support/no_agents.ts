import type { Agents } from "../../src/base/types.ts";

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
