import assert from "node:assert/strict";
import { join } from "node:path";
import { daySpending } from "../../src/agent/day_ledger.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const noon = () => new Date(2026, 10, 22, 12);
const usage = (input: number, cost: number | null = 0.01) => ({
  input,
  output: 1,
  cached: 0,
  cost,
});
const names = (dir: string) => [...Deno.readDirSync(dir)].map(({ name }) => name).sort();

Deno.test("narnats share a day's file, a line a request", () =>
  withWorkspace({}, async (root) => {
    const dir = join(root, "spent");
    const [a, b] = [daySpending({ dir, now: noon }), daySpending({ dir, now: noon })];
    assert.equal((await a.today()).usage.input, 0);
    await a.add(usage(10), "m");
    await b.add(usage(100, null), "n");
    await a.add(usage(1000), "m");
    for (const one of [a, b, daySpending({ dir, now: noon })]) {
      const { usage, unpriced, alone } = await one.today();
      assert.deepEqual(usage, { input: 1110, output: 3, cached: 0, cost: 0.02 });
      assert.deepEqual([unpriced, alone], [true, false]);
    }
    assert.deepEqual(names(dir), ["2026-11-22.jsonl"]);
    const text = Deno.readTextFileSync(join(dir, "2026-11-22.jsonl"));
    assert.equal(text.trimEnd().split("\n").length, 3);
    assert.equal(Deno.statSync(join(dir, "2026-11-22.jsonl")).mode! & 0o777, 0o600);
  }));

Deno.test("of many processes that spend at once no request is lost, and one that is killed spoils nothing", () =>
  withWorkspace({}, async (root) => {
    const dir = join(root, "spent");
    const module = new URL("../../src/agent/day_ledger.ts", import.meta.url).href;
    const script = join(root, "spend.ts");
    await Deno.writeTextFile(
      script,
      `import { daySpending } from ${JSON.stringify(module)};
       const spent = daySpending({ dir: Deno.args[0], now: () => new Date(2026, 10, 22, 12) });
       for (let i = 0; i < Number(Deno.args[1]); i++) {
         await spent.add({ input: 1, output: 1, cached: 0, cost: 0.001 }, "m");
       }`,
    );
    const spawn = (count: number) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", script, dir, String(count)],
      }).spawn();
    const victim = spawn(1e9);
    const others = [spawn(150), spawn(150), spawn(150)];
    for (const { status } of others) assert.ok((await status).success);
    victim.kill("SIGKILL");
    await victim.status;
    const text = Deno.readTextFileSync(join(dir, "2026-11-22.jsonl"));
    const before = text.split("\n").filter((line) => line.endsWith("}")).length;
    // as a kill amid a write leaves it
    Deno.writeTextFileSync(join(dir, "2026-11-22.jsonl"), '{"at":"2026', { append: true });
    assert.ok(await spawn(2).status);
    const last = daySpending({ dir, now: noon });
    await last.add(usage(1), "m");
    assert.ok(before >= 450);
    assert.equal((await last.today()).usage.input, before + 3);
  }));

Deno.test("a line that is none counts nothing", () =>
  withWorkspace(
    { "spent/2026-11-22.jsonl": 'x\n{"input":-5}\n[]\nnull\n{"input":1e999}\n' },
    async (root) => {
      const spent = daySpending({ dir: join(root, "spent"), now: noon });
      await spent.add(usage(7), "m");
      assert.equal((await spent.today()).usage.input, 7);
    },
  ));

Deno.test("with the next day the sum begins anew, and what is a month old goes", () =>
  withWorkspace(
    { "spent/2026-10-01.jsonl": "{}\n", "spent/2026-11-01.jsonl": "{}\n", "spent/mine.txt": "" },
    async (root) => {
      const dir = join(root, "spent");
      let now = noon();
      const spent = daySpending({ dir, now: () => now });
      await spent.add(usage(5), "m");
      assert.equal((await spent.today()).usage.input, 5);
      now = new Date(2026, 10, 23, 0, 0, 1);
      assert.equal((await spent.today()).usage.input, 0);
      await spent.add(usage(6), "m");
      assert.equal((await spent.today()).usage.input, 6);
      assert.deepEqual(names(dir), [
        "2026-11-01.jsonl",
        "2026-11-22.jsonl",
        "2026-11-23.jsonl",
        "mine.txt",
      ]);
    },
  ));

Deno.test("what is old and cannot be removed changes no sum", () =>
  withWorkspace({ "spent/2026-10-01.jsonl/x": "" }, async (root) => {
    const spent = daySpending({ dir: join(root, "spent"), now: noon });
    await spent.add(usage(5), "m");
    const { usage: sum, alone } = await spent.today();
    assert.deepEqual([sum.input, alone], [5, false]);
  }));

Deno.test("a file that was removed or cut under us is read anew", () =>
  withWorkspace({}, async (root) => {
    const dir = join(root, "spent");
    const path = join(dir, "2026-11-22.jsonl");
    const spent = daySpending({ dir, now: noon });
    for (const n of [1, 2]) await spent.add(usage(n), "m");
    assert.equal((await spent.today()).usage.input, 3);
    const [first] = Deno.readTextFileSync(path).split("\n");
    Deno.writeTextFileSync(path, `${first}\n`);
    assert.equal((await spent.today()).usage.input, 1);
    Deno.removeSync(path);
    assert.equal((await spent.today()).usage.input, 0);
  }));

Deno.test("where nothing can be kept this narnat's own sum counts, and it says so", () =>
  withWorkspace({ "spent": "a file where the folder should be" }, async (root) => {
    for (const dir of [undefined, join(root, "spent")]) {
      const spent = daySpending({ dir, now: noon });
      await spent.add(usage(5), "m");
      const { usage: sum, alone } = await spent.today();
      assert.deepEqual([sum.input, alone], [5, true]);
    }
    let now = noon();
    const spent = daySpending({ dir: undefined, now: () => now });
    await spent.add(usage(5), "m");
    now = new Date(2026, 10, 23);
    assert.equal((await spent.today()).usage.input, 0, "that was yesterday");
  }));
