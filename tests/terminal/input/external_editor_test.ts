import assert from "node:assert/strict";
import { join } from "node:path";
import { editExternally, editorFrom } from "../../../src/terminal/input/external_editor.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const from = (variables: { [name: string]: string }) => editorFrom((name) => variables[name]);

/** An editor that is a shell script; its arguments come before the file. */
async function withEditor(script: string, play: (editor: string) => Promise<void>): Promise<void> {
  await withWorkspace({}, async (root) => {
    const path = join(root, "my editor");
    await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await play(`'${path}'`);
  });
}

Deno.test("VISUAL goes before EDITOR, and vi is what there is", () => {
  assert.equal(from({ VISUAL: "code --wait", EDITOR: "nano" }), "code --wait");
  assert.equal(from({ VISUAL: " ", EDITOR: "nano" }), "nano");
  assert.equal(from({}), "vi");
});

Deno.test("the text goes into a private .md file and what is saved comes back", async () => {
  await withEditor(
    'printf "%s!\\n" "$(cat "$1")" > "$1"',
    async (editor) => {
      assert.deepEqual(await editExternally("你好\n  two", editor), { text: "你好\n  two!" });
    },
  );
  await withEditor(
    'case "$1" in *.md) ;; *) exit 9;; esac; [ "$(stat -c %a "$1")" = 600 ]',
    async (editor) => {
      assert.deepEqual(await editExternally("same\n", editor), { text: "same\n" });
    },
  );
});

Deno.test("the editor has the environment that it is given, and nothing of ours", async () => {
  await withEditor('echo "${NARNAT_API_KEY-none} $MINE" > "$1"', async (editor) => {
    Deno.env.set("NARNAT_API_KEY", "not-for-editors");
    try {
      const env = { PATH: Deno.env.get("PATH")!, MINE: "here" };
      assert.deepEqual(await editExternally("x", editor, env), { text: "none here" });
    } finally {
      Deno.env.delete("NARNAT_API_KEY");
    }
  });
});

Deno.test("arguments in the variable are honoured", async () => {
  await withEditor(
    '[ "$1" = "--wait" ] && [ "$2" = "a b" ] && echo done > "$3"',
    async (editor) => {
      assert.deepEqual(await editExternally("x", `${editor} --wait "a b"`), { text: "done" });
    },
  );
});

Deno.test("an editor that fails or is not there leaves the text alone and is named", async () => {
  await withEditor('echo lost > "$1"; exit 3', async (editor) => {
    assert.deepEqual(await editExternally("x", editor), { editor, code: 3 });
  });
  const editor = "no-such-editor-anywhere";
  assert.deepEqual(await editExternally("x", `${editor} 2>/dev/null`), {
    editor: `${editor} 2>/dev/null`,
    code: 127,
  });
});

Deno.test("the file is gone afterwards", async () => {
  await withWorkspace({}, async (root) => {
    const told = join(root, "told");
    await withEditor(
      `echo "$1" > '${told}'`,
      async (editor) => void await editExternally("x", editor),
    );
    const path = (await Deno.readTextFile(told)).trim();
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  });
});
