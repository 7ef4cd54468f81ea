/** narnat as a script runs it: a workspace and a home of its own, and a provider that it is configured to use. */
import { join } from "node:path";
import { eachLine } from "../../src/headless/lines.ts";
import { BUNDLED } from "./bundled.ts";
import { type FakeProvider, type Script, startFakeProvider } from "./fake_provider.ts";
import {
  cleanEnv,
  type Outcome,
  type Program,
  runNarnat,
  type RunOptions,
  startNarnat,
} from "./narnat.ts";
import { type Files, withWorkspace, writeFiles } from "./temp_workspace.ts";

// deno-lint-ignore no-explicit-any -- tests read into events freely
export type Event = any;

/** Is given each event as it comes. */
export type Hear = (event: Event, talk: Pick<Talk, "send" | "close">) => unknown;

/** A session of narnat's in stream-json, line by line. */
export interface Talk {
  readonly child: Deno.ChildProcess;
  /** All that have come so far. */
  readonly events: readonly Event[];
  send(line: object): Promise<void>;
  /** Resolves with the next unseen event that passes. */
  until(test: (event: Event) => boolean): Promise<Event>;
  /** Sends a line of the user's; resolves with the events up to its turn's end. */
  say(text: string): Promise<Event[]>;
  close(): Promise<void>;
  /** Waits for the end and returns the exit code. */
  ended(): Promise<number>;
  /** Closes stdin and waits for the end. */
  end(): Promise<number>;
}

export interface Stage {
  /** The workspace, `w` in `dir`. */
  readonly root: string;
  readonly home: string;
  /** What holds the workspace and the home. */
  readonly dir: string;
  readonly provider: FakeProvider;
  readonly env: { readonly [name: string]: string };
  /** Runs narnat in the workspace to its end: the bundled one, unless another program is given. */
  narnat(
    args: readonly string[],
    more?: Partial<RunOptions> & { readonly program?: Program },
  ): Promise<Outcome>;
  /** Starts narnat with nothing to read; what is left of it ends with the stage. */
  start(args: readonly string[]): Deno.ChildProcess;
  /** Opens a session line by line; questions get a Yes unless `hear` has them. */
  talk(args?: readonly string[], hear?: Hear): Talk;
  /** The messages of the last request, as text. */
  asked(): string;
}

export interface StageOptions {
  readonly protocol?: "openai" | "anthropic";
  /** What the provider lists. */
  readonly models?: readonly string[];
}

/** Sets the stage, with files by their paths in `dir`, hands it to `play`, and removes everything. */
export async function stage(
  script: Script,
  play: (stage: Stage) => Promise<void>,
  files: Files | ((dir: string) => Files) = {},
  { protocol, models }: StageOptions = {},
): Promise<void> {
  await withWorkspace({}, async (dir) => {
    const root = join(dir, "w");
    await Deno.mkdir(root);
    await writeFiles(dir, typeof files === "function" ? files(dir) : files);
    const provider = await startFakeProvider(script, models);
    const env = {
      NARNAT_API_KEY: "k-123456",
      NARNAT_BASE_URL: protocol === "anthropic" ? provider.anthropicUrl : provider.url,
      NARNAT_MODEL: "fake",
    };
    const children: Deno.ChildProcess[] = [];
    const place = { cwd: root, env };
    try {
      await play({
        root,
        home: join(dir, "home"),
        dir,
        provider,
        env,
        narnat: (args, { program = BUNDLED, ...more } = {}) =>
          runNarnat(program, args, { cwd: root, ...more, env: { ...env, ...more.env } }),
        start(args) {
          const child = startNarnat(BUNDLED, args, place);
          children.push(child);
          return child;
        },
        talk(args = [], hear = sayYes) {
          const talk = talkTo(BUNDLED, args, place, hear);
          children.push(talk.child);
          return talk;
        },
        asked: () => JSON.stringify(provider.requests.at(-1)!.json.messages),
      });
    } finally {
      for (const child of children) {
        try {
          child.kill("SIGKILL");
        } catch { /* it has ended */ }
        await child.status;
      }
      await provider.close();
    }
  });
}

const sayYes: Hear = async ({ type, id }, { send }) => {
  if (type === "ask") await send({ type: "answer", id, value: "yes" });
};

/** Starts narnat with lines to come. */
export function talkTo(
  program: Program,
  args: readonly string[],
  { cwd, env }: Pick<RunOptions, "cwd" | "env">,
  hear: Hear = () => {},
): Talk {
  const stream = ["--input-format", "stream-json", "--output-format", "stream-json"];
  const child = new Deno.Command(program.command, {
    args: [...program.args, "-p", ...stream, ...args],
    cwd,
    clearEnv: true,
    env: { ...cleanEnv(join(cwd, "..", "home")), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const events: Event[] = [];
  let seen = 0;
  let more = Promise.withResolvers<void>();
  const over = eachLine(child.stdout, async (line) => {
    const event = JSON.parse(line);
    events.push(event);
    more.resolve();
    more = Promise.withResolvers();
    await hear(event, talk);
  });
  // who waits is told
  over.catch(() => {});
  const talk: Talk = {
    child,
    events,
    send: (line) => writer.write(new TextEncoder().encode(JSON.stringify(line) + "\n")),
    async until(test) {
      for (let isOver = false;;) {
        while (seen < events.length) {
          const event = events[seen++];
          if (test(event)) return event;
        }
        if (isOver) throw new Error(`narnat has ended:\n${JSON.stringify(events, null, 1)}`);
        await Promise.race([more.promise, over.then(() => isOver = true)]);
      }
    },
    async say(text) {
      const from = seen = events.length;
      await talk.send({ type: "user", text });
      await talk.until(({ type }) => type === "turn_end");
      return events.slice(from, seen);
    },
    close: () => writer.close(),
    async ended() {
      await over;
      return (await child.status).code;
    },
    async end() {
      await talk.close();
      return await talk.ended();
    },
  };
  return talk;
}
