import type { Servers } from "../../src/base/types.ts";

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
