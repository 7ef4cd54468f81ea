import assert from "node:assert/strict";
import { slow } from "../support/soak.ts";

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function demo(...args: string[]): Promise<Ran> {
  const script = new URL("../../scripts/demo.ts", import.meta.url).href;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", script, ...args],
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

slow("the demo mends its project without colours in a pipe, and cleans up", async () => {
  const { code, stdout, stderr } = await demo("--lang", "en");
  assert.equal(code, 0, stdout + stderr);
  assert.match(
    stdout,
    /2 passed \| 1 failed[\s\S]*\+ {2}return amount >= FREE_SHIPPING_FROM[\s\S]*3 passed/,
  );
  assert.match(stdout, /\n✓ deno task test → exit 0 after 1 file changed\n/);
  // deno-lint-ignore no-control-regex -- looking for an escape sequence
  assert.doesNotMatch(stdout, /\x1b/);
  const dir = /failing test: (\S+)/.exec(stdout)?.[1];
  assert.ok(dir);
  await assert.rejects(Deno.stat(dir), Deno.errors.NotFound);
  const pinned = (await Deno.readTextFile(new URL("../../.dvmrc", import.meta.url))).trim();
  const last = stdout.trimEnd().split("\n").slice(-2);
  assert.ok(last[0]!.includes(`npx -y deno@${pinned} task demo --keep`), last[0]);
  assert.ok(last[1]!.includes(`npx -y deno@${pinned} task build, then dist/narnat`), last[1]);
});

for (
  const [args, why] of [
    [["--lang", "fr"], /--lang is "fr", expected zh or en/],
    [["--lang"], /--lang is "", expected zh or en/],
    [["--bogus"], /it knows no "--bogus"/],
    [["--keep", "more"], /it knows no "more"/],
  ] as const
) {
  Deno.test(`the demo does not run with ${args.join(" ")}`, async () => {
    const { code, stdout, stderr } = await demo(...args);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, why);
    assert.match(stderr, /Usage: npx -y deno@\S+ task demo \[--keep\]/);
  });
}

Deno.test("the demo tells its usage and does nothing else", async () => {
  const { code, stdout, stderr } = await demo("--help");
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^Usage: /);
  assert.doesNotMatch(stdout, /failing test:/);
});
