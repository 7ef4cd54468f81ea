/** What a start loads: start-up time is a feature. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./support/narnat.ts";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}

/** The packages and `node:` modules that are loaded with `file`, before anything is imported lazily. */
async function loadedWith(file: string): Promise<string[]> {
  const entry = pathToFileURL(join(ROOT, file)).href;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: ROOT,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  const modules: Module[] = JSON.parse(new TextDecoder().decode(stdout)).modules;
  const byName = new Map(modules.map((module) => [module.specifier, module]));
  const seen = new Set([entry]);
  const outside = new Set<string>();
  for (const specifier of seen) {
    assert.ok(byName.has(specifier), specifier);
    for (const { specifier: word, code, isDynamic } of byName.get(specifier)!.dependencies ?? []) {
      if (code?.specifier === undefined || isDynamic) continue;
      if (code.specifier.startsWith("file:")) seen.add(code.specifier);
      else outside.add(word);
    }
  }
  return [...outside].sort();
}

const STARTS: { readonly [file: string]: readonly string[] } = {
  "main.ts": [],
  "src/cli/early.ts": [],
  "src/cli.ts": ["@stricli/core"],
  "src/cli/run.ts": [],
  "src/cli/run_headless.ts": [],
  "src/cli/tool.ts": ["node:path"],
  "src/cli/check_command.ts": ["node:path", "unbash"],
  "src/model/mod.ts": [],
  "src/channels/headless.ts": [],
};

for (const [file, allowed] of Object.entries(STARTS)) {
  Deno.test(`${file} loads no more than ${allowed.join(", ") || "our own files"}`, async () => {
    assert.deepEqual((await loadedWith(file)).filter((word) => !allowed.includes(word)), []);
  });
}
