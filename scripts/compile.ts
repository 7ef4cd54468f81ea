/** `deno compile` of narnat, for this platform or each `--target`; needs Deno's download host for the base binary. */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { pinnedDeno, ROOT, said, script } from "./bundle.ts";

/** Neither FFI nor remote imports; with `--allow-run` open this bounds the agent's own process only. */
const PERMISSIONS = ["read", "write", "net", "run", "env", "sys"].map((kind) => `--allow-${kind}`);

const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "aarch64-pc-windows-msvc",
];

/** Compiles `entry` for `target` to `out`; throws with what went wrong and what to do about it. */
export async function compile(
  entry: string,
  target: string,
  out: string,
  env: { readonly [name: string]: string } = {},
  include: readonly string[] = [],
): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["compile", "--bundle", "--minify", "--no-prompt", "--no-check", ...PERMISSIONS],
      // as in stub.sh: long sessions stay small
      "--v8-flags=--max-semi-space-size=2,--heap-growing-percent=20",
      ...include.flatMap((path) => ["--include", path]),
      ...["--target", target, "--output", out, entry],
    ],
    env: { NO_COLOR: "1", ...env },
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return;
  const output = said(stderr);
  if (!output.includes("Setting up base binary")) {
    throw new Error(`Cannot compile for ${target}: ${output}`);
  }
  const why = output.split("\n").at(-1)?.replace(/^\s+\d+: /, "");
  throw new Error(
    `Cannot compile for ${target}: Deno's base binary for it cannot be downloaded ` +
      `(${why}). Run this where that host can be reached, or set DENORT_BIN ` +
      `to a denort of Deno ${Deno.version.deno} for ${target}; where neither is possible, ` +
      "`deno task build` makes a self-extracting executable without any download.",
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: Deno.args,
    options: { target: { type: "string", multiple: true } },
  });
  const targets = values.target ?? [Deno.build.target];
  const unknown = targets.find((target) => !TARGETS.includes(target));
  if (unknown !== undefined) {
    throw new Error(`Cannot compile for ${unknown}: the targets are ${TARGETS.join(", ")}`);
  }
  await pinnedDeno();
  await Deno.mkdir(join(ROOT, "dist"), { recursive: true });
  for (const target of targets) {
    const out = join(ROOT, "dist", `narnat-${target}${target.includes("windows") ? ".exe" : ""}`);
    await compile(join(ROOT, "main.ts"), target, out, {}, [join(ROOT, "src/base/zh.json")]);
    console.log(`${out}  ${((await Deno.stat(out)).size / 1e6).toFixed(1)} MB`);
  }
}

if (import.meta.main) await script(main);
