/** What a flood costs: memory of a narnat of its own, as the kernel has counted it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { ROOT, runNarnat, SOURCE } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { withSite } from "../web/local_site.ts";
import { slow, SOAK } from "../support/soak.ts";

const MB = 1024 * 1024;
const OUTPUT = SOAK > 1 ? 5_000_000_000 : 100_000_000;
const linux = Deno.build.os === "linux";

slow({
  name: `${OUTPUT / 1e6} MB of output cost at most 250 MB of memory`,
  ignore: !linux,
  fn: () =>
    withWorkspace({ "w/.keep": "" }, async (dir) => {
      const command = `head -c ${OUTPUT} /dev/zero | tr '\\0' x; echo; ` +
        "grep VmHWM /proc/$PPID/status";
      const input = JSON.stringify({ command, timeout: 600_000 });
      const ran = await runNarnat(SOURCE, ["tool", "Bash", input], { cwd: join(dir, "w") });
      assert.equal(ran.code, 0, ran.stderr);
      const kb = Number(/VmHWM:\s+(\d+) kB/.exec(ran.stdout.slice(-500))?.[1]);
      console.log(`${OUTPUT / 1e6} MB of output: ${Math.round(kb / 1024)} MB`);
      assert.ok(kb * 1024 <= 250 * MB, `${kb} kB`);
    }),
});

/** 1 GiB of zeros: a block that ends on a byte, over and over; nobody gets to the sum at its end. */
function bomb(): Uint8Array<ArrayBuffer> {
  const block = deflateRawSync(new Uint8Array(MB), { finishFlush: constants.Z_FULL_FLUSH });
  const head = gzipSync("").subarray(0, 10);
  const packed = new Uint8Array(head.length + 1024 * block.length);
  packed.set(head);
  for (let i = 0; i < 1024; i++) packed.set(block, head.length + i * block.length);
  return packed;
}

Deno.test({
  name: "a page that unpacks to 1 GiB costs at most 100 MB of memory, and is cut",
  ignore: !linux,
  fn: () => {
    const packed = bomb();
    assert.ok(packed.length < 3 * MB, "it comes whole, and is small");
    const headers = { "content-encoding": "gzip", "content-type": "text/plain" };
    const serve = ({ url }: Request) =>
      url.endsWith("/bomb") ? new Response(packed, { headers }) : new Response("x");
    return withSite(serve, async ({ base, here }) => {
      const module = new URL("../../src/web/request.ts", import.meta.url).href;
      const code = `import { webRequest } from "${module}";
        const held = () => Number(/VmHWM:\\s+(\\d+)/.exec(
          Deno.readTextFileSync("/proc/self/status"))[1]);
        const options = { signal: new AbortController().signal, lang: "en", allow: ["${here}"] };
        const get = (url) => webRequest(new URL(url), {}, options);
        await get("${base}/warm");
        const before = held();
        const { body, cut } = await get("${base}/bomb");
        console.log(JSON.stringify([body.length, cut, held() - before]));`;
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["eval", `--config=${join(ROOT, "deno.json")}`, code],
      }).output();
      const text = new TextDecoder();
      assert.equal(text.decode(stderr), "");
      const [length, cut, kb] = JSON.parse(text.decode(stdout));
      assert.deepEqual([length, cut], [2 * MB, true]);
      console.log(`1 GiB out of ${packed.length} bytes: ${Math.round(kb / 1024)} MB more`);
      assert.ok(kb * 1024 <= 100 * MB, `${kb} kB`);
    });
  },
});
