/** The order of a call's way, each promise by its name, as seen from outside of narnat. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { type CapturedRequest, startFakeProvider } from "../support/fake_provider.ts";
import { cleanEnv, type Outcome, runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const SECRET = "qX7vbn29TzLm40KdWfs81Rpe";
const HEARD = "cat >>../heard";

interface Seen extends Outcome {
  readonly root: string;
  readonly requests: readonly CapturedRequest[];
  read(path: string): string;
}

/** One prompt in `root`/ws, in which the model runs one command in Bash; `answer` is given to each question. */
async function withCall(
  command: string,
  use: (seen: Seen) => void,
  { args = [], onAsk }: {
    readonly args?: readonly string[];
    readonly onAsk?: (root: string) => void;
  } = {},
): Promise<void> {
  const config = JSON.stringify({
    hooks: { before_tool: [{ match: "Bash", command: HEARD }], after_tool: [HEARD] },
  });
  const files = {
    "ws/.env": `API_TOKEN=${SECRET}\n`,
    "ws/notes.txt": "work\n",
    "home/.narnat/narnat.json": config,
  };
  await withWorkspace(files, async (root) => {
    const call = { name: "Bash", input: { command } };
    const provider = await startFakeProvider([{ calls: [call] }, { text: "done" }]);
    const env = {
      ...cleanEnv(join(root, "home")),
      NARNAT_API_KEY: "k-123456",
      NARNAT_BASE_URL: provider.url,
      NARNAT_MODEL: "fake",
    };
    const stream = ["--output-format", "stream-json", "--input-format", "stream-json"];
    const outcome = await runNarnat(BUNDLED, ["-p", ...stream, ...args], {
      cwd: join(root, "ws"),
      env,
      async during(_, write, printed) {
        await write(JSON.stringify({ type: "user", text: "begin-of-the-task" }) + "\n");
        const isOver = ({ type }: Outcome["lines"][number]) => type === "turn_end";
        let asked = 0;
        for (;;) {
          let asks: Outcome["lines"] = [];
          let over = false;
          await printed((lines) => {
            asks = lines.filter(({ type }) => type === "ask");
            over = lines.some(isOver);
            return over || asks.length > asked;
          });
          if (over) return;
          onAsk?.(root);
          const { id } = asks[asked++]!;
          await write(JSON.stringify({ type: "answer", id, value: true }) + "\n");
        }
      },
    });
    const read = (path: string) => Deno.readTextFileSync(join(root, path));
    await provider.close();
    use({ ...outcome, root, requests: provider.requests, read });
  });
}

const result = ({ lines }: Outcome) => lines.find(({ type }) => type === "tool_end");

/** All that narnat has written below a folder. */
function allIn(folder: string): string {
  return [...Deno.readDirSync(folder)].map(({ name, isDirectory, isFile }) => {
    const path = join(folder, name);
    return isDirectory ? allIn(path) : isFile ? Deno.readTextFileSync(path) : "";
  }).join("\n");
}

Deno.test("a hook sees placeholders, not secrets; the tool gets the value", async () => {
  await withCall("grep -q . .env && printf %s '«secret:API_TOKEN»' >out", ({ read }) => {
    assert.equal(read("ws/out"), SECRET);
    assert.match(read("heard"), /"before_tool".*«secret:API_TOKEN»/);
    assert.ok(!read("heard").includes(SECRET));
  });
});

Deno.test("a hook is asked before a person is", async () => {
  let heard = false;
  const onAsk = (root: string) => {
    heard = Deno.readTextFileSync(join(root, "heard")).includes('"before_tool"');
  };
  await withCall("echo ran", () => assert.ok(heard), { args: ["--permission", "ask"], onAsk });
});

Deno.test("consent comes before the checkpoint", async () => {
  const kept: boolean[] = [];
  const look = (root: string) => {
    const narnat = [...Deno.readDirSync(join(root, "ws/.narnat"))].map(({ name }) => name);
    kept.push(narnat.includes("checkpoints"));
  };
  await withCall("echo changed >notes.txt", ({ root }) => {
    look(root);
    assert.deepEqual(kept, [false, true]);
  }, { args: ["--permission", "ask"], onAsk: look });
});

Deno.test("the checkpoint is there before the change", async () => {
  const command = "echo changed >notes.txt; grep -rlqx work .narnat/checkpoints && echo is kept";
  await withCall(command, (seen) => assert.match(result(seen).text, /^is kept$/m));
});

Deno.test("a line and a call are on disk before they are acted upon", async () => {
  const command = "cat .narnat/sessions/*.jsonl | grep -oE 'begin-of-the-task|mark-of-the-call'";
  await withCall(`${command} # mark-of-the-call`, (seen) => {
    assert.match(result(seen).text, /^(?:begin-of-the-task\n)+mark-of-the-call\n/);
  });
});

slow("a result is redacted before it is shown, stored, sent and told to a hook", async () => {
  await withCall(
    '. ./.env; echo "it is $API_TOKEN"',
    ({ root, stdout, stderr, requests, read }) => {
      const all = [
        ["shown", stdout + stderr],
        ["stored", allIn(join(root, "ws/.narnat/sessions")) + allIn(join(root, "home/.narnat"))],
        ["sent", requests.map(({ body }) => body).join("\n")],
        ["told", read("heard")],
      ] as const;
      for (const [where, text] of all) {
        assert.ok(!text.includes(SECRET), where);
        assert.ok(text.includes("«secret:API_TOKEN»"), where);
      }
    },
  );
});
