import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { readStdin } from "../../src/cli/stdin.ts";
import { ConfigError } from "../../src/base/errors.ts";
import { slow } from "../support/soak.ts";

/** A stdin that gives these pieces. */
function given(...pieces: (Uint8Array | string)[]) {
  const left = pieces.map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece
  );
  return {
    read(into: Uint8Array) {
      const next = left.shift();
      if (next !== undefined) into.set(next);
      return Promise.resolve(next?.length ?? null);
    },
  };
}

const unheard = () => assert.fail("silent");

Deno.test("pieces are one text, characters cut between them too", async () => {
  const bytes = new TextEncoder().encode("a 中 b");
  const text = await readStdin(given(bytes.slice(0, 3), bytes.slice(3)), false, english, unheard);
  assert.equal(text, "a 中 b");
});

Deno.test("a NUL is refused with its place, as what is no text", async () => {
  await assert.rejects(
    readStdin(given("a 中", "b\0\0"), true, english, unheard),
    (error) => error instanceof ConfigError && /NUL at byte 6:/.test(error.message),
  );
});

Deno.test("a byte that is not UTF-8 is told with its place", async () => {
  await assert.rejects(
    readStdin(given("ab", Uint8Array.of(0xff, 0x41)), true, english, unheard),
    (error) => error instanceof ConfigError && /byte 2;/.test(error.message),
  );
});

slow("a pipe that stays silent is given up, and that is told once", async () => {
  let told = 0;
  const silent = { read: () => new Promise<number | null>(() => {}) };
  assert.equal(await readStdin(silent, false, english, () => told++), "");
  assert.equal(told, 1);
});

slow("who has nothing but stdin waits for it", async () => {
  const slow = given("late");
  const read = slow.read;
  slow.read = async (into) => {
    await new Promise((resolve) => setTimeout(resolve, 3500));
    slow.read = read;
    return read(into);
  };
  assert.equal(await readStdin(slow, true, english, unheard), "late");
});

Deno.test("UTF-16 is named, with or without its mark, and how it becomes UTF-8", async () => {
  const wide = (text: string, swap = false) => {
    const bytes = new Uint8Array(Uint16Array.from(text, (one) => one.charCodeAt(0)).buffer);
    return swap ? bytes.map((_, at) => bytes[at ^ 1]!) : bytes;
  };
  const cases = [
    [wide("\ufeffhello"), "UTF-16"],
    [wide("\ufeff中文", true), "UTF-16"],
    [wide("hello 中文"), "UTF-16LE"],
    [wide("hello 中文", true), "UTF-16BE"],
  ] as const;
  for (const [bytes, from] of cases) {
    for (const t of [english, chinese]) {
      await assert.rejects(
        readStdin(given(bytes), true, t, unheard),
        (error) =>
          error instanceof ConfigError && error.message.includes(`iconv -f ${from} -t UTF-8`),
      );
    }
  }
});
