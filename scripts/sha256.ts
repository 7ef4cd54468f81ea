/**
 * Writes src/base/sha256_code.ts: the rounds of SHA-256 as WebAssembly, made from the text below with wabt.
 * `blocks` takes the blocks in [at, end) into the eight words at STATE. In the text `%x` is short for
 * `(local.get $x)` and `#1` for `(i32.const 1)`.
 */
import wabt from "wabt";

const TARGET = new URL("../src/base/sha256_code.ts", import.meta.url);

const ROUNDS = 64;
/** Addresses; the constants of the rounds lie at 0. */
const STATE = 4 * ROUNDS;
const WORDS = STATE + 32;
const DATA = 1024;

/** The first 32 bits of what stands behind the point of a root of each prime. */
function rootsOfPrimes(count: number, power: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes.map((prime) => {
    const root = prime ** power;
    return Math.floor((root - Math.floor(root)) * 2 ** 32);
  });
}

const LETTERS = [..."abcdefgh"];

const all = (op: string, [first, ...rest]: readonly string[]): string =>
  rest.length === 0 ? first! : `(i32.${op} ${first} ${all(op, rest)})`;
const sum = (...terms: readonly string[]) => all("add", terms);
const xor = (...terms: readonly string[]) => all("xor", terms);
const turned = (what: string, by: number) => `(i32.rotr ${what} #${by})`;
/** A word of the other byte order. */
const swapped = (word: string) =>
  `(i32.or (i32.and (i32.rotl ${word} #8) #0x00ff00ff) (i32.and (i32.rotr ${word} #8) #0xff00ff00))`;
/** The word `back` places before the one at %i. */
const word = (back: number) => `(i32.load offset=${WORDS + ROUNDS - 4 * back} %i)`;

const BLOCKS = `
  (func (export "blocks") (param $at i32) (param $end i32)
    ${[...LETTERS, "i", "one", "w"].map((name) => `(local $${name} i32)`).join(" ")}
    (block $done (loop $next
      (br_if $done (i32.ge_u %at %end))
      (local.set $i #0)
      (loop $take
        (local.set $w (i32.load (i32.add %at %i)))
        (i32.store offset=${WORDS} %i ${swapped("%w")})
        (br_if $take (i32.lt_u (local.tee $i (i32.add %i #4)) #64)))
      (local.set $i #0)
      (loop $more
        (local.set $w ${word(2)})
        (local.set $one ${word(15)})
        (i32.store offset=${WORDS + ROUNDS} %i ${
  sum(
    word(16),
    word(7),
    xor(turned("%one", 7), turned("%one", 18), "(i32.shr_u %one #3)"),
    xor(turned("%w", 17), turned("%w", 19), "(i32.shr_u %w #10)"),
  )
})
        (br_if $more (i32.lt_u (local.tee $i (i32.add %i #4)) #${4 * (ROUNDS - 16)})))
      ${LETTERS.map((x, i) => `(local.set $${x} (i32.load offset=${STATE + 4 * i} #0))`).join(" ")}
      (local.set $i #0)
      (loop $round
        (local.set $one ${
  sum(
    "%h",
    xor(turned("%e", 6), turned("%e", 11), turned("%e", 25)),
    xor("%g", "(i32.and %e (i32.xor %f %g))"),
    "(i32.load %i)",
    `(i32.load offset=${WORDS} %i)`,
  )
})
        (local.set $w ${
  sum(
    xor(turned("%a", 2), turned("%a", 13), turned("%a", 22)),
    "(i32.or (i32.and %a %b) (i32.and %c (i32.or %a %b)))",
  )
})
        (local.set $h %g) (local.set $g %f) (local.set $f %e)
        (local.set $e (i32.add %d %one))
        (local.set $d %c) (local.set $c %b) (local.set $b %a)
        (local.set $a (i32.add %one %w))
        (br_if $round (i32.lt_u (local.tee $i (i32.add %i #4)) #${4 * ROUNDS})))
      ${
  LETTERS.map((x, i) => {
    const at = STATE + 4 * i;
    return `(i32.store offset=${at} #0 (i32.add (i32.load offset=${at} #0) %${x}))`;
  }).join(" ")
}
      (local.set $at (i32.add %at #64))
      (br $next))))`;

/** Returns the text of src/base/sha256_code.ts. */
export async function codeFile(): Promise<string> {
  const constants = Uint32Array.from(rootsOfPrimes(ROUNDS, 1 / 3));
  const bytes = [...new Uint8Array(constants.buffer)];
  const data = bytes.map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
  const text = `(module (memory (export "memory") 1) (data #0 "${data}") ${BLOCKS})`
    .replace(/%(\w+)/g, "(local.get $$$1)")
    .replace(/#(-?\w+)/g, "(i32.const $1)");
  const module = (await wabt()).parseWat("sha256.wat", text, {});
  module.validate();
  const base64 = module.toBinary({}).buffer.toBase64();
  return `// Made by scripts/sha256.ts; do not edit.

/** Addresses: eight words of state; blocks, up to the end of the only page. */
export const STATE = ${STATE};
export const DATA = ${DATA};

/** What the words of state begin with. */
export const START = [\n${rootsOfPrimes(8, 1 / 2).map((word) => `  ${word},`).join("\n")}\n];

/** The WebAssembly, in base64. */
export const CODE =\n  "${base64}";
`;
}

if (import.meta.main) await Deno.writeTextFile(TARGET, await codeFile());
