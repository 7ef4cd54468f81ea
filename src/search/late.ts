import type { Searcher, SearcherOptions } from "./mod.ts";

/** Makes a Searcher that is loaded when something is first looked for. */
export function lateSearcher(options: SearcherOptions): Searcher {
  let opened: Promise<Searcher> | undefined;
  let closed = false;
  const open = () =>
    opened ??= import("./mod.ts").then(({ createSearcher }) => {
      const searcher = createSearcher(options);
      if (closed) searcher.close();
      return searcher;
    });
  const beside = (use: (searcher: Searcher) => void) => void open().then(use).catch(() => {});
  return {
    glob: async (query, signal) => await (await open()).glob(query, signal),
    grep: async (query, signal) => await (await open()).grep(query, signal),
    async *walk(root, signal) {
      yield* (await open()).walk(root, signal);
    },
    start: () => beside((searcher) => searcher.start()),
    warm: (root) => beside((searcher) => searcher.warm(root)),
    close() {
      closed = true;
      void opened?.then((searcher) => searcher.close());
    },
  };
}
