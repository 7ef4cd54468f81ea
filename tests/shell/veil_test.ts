/** What commands write is hidden before it is kept, shown or cut. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createJobs } from "../../src/shell/process/jobs.ts";
import { eventually } from "../support/processes.ts";
import { secretsOf } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const TOKEN = "q8Zt-0Lk3-Xw91-Vb77-Mn20";
const env = { PATH: Deno.env.get("PATH") ?? "" };
const halves = `printf 'a ${TOKEN.slice(0, 9)}'; sleep 0.1; printf %s '${TOKEN.slice(9)} b'`;

async function stage(
  play: (
    base: { command: string; cwd: string; env: typeof env; outputDir: string },
    jobs: ReturnType<typeof createJobs>,
  ) => Promise<void>,
) {
  await withWorkspace({}, async (root) => {
    const secrets = secretsOf({ TOKEN });
    const jobs = createJobs({ guard: false, redactor: secrets.bytes });
    try {
      await play({ command: halves, cwd: root, env, outputDir: join(root, "outputs") }, jobs);
    } finally {
      await jobs.close();
    }
    for (
      const { name } of await Array.fromAsync(Deno.readDir(join(root, "outputs"))).catch(() => [])
    ) {
      const text = await Deno.readTextFile(join(root, "outputs", name));
      assert.ok(!text.includes("Vb77-Mn20"), text);
    }
  });
}

Deno.test("a secret that comes in two pieces is hidden in the result, in what is shown meanwhile, and on disk", () =>
  stage(async (base, jobs) => {
    const shown: string[] = [];
    const run = (command: string) =>
      jobs.run({
        ...base,
        command,
        timeoutMs: 10_000,
        signal: new AbortController().signal,
        onProgress: (text) => shown.push(text),
      });
    const { output } = await run(halves);
    assert.equal(output.head, "a «secret:TOKEN» b");
    const long = await run(`for i in $(seq 4000); do echo "$i ${TOKEN}"; done`);
    assert.ok(long.output.tail !== undefined && long.output.path !== undefined);
    assert.ok(!(long.output.head + long.output.tail).includes("Vb77"));
    assert.ok(!shown.join("").includes("Vb77"));
  }));

Deno.test("a job that waits in the middle of a line tells what it has written", () =>
  stage(async (base, jobs) => {
    const job = await jobs.start({ ...base, command: "printf 'password: q'; sleep 60" });
    let head = "";
    assert.ok(await eventually(() => (head += job.read().head) !== "", 20_000));
    assert.equal(head, "password: q");
    await job.kill();
    const other = await jobs.start(base);
    await other.wait(5000, new AbortController().signal);
    assert.equal(other.read().head, "a «secret:TOKEN» b");
  }));

Deno.test("a command that is stopped tells what it had written", () =>
  stage(async (base, jobs) => {
    const { output, stopped } = await jobs.run({
      ...base,
      command: `echo ${TOKEN}; printf 'half q8Zt'; sleep 20`,
      timeoutMs: 400,
      signal: new AbortController().signal,
    });
    assert.equal(stopped, "timeout");
    assert.equal(output.head, "«secret:TOKEN»\nhalf q8Zt");
  }));
