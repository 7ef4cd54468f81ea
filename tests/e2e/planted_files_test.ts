/** Files of `.narnat` that came with a repository: what narnat tells of them steers no terminal and is no lie. */
// deno-lint-ignore-file no-control-regex -- control characters are this file's subject
import assert from "node:assert/strict";
import { BUNDLED } from "../support/bundled.ts";
import { runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\rover\u202e\n  9  forged";
const STEERS = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/;
const TIME = "2026-11-01T10:10:10.000Z";

/** A session whose every text is hostile. */
function session(id: string, time: string): string {
  const message = (message: object) => ({ type: "message", time, message });
  return [
    { type: "session", version: 1, id, time, workspace: `/x${EVIL}` },
    { type: "name", name: `n${EVIL}` },
    { ...message({ role: "user", text: `hi ${EVIL}` }), asked: true },
    message({ role: "assistant", text: `needle ${EVIL}`, calls: [], thinking: [] }),
  ].map((line) => JSON.stringify(line) + "\n").join("");
}

const quoted = JSON.stringify(EVIL);
const FILES = {
  ".narnat/sessions/20261101-101010-aaaa.jsonl": session("20261101-101010-aaaa", TIME),
  ".narnat/sessions/20261101-101011-bbbb.jsonl": session("20261101-101011-bbbb", "some day"),
  ".narnat/sessions/20261101-101012-cccc.jsonl": session("20261101-101012-cccc", "9999-99-99"),
  ".narnat/skills/s\x1b[31m/SKILL.md": `---\nname: ${quoted}\ndescription: ${quoted}\n---\nx\n`,
  ".narnat/commands/c\x1b[31m.md": `---\ndescription: ${quoted}\n---\n${EVIL}\n`,
  ".narnat/agents/a\x1b[31m.md": `---\nname: a\ndescription: ${quoted}\n---\n${EVIL}\n`,
  ".narnat/agents/b\x1b[31m.md": `---\nname: [\n---\n${EVIL}\n`,
  ".narnat/mcp.json": JSON.stringify({
    mcpServers: { [EVIL]: { command: EVIL, args: [EVIL] }, b: { url: `http://x/${EVIL}` } },
  }),
  ".mcp.json": JSON.stringify({ mcpServers: { [`m${EVIL}`]: { commandd: EVIL } } }),
  ".narnat/memory/MEMORY.md": `- ${EVIL}\n`,
  ".narnat/trash/abc123/record.json": JSON.stringify({
    ...{ id: "abc123", time: TIME, session: EVIL, turn: 1, command: EVIL, files: 1, bytes: 1 },
    ...{ targets: ["/x\x1b[2J"], lost: [], lostCount: 0, copies: {} },
  }),
  ".narnat/trash/abc123/files/.keep": "",
  ".narnat/checkpoints/turns/000000001-aaaaa.json": JSON.stringify({
    ...{ v: 1, id: "000000001-aaaaa", kind: "turn", by: "x", session: EVIL, turn: 1, text: EVIL },
    ...{ began: "x", ended: "some day", uncovered: [], changes: [] },
  }),
};

slow(
  "nothing that a repository brings steers whoever reads a pipe, and no time is invented",
  async () => {
    await withWorkspace({ "home/.keep": "" }, async (root) => {
      const w = `${root}/w`;
      for (const [path, text] of Object.entries(FILES)) {
        await Deno.mkdir(`${w}/${path.slice(0, path.lastIndexOf("/"))}`, { recursive: true });
        await Deno.writeTextFile(`${w}/${path}`, text);
      }
      const all: string[] = [];
      const tell = async (...args: string[]) => {
        const { stdout, stderr } = await runNarnat(BUNDLED, args, { cwd: w, stdin: "" });
        for (const row of (stdout + stderr).split("\n")) {
          assert.doesNotMatch(row, STEERS, `${args.join(" ")}: ${JSON.stringify(row)}`);
          assert.doesNotMatch(row, /Invalid Date|NaN/, args.join(" "));
        }
        all.push(stdout);
        return stdout;
      };
      const listed = await tell("sessions");
      assert.doesNotMatch(listed, /^ +9 +forged/m);
      // what bears no time is told as such, and is not the newest
      assert.match(listed, / 1 +20261101-101010-aaaa +2026-11-01 /);
      assert.match(listed, / 2 +20261101-10101\d-\w{4} +\?{4}-/);
      const demo = ["--model", "demo", "-p"];
      for (
        const args of [
          ["sessions", "search", "needle"],
          ["sessions", "show", "1"],
          ["-r", "-p", "x"],
          ["skills"],
          ["mcp"],
          ["trust"],
          ["undo", "--list"],
          ["trash"],
          ["agents"],
          [...demo, "/show"],
          [...demo, "/mcp"],
          [...demo, "/memory"],
          [...demo, "/help"],
          [...demo, "/enter 20261101-101011-bbbb"],
          ["-c", ...demo, "/status"],
        ]
      ) await tell(...args);
      for (const known of ["abc123", "needle", "forged", "some day"]) {
        assert.equal(all.join("").includes(known), known !== "some day", known);
      }
    });
  },
);

Deno.test("what is asked for as it stands is printed as it stands", async () => {
  await withWorkspace({ "home/.keep": "", "w/.keep": "" }, async (root) => {
    const call = JSON.stringify({ command: "printf 'a\\tb'" });
    const at = { cwd: `${root}/w`, stdin: "" };
    const { stdout } = await runNarnat(BUNDLED, ["tool", "Bash", call], at);
    assert.match(stdout, /^a\tb\n/);
  });
});
