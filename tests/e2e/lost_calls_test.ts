/** A narnat that is killed amid a command: who goes on is told, the model and the person. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Reply } from "../support/fake_provider.ts";
import { eventually } from "../support/processes.ts";
import { slow } from "../support/soak.ts";
import { stage } from "../support/stage.ts";

/** A model that calls Bash with the commands first. */
const calling = (...commands: string[]) => (_: unknown, index: number): Reply =>
  index > 0
    ? { text: "I see." }
    : { calls: commands.map((command) => ({ name: "Bash", input: { command } })) };

const MUCH = "yes | head -c 300000; sleep 60";

for (
  const [lang, wrote, command, told, known] of [
    ["en", "a line", "echo a line; sleep 60", /.*Bash echo a line/, /Its output until then: /],
    [
      "en",
      "much",
      MUCH,
      /narnat was ended amid tools last time .*Bash yes \| head/,
      /Its output until then: /,
    ],
    [
      "zh",
      "much",
      MUCH,
      /上次 narnat 被终止时有工具没有结束.*Bash yes \| head/,
      /它到那时为止的输出：/,
    ],
  ] as const
) {
  slow(
    `killed amid a command that had written ${wrote}, narnat tells both where its output is (${lang})`,
    async () => {
      await stage(calling(command, "ls"), async ({ root: cwd, start, narnat, provider }) => {
        const child = start(["-p", "go", "--lang", lang]);
        const outputs = join(cwd, ".narnat/outputs");
        const written = () => {
          try {
            return [...Deno.readDirSync(outputs)].flatMap(({ name }) =>
              [...Deno.readDirSync(join(outputs, name))].map((file) =>
                join(outputs, name, file.name)
              )
            ).find((path) => Deno.statSync(path).size > (command === MUCH ? 200_000 : 0));
          } catch {
            return undefined;
          }
        };
        assert.ok(await eventually(() => written() !== undefined, 20_000));
        child.kill("SIGKILL");
        await child.status;
        const run = await narnat(["-p", "on", "-c", "--lang", lang]);
        assert.equal(run.code, 0, run.stderr);
        assert.match(run.stderr, told);
        const results = provider.requests.at(-1)!.json.messages
          .filter(({ role }: { role: string }) => role === "tool")
          .map(({ content }: { content: string }) => content);
        assert.equal(results.length, 2);
        assert.match(results[0], known);
        assert.ok(results[0].includes(written()!.slice(cwd.length + 1)), results[0]);
        assert.match(results[1], lang === "en" ? /Nothing was run/ : /什么都没有执行/);
        assert.deepEqual(provider.pairingErrors, []);
      });
    },
  );
}

for (const signal of ["SIGKILL", "SIGINT"] as const) {
  slow(
    `who goes on with a turn cut short by ${signal} is told how to take back what it changed`,
    async () => {
      const command = "echo b > b.txt; echo c >> a.txt; sleep 60";
      await stage(calling(command), async ({ root: cwd, start, narnat }) => {
        const child = start(["-p", "go"]);
        const written = () => Deno.readTextFileSync(join(cwd, "a.txt")) === "a\nc\n";
        assert.ok(await eventually(written, 20_000));
        child.kill(signal);
        await child.status;
        const goOn = () => narnat(["-p", "/status", "-c"]);
        const hint =
          /cut short; it has changed 2 files \(.*a\.txt.*; 1 created, 1 changed, 0 deleted\): \/undo, or narnat undo,/;
        assert.match((await goOn()).stderr, hint);
        const undone = await narnat(["undo", "--yes"]);
        assert.equal(undone.code, 0, undone.stderr);
        assert.equal(Deno.readTextFileSync(join(cwd, "a.txt")), "a\n");
        assert.doesNotMatch((await goOn()).stderr, /cut short/);
        // a turn that has come to its end has nothing of it
        await narnat(["-p", "on", "-c"]);
        assert.doesNotMatch((await goOn()).stderr, /cut short/);
      }, { "w/a.txt": "a\n" });
    },
  );
}
