/** Two narnats at once: on one session, and at work on the same files of one workspace. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { type CapturedRequest, type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { runNarnat } from "../support/narnat.ts";
import { eventually } from "../support/processes.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow, SOAK } from "../support/soak.ts";
import { stage } from "../support/stage.ts";

/** Edits that each narnat is to bring through, of both files. */
const EDITS = SOAK > 1 ? 150 : 30;
const FILES = ["count.txt", "sub/count.txt"];
/** So large that a torn write would show. */
const FILLING = "x".repeat(40_000);
const counted = (n: number) => `begin\ncount ${n}\n${FILLING}\nend ${n}\n`;

// deno-lint-ignore no-explicit-any -- the wire form
const lastResult = (request: CapturedRequest): any => request.json.messages.at(-1);

/**
 * A model that reads a file, adds one to its count, and when it is told that it may not, reads
 * again. How often it was told so, and how many edits it has made, is counted.
 */
function adder(told: { made: number; refused: string[] }): (request: CapturedRequest) => Reply {
  let file = 0;
  let edits = false;
  return (request) => {
    const { role, content } = lastResult(request);
    if (role === "tool" && edits) {
      if (/^Edited /.test(content)) {
        told.made++;
        file = 1 - file;
      } else told.refused.push(content);
      edits = false;
      if (told.made === EDITS) return { text: "Done." };
    } else if (role === "tool") {
      const n = Number(/count (\d+)/.exec(content)?.[1]);
      assert.ok(Number.isInteger(n), `no whole file was read: ${content.slice(0, 200)}`);
      edits = true;
      const pair = (from: string, to: string) => ({ old_string: from, new_string: to });
      return {
        calls: [{
          name: "Edit",
          input: {
            file_path: FILES[file]!,
            edits: [pair(`count ${n}`, `count ${n + 1}`), pair(`end ${n}`, `end ${n + 1}`)],
          },
        }],
      };
    }
    return { calls: [{ name: "Read", input: { file_path: FILES[file]! } }] };
  };
}

slow(
  "two narnats that edit the same files lose no edit and tear no file; who is late is told",
  {
    timeout: 600_000,
  },
  async () => {
    const files = Object.fromEntries(FILES.map((name) => [`w/${name}`, counted(0)]));
    await withWorkspace(
      {
        ...files,
        "home/.narnat/narnat.json": `{ "max_iterations": 100000, "context_window": 1000000000 }`,
      },
      async (dir) => {
        const cwd = join(dir, "w");
        const told = [{ made: 0, refused: [] as string[] }, { made: 0, refused: [] as string[] }];
        const providers = await Promise.all(told.map((one) => startFakeProvider(adder(one))));
        try {
          const runs = await Promise.all(
            providers.map(({ url }) =>
              runNarnat(BUNDLED, ["-p", "count", "--output-format", "json"], {
                cwd,
                stdin: "",
                env: { NARNAT_API_KEY: "k-123456", NARNAT_BASE_URL: url, NARNAT_MODEL: "fake" },
              })
            ),
          );
          for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
          const counts = FILES.map((name) => {
            const text = Deno.readTextFileSync(join(cwd, name));
            const n = Number(/^begin\ncount (\d+)\n/.exec(text)?.[1]);
            assert.equal(text, counted(n), `${name} is torn`);
            return n;
          });
          assert.deepEqual(told.map(({ made }) => made), [EDITS, EDITS]);
          assert.equal(counts[0]! + counts[1]!, 2 * EDITS, "every edit is there");
          const refused = told.flatMap((one) => one.refused);
          for (const text of refused) {
            assert.match(text, /has changed|Read it again|changed since|nothing was written/i);
          }
          console.log(`${2 * EDITS} edits, ${refused.length} refused`);
          const sessions = sessionStore(join(cwd, ".narnat/sessions")).list();
          assert.deepEqual(
            sessions.map(({ turns }) => turns),
            [1, 1],
            "each has a session of its own",
          );
        } finally {
          await Promise.all(providers.map((provider) => provider.close()));
        }
      },
    );
  },
);

slow(
  "a second narnat on the same session is refused, and the first one's file stays whole",
  async () => {
    const wait = { name: "Bash", input: { command: "until [ -e go ]; do sleep 0.05; done" } };
    await stage([{ calls: [wait] }, { text: "First." }], async ({ root: cwd, narnat }) => {
      const store = sessionStore(join(cwd, ".narnat/sessions"));
      const first = narnat(["-p", "one", "--output-format", "json"]);
      assert.ok(await eventually(() => store.list()[0]?.messages === 2, 20_000));
      const { id } = store.list()[0]!;
      for (const args of [["-c"], ["-r", id]]) {
        const second = await narnat(["-p", "two", ...args]);
        assert.equal(second.code, 2);
        assert.match(second.stderr, /Another narnat is using/i);
      }
      const removed = await narnat(["sessions", "delete", id]);
      assert.equal(removed.code, 2, removed.stderr);
      assert.match(removed.stderr, /Another narnat is using/i);
      Deno.writeTextFileSync(join(cwd, "go"), "");
      assert.equal((await first).lines.at(-1).text, "First.");
      const { messages } = store.read(id);
      assert.deepEqual(messages.map(({ role }) => role), [
        "user",
        "assistant",
        "tool",
        "assistant",
      ]);
    });
  },
);
