import assert from "node:assert/strict";
import fc from "fast-check";
import { character } from "../../support/fast_check.ts";
import { kernelFile } from "../../../scripts/kernel.ts";
import { createKernel, type Kernel, LONGEST_NEEDLE } from "../../../src/files/edit/kernel.ts";
import { runs } from "../../support/soak.ts";

/** Puts bytes somewhere into the data area, with treacherous ones around them. */
function load(kernel: Kernel, bytes: Uint8Array, at: number, around: number): void {
  const area = kernel.reserve(at + bytes.length + 256);
  area.fill(around, 0, at + bytes.length + 256);
  area.set(bytes, at);
}

const smallBytes = fc.array(fc.constantFrom(97, 65, 98, 10, 10, 0xe4, 0x80), { maxLength: 300 })
  .map((bytes) => Uint8Array.from(bytes));
const place = fc.nat({ max: 70 });

Deno.test("the kernel in the repository is what its script makes", async () => {
  const path = new URL("../../../src/files/edit/kernel_bytes.ts", import.meta.url);
  assert.equal(await Deno.readTextFile(path), await kernelFile());
});

Deno.test("find, count, indexOf, lastIndexOf and nthIndexOf agree with plain loops", () => {
  const kernel = createKernel();
  const needleOf = fc.array(fc.constantFrom(97, 98, 10, 0xe4), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(smallBytes, needleOf, place, fc.nat(300), (bytes, wanted, at, cut) => {
      const text = String.fromCharCode(...bytes);
      load(kernel, bytes, at, wanted[0]!);
      kernel.forget();
      const needle = kernel.needle(Uint8Array.from(wanted));
      const from = Math.min(cut, bytes.length);
      const place = (index: number) => index < 0 ? -1 : index + at;
      const end = at + bytes.length;
      const word = String.fromCharCode(...wanted);
      assert.equal(kernel.find(at + from, end, needle), place(text.indexOf(word, from)));
      const byte = wanted[0]!;
      const places = [...bytes.keys()].filter((i) => i >= from && bytes[i] === byte);
      assert.equal(kernel.count(at + from, end, byte), places.length);
      assert.equal(kernel.indexOf(byte, at + from, end), place(places[0] ?? -1));
      assert.equal(kernel.lastIndexOf(byte, at + from, end), place(places.at(-1) ?? -1));
      for (const n of [0, 1, 2, 5, 20]) {
        assert.equal(kernel.nthIndexOf(byte, n, at + from, end), place(places[n - 1] ?? -1));
      }
    }),
    { numRuns: runs(2000) },
  );
});

Deno.test("find without case folds ASCII letters only", () => {
  const kernel = createKernel();
  const texts = fc.string({ unit: fc.constantFrom(..."aAkK@`[{ zZ"), maxLength: 100 });
  const words = fc.string({ unit: fc.constantFrom(..."aAkK@`[{zZ"), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(texts, words, (text, word) => {
      load(kernel, new TextEncoder().encode(text), 0, 0);
      kernel.forget();
      const needle = kernel.needle(new TextEncoder().encode(word), true);
      assert.equal(
        kernel.find(0, text.length, needle),
        text.toLowerCase().indexOf(word.toLowerCase()),
      );
    }),
    { numRuns: runs(1000) },
  );
});

Deno.test("a count is right beyond what one vector of sums can hold", () => {
  const kernel = createKernel();
  const size = 1_000_003;
  kernel.reserve(size).fill(10, 0, size);
  assert.equal(kernel.count(0, size, 10), size);
  assert.equal(kernel.nthIndexOf(10, 777_777, 0, size), 777_776);
  assert.equal(kernel.nthIndexOf(10, size + 1, 0, size), -1);
});

Deno.test("invalid UTF-8 is found where the decoder finds it", () => {
  const kernel = createKernel();
  const piece = fc.oneof(
    fc.string({ unit: character, maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 3 }),
    fc.constantFrom(
      [0xed, 0xa0, 0x80],
      [0xe0, 0x9f, 0xbf],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x8f, 0xbf, 0xbf],
      [0xc1, 0x81],
      [0xed, 0x9f, 0xbf],
      [0xf4, 0x8f, 0xbf, 0xbf],
    ).map((bytes) => Uint8Array.from(bytes)),
  );
  const valid = (bytes: Uint8Array) => {
    try {
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), place, (pieces, at) => {
      const bytes = Uint8Array.from(pieces.flatMap((each) => [...each]));
      load(kernel, bytes, at, 0x80);
      const end = at + bytes.length;
      const first = bytes.findIndex((byte) => byte >= 0x80);
      assert.equal(kernel.nonAscii(at, end), first < 0 ? -1 : first + at);
      const bad = kernel.invalidUtf8(at, end);
      assert.equal(bad < 0, valid(bytes));
      if (bad >= 0) {
        assert.ok(valid(bytes.subarray(0, bad - at)));
        for (let to = bad - at + 1; to <= bytes.length; to++) {
          assert.ok(!valid(bytes.subarray(0, to)));
        }
      }
    }),
    { numRuns: runs(800) },
  );
});

Deno.test("what was in the data area survives its growing, and needles have their bounds", () => {
  const kernel = createKernel();
  kernel.reserve(4)[3] = 7;
  assert.equal(kernel.reserve(40 << 20)[3], 7);
  const longest = new Uint8Array(LONGEST_NEEDLE).fill(1);
  const needle = kernel.needle(longest);
  kernel.reserve(LONGEST_NEEDLE + 5).set(longest, 5);
  assert.equal(kernel.find(4, LONGEST_NEEDLE + 5, needle), 5);
  assert.throws(() => kernel.needle(Uint8Array.of(1)), RangeError);
  kernel.forget();
  assert.throws(() => kernel.needle(new Uint8Array(0)), RangeError);
  assert.throws(() => kernel.needle(new Uint8Array(LONGEST_NEEDLE + 1)), RangeError);
});

Deno.test("a released kernel is small again and as good as new", () => {
  const kernel = createKernel();
  kernel.reserve(100 << 20)[99 << 20] = 7;
  kernel.release();
  assert.ok(kernel.code.memory.buffer.byteLength < 4 << 20);
  const needle = kernel.needle(Uint8Array.of(7));
  kernel.reserve(1000).fill(0, 0, 1000)[999] = 7;
  assert.equal(kernel.find(0, 1000, needle), 999);
});
