/** Secrets: what hiding them costs, beside decoding the same bytes. */
import { createSecrets } from "../src/features/secrets/mod.ts";
import { script } from "./bundle.ts";

const ROUNDS = 9;
const KNOWN = 50;
/** Of one ordinary result. */
const RESULT_AIM_MS = 3;

/** Prints it. */
export function benchSecrets(): void {
  const drawn = () => crypto.getRandomValues(new Uint8Array(24)).toBase64();
  const secrets = createSecrets({
    off: false,
    keys: Array.from({ length: KNOWN }, (_, n) => ({ name: `KEY_${n}`, value: drawn() })),
    env: {},
    workspace: "/nowhere",
    configs: [],
    mayRead: () => false,
  });
  const source = Deno.readTextFileSync(new URL("../src/base/types.ts", import.meta.url));
  const text = (chars: number) => source.repeat(Math.ceil(chars / source.length)).slice(0, chars);
  const [result, large] = [text(30_000), text(10_000_000)];
  const bytes = new TextEncoder().encode(large);
  const base64 = new Uint8Array(7_500_000).map(() => Math.random() * 256).toBase64();
  // a text that was found clean once is not looked through again
  let n = 0;
  const fresh = (of: string) => `${++n} ${of}`;
  const times = { first: 0, result: [0], large: [0], base64: [0], stream: [0], decode: [0] };
  times.first = taken(() => secrets.redact(fresh("the first text")));
  for (let round = 0; round < ROUNDS; round++) {
    times.result.push(taken(() => secrets.redact(fresh(result))));
    times.large.push(taken(() => secrets.redact(fresh(large))));
    times.base64.push(taken(() => secrets.redact(fresh(base64))));
    times.stream.push(taken(() => {
      const redactor = secrets.bytes();
      for (let at = 0; at < bytes.length; at += 65536) {
        redactor.push(bytes.subarray(at, at + 65536));
      }
      redactor.end();
    }));
    times.decode.push(taken(() => new TextDecoder().decode(bytes)));
  }
  const decode = middle(times.decode);
  const row = (label: string, ms: number, more = "") =>
    console.log(`  ${label.padEnd(34)}${ms.toFixed(2).padStart(9)} ms${more}`);
  const ratio = (ms: number) => `  ${(ms / decode).toFixed(0)}x decoding`;
  console.log(`secrets: ${KNOWN} known values and all shapes`);
  row("the first text", times.first);
  row("a result of 30 KB", middle(times.result), middle(times.result) > RESULT_AIM_MS ? " !" : "");
  row("10 MB of source", middle(times.large), ratio(middle(times.large)));
  row("10 MB of base64", middle(times.base64), ratio(middle(times.base64)));
  row("10 MB of output, in pieces", middle(times.stream), ratio(middle(times.stream)));
}

function taken(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

/** Of all but the first. */
function middle([, ...values]: readonly number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

if (import.meta.main) await script(() => Promise.resolve(benchSecrets()));
