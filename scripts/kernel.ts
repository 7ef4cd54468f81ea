/**
 * Writes src/files/edit/kernel_bytes.ts: the WebAssembly SIMD kernel, made from the text below with
 * wabt. Every function works on absolute addresses; `end` is exclusive; vector loads may look up to
 * 80 bytes beyond it, so the memory needs that much slack. What each export promises stands in
 * src/files/edit/kernel.ts. In the text `%x` is short for `(local.get $x)` and `#1` for `(i32.const 1)`.
 */
import wabt from "wabt";

const TARGET = new URL("../src/files/edit/kernel_bytes.ts", import.meta.url);

/** Addresses shared by the kernel and the code around it. */
const LAYOUT = {
  /** Where `dfa1` and `dfa2` leave their states, and why they stopped. */
  results: 0,
  /** 256 × u16: byte → column × 4. */
  byteColumns: 256,
  /** 256 × u8: code point >> 8 → number of its page, 0 while not filled. */
  pageNumbers: 1024,
  /** Pages, from number 1, of 256 × u16: code point & 255 → column × 4. */
  pages: 4096,
  /** Needles, each followed by its mask. */
  needles: 0x22000,
  /** 65,536 × u16: two bytes, the first one the low one → where in a row their cell lies. */
  pairCells: 0x40000,
  /** Rows of i32: column → offset of the next row; then, if there is room, the same for two columns. */
  table: 0x60000,
  /** The data area, up to the end of the memory. */
  data: 0x220000,
} as const;

/** How many bytes a stream of the DFA advances before it looks whether it must stop. */
const STEPS = 4;

function params(...names: readonly string[]): string {
  return names.map((name) => `(param $${name} i32)`).join(" ");
}

function locals(type: string, ...names: readonly string[]): string {
  return names.map((name) => `(local $${name} ${type})`).join(" ");
}

function times(count: number, line: (k: number) => string): string {
  return Array.from({ length: count }, (_, k) => line(k)).join("\n");
}

/**
 * Finds a needle: 64 positions at a time whose bytes at `i1` and `i2` (the two rarest) are right,
 * then byte by byte. With a mask the text is masked first, which makes ASCII letters equal in
 * either case.
 */
function finder(name: string, masked: boolean): string {
  const lane = (offset: number, i: string) => {
    const bytes = `(v128.load offset=${offset} (i32.add %p %i${i}))`;
    return `(i8x16.eq ${masked ? `(v128.and ${bytes} %m${i})` : bytes} %v${i})`;
  };
  const byte = "(i32.load8_u (i32.add %q %j))";
  const masks = `
    (local.set $m1 (i8x16.splat (i32.load8_u (i32.add %mask %i1))))
    (local.set $m2 (i8x16.splat (i32.load8_u (i32.add %mask %i2))))`;
  const verify = (k: number) => `
    (local.set $bits (i8x16.bitmask %c${k}))
    (block $none${k} (loop $next${k}
      (br_if $none${k} (i32.eqz %bits))
      (local.set $q (i32.add (i32.add %p #${16 * k}) (i32.ctz %bits)))
      (if (i32.gt_u %q %last) (then (return #-1)))
      (local.set $j #0)
      (block $differs${k} (loop $compare${k}
        (if (i32.ge_u %j %length) (then (return %q)))
        (br_if $differs${k} (i32.ne
          ${masked ? `(i32.and ${byte} (i32.load8_u (i32.add %mask %j)))` : byte}
          (i32.load8_u (i32.add %needle %j))))
        (local.set $j (i32.add %j #1))
        (br $compare${k})))
      (local.set $bits (i32.and %bits (i32.sub %bits #1)))
      (br $next${k})))`;
  return `
  (func (export "${name}") ${params("p", "end", "needle", "length", "mask", "i1", "i2")}
    (result i32)
    ${locals("i32", "last", "q", "j", "bits")}
    ${locals("v128", "v1", "v2", "m1", "m2", "c0", "c1", "c2", "c3")}
    (if (i32.lt_s (i32.sub %end %p) %length) (then (return #-1)))
    (local.set $last (i32.sub %end %length))
    (local.set $v1 (i8x16.splat (i32.load8_u (i32.add %needle %i1))))
    (local.set $v2 (i8x16.splat (i32.load8_u (i32.add %needle %i2))))
    ${masked ? masks : ""}
    (block $exit (loop $top
      (br_if $exit (i32.gt_u %p %last))
      ${times(4, (k) => `(local.set $c${k} (v128.and ${lane(16 * k, "1")} ${lane(16 * k, "2")}))`)}
      (if (v128.any_true (v128.or (v128.or %c0 %c1) (v128.or %c2 %c3)))
        (then ${times(4, verify)}))
      (local.set $p (i32.add %p #64))
      (br $top)))
    #-1)`;
}

/** Counts a byte: up to 255 rounds of 16 lanes of u8, then their sum. */
const COUNT = `
  (func (export "count") ${params("p", "end", "byte")} (result i32)
    ${locals("i32", "n", "stop")} ${locals("v128", "v", "sum")}
    (local.set $v (i8x16.splat %byte))
    (block $exit (loop $top
      (br_if $exit (i32.gt_u (i32.add %p #16) %end))
      (local.set $stop (i32.add %p #${16 * 255}))
      (if (i32.gt_u %stop %end) (then (local.set $stop %end)))
      (local.set $sum (v128.const i64x2 0 0))
      (loop $lanes
        (local.set $sum (i8x16.sub %sum (i8x16.eq (v128.load %p) %v)))
        (local.set $p (i32.add %p #16))
        (br_if $lanes (i32.le_u (i32.add %p #16) %stop)))
      (local.set $sum
        (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u %sum)))
      ${times(4, (k) => `(local.set $n (i32.add %n (i32x4.extract_lane ${k} %sum)))`)}
      (br $top)))
    (block $exit (loop $top
      (br_if $exit (i32.ge_u %p %end))
      (local.set $n (i32.add %n (i32.eq (i32.load8_u %p) %byte)))
      (local.set $p (i32.add %p #1))
      (br $top)))
    %n)`;

const EQUAL_BITS = "(local.set $bits (i8x16.bitmask (i8x16.eq (v128.load %p) %v)))";

/** `p` when it is below `end`, else -1: the last vector may reach too far. */
const BELOW_END = "(select %p #-1 (i32.lt_u %p %end))";

const MEMCHR = `
  (func $memchr (export "memchr") ${params("p", "end", "byte")} (result i32)
    ${locals("i32", "bits")} ${locals("v128", "v")}
    (local.set $v (i8x16.splat %byte))
    (block $exit (loop $top
      (br_if $exit (i32.ge_u %p %end))
      ${EQUAL_BITS}
      (if %bits (then
        (local.set $p (i32.add %p (i32.ctz %bits)))
        (return ${BELOW_END})))
      (local.set $p (i32.add %p #16))
      (br $top)))
    #-1)`;

/** The position of the n-th `byte`, n from 1, or -1. */
const NTH = `
  (func (export "nth") ${params("p", "end", "byte", "n")} (result i32)
    ${locals("i32", "bits", "here")} ${locals("v128", "v")}
    (local.set $v (i8x16.splat %byte))
    (block $exit (loop $top
      (br_if $exit (i32.ge_u %p %end))
      ${EQUAL_BITS}
      (local.set $here (i32.popcnt %bits))
      (if (i32.ge_u %here %n) (then
        (block $last (loop $drop
          (br_if $last (i32.eq %n #1))
          (local.set $bits (i32.and %bits (i32.sub %bits #1)))
          (local.set $n (i32.sub %n #1))
          (br $drop)))
        (local.set $p (i32.add %p (i32.ctz %bits)))
        (return ${BELOW_END})))
      (local.set $n (i32.sub %n %here))
      (local.set $p (i32.add %p #16))
      (br $top)))
    #-1)`;

const MEMRCHR = `
  (func (export "memrchr") ${params("from", "p", "byte")} (result i32)
    ${locals("i32", "bits")} ${locals("v128", "v")}
    (local.set $v (i8x16.splat %byte))
    (block $exit (loop $top
      (br_if $exit (i32.lt_s (i32.sub %p %from) #16))
      (local.set $p (i32.sub %p #16))
      ${EQUAL_BITS}
      (if %bits (then (return (i32.add %p (i32.sub #31 (i32.clz %bits))))))
      (br $top)))
    (block $exit (loop $top
      (br_if $exit (i32.le_u %p %from))
      (local.set $p (i32.sub %p #1))
      (if (i32.eq (i32.load8_u %p) %byte) (then (return %p)))
      (br $top)))
    #-1)`;

const NON_ASCII = `
  (func $nonAscii (export "nonAscii") ${params("p", "end")} (result i32)
    ${locals("i32", "bits")}
    (block $exit (loop $top
      (br_if $exit (i32.ge_u %p %end))
      (if (v128.any_true (v128.and
            (v128.or
              (v128.or (v128.load %p) (v128.load offset=16 %p))
              (v128.or (v128.load offset=32 %p) (v128.load offset=48 %p)))
            (v128.const i64x2 0x8080808080808080 0x8080808080808080)))
        (then
          (block $found (loop $sixteen
            (local.set $bits (i8x16.bitmask (v128.load %p)))
            (br_if $found %bits)
            (local.set $p (i32.add %p #16))
            (br $sixteen)))
          (local.set $p (i32.add %p (i32.ctz %bits)))
          (return ${BELOW_END})))
      (local.set $p (i32.add %p #64))
      (br $top)))
    #-1)`;

function continues(offset: number): string {
  return `(i32.eq (i32.and (i32.load8_u offset=${offset} %p) #0xc0) #0x80)`;
}

function sixBits(offset: number, shift: number): string {
  return `(i32.shl (i32.and (i32.load8_u offset=${offset} %p) #0x3f) #${shift})`;
}

/**
 * Decodes the sequence whose first byte, at `p`, is `b` (0x80 or more) into `code` and `length`;
 * `code` is -1 when it is not valid UTF-8 or does not end before `end`.
 */
const DECODE = `
  (local.set $code #-1)
  (local.set $left (i32.sub %end %p))
  (block $bad
    (if (i32.lt_u %b #0xe0) (then
      (br_if $bad (i32.lt_u %b #0xc2))
      (br_if $bad (i32.lt_u %left #2))
      (br_if $bad (i32.eqz ${continues(1)}))
      (local.set $length #2)
      (local.set $code (i32.or (i32.shl (i32.and %b #0x1f) #6) ${sixBits(1, 0)}))
      (br $bad)))
    (br_if $bad (i32.lt_u %left #3))
    (br_if $bad (i32.eqz (i32.and ${continues(1)} ${continues(2)})))
    (if (i32.lt_u %b #0xf0) (then
      (local.set $length #3)
      (local.set $code (i32.or (i32.shl (i32.and %b #0x0f) #12)
        (i32.or ${sixBits(1, 6)} ${sixBits(2, 0)})))
      (br_if $bad (i32.and (i32.ge_u %code #0x800)
        (i32.ne (i32.and %code #0xf800) #0xd800)))
      (local.set $code #-1)
      (br $bad)))
    (br_if $bad (i32.gt_u %b #0xf4))
    (br_if $bad (i32.lt_u %left #4))
    (br_if $bad (i32.eqz ${continues(3)}))
    (local.set $length #4)
    (local.set $code (i32.or
      (i32.or (i32.shl (i32.and %b #0x07) #18) ${sixBits(1, 12)})
      (i32.or ${sixBits(2, 6)} ${sixBits(3, 0)})))
    (br_if $bad (i32.and (i32.ge_u %code #0x10000) (i32.le_u %code #0x10ffff)))
    (local.set $code #-1))`;

const INVALID_UTF8 = `
  (func (export "invalidUtf8") ${params("p", "end")} (result i32)
    ${locals("i32", "b", "code", "length", "left")}
    (block $exit (loop $top
      (local.set $p (call $nonAscii %p %end))
      (br_if $exit (i32.lt_s %p #0))
      (loop $sequence
        (local.set $b (i32.load8_u %p))
        ${DECODE}
        (if (i32.lt_s %code #0) (then (return %p)))
        (local.set $p (i32.add %p %length))
        (br_if $exit (i32.ge_u %p %end))
        (br_if $sequence (i32.ge_u (i32.load8_u %p) #0x80)))
      (br $top)))
    #-1)`;

/** The place in a row of the cell of two bytes. */
function pairCell(bytes: string): string {
  return `(i32.load16_u offset=${LAYOUT.pairCells} (i32.shl ${bytes} #1))`;
}

/** The row that follows `state` on the two bytes at `at` + `offset`; 0 when that is not known. */
function followPair(state: string, at: string, offset: number): string {
  const bytes = `(i32.load16_u offset=${offset} ${at})`;
  return `(i32.load offset=${LAYOUT.table} (i32.add ${state} ${pairCell(bytes)}))`;
}

/**
 * One stream of the DFA, from `p` until `soft` is reached, a transition is not known or a line
 * matches. Returns where it stopped; leaves the state before that byte in results[0], and in
 * results[1] why: 0 `soft` is reached, 1 not known, 2 the byte at `p` completes a match. Rows below
 * `special` are no states: row 0 stands for "not known", the next one for a match. From row `dead`
 * nothing matches before the next line, and its end is looked for. With `pairs` it takes two bytes
 * at once, as each step waits for the one before it, and learns such steps from single ones; none of
 * them meets a match.
 */
const DFA1 = `
  (func (export "dfa1") ${params("p", "soft", "end", "s", "special", "dead", "pairs")}
    (result i32)
    ${locals("i32", "t", "run", "why", "a", "b", "q")}
    ${locals("i32", "code", "length", "left", "page", "fast")}
    (local.set $fast (i32.sub %soft #${STEPS}))
    (block $exit (loop $top
      (block $slow (loop $group
        (br_if $slow (i32.eqz %pairs))
        (br_if $slow (i32.gt_s %p %fast))
        (local.set $t ${followPair("%s", "%p", 0)})
        (local.set $t ${followPair("%t", "%p", 2)})
        (br_if $slow (i32.eqz %t))
        (local.set $s %t)
        (local.set $p (i32.add %p #${STEPS}))
        (br_if $group (i32.ne %s %dead))
        (local.set $p (call $memchr %p %end #10))
        (br_if $group (i32.ge_s %p #0))
        (local.set $p %end)))
      (local.set $run #0)
      (loop $single
        (br_if $exit (i32.ge_u %p %soft))
        (local.set $b (i32.load8_u %p))
        (local.set $t #0)
        (if (i32.lt_u %b #0x80)
          (then
            (local.set $t (i32.load offset=${LAYOUT.table} (i32.add %s
              (i32.load16_u offset=${LAYOUT.byteColumns} (i32.shl %b #1)))))
            (local.set $length #1)
            (local.set $run (i32.add %run #1)))
          (else
            (local.set $run #0)
            ${DECODE}
            (if (i32.lt_u %code #0x10000) (then
              (local.set $page
                (i32.load8_u offset=${LAYOUT.pageNumbers} (i32.shr_u %code #8)))
              (if %page (then
                (local.set $t (i32.load offset=${LAYOUT.table} (i32.add %s
                  (i32.load16_u offset=${LAYOUT.pages} (i32.shl
                    (i32.or (i32.shl (i32.sub %page #1) #8) (i32.and %code #255))
                    #1)))))))))))
        (if (i32.lt_u %t %special) (then
          (local.set $why (select #2 #1 %t))
          (br $exit)))
        (if (i32.and %pairs (i32.gt_u %run #1)) (then
          (i32.store offset=${LAYOUT.table}
            (i32.add %q ${pairCell("(i32.or %a (i32.shl %b #8))")}) %t)))
        (local.set $q %s)
        (local.set $a %b)
        (local.set $s %t)
        (local.set $p (i32.add %p %length))
        (br_if $single (i32.lt_u %run #${STEPS})))
      (br $top)))
    (i32.store offset=${LAYOUT.results} #0 %s)
    (i32.store offset=${LAYOUT.results + 4} #0 %why)
    %p)`;

/**
 * Two streams of the DFA side by side, of `n` bytes each, in pairs of bytes: two independent chains
 * of loads keep the processor busy where one would wait. Returns how many bytes both have taken,
 * fewer than `n` - 3 when one of them met what is not known. Leaves the states in results[0…1].
 */
const DFA2 = `
  (func (export "dfa2") ${params("p0", "p1", "n", "s0", "s1")} (result i32)
    ${locals("i32", "i", "t0", "t1")}
    (block $exit (loop $top
      (br_if $exit (i32.gt_u (i32.add %i #${STEPS}) %n))
      ${times(2, (k) => `(local.set $t${k} ${followPair(`%s${k}`, `(i32.add %p${k} %i)`, 0)})`)}
      ${times(2, (k) => `(local.set $t${k} ${followPair(`%t${k}`, `(i32.add %p${k} %i)`, 2)})`)}
      (br_if $exit (i32.eqz %t0))
      (br_if $exit (i32.eqz %t1))
      ${times(2, (k) => `(local.set $s${k} %t${k})`)}
      (local.set $i (i32.add %i #${STEPS}))
      (br $top)))
    ${times(2, (k) => `(i32.store offset=${LAYOUT.results + 4 * k} #0 %s${k})`)}
    %i)`;

/** Returns the kernel as WebAssembly text. */
function kernelText(): string {
  const functions = [
    finder("find", false),
    finder("findMasked", true),
    COUNT,
    MEMCHR,
    NTH,
    MEMRCHR,
    NON_ASCII,
    INVALID_UTF8,
    DFA1,
    DFA2,
  ];
  return `(module (memory (export "memory") ${LAYOUT.data >> 16})${functions.join("\n")})`
    .replace(/%(\w+)/g, "(local.get $$$1)")
    .replace(/#(-?\w+)/g, "(i32.const $1)");
}

/** Returns the text of src/files/edit/kernel_bytes.ts. */
export async function kernelFile(): Promise<string> {
  const tool = await wabt();
  const module = tool.parseWat("kernel.wat", kernelText(), { simd: true, bulk_memory: true });
  module.validate();
  const base64 = module.toBinary({}).buffer.toBase64();
  const layout = Object.entries(LAYOUT).map(([name, at]) => `  ${name}: ${at},`).join("\n");
  return `// Made by scripts/kernel.ts; do not edit.

/** Where things lie in the kernel's memory; scripts/kernel.ts explains them. */
export const LAYOUT = {\n${layout}\n} as const;

/** The kernel's WebAssembly, in base64. */
export const KERNEL =\n  "${base64}";
`;
}

if (import.meta.main) await Deno.writeTextFile(TARGET, await kernelFile());
