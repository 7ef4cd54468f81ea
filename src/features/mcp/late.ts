/** Servers of tools that are there once they are begun: until then nothing of them is loaded. */
import type { T } from "../../base/t.ts";
import type { Tool, Toolbox } from "../../base/types.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import type { ConnectedServers } from "./types.ts";

/** What there is of tools at a turn's border. */
export interface Supply {
  readonly tools: readonly Tool[];
  /** What the user is to be told besides. */
  readonly texts: readonly string[];
}

export interface LiveToolbox extends Toolbox {
  /** Those of the definitions. */
  readonly tools: readonly Tool[];
  refresh(signal: AbortSignal): Promise<readonly string[]>;
}

const NAMES_TOLD = 8;

/**
 * Makes a toolbox that takes what `supply` brings before each turn; `first` until then. Definitions
 * stay the same object as long as nothing about them has changed.
 */
export function liveToolbox(
  first: readonly Tool[],
  supply: (signal: AbortSignal) => Promise<Supply>,
  t: T,
): LiveToolbox {
  let tools = first;
  let box = createToolbox(tools);
  let text: string | undefined;
  return {
    get tools() {
      return tools;
    },
    get definitions() {
      return box.definitions;
    },
    get prepare() {
      return box.prepare;
    },
    async refresh(signal) {
      const { tools: now, texts } = await supply(signal);
      const before = box;
      tools = now;
      box = createToolbox(tools);
      const json = JSON.stringify(box.definitions);
      const same = json === text;
      const begun = text !== undefined;
      text = json;
      if (same) box = { ...box, definitions: before.definitions };
      // before the first request there is nothing to change
      return same || !begun ? texts : [...texts, ...changes(before, box, t)];
    },
  };
}

function changes(before: Toolbox, after: Toolbox, t: T): string[] {
  const old = new Map(before.definitions.map((tool) => [tool.name, JSON.stringify(tool)]));
  const names = new Set(after.definitions.map(({ name }) => name));
  const came = [...names].filter((name) => !old.has(name));
  const gone = [...old.keys()].filter((name) => !names.has(name));
  const other = after.definitions
    .filter((tool) => old.has(tool.name) && old.get(tool.name) !== JSON.stringify(tool))
    .map(({ name }) => name);
  const kinds = [["{n} {n:tool|tools} added: {names}", came], [
    "{n} {n:tool|tools} gone: {names}",
    gone,
  ], ["{n} {n:tool has|tools have} another definition: {names}", other]] as const;
  return kinds.filter(([, all]) => all.length > 0).map(([key, all]) => {
    const more = all.length > NAMES_TOLD ? ", …" : "";
    return t(key, { n: all.length, names: all.slice(0, NAMES_TOLD).join(", ") + more });
  });
}

/**
 * Loads the servers with the first `start`, `reconnect` or `enable`; before that there are none.
 * `begun` settles when whoever starts them has done so.
 */
export function lateServers(
  load: () => Promise<ConnectedServers>,
  begun: (signal: AbortSignal) => Promise<void> = () => Promise.resolve(),
): ConnectedServers {
  let there: ConnectedServers | undefined;
  let loading: Promise<ConnectedServers> | undefined;
  const started = Promise.withResolvers<void>();
  let shut = false;
  const loaded = () =>
    loading ??= load().then((servers) => {
      there = servers;
      return servers;
    });
  /** Waits for what is being loaded, and no longer than the signal says. */
  const wait = async (
    signal: AbortSignal,
    then: (servers: ConnectedServers) => Promise<void>,
  ) => {
    if (loading === undefined) return;
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const stop = () => resolve();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await Promise.race([loading.then(then), stopped]);
    signal.removeEventListener("abort", stop);
  };
  return {
    get configs() {
      return there?.configs ?? [];
    },
    start(trusted, wanted) {
      void loaded().then((servers) => {
        if (!shut) servers.start(trusted, wanted);
        started.resolve();
      });
    },
    settled: (signal) => wait(signal, (servers) => servers.settled(signal)),
    known: (signal) => wait(signal, (servers) => servers.known(signal)),
    connection: (name) => there?.connection(name),
    tools: () => there?.tools() ?? [],
    list: () => there?.list() ?? [],
    async listed(signal) {
      // whoever starts them may go on to ask the user something
      await Promise.race([started.promise, begun(signal)]);
      await wait(signal, () => Promise.resolve());
    },
    stderr: (name) => there?.stderr(name) ?? "",
    reconnect: async (name) => await (await loaded()).reconnect(name),
    enable: async (name, on) => await (await loaded()).enable(name, on),
    describe: (name) => there?.describe(name) ?? [],
    resources: () => there?.resources() ?? [],
    read: async (name, uri, signal) => await (await loaded()).read(name, uri, signal),
    prompts: () => there?.prompts() ?? [],
    async ready(name, signal) {
      await begun(signal);
      await wait(signal, (servers) => servers.ready(name, signal));
    },
    prompt: async (name, prompt, args, signal) =>
      await (await loaded()).prompt(name, prompt, args, signal),
    async shutdown() {
      shut = true;
      await (await loading)?.shutdown();
    },
  };
}
