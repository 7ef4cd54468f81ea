/** The real program in a real terminal, over a home, a project and a provider of its own. */
import { join } from "node:path";
import { type FakeProvider, type Script, startFakeProvider } from "./fake_provider.ts";
import { cleanEnv, SOURCE } from "./narnat.ts";
import { type Files, withWorkspace } from "./temp_workspace.ts";
import { Tmux } from "./tmux.ts";

export interface StageOptions {
  readonly script?: Script;
  readonly files?: Files;
  readonly size?: readonly [columns: number, rows: number];
  /** Added to the clean environment, which names the fake provider unless `home` says otherwise. */
  readonly env?: { readonly [name: string]: string };
  /** `empty`: nothing is configured anywhere. */
  readonly home?: "empty";
}

export interface Stage {
  readonly tmux: Tmux;
  readonly provider: FakeProvider;
  readonly home: string;
  readonly project: string;
  /** Types `narnat` with arguments; the shell says `RC=<exit code>` when it has ended. */
  start(args?: string): Promise<void>;
  /** Types a line and waits for the text. */
  say(line: string, shows: string | RegExp): Promise<string>;
  /** Process id of the running narnat. */
  pid(): Promise<number>;
}

/** Opens a shell in the project in tmux, hands it to `play`, and removes everything. */
export async function onStage(
  options: StageOptions,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  await withWorkspace({ ...prefixed(options.files ?? {}), "home/.keep": "" }, async (root) => {
    const [home, project] = [join(root, "home"), join(root, "project")];
    await Deno.mkdir(project, { recursive: true });
    const provider = await startFakeProvider(options.script ?? []);
    const configured = options.home === "empty" ? {} : {
      NARNAT_API_KEY: "sk-the-key-of-the-test",
      NARNAT_BASE_URL: provider.url,
      NARNAT_MODEL: "fake",
    };
    const env = { ...cleanEnv(home), LANG: "zh_CN.UTF-8", ...configured, ...options.env };
    const words = Object.entries({ TERM: "$TERM", ...env }).map(([name, value]) =>
      `${name}="${value}"`
    );
    const command = [SOURCE.command, ...SOURCE.args].map((word) => `'${word}'`).join(" ");
    await Deno.writeTextFile(
      join(root, "narnat"),
      `#!/bin/sh\nexec env -i ${words.join(" ")} ${command} "$@"\n`,
      { mode: 0o755 },
    );
    const tmux = await Tmux.open(...options.size ?? [80, 24]);
    try {
      await tmux.type(`cd '${project}' && clear\n`);
      await tmux.shows(/^SH> $/m);
      await play({
        tmux,
        provider,
        home,
        project,
        start: (args = "") => tmux.type(`../narnat ${args}; echo RC=$?\n`),
        async say(line, shows) {
          await tmux.type(line + "\n");
          return await tmux.shows(shows);
        },
        async pid() {
          const shell = await tmux.ask("#{pane_pid}");
          const { stdout } = await new Deno.Command("pgrep", { args: ["-P", shell] }).output();
          return Number(new TextDecoder().decode(stdout).trim());
        },
      });
    } finally {
      await tmux.close();
      await provider.close();
    }
  });
}

function prefixed(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`project/${path}`, text]),
  );
}
