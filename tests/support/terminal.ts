/** The real program in a real terminal, over a home, a project and a provider of its own. */
import { join } from "node:path";
import { BUNDLED } from "./bundled.ts";
import type { FakeProvider, Script } from "./fake_provider.ts";
import { cleanEnv } from "./narnat.ts";
import { eventually, hasEnded } from "./processes.ts";
import { Pty } from "./pty.ts";
import { slow } from "./soak.ts";
import { stage } from "./stage.ts";
import type { Files } from "./temp_workspace.ts";
import { Tmux } from "./tmux.ts";

/** A key that narnat hides wherever it stands. */
const KEY = "sk-the-key-of-the-test";

export interface TerminalOptions {
  readonly script?: Script;
  /** What the provider lists. */
  readonly models?: readonly string[];
  readonly files?: Files;
  readonly size?: readonly [columns: number, rows: number];
  /** Added to the clean environment, which names the fake provider unless `home` says otherwise. */
  readonly env?: { readonly [name: string]: string };
  /** `empty`: nothing is configured anywhere. */
  readonly home?: "empty";
}

/** Where narnat runs; `../narnat` in the project starts it. */
interface Place {
  readonly provider: FakeProvider;
  readonly home: string;
  readonly project: string;
}

export interface Stage extends Place {
  readonly tmux: Tmux;
  /** Types `narnat` with arguments; the shell says `RC=<exit code>` when it has ended. */
  start(args?: string): Promise<void>;
  /** Types a line and waits for the text. */
  say(line: string, shows: string | RegExp): Promise<string>;
  /** Process id of the running narnat. */
  pid(): Promise<number>;
}

/** Opens a shell in the project in tmux, hands it to `play`, and removes everything. */
export async function onStage(
  options: TerminalOptions,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  await inPlace(options, async (place) => {
    const tmux = await Tmux.open(...options.size ?? [80, 24]);
    try {
      await tmux.type(`cd '${place.project}' && clear\n`);
      await tmux.shows(/^SH> $/m);
      await play({
        ...place,
        tmux,
        start: (args = "") => tmux.type(`../narnat ${args}; echo RC=$?\n`),
        async say(line, shows) {
          await tmux.type(line + "\n");
          return await tmux.shows(shows);
        },
        pid: async () => await childOf(await tmux.ask("#{pane_pid}")),
      });
    } finally {
      const narnat = await tmux.ask("#{pane_pid}").then(childOf).catch(() => 0);
      await tmux.close();
      // on its way out it may still write
      if (narnat > 0) await eventually(() => hasEnded(narnat));
    }
  });
}

const hasTmux = await Tmux.available();
if (!hasTmux) console.error("SKIPPED: tmux is missing, nothing is tested at a real terminal");

/** Registers a test that is played at a real terminal, in `onStage`. */
export function inTerminal(
  name: string,
  options: TerminalOptions,
  play: (stage: Stage) => Promise<void>,
  test: typeof slow = Deno.test,
): void {
  test({ name, ignore: !hasTmux, fn: () => onStage(options, play) });
}

/** The same for a test that is slow by nature. */
export const slowInTerminal = (...[name, options, play]: Parameters<typeof inTerminal>): void =>
  inTerminal(name, options, play, slow);

/** Opens a shell in the project on a pseudo-terminal, hands it to `play`, and removes everything. */
export async function onPty(
  options: TerminalOptions,
  play: (pty: Pty, place: Place) => Promise<void>,
): Promise<void> {
  await inPlace(options, async (place) => {
    const pty = Pty.open(["bash", "--norc", "--noprofile", "-i"], {
      env: { ...cleanEnv(place.home), PS1: "SH> " },
      cwd: place.project,
      ...(options.size ? { size: options.size } : {}),
    });
    try {
      // The shell's own use of paste mode would hide narnat's.
      await pty.type("bind 'set enable-bracketed-paste off'; echo RE''ADY\r");
      await pty.shows(/READY\r\n.*SH> $/);
      await play(pty, place);
    } finally {
      await pty.close();
    }
  });
}

/** Process id of the one child of a shell. */
export async function childOf(shell: string | number): Promise<number> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-P", String(shell)] }).output();
  return Number(new TextDecoder().decode(stdout).trim());
}

async function inPlace(options: TerminalOptions, use: (place: Place) => Promise<void>) {
  const files = { "home/.keep": "", ...prefixed(options.files ?? {}) };
  await stage(
    options.script ?? [],
    async ({ dir, root, home, provider, env: own }) => {
      const configured = options.home === "empty" ? {} : { ...own, NARNAT_API_KEY: KEY };
      const env = { ...cleanEnv(home), LANG: "zh_CN.UTF-8", ...configured, ...options.env };
      const words = Object.entries({ TERM: "$TERM", ...env }).map(([name, value]) =>
        `${name}="${value}"`
      );
      const command = [BUNDLED.command, ...BUNDLED.args].map((word) => `'${word}'`).join(" ");
      await Deno.writeTextFile(
        join(dir, "narnat"),
        `#!/bin/sh\nexec env -i ${words.join(" ")} ${command} "$@"\n`,
        { mode: 0o755 },
      );
      await use({ provider, home, project: root });
    },
    files,
    options,
  );
}

const prefixed = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`w/${path}`, text]));
