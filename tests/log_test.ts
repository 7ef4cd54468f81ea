import assert from "node:assert/strict";
import { createLog, hider, masker } from "../src/log.ts";
import { withWorkspace } from "./support/temp_workspace.ts";

const at = () => new Date(2026, 4, 30, 14, 30, 1);

Deno.test("each start makes a new file, named and written as seed 000 says", async () => {
  await withWorkspace({}, (root) => {
    const open = () => createLog({ dir: `${root}/logs`, now: at, mask: (text) => text });
    const log = open();
    assert.equal(log.path, undefined, "no file before the first line");
    log.info("core.agent", '用户输入: "帮我重构这个模块"');
    log.debug("core.agent", "not at this level");
    log.warning("core.llm", "two\nlines");
    assert.equal(log.path, `${root}/logs/2026-05-30_14-30-01.log`);
    assert.equal(
      Deno.readTextFileSync(log.path),
      '2026-05-30 14:30:01 [core.agent] INFO 用户输入: "帮我重构这个模块"\n' +
        "2026-05-30 14:30:01 [core.llm] WARNING two\\nlines\n",
    );
    const second = open();
    second.error("x", "y");
    assert.equal(second.path, `${root}/logs/2026-05-30_14-30-01_2.log`);
    assert.equal(Deno.statSync(second.path).mode! & 0o777, 0o600);
  });
});

Deno.test("secrets and what looks like a key are masked, also when JSON-escaped", () => {
  const mask = masker(['my"secret\\key', "short"]);
  assert.equal(mask('a my"secret\\key b'), "a *** b");
  assert.equal(mask(JSON.stringify({ k: 'my"secret\\key' })), '{"k":"***"}');
  assert.equal(mask("sk-abcdefghijklmnopqrstuvwx"), "***");
  assert.equal(mask("in short"), "in short");
});

Deno.test("a log that cannot be written is told once and never throws", async () => {
  await withWorkspace({ "logs": "a file, not a folder" }, (root) => {
    const told: string[] = [];
    const log = createLog({
      dir: `${root}/logs`,
      now: at,
      mask: (text) => text,
      onFailure: (why) => told.push(why),
    });
    log.info("a", "b");
    log.info("a", "c");
    assert.equal(told.length, 1);
  });
});

Deno.test("a word in a key's place hides nothing", () => {
  for (const word of ["ollama", "EMPTY", "lm-studio", "not-needed"]) {
    assert.equal(hider([word])(`use ${word} here`), `use ${word} here`);
  }
  for (const key of ["k-123456", "abcdefghijklmnopqrstuvwx", "pass:word"]) {
    assert.equal(hider([key])(`use ${key} here`), "use *** here");
  }
});
