/** A narnat that is killed amid a command: who goes on is told, the model and the person. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { startFakeProvider } from "../support/fake_provider.ts";
import { runNarnat, startNarnat } from "../support/narnat.ts";
import { eventually } from "../support/processes.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

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
      await withWorkspace({ "w/a.txt": "a\n" }, async (dir) => {
        const cwd = join(dir, "w");
        const provider = await startFakeProvider((_request, index) =>
          index === 0
            ? {
              calls: [{ name: "Bash", input: { command } }, {
                name: "Bash",
                input: { command: "ls" },
              }],
            }
            : { text: "I see." }
        );
        try {
          const env = {
            NARNAT_API_KEY: "k-123456",
            NARNAT_BASE_URL: provider.url,
            NARNAT_MODEL: "fake",
          };
          const child = startNarnat(BUNDLED, ["-p", "go", "--lang", lang], { cwd, env });
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
          const run = await runNarnat(BUNDLED, ["-p", "on", "-c", "--lang", lang], { cwd, env });
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
        } finally {
          await provider.close();
        }
      });
    },
  );
}

for (const signal of ["SIGKILL", "SIGINT"] as const) {
  slow(
    `who goes on with a turn cut short by ${signal} is told how to take back what it changed`,
    async () => {
      await withWorkspace({ "w/a.txt": "a\n" }, async (dir) => {
        const cwd = join(dir, "w");
        const command = "echo b > b.txt; echo c >> a.txt; sleep 60";
        const provider = await startFakeProvider((_request, index) =>
          index === 0 ? { calls: [{ name: "Bash", input: { command } }] } : { text: "I see." }
        );
        try {
          const env = {
            NARNAT_API_KEY: "k-123456",
            NARNAT_BASE_URL: provider.url,
            NARNAT_MODEL: "fake",
          };
          const child = startNarnat(BUNDLED, ["-p", "go"], { cwd, env });
          const written = () => Deno.readTextFileSync(join(cwd, "a.txt")) === "a\nc\n";
          assert.ok(await eventually(written, 20_000));
          child.kill(signal);
          await child.status;
          const goOn = () => runNarnat(BUNDLED, ["-p", "/status", "-c"], { cwd, env });
          const hint =
            /cut short; it has changed 2 files \(.*a\.txt.*; 1 created, 1 changed, 0 deleted\): \/undo, or narnat undo,/;
          assert.match((await goOn()).stderr, hint);
          const undone = await runNarnat(BUNDLED, ["undo", "--yes"], { cwd, env });
          assert.equal(undone.code, 0, undone.stderr);
          assert.equal(Deno.readTextFileSync(join(cwd, "a.txt")), "a\n");
          assert.doesNotMatch((await goOn()).stderr, /cut short/);
          // a turn that has come to its end has nothing of it
          await runNarnat(BUNDLED, ["-p", "on", "-c"], { cwd, env });
          assert.doesNotMatch((await goOn()).stderr, /cut short/);
        } finally {
          await provider.close();
        }
      });
    },
  );
}
