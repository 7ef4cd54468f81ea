/** Checkpoints of a workspace, kept by a thread that the first turn starts. */
import { say } from "../text.ts";
import type { Checkpoints, Lang, TurnMark, TurnWatch } from "../types.ts";
import { under } from "../under.ts";
import { NothingToDo } from "./restore_error.ts";
import type { Service, ServiceOptions } from "./service.ts";
import type { Thread } from "./thread.ts";

export interface CheckpointsOptions extends ServiceOptions {
  readonly lang: Lang;
  /** The module a worker starts with: it must call `start` of worker.ts when its name is `checkpoints`. */
  readonly entry?: string;
}

/** The first request is sent before the thread is started. */
const BESIDE_MS = 20;
const CLOSE_MS = 2000;
/** Lanes of agents, which work for a person's turn. */
const AGENT = /^(?:sub|team):/;

export function createCheckpoints({ lang, entry, ...options }: CheckpointsOptions): Checkpoints {
  let thread: Promise<Thread> | undefined;
  let told = false;
  let turns = 0;
  const open = () =>
    thread ??= import("./thread.ts").then(({ startThread }) =>
      startThread(entry ?? Deno.mainModule, options)
    );
  const call = async <K extends keyof Service>(
    name: K,
    args: readonly unknown[],
    progress?: (files: number) => void,
  ) => await (await open()).call(name, args, progress);

  function begin(lane: string, mark: TurnMark): TurnWatch {
    const key = `${lane} ${++turns}`;
    let begun: Promise<boolean> | undefined;
    let started: Promise<void> | undefined;
    let waited = false;
    let progress = (_files: number) => {};
    let warn = (_text: string) => {};
    const beginNow = () => {
      clearTimeout(timer);
      return begun ??= call("begin", [key, mark, AGENT.test(lane)], (files) => progress(files));
    };
    const beside = () => void beginNow().catch(() => {});
    const start = async () => {
      if (await beginNow()) warn(say(lang, "undo.cut_off"));
      await call("start", [key]);
    };
    // nobody has changed anything here yet: the first look, which copies all there is, can wait until someone does
    const timer = isKept(options.dir) ? setTimeout(beside, BESIDE_MS) : undefined;
    return {
      async before(signal, tell) {
        if (signal.aborted) return;
        warn = tell.warn;
        progress = (files) => tell.progress(say(lang, "undo.looking", { files }));
        started ??= start();
        const { promise: aborted, resolve } = Promise.withResolvers<void>();
        const stop = () => resolve();
        signal.addEventListener("abort", stop);
        try {
          // where the turn was stopped first nothing comes of the call
          await Promise.race([started.then(() => void (waited = true)), aborted]);
        } catch (error) {
          if (!told) tell.warn(say(lang, "undo.off", { why: wordsOf(error) }));
          told = true;
        } finally {
          signal.removeEventListener("abort", stop);
        }
      },
      async look() {
        if (!waited) return [];
        try {
          return await call("look", [key]);
        } catch (error) {
          warn(say(lang, "undo.lost", { why: wordsOf(error) }));
          return [];
        }
      },
      end() {
        clearTimeout(timer);
        // told at once: who asks next finds it over
        if (begun) void call("end", [key]).catch(() => {});
      },
    };
  }

  const worded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new Error(
        error instanceof NothingToDo
          ? say(lang, `undo.no_${error.why}`)
          : say(lang, "undo.failed", { why: wordsOf(error) }),
      );
    }
  };
  return {
    begin,
    turns: (session) =>
      isKept(options.dir) ? worded(call("turns", [session])) : Promise.resolve([]),
    preview: (wish) =>
      isKept(options.dir)
        ? worded(call("preview", [wish]))
        : Promise.reject(new Error(say(lang, `undo.no_${wish.what}`))),
    restore: (id, overwrite) => worded(call("restore", [id, overwrite])),
    async close() {
      const running = await thread?.catch(() => undefined);
      if (!running) return;
      // what it was told is done first; of a long look only the copies count, which the next one finds
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_MS);
      await Promise.race([running.call("close", []).catch(() => {}), late]);
      clearTimeout(timer);
      running.close();
    },
  };
}

const wordsOf = (error: unknown) => error instanceof Error ? error.message : String(error);

function isKept(dir: string): boolean {
  try {
    return Deno.statSync(under(dir, "objects")).isDirectory;
  } catch {
    return false;
  }
}
