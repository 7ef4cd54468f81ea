/** Servers of tools that are there once they are begun: until then nothing of them is loaded. */
import type { ConnectedServers } from "./types.ts";

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
