/** A narnat that is killed amid an answer: the session that goes on has what was on the screen, and says so. */
import assert from "node:assert/strict";
import { stage } from "../support/stage.ts";

const WORDS = Array.from({ length: 60 }, (_, n) => `word${n}`).join(" ");

Deno.test("an answer that a kill cuts off stands in the session, and the model and the user are told", async () => {
  const script = [{ text: WORDS, deltas: 60, delayMs: 100 }, { text: "Goes on." }];
  await stage(script, async ({ narnat, provider }) => {
    const stream = ["--output-format", "stream-json"];
    await narnat(["-p", "first", ...stream], {
      stdin: "",
      async during(child, _write, printed) {
        await printed((lines) => lines.some(({ delta }) => /rd20/.test(delta ?? "")));
        child.kill("SIGKILL");
      },
    });
    const { stderr, code } = await narnat(["-c", "-p", "go on", ...stream]);
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
  });
});
