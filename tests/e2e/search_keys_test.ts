/** The keys of search engines are kept from the model, the log, the screen and child processes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const KEYS = { file: "tvly-File0123456789abcdef", env: "BSA-Env0123456789abcdef" };

Deno.test("search keys of the user file and the environment show nowhere", async () => {
  await withWorkspace({ "w/a.txt": "a\n" }, async (dir) => {
    const answers: Reply[] = [
      { calls: [{ name: "Bash", input: { command: "env; echo end" } }] },
      { calls: [{ name: "Read", input: { file_path: "~/.narnat/narnat.json" } }] },
      { text: "Looked." },
    ];
    const provider = await startFakeProvider((_request, index) => answers[index % 3]!);
    try {
      const [root, home] = [join(dir, "w"), join(dir, "home")];
      await Deno.mkdir(join(home, ".narnat"), { recursive: true });
      const settings = { base_url: provider.url, model: "fake", tavily_api_key: KEYS.file };
      await Deno.writeTextFile(join(home, ".narnat/narnat.json"), JSON.stringify(settings), {
        mode: 0o600,
      });
      const env = { BRAVE_API_KEY: KEYS.env, NARNAT_LOG: "debug" };
      const run = (...args: string[]) => runNarnat(BUNDLED, args, { cwd: root, env });
      const ran = await run("-p", "look", "--output-format", "stream-json");
      assert.match(ran.stdout, /Looked/);
      const doctor = await run("doctor");
      assert.match(doctor.stdout, /Brave → Tavily → Baidu → Bing → DuckDuckGo/);
      const log = await run(
        "tool",
        "Bash",
        '{"command":"cat .narnat/logs/* .narnat/sessions/*; env"}',
      );
      const bodies = provider.requests.map(({ body }) => body);
      assert.ok(bodies.some((body) => body.includes("tavily_api_key")), "the file was read");
      const said = [ran, doctor, log].flatMap(({ stdout, stderr }) => [stdout, stderr]);
      for (const key of Object.values(KEYS)) {
        for (const text of [...said, ...bodies]) assert.ok(!text.includes(key), text);
      }
    } finally {
      await provider.close();
    }
  });
});
