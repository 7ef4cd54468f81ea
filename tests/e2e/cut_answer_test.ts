/** A narnat that is killed amid an answer: the session that goes on has what was on the screen, and says so. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { startFakeProvider } from "../support/fake_provider.ts";
import { cleanEnv, runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const WORDS = Array.from({ length: 60 }, (_, n) => `word${n}`).join(" ");

Deno.test("an answer that a kill cuts off stands in the session, and the model and the user are told", async () => {
  await withWorkspace({ "ws/a": "a" }, async (root) => {
    const provider = await startFakeProvider([
      { text: WORDS, deltas: 60, delayMs: 100 },
      { text: "Goes on." },
    ]);
    const cwd = join(root, "ws");
    const env = {
      ...cleanEnv(root),
      NARNAT_API_KEY: "k-123456",
      NARNAT_BASE_URL: provider.url,
      NARNAT_MODEL: "fake-model",
    };
    const stream = ["--output-format", "stream-json"];
    await runNarnat(BUNDLED, ["-p", "first", ...stream], {
      cwd,
      env,
      stdin: "",
      async during(child, _write, printed) {
        await printed((lines) => lines.some(({ delta }) => /rd20/.test(delta ?? "")));
        child.kill("SIGKILL");
      },
    });
    const { stderr, code } = await runNarnat(BUNDLED, ["-c", "-p", "go on", ...stream], {
      cwd,
      env,
      stdin: "",
    });
    assert.equal(code, 0);
    const messages = provider.requests.at(-1)!.json.messages.slice(1) as {
      role: string;
      content: string;
    }[];
    assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "user", "user"]);
    assert.match(messages[1]!.content, /^word0 word1 .*word8 /);
    assert.ok(WORDS.startsWith(messages[1]!.content));
    assert.match(messages[2]!.content, /cut off/);
    assert.match(stderr, /amid an answer/);
    await provider.close();
  });
});
