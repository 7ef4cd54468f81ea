import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type ClipProgram,
  clipPrograms,
  copyByProgram,
  copyText,
  osc52,
  OSC52_BYTES,
} from "../../../src/terminal/input/copy.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const names = (env: { [name: string]: string }, os: string) =>
  clipPrograms((name) => env[name], os).map(({ command }) => command);

Deno.test("the programs tried are those that reach the clipboard of who sits at the terminal", () => {
  assert.deepEqual(names({}, "linux"), []);
  assert.deepEqual(names({ DISPLAY: ":0" }, "linux"), ["xclip", "xsel"]);
  assert.deepEqual(names({ WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, "linux"), [
    "wl-copy",
    "xclip",
    "xsel",
  ]);
  assert.deepEqual(names({ WSL_DISTRO_NAME: "d" }, "linux"), ["clip.exe"]);
  assert.deepEqual(names({}, "windows"), ["clip.exe"]);
  assert.deepEqual(names({ TMUX: "t" }, "darwin"), ["pbcopy", "tmux"]);
  assert.deepEqual(names({ SSH_TTY: "t" }, "darwin"), [], "the far side's clipboard is nobody's");
});

/** An executable that keeps its input in `got`. */
async function program(root: string, name: string, script: string): Promise<ClipProgram> {
  const command = join(root, name);
  await Deno.writeTextFile(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { command, args: [] };
}

Deno.test("the text goes to the first program that takes it, whole, in its encoding", async () => {
  await withWorkspace({}, async (root) => {
    const got = join(root, "got");
    const text = "第一行\n" + "x".repeat(300_000) + "😀";
    const fails = await program(root, "fails", "exit 1");
    const missing = { command: join(root, "missing"), args: [] };
    const takes = await program(root, "takes", `cat > '${got}'`);
    assert.equal(await copyByProgram(text, [missing, fails, takes]), takes.command);
    assert.equal(await Deno.readTextFile(got), text);
    await copyByProgram("中😀", [{ ...takes, utf16: true }]);
    assert.equal(new TextDecoder("utf-16le").decode(await Deno.readFile(got)), "中😀");
    assert.equal(await copyByProgram(text, [missing, fails]), undefined);
  });
});

Deno.test("OSC 52 carries the text in base64, up to what terminals take", () => {
  const sequence = osc52("答案 \x1b[2J")!;
  // deno-lint-ignore no-control-regex -- the sequence itself
  const [, base64] = /^\x1b\]52;c;([A-Za-z0-9+/=]+)\x07$/.exec(sequence)!;
  assert.equal(new TextDecoder().decode(Uint8Array.fromBase64(base64!)), "答案 \x1b[2J");
  assert.ok(osc52("x".repeat(OSC52_BYTES))!.length < 75_010);
  assert.equal(osc52("x".repeat(OSC52_BYTES + 1)), undefined);
});

Deno.test("what was done is said, and why it could not be done", async () => {
  const sent: string[] = [];
  const host = { t: english, env: () => undefined } as const;
  const send = (sequence: string) => void sent.push(sequence);
  assert.deepEqual(await copyText("hello", { ...host, send }), {
    level: "info",
    text: "Copied 5 B (by the terminal, OSC 52)",
  });
  assert.equal(sent.length, 1);
  const long = await copyText("x".repeat(100_000), { ...host, send });
  assert.match(long.text, /100\.0 KB, more than the 56\.2 KB .*\/export/);
  assert.equal(sent.length, 1);
  assert.equal((await copyText("x", host)).level, "warn");
});
