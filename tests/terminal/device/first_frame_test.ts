import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { screenFlags } from "../../../src/cli/early.ts";
import { runScreen } from "../../../src/terminal/screen.ts";
import { Pty, ptyAvailable } from "../../support/pty.ts";
import { VirtualTerminal } from "../../support/virtual_terminal.ts";
import { FakeBus, fakeOptions } from "../fake_bus.ts";

const DRIVER = fileURLToPath(new URL("../first_frame_driver.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));

const pty = await ptyAvailable();
if (!pty) console.error("SKIPPED: python3 is missing, the first frame is not tested on a terminal");

/** Whether the last of two sequences that was written is `wanted`. */
function lastIs(written: string, wanted: string, other: string): boolean {
  return written.lastIndexOf(wanted) > written.lastIndexOf(other);
}

const ENDINGS = {
  throw: 1,
  reject: 1,
  exit: 7,
  end: 0,
  SIGTERM: 143,
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
} as const;

for (const [how, code] of Object.entries(ENDINGS)) {
  Deno.test({
    name: `the terminal is as before when the first frame ends by ${how}`,
    ignore: !pty,
    async fn() {
      const run = `deno run -A --no-check -c '${CONFIG}' '${DRIVER}' ${how}`;
      const line = `stty -a; echo ${"M"}ARK; ${run}; echo RC=$?; stty -a; echo MARK`;
      const terminal = Pty.open(["bash", "-c", line], {
        env: { PATH: Deno.env.get("PATH") ?? "", HOME: "/nowhere", DENO_DIR: await denoDir() },
        cwd: "/",
      });
      try {
        await terminal.shows(/RC=[^]*MARK/);
        await terminal.end();
      } finally {
        await terminal.close();
      }
      const [before = "", during = "", after = ""] = terminal.written.split(/MARK\r\n|(?=RC=)/);
      assert.match(during, /narnat.*0\.1\.0[^]*❯ /);
      assert.match(after, new RegExp(`^RC=${code}\r\n`));
      assert.equal(after.slice(after.indexOf("speed")), before.slice(before.indexOf("speed")));
      for (const [wanted, other] of [["?25h", "?25l"], ["?2004l", "?2004h"], ["?7h", "?7l"]]) {
        assert.ok(lastIs(during, wanted!, other!), `${wanted}: ${JSON.stringify(during)}`);
      }
      const screen = new VirtualTerminal();
      screen.write(during);
      const left = await screen.text();
      assert.ok(!left.includes("❯") && !left.includes("/help"), left);
      if (how === "end") assert.equal(left, "said afterwards");
    },
  });
}

async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

for (const height of [24, 6]) {
  Deno.test(`the live screen takes over the rows of the first frame, on ${height} rows`, async () => {
    const terminal = new VirtualTerminal(80, height);
    const shell = Array.from({ length: 8 }, (_, n) => `shell ${n}\r\n`).join("");
    terminal.write(shell + "\r\nnarnat 0.1.0 · demo\r\n/space\r\nkeys\r\n\r\n❯  ");
    const over = new AbortController();
    const exit = runScreen({
      ...fakeOptions(new FakeBus()),
      firstFrame: { handOver: () => 5, end() {} },
      ended: over.signal,
    }, terminal);
    const all = await terminal.shows("/help lists");
    assert.match(all, /shell 6\nshell 7\n\nnarnat 0\.1\.0 · demo\n\/space\n\/help[^\n]*\n\n❯/);
    assert.ok(!all.includes("keys\n") && all.startsWith("shell 0\nshell 1\n"), all);
    over.abort();
    await exit;
  });
}

Deno.test("the first frame is for command lines that surely lead to a prompt", () => {
  assert.deepEqual(screenFlags([]), {});
  assert.deepEqual(screenFlags(["-c", "-m", "demo", "-C", "x", "--no-session"]), {
    model: "demo",
    cwd: "x",
  });
  const others = [["-p", "x"], ["doctor"], ["--help"], ["-m"], ["-m", "-p"], ["--plain"], ["x"]];
  others.push(["toString", "x"]);
  for (const args of others) assert.equal(screenFlags(args), undefined, args.join(" "));
});
